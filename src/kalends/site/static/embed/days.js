// Days are strings such as 2027-03-10 without a time zone, so they can be compared.

const FIRST_DAY = "1900-01-01";
const LAST_DAY = "9998-12-31";
const ONE_DAY = 86_400_000;
const VIEWS = ["month", "week", "day", "list"];

/** A local time as a Date; formatted in UTC it shows the same time. */
const moment = (text) => new Date(`${text.slice(0, 10)}T${text.slice(11) || "00:00:00"}Z`);
const dayOf = (date) => date.toISOString().slice(0, 10);
const later = (day, days) => dayOf(new Date(+moment(day) + days * ONE_DAY));
const between = (first, last) => Math.round((moment(last) - moment(first)) / ONE_DAY);
const isInRange = (day) => day >= FIRST_DAY && day <= LAST_DAY;
const daysFrom = (first, count) => Array.from({ length: count }, (_, number) => later(first, number));

/** Parses 2027-03-10 or 2027-03; undefined when there is no such day. */
function readDay(written) {
  const match = /^(\d{4}-\d{2})(-\d{2})?$/.exec(written?.trim() ?? "");
  const day = match && `${match[1]}${match[2] ?? "-01"}`;
  const isReal = day && !Number.isNaN(+moment(day)) && dayOf(moment(day)) === day;
  return isReal && isInRange(day) ? day : undefined;
}

/** Formats instants in the calendar's time zone; the Swedish locale writes ISO dates. */
function siteClock(parts) {
  try {
    return new Intl.DateTimeFormat("sv", { ...parts, timeZone: SITE.timezone });
  } catch {
    return undefined; // not every browser knows every zone
  }
}

const DATE = { year: "numeric", month: "2-digit", day: "2-digit" };
const SITE_DATE = siteClock(DATE) ?? new Intl.DateTimeFormat("sv", DATE);
const SITE_TIME = siteClock({ ...DATE, hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** Today in the calendar's time zone. */
const today = () => SITE_DATE.format();

const weekStart = (day, firstWeekday) => later(day, -((moment(day).getUTCDay() + 7 - firstWeekday) % 7));

/** The days that a view shows around one of them. */
function period(view, day, firstWeekday) {
  if (view === "day") return { first: day, last: day };
  if (view === "week") {
    const first = weekStart(day, firstWeekday);
    return { first, last: later(first, 6) };
  }
  return { first: `${day.slice(0, 7)}-01`, last: later(beside("month", day, 1), -1) };
}

/** A day on the next page (1) or the one before (-1). */
function beside(view, day, step) {
  if (view !== "month") return later(day, view === "week" ? step * 7 : step);
  const [year, month] = day.split("-").map(Number);
  return dayOf(new Date(Date.UTC(year, month - 1 + step, 1)));
}

/** The whole weeks of a month. */
function weeksOf({ first, last }, firstWeekday) {
  const weeks = [];
  for (let start = weekStart(first, firstWeekday); start <= last; start = later(start, 7)) {
    weeks.push(daysFrom(start, 7));
  }
  return weeks;
}
