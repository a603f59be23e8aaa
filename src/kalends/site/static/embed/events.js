// Events as the calendar shows them: on which days, and as a bar or as a line with a time.

const STATUSES = ["cancelled", "postponed", "rescheduled", "moved_online", "sold_out"];
const NIGHT = 12 * 3_600_000; // an event that ends this soon counts as one evening

class Entry {
  constructor(event, base, words) {
    const { start_date: start, end_date: end } = event;
    this.id = event.id;
    this.title = String(event.title);
    this.picture = pictureOf(event, base);
    this.href = safeLink(event.url, base);
    this.start = start;
    this.end = end;
    // Of a protected event only the times are public.
    this.isAllDay = event.all_day ?? (start.endsWith("00:00:00") && end.endsWith("23:59:59"));
    this.isFeatured = Boolean(event.featured);
    this.status = STATUSES.find((word) => word === event.event_status);
    this.mark = markOf(event);
    this.first = start.slice(0, 10);
    // An end at midnight belongs to the day before.
    this.last = end.endsWith("00:00:00") && end > start ? later(end.slice(0, 10), -1) : end.slice(0, 10);
    this.isOneEvening = this.first === this.last || (!this.isAllDay && moment(end) - moment(start) <= NIGHT);
    this.isBar = this.isAllDay || !this.isOneEvening;
    if (!this.isBar) this.last = this.first;
    // A time in another zone than the calendar's is shown with its zone.
    const here = SITE_TIME?.format(moment(event.utc_start_date)) ?? start;
    this.zone = this.isAllDay || here === start ? "" : zoneWords(event.timezone, start, here, words);
    // What has moved online has no other place.
    const isMoved = this.status === "moved_online";
    const places = isMoved ? [words.say("online")] : [].concat(event.venue ?? []).map(({ venue }) => venue);
    const dates = event.occurrences > 1 && words.say("dates", { count: event.occurrences });
    const cost = String(event.cost ?? "").replace(/^Free(?= – |$)/, words.say("free"));
    this.about = [dates, ...places, cost].filter(Boolean).map(String);
  }

  touches(first, last = first) {
    return this.first <= last && this.last >= first;
  }

  /** `7:30 – 9:00 PM`, `All day`, or the days that it takes. */
  when(words) {
    if (!this.isOneEvening) return words.range(this.first, this.last, { month: "short", day: "numeric" });
    if (this.isAllDay) return words.say("all_day");
    if (this.start === this.end) return words.time(this.start);
    if (this.first === this.end.slice(0, 10)) return words.range(this.start, this.end, { timeStyle: "short", ...SITE.clock });
    return `${words.time(this.start)} – ${words.time(this.end)}`; // past midnight
  }
}

/** `in Vancouver, 1:00 here`: what is said of a zone, after hours in it. */
function zoneWords(zone, start, here, words) {
  const city = String(zone).split("/").pop().replaceAll("_", " ");
  const day = here.slice(0, 10) === start.slice(0, 10) ? "" : `${words.write(here.slice(0, 10), { weekday: "short" })} `;
  return words.say(String(zone).includes("/") ? "city_and_here" : "offset_and_here", { city, here: `${day}${words.time(here)}` });
}

/** The colour of the oldest of its categories, if it has one. */
function markOf({ categories }) {
  const [first] = [].concat(categories ?? []).sort((one, other) => one.id - other.id);
  return /^#[0-9a-f]{6}$/.test(first?.color) ? first.color : undefined;
}

/** The address of a small picture of an event, if it has one. */
function pictureOf({ image }, base) {
  const address = image?.sizes?.medium?.url ?? image?.url;
  return address ? safeLink(address, base) : undefined;
}

/** Accepts http and https links only. */
function safeLink(written, base) {
  try {
    const url = new URL(written, base);
    return ["http:", "https:"].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** Events by day: the day they start, or the first day shown if they start earlier. */
function byDay(entries, first = FIRST_DAY) {
  const days = new Map();
  for (const entry of entries) {
    const day = entry.first > first ? entry.first : first;
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1));
}
