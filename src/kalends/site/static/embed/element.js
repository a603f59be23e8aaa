// The custom element: reads its attributes, fetches events, renders them, and pages.

const HOME = document.currentScript?.src;
const SHEET = new CSSStyleSheet();
SHEET.replaceSync(STYLE);

const DEFAULT_LIMIT = 10;
// What any element may have, and the attributes of scripts and styles around it.
const OF_ANY_ELEMENT = /^(id|class|style|slot|part|title|dir|role|hidden|inert|tabindex|translate|nonce|is|on.+|.*[-:@].*)$/;

class KalendsCalendar extends HTMLElement {
  static observedAttributes = ["src", "view", "date", "limit", "lang", "collapse", "views", "filters", "pictures", "open", ...Object.keys(FILTERS)];

  #view;
  #day;
  #page;
  #words;
  #source;
  #parts;
  #request = new AbortController();
  #isScheduled = false;

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [SHEET];
  }

  connectedCallback() {
    this.#nameUnknownAttributes();
    this.#begin();
  }

  /** A misspelt filter would show the whole calendar without a word. */
  #nameUnknownAttributes() {
    const known = KalendsCalendar.observedAttributes;
    for (const name of this.getAttributeNames()) {
      if (known.includes(name) || OF_ANY_ELEMENT.test(name)) continue;
      console.warn(`<kalends-calendar> does not know the attribute "${name}". It knows: ${known.join(", ")}.`);
    }
  }

  disconnectedCallback() {
    this.#request.abort();
  }

  attributeChangedCallback(_name, before, after) {
    const hasBegun = this.isConnected && this.#parts;
    if (!hasBegun || before === after || this.#isScheduled) return;
    // Attributes often change together.
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.isConnected) this.#begin();
    });
  }

  #begin() {
    const view = this.getAttribute("view")?.trim().toLowerCase();
    this.#view = VIEWS.includes(view) ? view : "month";
    // The language of the embedding element, else the browser's.
    this.#words = new Texts(inRegion(this.closest("[lang]")?.lang || navigator.language || "en"));
    const flags = ["collapse", "pictures"].map((name) => this.hasAttribute(name));
    this.#source = new Source(this.#base(), filtersOf(this), this.#words, ...flags);
    this.#parts = this.#frame();
    this.#home();
    if (this.hasAttribute("filters")) this.#addCategories();
  }

  /** The views that readers can choose: all of them, those of the attribute, or none. */
  get #choices() {
    const named = this.getAttribute("views")?.toLowerCase().split(/[\s,]+/);
    const found = VIEWS.filter((view) => !named || named.includes(view));
    return found.length > 1 ? found : [];
  }

  #switch(view) {
    this.#view = view;
    this.#page = 1;
    const filter = this.#parts.filter;
    this.#parts = this.#frame(filter);
    this.#show();
    this.shadowRoot.querySelector(".views [aria-pressed=true]").focus();
  }

  async #addCategories() {
    const [words, source, { filter }] = [this.#words, this.#source, this.#parts];
    const found = await source.categories().catch(() => []);
    if (!found.length || source !== this.#source) return;
    const own = source.filters.get("categories");
    const option = ({ name, slug }) => make("option", { value: slug, selected: slug === own }, textOf(name));
    const onchange = ({ target }) => {
      if (target.value) source.filters.set("categories", target.value);
      else if (own) source.filters.set("categories", own);
      else source.filters.delete("categories");
      this.#home(this.#day);
    };
    const all = make("option", { value: "" }, words.say("all"));
    filter.replaceChildren(
      make("label", {}, `${words.say("category")} `, make("select", { onchange }, all, found.map(option))),
    );
  }

  /** The address of the calendar: the attribute `src`, else where this script came from. */
  #base() {
    const named = this.getAttribute("src")?.trim();
    const address = named ? safeLink(named, document.baseURI) : safeLink(".", HOME ?? document.baseURI);
    return (address ?? "about:invalid").replace(/\/*([?#].*)?$/, "");
  }

  get #start() {
    return readDay(this.getAttribute("date")) ?? today();
  }

  get #limit() {
    const limit = Number.parseInt(this.getAttribute("limit"), 10);
    return limit > 0 ? Math.min(limit, PER_PAGE) : DEFAULT_LIMIT;
  }

  #frame(filter = make("p", { class: "filter", part: "filter" })) {
    const words = this.#words;
    const step = (direction, name, onclick) =>
      make("button", {
        type: "button",
        class: `step ${direction}`,
        part: `button ${direction}`,
        "aria-label": name,
        title: name,
        onclick,
      });
    const paged = this.#view === "list" ? "page" : this.#view;
    const parts = {
      title: make("h2", { id: "title", part: "title" }),
      place: make("span", { class: "place" }),
      before: step("previous", words.say(`previous_${paged}`), () => this.#turn(-1)),
      after: step("next", words.say(`next_${paged}`), () => this.#turn(1)),
      link: make("a", {}, words.say("to_calendar")),
      body: make("div", { class: "body", part: "body", tabindex: "-1" }),
      filter,
      dialog: make("dialog", { part: "dialog", "aria-labelledby": "chosen" }),
    };
    const home = { type: "button", class: "now", part: "button today", onclick: () => this.#home(today()) };
    const steps = { class: "steps", role: "group", "aria-label": words.say("other_dates") };
    const choose = (view) =>
      make(
        "button",
        { type: "button", part: "button", "aria-pressed": String(view === this.#view), onclick: () => this.#switch(view) },
        words.say(view),
      );
    const choices = this.#choices.map(choose);
    const views = { class: "views", part: "views", role: "group", "aria-label": words.say("views") };
    // A click outside the content of the dialog hits its backdrop.
    parts.dialog.addEventListener("click", ({ target }) => target === parts.dialog && parts.dialog.close());
    this.shadowRoot.replaceChildren(
      make(
        "section",
        {
          class: "calendar",
          part: "calendar",
          lang: words.tag,
          dir: words.direction,
          "aria-labelledby": "title",
          onclick: (event) => this.#openEvent(event),
        },
        make(
          "div",
          { class: "head", part: "header" },
          make("div", { class: "where", "aria-live": "polite" }, parts.title, parts.place),
          make("div", steps, parts.before, parts.after, make("button", home, words.say("today"))),
          choices.length > 0 && make("div", views, choices),
        ),
        filter,
        parts.body,
        make(
          "p",
          { class: "foot", part: "footer" },
          parts.link,
          make("a", { href: this.#source.at("/events.ics") }, words.say("subscribe")),
        ),
        parts.dialog,
      ),
    );
    return parts;
  }

  #home(day = this.#start) {
    this.#day = day;
    this.#page = 1;
    this.#show();
  }

  #turn(step) {
    const button = step < 0 ? this.#parts.before : this.#parts.after;
    if (button.ariaDisabled === "true") return;
    if (this.#view === "list") this.#page += step;
    else this.#day = beside(this.#view, this.#day, step);
    this.#show();
  }

  /** Disabled buttons keep the focus, so that keyboard users do not lose their position. */
  #allow(before, after) {
    this.#parts.before.ariaDisabled = String(!before);
    this.#parts.after.ariaDisabled = String(!after);
  }

  async #show() {
    this.#request.abort();
    const request = (this.#request = new AbortController());
    const { title, link, body } = this.#parts;
    title.textContent = this.#words.title(this.#view, this.#day);
    link.href = this.#source.at(`/events/${this.#view}/${this.#day}/`);
    body.setAttribute("aria-busy", "true");
    try {
      await (this.#view === "list" ? this.#showList(request.signal) : this.#showDays(request.signal));
    } catch (problem) {
      if (request.signal.aborted) return;
      this.#showProblem(problem);
    }
    if (!request.signal.aborted) body.removeAttribute("aria-busy");
  }

  async #showDays(signal) {
    const [view, words] = [this.#view, this.#words];
    const days = period(view, this.#day, words.firstWeekday);
    this.#allow(...[-1, 1].map((step) => isInRange(beside(view, this.#day, step))));
    const weeks = weeksOf(days, words.firstWeekday);
    const [first, last] = view === "month" ? [weeks[0][0], weeks.at(-1)[6]] : [days.first, days.last];
    // Show the empty grid at once, and the events when they arrive.
    if (view === "month") this.#parts.body.replaceChildren(grid(days, [], words));
    const found = await this.#source.within(first, last, signal);
    if (signal.aborted) return;
    const within = found.entries.filter((one) => one.touches(days.first, days.last));
    const list =
      view === "month"
        ? make("div", { class: "agenda narrow-only" }, monthAgenda(within, words, days))
        : make("div", { class: "agenda" }, agenda(within, words, days.first));
    const open = (day) => this.#openDay(day, found.entries);
    this.#parts.body.replaceChildren(
      ...(within.length ? [] : [this.#say(this.#source.filters.size ? "none_such" : `none_${view}`)]),
      ...(found.missing ? [this.#say("first_only", { count: found.total - found.missing, total: found.total })] : []),
      ...(view === "month" ? [grid(days, found.entries, words, open), list] : [list]),
    );
  }

  async #showList(signal) {
    const found = await this.#source.upcoming(this.#day, this.#page, this.#limit, signal);
    if (signal.aborted) return;
    this.#allow(this.#page > 1, this.#page < found.pages);
    const place = { number: this.#page, pages: found.pages };
    this.#parts.place.textContent = found.pages > 1 ? this.#words.say("page_of", place) : "";
    const empty = this.#source.filters.size ? "none_such" : "none";
    this.#parts.body.replaceChildren(
      found.entries.length
        ? make("div", { class: "agenda list" }, agenda(found.entries, this.#words, this.#day))
        : this.#say(empty),
    );
  }

  #showProblem(problem) {
    const [words, { body }] = [this.#words, this.#parts];
    const retry = () => {
      body.focus(); // the button is about to be removed
      this.#show();
    };
    const again = () => make("button", { type: "button", part: "button", onclick: retry }, words.say("again"));
    // A wrong attribute, such as a misspelt category: the reason is for the author of the embedding page.
    const children = problem instanceof BadRequest
      ? [words.say("none_such"), make("small", {}, problem.message)]
      : [words.say("unreachable"), " ", again()];
    body.replaceChildren(make("div", { class: "note", part: "message", role: "alert" }, children));
  }

  #say(name, values) {
    return make("p", { class: "note", part: "message" }, this.#words.say(name, values));
  }

  #openDay(day, entries) {
    const lines = entries.filter((one) => one.touches(day)).map((one) => line(one, this.#words));
    this.#open(this.#words.day(day), make("ul", {}, lines));
  }

  /** Opens an event in place. Readers who want its page in another tab get it, and so do authors with open="page". */
  async #openEvent(click) {
    const link = click.composedPath().find((one) => one.entry);
    const wantsPage = click.button || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey;
    if (!link?.entry.id || wantsPage || this.getAttribute("open") === "page") return;
    click.preventDefault();
    const { entry } = link;
    const sheet = this.#open(entry.title, ...sheetOf(entry, this.#words));
    try {
      const found = await this.#source.event(entry.id);
      const picture = this.hasAttribute("pictures") && pictureOf(found, this.#source.base);
      const paragraphs = textOf(found.excerpt || found.description).split(/\n\s*\n/);
      sheet.querySelector(".story").replaceChildren(
        ...(picture ? [make("img", { src: picture, alt: "" })] : []),
        ...paragraphs.filter(Boolean).map((words) => make("p", { dir: "auto" }, words)),
        ...customOf(found),
      );
    } catch {
      // What is shown already is what a list shows; the page has the rest.
    }
  }

  #open(title, ...children) {
    const [words, { dialog }] = [this.#words, this.#parts];
    const name = words.say("close");
    const close = { type: "button", class: "close", part: "button", "aria-label": name, title: name };
    const heading = make("h3", { id: "chosen" }, title);
    const sheet = make("div", { class: "sheet" }, heading, make("button", { ...close, onclick: () => dialog.close() }));
    sheet.append(...children.filter(Boolean));
    dialog.replaceChildren(sheet);
    if (!dialog.open) dialog.showModal();
    return sheet;
  }
}

if (!customElements.get("kalends-calendar")) customElements.define("kalends-calendar", KalendsCalendar);
