"""Dates as clients write them: `read` checks one and gives a Moment, which a zone and a clock then place; and the one
form in which dates are stored and shown."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final

from kalends.values import zones
from kalends.values.date_forms import (
    AGO,
    COMPACT,
    COMPACT_TIME,
    DAY_FIRST,
    DAY_MONTH_YEAR,
    DAY_WORD,
    DAY_WORDS,
    END_OF_MONTH,
    MAIL_ZONES,
    MONTH_FIRST,
    MONTHS,
    NEIGHBOUR,
    NEIGHBOURS,
    ON_WEEKDAY,
    SLASHES,
    STEP,
    TIMESTAMP,
    UNITS,
    WEEKDAYS,
    YEAR_FIRST,
)

LONGEST: Final = 100
CLOCK_SKEW: Final = timedelta(minutes=1)  # by which the clocks of two nodes may differ
DAY_LENGTH: Final = len("YYYY-MM-DD")
ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)?", re.ASCII)
EPOCH: Final = datetime(1970, 1, 1)
OF_THIS_CENTURY: Final = 70  # a year of two digits below it
Parts = dict[str, Any]  # the named groups of a pattern
FIRST_YEAR: Final = 1900  # The last is 9999, which is where datetime ends.


class NotADate(ValueError):
    """The value is no date; the text says what is wrong with it, for the client to read."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as written. `has_time` is false when it names a day alone."""

    has_time: bool

    def local(self, zone_name: str, now: datetime) -> datetime:
        """What the clock shows in that zone; `now` is the present in UTC."""
        return _on_the_clock(self, zone_name, now)[0]

    def utc(self, zone_name: str, now: datetime) -> datetime:
        """The same in UTC."""
        return _on_the_clock(self, zone_name, now)[1]

    def skipped(self, zone_name: str, now: datetime) -> timedelta:
        """How far it was moved ahead, because the clocks skip it."""
        return self.local(zone_name, now) - self._wall(zone_name, now.replace(microsecond=0))

    def _wall(self, zone_name: str, now: datetime) -> datetime:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Instant(Moment):
    """A timestamp, or a time with an offset: the same moment in every zone."""

    at: datetime

    def _wall(self, zone_name: str, now: datetime) -> datetime:
        return zones.to_local(self.at, zone_name)


@dataclass(frozen=True, slots=True)
class Wall(Moment):
    """A day or a time without an offset: whatever zone it is placed in, its clock shows this."""

    at: datetime

    def _wall(self, zone_name: str, now: datetime) -> datetime:
        return self.at


@dataclass(frozen=True, slots=True)
class Relative(Moment):
    """A distance from now: elapsed minutes, then months, days, a weekday or an end of a month, and a time of day."""

    minutes: int = 0
    months: int = 0
    days: int = 0
    weekday: int | None = None
    forward: bool = True
    includes_today: bool = False
    month_end: str = ""  # "first" or "last" day of the month
    clock: time | None = None

    def _wall(self, zone_name: str, now: datetime) -> datetime:
        there = zones.to_local(now + timedelta(minutes=self.minutes), zone_name)
        if self.month_end:
            there = there.replace(day=1)
        if self.months:
            there = months_later(there, self.months)
        if self.month_end == "last":
            there = there.replace(day=monthrange(there.year, there.month)[1])
        # Any sum, even with nothing, forgets that a doubled hour runs for the second time.
        days = self.days + self._days_to_weekday(there)
        if days:
            there += timedelta(days=days)
        return there if self.clock is None else datetime.combine(there, self.clock)

    def _days_to_weekday(self, there: datetime) -> int:
        if self.weekday is None:
            return 0
        if self.includes_today:
            return (self.weekday - there.weekday()) % 7
        if self.forward:
            return (self.weekday - there.weekday() - 1) % 7 + 1
        return -((there.weekday() - self.weekday - 1) % 7 + 1)


@lru_cache(256)  # within a second, many requests ask for the same few moments
def _on_the_clock(moment: Moment, zone_name: str, now: datetime) -> tuple[datetime, datetime]:
    """A moment on the clock of a zone, and in UTC."""
    try:
        local = zones.settle(moment._wall(zone_name, now.replace(microsecond=0)), zone_name)
        utc = zones.to_utc(local, zone_name)
    except (OverflowError, zones.OutOfRange):
        raise out_of_years() from None
    if local.year < FIRST_YEAR:
        raise out_of_years()
    return local, utc


def months_later(there: datetime, count: int) -> datetime:
    """The same day some months on, or the last of that month. Raises NotADate."""
    year, month = divmod(there.year * 12 + there.month - 1 + count, 12)
    if not FIRST_YEAR <= year <= 9999:
        raise out_of_years()
    day = min(there.day, monthrange(year, month + 1)[1])
    return there.replace(year=year, month=month + 1, day=day, fold=0)


def out_of_years() -> NotADate:
    return NotADate(f"The year must be from {FIRST_YEAR} to 9999.")


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


def _unreadable() -> NotADate:
    # The value is not repeated here: unlike what fits a form, it could hold anything.
    return NotADate("This is not a date; write it like 2027-03-10 09:00:00.")


def _numbers(found: Parts) -> Moment:
    """A day in numbers, whatever their order, with an optional time."""
    year = int(found["year"])
    if len(found["year"]) == 2:
        year += 2000 if year < OF_THIS_CENTURY else 1900
    return _day_and_time(_day(year, int(found["month"]), int(found["day"])), found)


