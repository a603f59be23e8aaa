"""Dates as clients write them: `read` checks one and gives a Moment, which a zone and a clock then place.

Each form has one pattern and one reader; what fits no pattern is refused, and nothing is rolled over.
"""

import math
import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Final

from kalends.values import zones

FIRST_YEAR: Final = 1900  # The last is 9999, which is where datetime ends.
LONGEST: Final = 100
EPOCH: Final = datetime(1970, 1, 1)
MONTHS: Final = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
                 "october", "november", "december")  # fmt: skip
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Minutes, days and months. An hour is time that passes; a day is a step on the calendar, long or short.
UNITS: Final = {"minute": (1, 0, 0), "hour": (60, 0, 0), "day": (0, 1, 0), "week": (0, 7, 0),
                "month": (0, 0, 1), "year": (0, 0, 12)}  # fmt: skip
DAY_WORDS: Final = {"now": 0, "today": 0, "tomorrow": 1, "yesterday": -1}


class NotADate(ValueError):
    """The value is no date; the text says what is wrong with it, for the client to read."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as written. `has_time` is false when it names a day alone."""

    has_time: bool

    def local(self, zone_name: str, now: datetime) -> datetime:
        """What the clock shows in that zone; `now` is the present in UTC."""
        return _placed(self, zone_name, now)[0]

    def utc(self, zone_name: str, now: datetime) -> datetime:
        """The same in UTC."""
        return _placed(self, zone_name, now)[1]

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
    """A way from now: elapsed minutes, then months, days, a weekday and a time of day."""

    minutes: int = 0
    months: int = 0
    days: int = 0
    weekday: int | None = None
    forward: bool = True
    clock: time | None = None

    def _wall(self, zone_name: str, now: datetime) -> datetime:
        there = zones.to_local(now + timedelta(minutes=self.minutes), zone_name)
        if self.months:
            there = _months_later(there, self.months)
        # Any sum, even with nothing, forgets that a doubled hour runs for the second time.
        days = self.days + self._days_to_weekday(there)
        if days:
            there += timedelta(days=days)
        return there if self.clock is None else datetime.combine(there, self.clock)

    def _days_to_weekday(self, there: datetime) -> int:
        if self.weekday is None:
            return 0
        if self.forward:
            return (self.weekday - there.weekday() - 1) % 7 + 1
        return -((there.weekday() - self.weekday - 1) % 7 + 1)


@lru_cache(256)  # within a second, many requests ask for the same few moments
def _placed(moment: Moment, zone_name: str, now: datetime) -> tuple[datetime, datetime]:
    """A moment on the clock of a zone, and in UTC."""
    try:
        local = zones.settle(moment._wall(zone_name, now.replace(microsecond=0)), zone_name)
        utc = zones.to_utc(local, zone_name)
    except (OverflowError, zones.OutOfRange):
        raise _out_of_years() from None
    if local.year < FIRST_YEAR:
        raise _out_of_years()
    return local, utc


