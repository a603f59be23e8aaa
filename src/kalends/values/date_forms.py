"""The forms in which a date may be written: one pattern and one reader for each.

What fits no pattern is not a date, and nothing is rolled over. White space has been brought down to single blanks
before, so that no pattern has two ways to match the same text.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from kalends.values import zones
from kalends.values.moments import FIRST_YEAR, Instant, Moment, NotADate, Relative, Wall, out_of_years

EPOCH: Final = datetime(1970, 1, 1)
MONTHS: Final = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
                 "october", "november", "december")  # fmt: skip
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Minutes, days and months. An hour is time that passes; a day is a step on the calendar, long or short.
UNITS: Final = {"minute": (1, 0, 0), "hour": (60, 0, 0), "day": (0, 1, 0), "week": (0, 7, 0),
                "month": (0, 0, 1), "year": (0, 0, 12)}  # fmt: skip
DAY_WORDS: Final = {"now": 0, "today": 0, "tomorrow": 1, "yesterday": -1}
NEIGHBOURS: Final = {"next": 1, "this": 0, "last": -1}
# The zones that RFC 2822 names, in hours from UTC.
MAIL_ZONES: Final = {"ut": 0, "gmt": 0, "utc": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
                     "pst": -8, "pdt": -7}  # fmt: skip
Parts = dict[str, Any]  # the named groups of a pattern

OF_THIS_CENTURY: Final = 70  # a year of two digits below it


def _pattern(form: str) -> re.Pattern[str]:
    # Without ASCII, \d would take the digits of every script, and a long s would pass for an s.
    return re.compile(form, re.ASCII | re.IGNORECASE)


def _either(names: tuple[str, ...], *more: str) -> str:
    return "|".join([*names, *(name[:3] for name in names), *more])


CLOCK: Final = (
    r"(?:T| at | )(?P<clock>noon|midnight|(?P<hour>\d{1,2})"
    r"(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?(?: ?(?P<half>[ap]m))?| ?(?P<only_half>[ap]m)))"
)
NUMERIC_OFFSET: Final = (
    # A blank alone is the plus of an offset, lost in a query string.
    r"(?: ?(?P<sign>[+-])| )(?P<offset_hours>\d\d)(?::?(?P<offset_minutes>\d\d))?"
)
OFFSET: Final = rf"(?P<offset> ?Z|{NUMERIC_OFFSET})"
MAIL_OFFSET: Final = rf"(?P<offset> ?Z| (?P<zone>{'|'.join(MAIL_ZONES)})|{NUMERIC_OFFSET})"
TIME: Final = f"(?:{CLOCK}{OFFSET}?)?"
MAIL_TIME: Final = rf"(?:{CLOCK}(?:{MAIL_OFFSET}(?: \([a-z ]*\))?)?)?"  # a comment may follow, as in mail
WEEKDAY: Final = rf"(?P<weekday>{_either(WEEKDAYS, 'tues', 'thur', 'thurs')})"
MONTH: Final = rf"(?P<month>{_either(MONTHS, 'sept')})"
DAY: Final = r"(?P<day>\d{1,2})"
YEAR: Final = r"(?P<year>\d{4})"
NUMBERED_MONTH: Final = r"(?P<month>\d{1,2})"

YEAR_FIRST: Final = _pattern(rf"{YEAR}(?P<mark>[-/]){NUMBERED_MONTH}(?P=mark){DAY}{TIME}")
COMPACT: Final = _pattern(rf"{YEAR}(?P<month>\d\d)(?P<day>\d\d){TIME}")
COMPACT_TIME: Final = _pattern(
    r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)T(?P<clock>(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d))"
    r"(?P<offset>Z)?"
)
TIMESTAMP: Final = _pattern(r"@?(?P<digits>\d+)|@(?P<negative>-\d+)")
DAY_MONTH_YEAR: Final = _pattern(rf"{DAY}(?P<mark>[.-]){NUMBERED_MONTH}(?P=mark){YEAR}{TIME}")
SLASHES: Final = _pattern(rf"{NUMBERED_MONTH}/{DAY}/(?P<year>\d{{4}}|\d\d){TIME}")
MONTH_FIRST: Final = _pattern(rf"(?:{WEEKDAY}(?:, ?| ))?{MONTH} {DAY}(?:, ?| ){YEAR}{TIME}")
DAY_FIRST: Final = _pattern(rf"(?:{WEEKDAY}(?:, ?| ))?{DAY} {MONTH} {YEAR}{MAIL_TIME}")
DAY_WORD: Final = _pattern(rf"(?P<word>{'|'.join(DAY_WORDS)})(?:{CLOCK})?")
ON_WEEKDAY: Final = _pattern(rf"(?:(?P<way>next|last) )?{WEEKDAY}(?:{CLOCK})?")
STEP: Final = _pattern(rf"(?P<sign>[+-]) ?(?P<count>\d{{1,7}}) ?(?P<unit>{'|'.join(UNITS)})s?")
AGO: Final = _pattern(rf"(?P<count>\d{{1,7}}) ?(?P<unit>{'|'.join(UNITS)})s? ago")
NEIGHBOUR: Final = _pattern(r"(?P<way>next|last) (?P<what>week|month|year)")
END_OF_MONTH: Final = _pattern(
    rf"(?P<end>first|last) day of (?P<way>{'|'.join(NEIGHBOURS)}) month(?:{CLOCK})?"
)  # fmt: skip


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


def _step(found: Parts) -> Moment:
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
    (STEP, _step),
    (AGO, _ago),
    (NEIGHBOUR, _neighbour),
    (END_OF_MONTH, _end_of_month),
)