def _month_name(found: Parts) -> Moment:
    month = next(n for n, name in enumerate(MONTHS, 1) if name.startswith(found["month"].lower()[:3]))
    day = _day(int(found["year"]), month, int(found["day"]))
    named = found["weekday"]
    actual = WEEKDAYS[day.weekday()]
    if named and not actual.startswith(named.lower()):
        raise NotADate(f"{day} is a {actual.capitalize()}.")
    return _day_and_time(day, found)


def _day_and_time(day: date, found: Parts) -> Moment:
    clock = _clock_of(found)
    if clock is None:
        return Wall(False, datetime.combine(day, time()))
    written = datetime.combine(day, clock)
    if found["offset"] is None:
        return Wall(True, written)
    try:
        return Instant(True, written - _offset(found))
    except OverflowError:
        raise out_of_years() from None


def _offset(found: Parts) -> timedelta:
    zone = found.get("zone")
    if zone:
        return timedelta(hours=MAIL_ZONES[zone.lower()])
    hours, minutes = int(found.get("offset_hours") or 0), int(found.get("offset_minutes") or 0)
    ahead = timedelta(hours=hours, minutes=minutes)
    if minutes > 59 or ahead > zones.WIDEST_OFFSET:
        raise NotADate(f"{found['offset'].strip()} is not an offset from UTC; it has at most 14 hours.")
    return -ahead if found.get("sign") == "-" else ahead


def _timestamp(found: Parts) -> Moment:
    digits = found["digits"] or found["negative"]
    in_milliseconds = len(digits.lstrip("-")) == 13
    try:
        at = EPOCH + timedelta(seconds=int(digits) // 1000 if in_milliseconds else int(digits))
    except OverflowError:
        raise out_of_years() from None
    if at.year < FIRST_YEAR:
        raise out_of_years()
    return Instant(True, at)


def _day_word(found: Parts) -> Moment:
    word, clock = found["word"].lower(), _clock_of(found)
    if word == "now" and clock is None:
        return Relative(True)
    return Relative(clock is not None, days=DAY_WORDS[word], clock=clock or time())


def _on_weekday(found: Parts) -> Moment:
    """`friday` is the next one, today included; `next friday` is never today."""
    weekday = next(n for n, name in enumerate(WEEKDAYS) if name.startswith(found["weekday"].lower()))
    way, clock = (found["way"] or "").lower(), _clock_of(found)
    return Relative(
        clock is not None,
        weekday=weekday,
        forward=way != "last",
        includes_today=not way,
        clock=clock or time(),
    )


def _signed_units(found: Parts) -> Moment:
    return _units_away(int(found["sign"] + found["count"]), found["unit"])


def _ago(found: Parts) -> Moment:
    return _units_away(-int(found["count"]), found["unit"])


def _neighbour(found: Parts) -> Moment:
    return _units_away(NEIGHBOURS[found["way"].lower()], found["what"])


def _end_of_month(found: Parts) -> Moment:
    clock = _clock_of(found)
    months, end = NEIGHBOURS[found["way"].lower()], found["end"].lower()
    return Relative(clock is not None, months=months, month_end=end, clock=clock or time())


def _units_away(count: int, unit: str) -> Moment:
    minutes, days, months = UNITS[unit.lower()]
    return Relative(True, minutes=count * minutes, days=count * days, months=count * months)


def _day(year: int, month: int, day: int) -> date:
    if year < FIRST_YEAR:
        raise out_of_years()
    try:
        return date(year, month, day)
    except ValueError:
        raise NotADate(f"{year:04}-{month:02}-{day:02} is not a day of the calendar.") from None


def _clock_of(found: Parts) -> time | None:
    written, half = found["clock"], found.get("half") or found.get("only_half")
    if written is None:
        return None
    if found["hour"] is None:
        return time(12 if written.lower() == "noon" else 0)
    hour = int(found["hour"])
    if half is not None:
        if not 1 <= hour <= 12:
            raise NotADate(f"{written} is not a time of day.")
        # Twelve counts as zero on a clock of twelve hours: 12am is midnight, 12pm noon.
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    try:
        return time(hour, int(found["minute"] or 0), int(found["second"] or 0))
    except ValueError:
        raise NotADate(f"{written} is not a time of day.") from None


FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[Parts], Moment]], ...]] = (
    (YEAR_FIRST, _numbers),
    (COMPACT, _numbers),  # before timestamps: eight digits are a day
    (COMPACT_TIME, _numbers),
    (TIMESTAMP, _timestamp),
    (MONTH_FIRST, _month_name),
    (DAY_FIRST, _month_name),
    (SLASHES, _numbers),
    (DAY_MONTH_YEAR, _numbers),
    (DAY_WORD, _day_word),
    (ON_WEEKDAY, _on_weekday),
    (STEP, _signed_units),
    (AGO, _ago),
    (NEIGHBOUR, _neighbour),
    (END_OF_MONTH, _end_of_month),
)


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


# Start and end of an event without dates, a draft that a client of WordPress has only given a title yet: a second on
# its own clock, long before any event, which nothing else begins and ends in.
NO_DATE = "1900-01-02 11:59:59"


def is_undated(start_local: str, end_local: str) -> bool:
    return start_local == end_local == NO_DATE


def furthest(now: datetime, longest: timedelta) -> datetime:
    """The furthest time that can have been asked for. A stored one beyond it was noted by a clock that was ahead, and
    is due now."""
    return now + longest + CLOCK_SKEW
