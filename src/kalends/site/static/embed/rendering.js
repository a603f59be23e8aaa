// Builds the DOM. Texts are inserted as text nodes, never as markup.

const MAX_DOTS = 3;

/** An element with attributes and children. An attribute that is false or undefined is left out. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (attribute.startsWith("on")) element.addEventListener(attribute.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(attribute, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== "" && child !== false));
  return element;
}

const visuallyHidden = (...words) => make("span", { class: "visually-hidden" }, ...words);
const shown = (...words) => make("span", { "aria-hidden": "true" }, ...words);

/** The title of an event, with a class of its own where it has one; a link when it has an address. */
function titleOf(entry, words, name, ...more) {
  const star = make("span", { class: "star", "aria-hidden": "true" });
  const marks = entry.isFeatured ? [star, visuallyHidden(words.say("featured"), ": ")] : [];
  const children = [...statusOf(entry, words), ...marks, make("bdi", {}, entry.title), ...more];
  const attributes = { class: name, part: entry.isFeatured ? "event featured" : "event", title: entry.title };
  if (!entry.href) return make("span", attributes, children);
  const link = make("a", { ...attributes, href: entry.href }, children);
  link.entry = entry; // what a click opens
  return link;
}

const statusOf = ({ status }, words) => (status ? [make("em", { class: "mark badge" }, words.say(status)), " "] : []);
const zoneOf = ({ zone }) => (zone ? [" ", make("small", {}, zone)] : []);

/** The element of an event, in the colour of its category. */
function item(entry, name, ...children) {
  const element = make("li", { class: [name, entry.isFeatured && "featured", entry.mark && "cat", entry.status].filter(Boolean).join(" ") }, ...children);
  if (entry.mark) element.style.setProperty("--mark", entry.mark);
  return element;
}

/** An event in a list, with its details. */
function line(entry, words) {
  const about = entry.about.flatMap((part, place) => [place ? shown(" · ") : "", make("bdi", {}, part)]);
  return item(
    entry,
    "line",
    make("span", { class: "hours", part: "time" }, entry.when(words), zoneOf(entry)),
    make(
      "div",
      {},
      entry.picture && make("img", { class: "thumb", src: entry.picture, alt: "", loading: "lazy" }),
      titleOf(entry, words),
      about.length > 0 && make("p", { class: "about", part: "details" }, about),
    ),
  );
}

const CHARACTERS = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** A character reference as its character. */
function characterOf(written, name) {
  const number = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  if (!name.startsWith("#")) return CHARACTERS[name] ?? written;
  return number <= 0x10ffff ? String.fromCodePoint(number) : written;
}

