"""Dates of tables: 3/4/2027 is in March or in April, which the other dates of the table tell."""

import re
from dataclasses import dataclass
from datetime import timedelta

from kalends.features.importing.records.messages import Message
from kalends.features.importing.sources.files import FileSource
from kalends.features.importing.sources.written_dates import in_numbers
from kalends.languages import N_
from kalends.values import dates

DAY_FIRST, MONTH_FIRST = "dmy", "mdy"
_NUMERIC = re.compile(r"\s*([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})(?![0-9])(.*)", re.DOTALL)
_END_OF_DAY = re.compile(r"24[:.]00(?:[:.]00)?")
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
        found = _NUMERIC.fullmatch(written)
        if found is None or found[2] != "/":
            return
        first, second = int(found[1]), int(found[3])
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
            return Message(
                N_("dates are read as month/day/year; choose the other order if that is wrong (--dates dmy)")
            )
        if self.order == DAY_FIRST:
            return Message(N_("dates are read as day/month/year"))
        return Message(N_("dates are read as month/day/year"))

    def iso(self, written: str) -> str:
        """A date as the interface takes it; what is not understood stays as it is."""
        written = in_numbers(written)
        found = _NUMERIC.fullmatch(written)
        if found is None:
            return written
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        is_day_first = found[2] != "/" or self.order == DAY_FIRST
        day, month = (first, second) if is_day_first else (second, first)
        # Two digits are this century, as spreadsheets write them.
        return f"{year if year > 99 else 2000 + year:04}-{month:02}-{day:02}{found[5]}"


def is_serial_number(written: str) -> bool:
    return _SERIAL_NUMBER.fullmatch(written) is not None


def has_time(written: str) -> bool:
    found = _read(written)
    return found is not None and found.has_time


def is_readable(written: str) -> bool:
    return _read(written) is not None


def day_of(written: str) -> str:
    """The day of a time; what is not understood stays as it is, to be told."""
    found = _read(written)
    return f"{found.at:%Y-%m-%d}" if isinstance(found, dates.Wall) else written


def end_of(start: str, day: str, time: str) -> str:
    """The end of an event. 24:00 is the start of the next day; and where the table has no day for the end, a time
    before the start is one of the next day."""
    is_midnight = _END_OF_DAY.fullmatch(time) is not None
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
