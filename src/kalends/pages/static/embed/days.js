// Days are texts such as 2027-03-10, on nobody's clock, so they compare as they stand.

const FIRST_DAY = "1900-01-01";
const LAST_DAY = "9998-12-31";
const ONE_DAY = 86_400_000;
const VIEWS = ["month", "week", "day", "list"];

/** A local time as Intl can write it, when it writes in UTC. */
const moment = (text) => new Date(`${text.slice(0, 10)}T${text.slice(11) || "00:00:00"}Z`);
const dayOf = (date) => date.toISOString().slice(0, 10);
const later = (day, days) => dayOf(new Date(+moment(day) + days * ONE_DAY));
const between = (first, last) => Math.round((moment(last) - moment(first)) / ONE_DAY);
const isThere = (day) => day >= FIRST_DAY && day <= LAST_DAY;
const daysFrom = (first, count) => Array.from({ length: count }, (_, number) => later(first, number));

/** The day that somebody wrote, as 2027-03-10 or 2027-03; nothing when there is no such day. */
function readDay(written) {
  const match = /^(\d{4}-\d{2})(-\d{2})?$/.exec(written?.trim() ?? "");
  const day = match && `${match[1]}${match[2] ?? "-01"}`;
  const isReal = day && !Number.isNaN(+moment(day)) && dayOf(moment(day)) === day;
  return isReal && isThere(day) ? day : undefined;
}

/** Today where the calendar is; where its zone is unknown, today where the reader is. */
function today() {
  const parts = { year: "numeric", month: "2-digit", day: "2-digit" };
  return clock(new Date(), parts) ?? new Intl.DateTimeFormat("sv", parts).format();
}

/** What the clock of the calendar shows; Swedes write dates as they sort. */
function clock(instant, parts) {
  try {
    return new Intl.DateTimeFormat("sv", { ...parts, timeZone: SITE.timezone }).format(instant);
  } catch {
    return undefined;
  }
}

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

/** The weeks of a month, whole. */
function weeksOf({ first, last }, firstWeekday) {
  const weeks = [];
  for (let start = weekStart(first, firstWeekday); start <= last; start = later(start, 7)) {
    weeks.push(daysFrom(start, 7));
  }
  return weeks;
}