/** HTML as text: tags are left out, and paragraphs stand apart. Not parsed: pages with Trusted Types allow no parser. */
const textOf = (html) =>
  String(html ?? "")
    .replace(/<\/(p|div|li|h[1-6]|blockquote)>/gi, "\n\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(#?\w+);/g, characterOf)
    .trim();

/** An opened event: what a list shows of it, its text, and the way to its page. */
function sheetOf(entry, words) {
  const day = entry.isOneEvening ? `${words.day(entry.first)}, ` : "";
  return [
    entry.status && make("p", {}, statusOf(entry, words)),
    make("p", { class: "about" }, day, entry.when(words), zoneOf(entry)),
    entry.about.length > 0 && make("p", { class: "about" }, entry.about.join(" · ")),
    make("div", { class: "story", "aria-live": "polite" }),
    make("p", { class: "foot" }, make("a", { href: entry.href }, words.say("event_page"))),
  ];
}

/** The custom fields of an event, each with its label; an address is a link, and several choices stand apart. */
function customOf({ custom_fields: found }) {
  const rows = Object.values(found ?? {}).flatMap(({ label, value }) => {
    const text = String(value);
    const href = /^https?:\/\/\S+$/.test(text) && safeLink(text);
    const shown = href ? make("a", { href, rel: "noopener" }, text) : text.split("|").join(", ");
    return [make("dt", {}, make("bdi", {}, String(label))), make("dd", { dir: "auto" }, shown)];
  });
  return rows.length > 0 ? [make("dl", { class: "custom", part: "custom" }, rows)] : [];
}

/** Events grouped by day. */
function agenda(entries, words, first) {
  const now = today();
  const mark = [" ", make("em", { class: "mark" }, words.say("today"))];
  return byDay(entries, first).map(([day, lines]) =>
    make(
      "section",
      { class: day === now ? "day today" : "day" },
      make("h3", { part: "day" }, words.day(day), day === now ? mark : []),
      make("ul", {}, lines.map((one) => line(one, words))),
    ),
  );
}

/** The events of a month: the present one begins with today, and what is over comes last. */
function monthAgenda(entries, words, { first, last }) {
  const now = today();
  if (now < first || now > last) return agenda(entries, words, first);
  const [over, ahead] = [true, false].map((isOver) => entries.filter((one) => one.last < now === isOver));
  const earlier = make("h3", { class: "earlier", part: "earlier" }, words.say("earlier"));
  return [...agenda(ahead, words, now), over.length > 0 && make("div", { class: "over" }, earlier, agenda(over, words, first))];
}

/** The grid of a month. `open` is called with a day whose events are to be shown. */
function grid(view, entries, words, open) {
  const weeks = weeksOf(view, words.firstWeekday);
  const now = today();
  const heads = weeks[0].map((day) =>
    make(
      "th",
      { scope: "col" },
      visuallyHidden(words.write(day, { weekday: "long" })),
      shown(words.write(day, { weekday: "short" })),
    ),
  );
  const rows = weeks.map((week) =>
    make("tr", {}, layWeek(week, entries).map((cell) => cellOf(cell, view, now, words, open))),
  );
  return make(
    "table",
    { class: "grid", part: "grid" },
    make("caption", { class: "visually-hidden" }, words.title("month", view.first)),
    make("thead", {}, make("tr", {}, heads)),
    make("tbody", {}, rows),
  );
}

function cellOf({ day, lanes, lines, hidden }, { first, last }, now, words, open) {
  const count = lanes.filter(Boolean).length + lines.length + hidden;
  const marks = [...lanes.map((piece) => piece?.bar), ...lines].filter(Boolean).map(({ mark }) => mark);
  const dots = Array.from({ length: Math.min(count, MAX_DOTS) }, (_, place) => dot(marks[place]));
  const isToday = day === now;
  const name = [visuallyHidden(words.day(day), isToday && `, ${words.say("today")}`), shown(words.number(+day.slice(8)))];
  const show = () => open(day);
  const number = { class: "number", "aria-current": isToday && "date" };
  const items = [
    ...Array.from(lanes, (piece) => barOf(piece, words)),
    ...lines.map((one) => chip(one, words)),
    hidden > 0 && make("li", { class: "more" }, more(day, hidden, words, show)),
  ];
  return make(
    "td",
    {
      class: [day < first || day > last ? "outside" : "", isToday ? "today" : ""].join(" ").trim() || undefined,
      part: isToday ? "cell today" : "cell",
    },
    count ? make("button", { ...number, type: "button", onclick: show }, name) : make("span", number, name),
    count > 0 && make("span", { class: "dots", "aria-hidden": "true" }, dots),
    count > 0 && make("ul", {}, items),
  );
}

function dot(mark) {
  const element = make("i");
  if (mark) element.style.setProperty("--mark", mark);
  return element;
}

function more(day, count, words, show) {
  const text = words.say("more", { count });
  const name = `${text}, ${words.day(day)}`;
  return make("button", { type: "button", part: "more", "aria-label": name, onclick: show }, text);
}

function barOf(piece, words) {
  if (!piece) return make("li", { class: "gap", "aria-hidden": "true" });
  const { bar, length, cameFromBefore, goesOn } = piece;
  if (!length) return make("li", { class: "gap" }, visuallyHidden(bar.title, ", ", words.say("continues")));
  const classes = ["bar", `days-${length}`, cameFromBefore && "before", goesOn && "on"].filter(Boolean).join(" ");
  const title = titleOf(bar, words, "entry-box", visuallyHidden(", ", bar.when(words)));
  return item(bar, classes, title);
}

function chip(entry, words) {
  const time = make("span", { class: "hours", part: "time" }, words.time(entry.start), zoneOf(entry));
  return item(entry, "chip", make("div", { class: "entry-box" }, time, " ", titleOf(entry, words, "title")));
}
