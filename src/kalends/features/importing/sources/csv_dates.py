"""Dates of tables: 3/4/2027 is in March or in April, which the other dates of the table tell; and they tell the year
of 18.06."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.sources.files import FileSource
from kalends.features.importing.sources.written_dates import (
    DAY_FIRST,
    MONTH_FIRST,
    WrittenDate,
    WrittenDay,
    day_in,
    read_date,
    read_times,
)
from kalends.languages import N_
from kalends.values import dates

NO_SUCH_DAY = N_("there is no such day")
NO_DATE = N_("this is not a date")
NO_TIME = N_("this is not a time")
MISSING = N_("the date is missing")
NO_YEAR = N_("the year is missing")
SERIAL_NUMBER = N_(
    "this is a number; give that column the format of a date and save the table again, or write the date here"
)
OTHER_WEEKDAY = N_("this day is a {weekday}")
WEEKDAYS = (N_("Monday"), N_("Tuesday"), N_("Wednesday"), N_("Thursday"), N_("Friday"), N_("Saturday"), N_("Sunday"))
HALF_A_YEAR = timedelta(days=183)
_SLASHES = re.compile(r"(?<![\d./])(\d{1,2})/(\d{1,2})(?:/(?:\d{4}|\d{2}))?(?![\d./])")
_IN_NUMBERS = re.compile(r"\s*[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}.*", re.DOTALL)
_YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)")
_MIDNIGHT = "24:00"
# What a spreadsheet writes for a date whose column has no format: days since 1900. Days of eight digits are dates.
_SERIAL_NUMBER = re.compile(r"[0-9]{1,7}(?:[.,][0-9]+)?")


@dataclass
class DateOrder:
    """Learns the order of day and month from the dates of a table, or is told it."""

    chosen: str = ""
    day_first: int = 0
    month_first: int = 0
    ambiguous: int = 0

    def learn(self, written: str) -> None:
        for found in _SLASHES.finditer(written):
            first, second = int(found[1]), int(found[2])
            if first > 12:
                self.day_first += 1
            elif second > 12:
                self.month_first += 1
            elif first != second:
                self.ambiguous += 1

    @property
    def order(self) -> str:
        if self.chosen:
            return self.chosen
        return DAY_FIRST if self.day_first and not self.month_first else MONTH_FIRST

    def check(self, file: FileSource) -> None:
        if not self.chosen and self.day_first and self.month_first:
            raise file.refused(
                N_(
                    "{file}: some dates have the day first and others the month;"
                    " write them as 2027-03-10, or choose which counts (--dates dmy or --dates mdy)"
                )
            )

    @property
    def remark(self) -> str:
        """What was decided, if anything had to be."""
        if not (self.day_first or self.month_first or self.ambiguous):
            return ""
        if not self.chosen and not self.day_first and not self.month_first:
            return ImportMessage(
                N_("dates are read as month/day/year; choose the other order if that is wrong (--dates dmy)")
            )
        if self.order == DAY_FIRST:
            return ImportMessage(N_("dates are read as day/month/year"))
        return ImportMessage(N_("dates are read as month/day/year"))


@dataclass
class Years:
    """Gives dates without a year one: what somebody has chosen, else that of the row above or of the first one below,
    else what the rows above the headings or the name of the file say. Where that would be more than half a year
    before the row above, it is the next one."""

    chosen: int = 0
    titles: Sequence[str] = ()  # texts that can name a year
    below: date | None = None  # the first date with a year
    _above: date | None = None
    earliest: date | None = None  # of those that were given one
    latest: date | None = None

    def begin(self) -> None:
        """Goes to the first row."""
        self._above = self.earliest = self.latest = None

    def passed(self, day: date) -> None:
        self._above = day

    def of(self, day: WrittenDay) -> int:
        """0 where nothing tells it."""
        if self.chosen and self.earliest is None:
            return self._noted(day, self.chosen)
        if self._above is not None:
            found = day_in(day, self._above.year)
            is_next = found is not None and self._above - found > HALF_A_YEAR
            return self._noted(day, self._above.year + is_next)
        if self.below is not None:
            found = day_in(day, self.below.year)
            is_former = found is not None and found - self.below > HALF_A_YEAR
            return self._noted(day, self.below.year - is_former)
        named = next((year[0] for text in self.titles if (year := _YEAR.search(text))), "0")
        return self._noted(day, int(named))

    def _noted(self, day: WrittenDay, year: int) -> int:
        if year and (found := day_in(day, year)) is not None:
            self.earliest = min(self.earliest or found, found)
            self.latest = max(self.latest or found, found)
        return year


class CellDays(NamedTuple):
    """What a cell says. A `text` is for the interface to read: an offset, or a day such as `tomorrow`."""

    first: date | None = None
    last: date | None = None
    start: str = ""
    end: str = ""
    all_day: bool = False
    text: str = ""
    problem: str = ""

    @property
    def day(self) -> str:
        return f"{self.first}" if self.first is not None else self.text


NOTHING = CellDays()


class RowTimes(NamedTuple):
    """The fields of an event. `problems`: the columns whose cells are wrong, each with why, by the fields that have
    no value because of them."""

    fields: Mapping[str, object]
    problems: Mapping[str, tuple[str, str]]


@dataclass
class TableDates:
    """Reads the dates and times of rows."""

    order: DateOrder
    years: Years
    yes: Callable[[str], bool | None]  # what the cell of a flag says

    def days(self, written: str, after: date | None = None) -> CellDays:
        """What a cell says. `after`: the day that its day has the year of, if it has none itself."""
        if not written:
            return NOTHING
        if is_serial_number(written) and read_date(written) is None and read_times(written) is None:
            return CellDays(problem=SERIAL_NUMBER)
        when = read_date(written, self.order.order) if dates.ISO.fullmatch(written) is None else None
        if when is None or when.first is None:
            return _as_the_interface_reads(written)
        year = when.first.year or (after.year if after is not None else self.years.of(when.first))
        if not year:
            return CellDays(problem=NO_YEAR)
        first, last = day_in(when.first, year), None
        if after is not None and first is not None and not when.first.year and first < after:
            first = day_in(when.first, year + 1)
        if when.last is not None:
            is_next = (when.last.month, when.last.day) < (when.first.month, when.first.day)
            last = day_in(when.last, year + is_next)
        if first is None or (when.last is not None and last is None):
            return CellDays(problem=NO_SUCH_DAY)
        for found, named in ((first, when.first), (last, when.last)):
            if found is not None and named is not None and named.weekdays and found.weekday() not in named.weekdays:
                return CellDays(
                    problem=ImportMessage(OTHER_WEEKDAY, weekday=ImportMessage(WEEKDAYS[found.weekday()]))
                )
        return CellDays(first, last, when.start, when.end, when.all_day)

    def row(self, cells: Mapping[str, str]) -> RowTimes:
        problems: dict[str, tuple[str, str]] = {}
        start = self.days(cells.get("start_date", ""))
        beginning = self._times(cells, "start_time", start)
        if beginning.day:  # it names its day too
            start, beginning = beginning, beginning._replace(last=None)
        end = self._end(cells, start, has_time=bool(beginning.start or start.start))
        ending = self._times(cells, "end_time", end)
        if not start.day and not start.problem:
            start = CellDays(problem=MISSING)
        for name, column, found in (
            ("start_date", "start_date", start),
            ("start_date", "start_time", beginning),
            ("end_date", "end_date", end),
            ("end_date", "end_time", ending),
        ):
            if found.problem and name not in problems:
                problems[name] = (column, found.problem)
        if start.first is not None:
            self.years.passed(start.first)
        start_time = beginning.start or start.start
        end_time = ending.start or ending.end or end.start or beginning.end or start.end
        last = ending.day or end.day or (f"{start.last}" if start.last is not None else "")
        if last == start.day and not end_time and not end.text:
            last = ""  # the day of the start once more, which says nothing of when it ends
        has_times = bool(start_time or end_time) or _has_time(start.text) or _has_time(end.text)
        is_marked = any(one.all_day for one in (start, beginning, end, ending, _read_times(cells.get("all_day", ""))))
        said = self.yes(cells.get("all_day", ""))
        is_days = said if said is not None else is_marked or not has_times
        fields: dict[str, object] = {"all_day": is_days}
        if is_days:
            fields["start_date"], fields["end_date"] = day_of(start.day), day_of(last or start.day)
        else:
            begin = f"{start.day} {start_time}".strip() if start_time else start.day
            fields["start_date"] = begin
            fields["end_date"] = end_of(begin, last, end_time) if last or end_time else begin
        for name, (column, _) in problems.items():
            fields[name] = f"“{cells.get(column, '')}”"  # no date, so that it is refused
        return RowTimes(fields, problems)

    def _times(self, cells: Mapping[str, str], column: str, day: CellDays) -> CellDays:
        written = cells.get(column, "")
        if not written:
            return NOTHING
        found = _read_times(written)
        if found is not NOTHING:
            return found
        named = self.days(written, day.first)
        is_day = named.first is not None or read_date(written, self.order.order) is not None
        return named if is_day or _has_time(named.text) else CellDays(problem=NO_TIME)

    def _end(self, cells: Mapping[str, str], start: CellDays, *, has_time: bool) -> CellDays:
        """`has_time`: where the start has one, `20.12` is a time too, and else a day."""
        written = cells.get("end_date", "")
        time = _read_times(written) if not cells.get("end_time") else NOTHING
        if time is NOTHING or (not has_time and read_date(written, self.order.order) is not None):
            return self.days(written, start.first)
        return time


def _read_times(written: str) -> CellDays:
    when = read_times(written) if written else None
    return _of_times(when) if when is not None else NOTHING


def _of_times(when: WrittenDate) -> CellDays:
    return CellDays(start=when.start, end=when.end, all_day=when.all_day)


def _as_the_interface_reads(written: str) -> CellDays:
    found = _read(written)
    if found is None:
        return CellDays(problem=NO_SUCH_DAY if _IN_NUMBERS.fullmatch(written) else NO_DATE)
    if not isinstance(found, dates.Wall):
        return CellDays(text=written)
    clock = f"{found.at:%H:%M:%S}" if found.at.second else f"{found.at:%H:%M}"
    return CellDays(found.at.date(), start=clock if found.has_time else "")


def is_serial_number(written: str) -> bool:
    return _SERIAL_NUMBER.fullmatch(written) is not None


def _has_time(written: str) -> bool:
    found = _read(written)
    return found is not None and found.has_time


def day_of(written: str) -> str:
    """The day of a time; what is not understood stays as it is, to be told."""
    found = _read(written)
    return f"{found.at:%Y-%m-%d}" if isinstance(found, dates.Wall) else written


def end_of(start: str, day: str, time: str) -> str:
    """The end of an event. 24:00 is the start of the next day; and where the table has no day for the end, a time
    before the start is one of the next day."""
    is_midnight = time == _MIDNIGHT
    end = f"{day or day_of(start)} {'00:00' if is_midnight else time}".strip()
    began, ended = _read(start), _read(end)
    if not isinstance(began, dates.Wall) or not isinstance(ended, dates.Wall):
        return end
    try:
        is_night = is_midnight or (not day and ended.at < began.at)
        return f"{ended.at + timedelta(days=1):%Y-%m-%d %H:%M:%S}" if is_night else end
    except OverflowError:
        return end


def _read(written: str) -> dates.Moment | None:
    try:
        return dates.read(written)
    except dates.NotADate:
        return None
