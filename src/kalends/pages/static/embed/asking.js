// Questions to the calendar's public interface.

const FIELDS = "title,url,start_date,end_date,utc_start_date,timezone_abbr,all_day,featured,venue.venue,cost";
const PER_PAGE = 100;
const MOST_PAGES = 10; // of a month; who has more is told so
// The attributes that choose events, by the names that the interface has for them.
const FILTERS = {
  category: "categories",
  tag: "tags",
  venue: "venue",
  organizer: "organizer",
  search: "search",
  featured: "featured",
};

/** The question itself cannot be answered, now or later. */
class Refused extends Error {}

function filtersOf(element) {
  const filters = new URLSearchParams();
  for (const [attribute, name] of Object.entries(FILTERS)) {
    const value = element.getAttribute(attribute)?.trim();
    if (value) filters.set(name, value);
    else if (value === "" && attribute === "featured") filters.set(name, "true");
  }
  return filters;
}

class Source {
  constructor(base, filters, words) {
    this.base = base;
    this.filters = filters;
    this.words = words;
  }

  /** An address of the calendar, for the same choice of events. */
  at(path, more = {}) {
    const query = new URLSearchParams([...this.filters, ...Object.entries(more)]);
    return `${this.base}${path}${query.size ? `?${query}` : ""}`;
  }

  async page(number, size, more, signal) {
    const asked = { ...more, page: number, per_page: size, _fields: FIELDS };
    const headers = { "Accept-Language": this.words.tag };
    const answer = await fetch(this.at(`${SITE.api}/events`, asked), { headers, signal, credentials: "omit" });
    const json = await answer.json();
    if (answer.status === 400) throw new Refused(Object.values(json.data?.params ?? {})[0] ?? json.message);
    if (!answer.ok) throw new Error(answer.statusText);
    return {
      happenings: json.events.map((event) => new Happening(event, this.base)),
      total: json.total,
      pages: json.total_pages,
    };
  }

  /** All events of some days, up to a limit. */
  async within(first, last, signal) {
    const window = { starts_before: last, ends_after: later(first, -1) };
    const start = await this.page(1, PER_PAGE, window, signal);
    const others = Array.from({ length: Math.min(start.pages, MOST_PAGES) - 1 }, (_, number) => number + 2);
    const more = await Promise.all(others.map((number) => this.page(number, PER_PAGE, window, signal)));
    const asked = [start, ...more].flatMap(({ happenings }) => happenings);
    const missing = Math.max(start.total - asked.length, 0);
    return { happenings: asked.filter((one) => one.touches(first, last)), missing, total: start.total };
  }

  /** A page of what has not ended on a day. */
  upcoming(day, number, size, signal) {
    return this.page(number, size, { ends_after: later(day, -1) }, signal);
  }
}
