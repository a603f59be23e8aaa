// Requests to the public API of the calendar.

const FIELDS = "id,title,url,start_date,end_date,utc_start_date,timezone,all_day,featured,event_status,venue.venue,cost,occurrences,categories.id,categories.color";
const PER_PAGE = 100;
const MAX_PAGES = 10; // of a month; beyond that a note is shown
// The attributes that filter events, with their API parameters.
const FILTERS = {
  category: "categories",
  categories: "categories",
  tag: "tags",
  tags: "tags",
  venue: "venue",
  organizer: "organizer",
  series: "series",
  search: "search",
  featured: "featured",
};

/** The server rejected the parameters; retrying would not help. */
class BadRequest extends Error {}

function filtersOf(element) {
  const filters = new URLSearchParams();
  for (const [attribute, name] of Object.entries(FILTERS)) {
    const value = element.getAttribute(attribute)?.trim();
    if (value) filters.set(name, [filters.get(name), value].filter(Boolean).join(","));
    else if (value === "" && attribute === "featured") filters.set(name, "true");
  }
  if (filters.has("series")) filters.set("whole", "true"); // also what follows after it was split
  return filters;
}

class Source {
  constructor(base, filters, words, isCollapsed, hasPictures) {
    this.base = base;
    this.filters = filters;
    this.words = words;
    this.fields = hasPictures ? `${FIELDS},image` : FIELDS;
    this.isCollapsed = isCollapsed; // lists show each series once
  }

  /** An address of the calendar with the same filters. */
  at(path, more = {}) {
    const query = new URLSearchParams([...this.filters, ...Object.entries(more)]);
    return `${this.base}${path}${query.size ? `?${query}` : ""}`;
  }

  async get(address, signal) {
    const headers = { "Accept-Language": this.words.tag };
    const response = await fetch(address, { headers, signal, credentials: "omit" });
    const json = await response.json();
    if (response.status === 400) throw new BadRequest(Object.values(json.data?.params ?? {})[0] ?? json.message);
    if (!response.ok) throw new Error(response.statusText);
    return json;
  }

  /** What an event shows when it is opened. */
  event(id, signal) {
    return this.get(`${this.base}${SITE.api}/events/${id}?_fields=excerpt,description,image,custom_fields`, signal);
  }

  /** The categories that can be chosen. */
  async categories(signal) {
    const query = "per_page=50&hide_empty=1&_fields=name,slug";
    return (await this.get(`${this.base}${SITE.api}/categories?${query}`, signal)).categories;
  }

  async page(number, size, more, signal) {
    const query = { ...more, page: number, per_page: size, _fields: this.fields };
    const json = await this.get(this.at(`${SITE.api}/events`, query), signal);
    return {
      entries: json.events.map((event) => new Entry(event, this.base, this.words)),
      total: json.total,
      pages: json.total_pages,
    };
  }

  /** All events of some days, up to a limit. */
  async within(first, last, signal) {
    const window = { starts_before: last, ends_after: later(first, -1) };
    const start = await this.page(1, PER_PAGE, window, signal);
    const others = Array.from({ length: Math.min(start.pages, MAX_PAGES) - 1 }, (_, number) => number + 2);
    const more = await Promise.all(others.map((number) => this.page(number, PER_PAGE, window, signal)));
    const entries = [start, ...more].flatMap(({ entries }) => entries);
    const missing = Math.max(start.total - entries.length, 0);
    return { entries: entries.filter((one) => one.touches(first, last)), missing, total: start.total };
  }

  /** A page of the events that end on this day or later. */
  upcoming(day, number, size, signal) {
    const collapse = this.isCollapsed ? { collapse: "series" } : {};
    return this.page(number, size, { ends_after: later(day, -1), ...collapse }, signal);
  }
}