def read(value: str | float) -> Moment:
    """The date that a client wrote. Raises NotADate."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _unreadable()
    if not isinstance(value, str):
        return _number(value)
    if len(value) > LONGEST:
        raise NotADate(f"A date has at most {LONGEST} characters.")
    return _read_text(value)


@lru_cache(256)
def _read_text(value: str) -> Moment:
    written = value.strip()
    # A query string turns the plus of "+3 days" into the blank that strip() takes away.
    if value.startswith(" ") and STEP.fullmatch("+" + written):
        written = "+" + written
    for pattern, reader in FORMS:
        if found := pattern.fullmatch(written):
            return reader(found)
    raise _unreadable()


def text(moment: datetime) -> str:
    """`YYYY-MM-DD HH:MM:SS`, the one form of every date that goes out or is stored."""
    return moment.replace(tzinfo=None).isoformat(" ", "seconds")


def from_text(stored: str) -> datetime:
    """The date-time of a stored text; only for what `text` wrote."""
    return datetime.fromisoformat(stored)


def _pattern(form: str) -> re.Pattern[str]:
    # Without ASCII, \d would take the digits of every script, and a long s would pass for an s.
    return re.compile(form, re.ASCII | re.IGNORECASE | re.VERBOSE)


def _either(names: tuple[str, ...], *more: str) -> str:
    return "|".join([*names, *(name[:3] for name in names), *more])


CLOCK: Final = r"""(?P<clock> noon | midnight
    | (?P<hour>\d{1,2}) (?: :(?P<minute>\d\d) (?: :(?P<second>\d\d) )? (?: \s*(?P<half>[ap]m) )?
                          | \s*(?P<only_half>[ap]m) ) )"""
WEEKDAY: Final = rf"(?: (?P<weekday>{_either(WEEKDAYS, 'tues', 'thur', 'thurs')}) (?: ,\s* | \s+ ) )?"
MONTH: Final = rf"(?P<month>{_either(MONTHS, 'sept')})"
DAY: Final = r"(?P<day>\d{1,2})"
YEAR_AND_CLOCK: Final = rf"(?P<year>\d{{4}}) (?: \s+ {CLOCK} )?"

ISO: Final = _pattern(r"""(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)
    (?: (?: T | \s+ ) (?P<clock> (?P<hour>\d\d):(?P<minute>\d\d) (?: :(?P<second>\d\d) (?: [.,]\d+ )? )? )
        (?P<offset> \s*Z
            # A blank alone is the plus of an offset, lost in a query string.
            | (?: \s*(?P<sign>[+-]) | \s+ ) (?P<offset_hours>\d\d) (?: :?(?P<offset_minutes>\d\d) )? )? )?""")
TIMESTAMP: Final = _pattern(r"@?(?P<digits>\d+) | @(?P<negative>-\d+)")
MONTH_FIRST: Final = _pattern(rf"{WEEKDAY} {MONTH} \s+ {DAY} (?: ,\s* | \s+ ) {YEAR_AND_CLOCK}")
DAY_FIRST: Final = _pattern(rf"{WEEKDAY} {DAY} \s+ {MONTH} \s+ {YEAR_AND_CLOCK}")
SLASHES: Final = _pattern(rf"(?P<month>\d{{1,2}})/{DAY}/{YEAR_AND_CLOCK}")
DAY_WORD: Final = _pattern(rf"(?P<word>{'|'.join(DAY_WORDS)}) (?: \s+ {CLOCK} )?")
STEP: Final = _pattern(rf"(?P<sign>[+-]) \s* (?P<count>\d{{1,7}}) \s* (?P<unit>{'|'.join(UNITS)})s?")
NEIGHBOUR: Final = _pattern(rf"(?P<way>next|last) \s+ (?P<what>{'|'.join(WEEKDAYS)}|week|month|year)")


def _iso(found: re.Match[str]) -> Moment:
    day = _day(int(found["year"]), int(found["month"]), int(found["day"]))
    if found["clock"] is None:
        return Wall(False, datetime.combine(day, time()))
    clock = _clock(found["clock"], int(found["hour"]), found["minute"], found["second"])
    written = datetime.combine(day, clock)
    if found["offset"] is None:
        return Wall(True, written)
    try:
        return Instant(True, written - _offset(found))
    except OverflowError:
        raise _out_of_years() from None


def _offset(found: re.Match[str]) -> timedelta:
    hours, minutes = int(found["offset_hours"] or 0), int(found["offset_minutes"] or 0)
    ahead = timedelta(hours=hours, minutes=minutes)
    if minutes > 59 or ahead > zones.WIDEST_OFFSET:
        raise NotADate(f"{found['offset'].strip()} is not an offset from UTC; it has at most 14 hours.")
    return -ahead if found["sign"] == "-" else ahead


def _timestamp(found: re.Match[str]) -> Moment:
    digits = found["digits"] or found["negative"]
    in_milliseconds = len(digits.lstrip("-")) == 13
    return _since_epoch(int(digits) // 1000 if in_milliseconds else int(digits))


def _number(value: float) -> Moment:
    try:
        whole = math.floor(value)
    except (ValueError, OverflowError):  # not a number, infinite
        raise _unreadable() from None
    return _since_epoch(whole // 1000 if 10**12 <= abs(whole) < 10**13 else whole)


def _since_epoch(seconds: int) -> Moment:
    try:
        at = EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        raise _out_of_years() from None
    if at.year < FIRST_YEAR:
        raise _out_of_years()
    return Instant(True, at)


def _month_name(found: re.Match[str]) -> Moment:
    month = next(n for n, name in enumerate(MONTHS, 1) if name.startswith(found["month"].lower()[:3]))
    day = _day(int(found["year"]), month, int(found["day"]))
    named = found["weekday"]
    actual = WEEKDAYS[day.weekday()]
    if named and not actual.startswith(named.lower()):
        raise NotADate(f"{day} is a {actual.capitalize()}.")
    return _day_and_clock(day, found)


def _slashes(found: re.Match[str]) -> Moment:
    return _day_and_clock(_day(int(found["year"]), int(found["month"]), int(found["day"])), found)


def _day_and_clock(day: date, found: re.Match[str]) -> Moment:
    clock = _spoken_clock(found)
    return Wall(clock is not None, datetime.combine(day, clock or time()))


def _day_word(found: re.Match[str]) -> Moment:
    word, clock = found["word"].lower(), _spoken_clock(found)
    if word == "now" and clock is None:
        return Relative(True)
    return Relative(clock is not None, days=DAY_WORDS[word], clock=clock or time())


def _step(found: re.Match[str]) -> Moment:
    return _units_away(int(found["sign"] + found["count"]), found["unit"].lower())


def _neighbour(found: re.Match[str]) -> Moment:
    forward, what = found["way"].lower() == "next", found["what"].lower()
    if what in WEEKDAYS:
        return Relative(False, weekday=WEEKDAYS.index(what), forward=forward, clock=time())
    return _units_away(1 if forward else -1, what)


def _units_away(count: int, unit: str) -> Moment:
    minutes, days, months = UNITS[unit]
    return Relative(True, minutes=count * minutes, days=count * days, months=count * months)


def _months_later(there: datetime, count: int) -> datetime:
    year, month = divmod(there.year * 12 + there.month - 1 + count, 12)
    if not FIRST_YEAR <= year <= 9999:
        raise _out_of_years()
    day = min(there.day, monthrange(year, month + 1)[1])
    return there.replace(year=year, month=month + 1, day=day, fold=0)


def _day(year: int, month: int, day: int) -> date:
    if year < FIRST_YEAR:
        raise _out_of_years()
    try:
        return date(year, month, day)
    except ValueError:
        raise NotADate(f"{year:04}-{month:02}-{day:02} is not a day of the calendar.") from None


def _spoken_clock(found: re.Match[str]) -> time | None:
    written, half = found["clock"], found["half"] or found["only_half"]
    if written is None:
        return None
    if found["hour"] is None:
        return time(12 if written.lower() == "noon" else 0)
    if half is None:
        return _clock(written, int(found["hour"]), found["minute"], found["second"])
    if not 1 <= int(found["hour"]) <= 12:
        raise NotADate(f"{written} is not a time of day.")
    # Twelve counts as zero on a clock of twelve hours: 12am is midnight, 12pm noon.
    hour = int(found["hour"]) % 12 + (12 if half.lower() == "pm" else 0)
    return _clock(written, hour, found["minute"], found["second"])


def _clock(written: str, hour: int, minute: str | None, second: str | None) -> time:
    try:
        return time(hour, int(minute or 0), int(second or 0))
    except ValueError:
        raise NotADate(f"{written} is not a time of day.") from None


def _unreadable() -> NotADate:
    # The value is not repeated: unlike what fits a form, it could hold anything.
    return NotADate("This is not a date; write it like 2027-03-10 09:00:00.")


def _out_of_years() -> NotADate:
    return NotADate(f"The year must be from {FIRST_YEAR} to 9999.")


FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Moment]], ...]] = (
    (ISO, _iso),
    (TIMESTAMP, _timestamp),
    (MONTH_FIRST, _month_name),
    (DAY_FIRST, _month_name),
    (SLASHES, _slashes),
    (DAY_WORD, _day_word),
    (STEP, _step),
    (NEIGHBOUR, _neighbour),
)
