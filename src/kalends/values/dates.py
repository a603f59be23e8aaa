"""Dates as clients write them: `read` checks one and gives a Moment, which a zone and a clock then place."""

import re
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final

from kalends.values import zones
from kalends.values.date_forms import FORMS, STEP
from kalends.values.moments import FIRST_YEAR, Instant, Moment, NotADate, Relative, Wall, out_of_years

__all__ = [
    "Instant",
    "Moment",
    "NotADate",
    "Relative",
    "Wall",
    "day_in",
    "from_text",
    "furthest",
    "read",
    "renewed",
    "text",
]

LONGEST: Final = 100
CLOCK_SKEW: Final = timedelta(minutes=1)  # by which the clocks of two nodes may differ
DAY_LENGTH: Final = len("YYYY-MM-DD")
ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)?", re.ASCII)


def read(value: str | float) -> Moment:
    """The date that a client wrote. Raises NotADate."""
    if isinstance(value, str):
        if len(value) > LONGEST:  # before the cache keeps it
            raise NotADate(f"A date has at most {LONGEST} characters.")
        return _read_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _unreadable()
    return _read_number(value)


@lru_cache(4096)
def _read_text(value: str) -> Moment:
    # A plain ISO day or time, as nearly every request writes it. Impossible days are explained by the other forms.
    if ISO.fullmatch(value) is not None:
        try:
            at = datetime.fromisoformat(value)
        except ValueError:
            return _read_any_form(value)
        if at.year >= FIRST_YEAR:
            return Wall(len(value) > DAY_LENGTH, at)
    return _read_any_form(value)


def _read_any_form(value: str) -> Moment:
    written = " ".join(value.split())
    # A query string turns the plus of "+3 days" into the blank that goes with the rest.
    if value.startswith(" ") and STEP.fullmatch("+" + written):
        written = "+" + written
    for pattern, reader in FORMS:
        if found := pattern.fullmatch(written):
            return reader(found.groupdict())
    raise _unreadable()


def _read_number(value: float) -> Moment:
    """A JSON number: a timestamp, or a day of eight digits. It is whole and not negative."""
    if isinstance(value, float):
        if not value.is_integer():
            raise _unreadable()
        value = int(value)
    if value < 0:
        raise NotADate("A date as a number cannot be negative.")
    if value >= 10**13:
        raise out_of_years()
    return _read_text(str(value))


def text(moment: datetime) -> str:
    """`YYYY-MM-DD HH:MM:SS`, the one form of every date that goes out or is stored."""
    naive = moment if moment.tzinfo is None else moment.replace(tzinfo=None)
    return naive.isoformat(" ", "seconds")


def from_text(stored: str) -> datetime:
    """The date-time of a stored text; only for what `text` wrote."""
    return datetime.fromisoformat(stored)


def renewed(local: str, utc: str, zone: str) -> tuple[str, str]:
    """A stored local time and its stored UTC by the rules of time zones that count now (`zones.renewed`)."""
    stored = from_text(local), from_text(utc)
    found = zones.renewed(*stored, zone)
    return (local, utc) if found == stored else (text(found[0]), text(found[1]))


def day_in(written: str) -> date | None:
    """The day that a date field of a form sends; None for anything else."""
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def _unreadable() -> NotADate:
    # The value is not repeated here: unlike what fits a form, it could hold anything.
    return NotADate("This is not a date; write it like 2027-03-10 09:00:00.")


# Start and end of an event without dates, a draft that a client of WordPress has only given a title yet: a second on
# its own clock, long before any event, which nothing else begins and ends in.
NO_DATE = "1900-01-02 11:59:59"


def is_undated(start_local: str, end_local: str) -> bool:
    return start_local == end_local == NO_DATE


def furthest(now: datetime, longest: timedelta) -> datetime:
    """The furthest time that can have been asked for. A stored one beyond it was noted by a clock that was ahead, and
    is due now."""
    return now + longest + CLOCK_SKEW
