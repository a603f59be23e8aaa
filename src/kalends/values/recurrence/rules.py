"""The rule of a series (RFC 5545, RRULE) in its parts: how a text is parsed, and the one text of each rule."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from math import prod
from typing import Any, Final

from kalends.languages import N_
from kalends.values.dates import FIRST_YEAR
from kalends.values.recurrence.errors import RecurrenceError

FREQUENCIES: Final = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
TOO_FREQUENT: Final = ("HOURLY", "MINUTELY", "SECONDLY")
WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
LONGEST_RULE: Final = 2000
LARGEST_INTERVAL: Final = 9999
LARGEST_COUNT: Final = 999_999_999  # a number with more digits is not read at all
DAYS_OF_MONTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

DAYS_OF_PERIODS: Final = {"DAILY": 1, "WEEKLY": 7, "MONTHLY": 31, "YEARLY": 366}
MOST_POSITIONS: Final = 31
MOST_TIMES: Final = 96  # of a day: every quarter of an hour

_SELECTING: Final = ("months", "weeks", "year_days", "month_days", "days", "hours", "minutes", "seconds")
_WEEKDAY = re.compile(r"([+-]?[0-9]{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_DATE = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_DATE_TIME = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})T([0-9]{2})([0-9]{2})([0-9]{2})(Z?)")

Day = tuple[int, int]  # (which one, weekday): (2, 1) is the second Tuesday, (0, 1) every Tuesday
When = date  # a day, a local time, or a datetime in UTC


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in its parts. Lists are sorted and hold each value once; an empty one is a part that is not there."""

    frequency: str
    interval: int = 1
    months: tuple[int, ...] = ()
    weeks: tuple[int, ...] = ()
    year_days: tuple[int, ...] = ()
    month_days: tuple[int, ...] = ()
    days: tuple[Day, ...] = ()
    hours: tuple[int, ...] = ()
    minutes: tuple[int, ...] = ()
    seconds: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    week_start: int = 0
    count: int | None = None
    until: When | None = None

    def __str__(self) -> str:
        """The one text of this rule, without parts that say what is true anyway."""
        texts = [f"FREQ={self.frequency}"]
        if self.interval != 1:
            texts.append(f"INTERVAL={self.interval}")
        for part, (name, _, _) in _LISTS.items():
            if numbers := getattr(self, name):
                texts.append(f"{part}={','.join(map(str, numbers))}")
        if self.days:
            texts.append(f"BYDAY={','.join(map(_day_text, self.days))}")
        if self.week_start:
            texts.append(f"WKST={WEEKDAYS[self.week_start]}")
        if self.count is not None:
            texts.append(f"COUNT={self.count}")
        if self.until is not None:
            texts.append(f"UNTIL={when_text(self.until)}")
        return ";".join(texts)

    @property
    def is_endless(self) -> bool:
        return self.count is None and self.until is None

    @property
    def has_times(self) -> bool:
        """Whether the rule itself names times of day, not only the first event."""
        return bool(self.hours or self.minutes or self.seconds)

    @property
    def times_of_a_day(self) -> int:
        """How many dates a day has at most."""
        return prod(len(values) or 1 for values in (self.hours, self.minutes, self.seconds))


# part: (field of Rule, the least, the greatest); where the least is negative, zero is no value.
_LISTS: Final[Mapping[str, tuple[str, int, int]]] = {
    "BYMONTH": ("months", 1, 12),
    "BYWEEKNO": ("weeks", -53, 53),
    "BYYEARDAY": ("year_days", -366, 366),
    "BYMONTHDAY": ("month_days", -31, 31),
    "BYHOUR": ("hours", 0, 23),
    "BYMINUTE": ("minutes", 0, 59),
    "BYSECOND": ("seconds", 0, 59),
    "BYSETPOS": ("positions", -366, 366),
}


def parse_rule(text: str) -> Rule:
    """The rule that a text states, with or without `RRULE:`. Raises RecurrenceError."""
    if len(text) > LONGEST_RULE:
        raise RecurrenceError("RRULE", N_("{part} has at most {maximum} characters."), maximum=LONGEST_RULE)
    written = text.strip().upper().removeprefix("RRULE:")
    parts: dict[str, str] = {}
    for pair in written.strip().rstrip(";").split(";"):
        name, equals, value = (piece.strip() for piece in pair.partition("="))
        if not equals or not value or not name.isascii() or len(name) > 20:
            raise RecurrenceError("RRULE", N_("{part} cannot be read; write it like FREQ=WEEKLY;BYDAY=TU."))
        if name in parts:
            raise RecurrenceError(name, N_("{part} is there twice."))
        parts[name] = value
    rule = Rule(_frequency(parts), **_fields(parts))
    _check(rule)
    return rule


def _fields(parts: dict[str, str]) -> dict[str, Any]:
    """Every part but FREQ, by the field of Rule that it fills."""
    found: dict[str, Any] = {}
    for part, value in parts.items():
        if part in _LISTS:
            found[_LISTS[part][0]] = _numbers(part, value)
        elif part in _SINGLE:
            field, read = _SINGLE[part]
            found[field] = read(part, value)
        elif part != "FREQ":
            named = part if part.replace("-", "").isalnum() else "RRULE"
            raise RecurrenceError(named, N_("{part} is not a part of a rule."))
    return found


def _frequency(parts: dict[str, str]) -> str:
    if "FREQ" not in parts:
        raise RecurrenceError("FREQ", N_("{part} is missing."))
    if parts["FREQ"] in TOO_FREQUENT:
        raise RecurrenceError(
            "FREQ", N_("{part} cannot be more frequent than DAILY: {value} is not accepted."), value=parts["FREQ"]
        )
    if parts["FREQ"] not in FREQUENCIES:
        raise RecurrenceError("FREQ", N_("{part} must be one of: {values}."), values=", ".join(FREQUENCIES))
    return parts["FREQ"]


def _number(part: str, value: str, least: int, greatest: int) -> int:
    number = int(value) if _NUMBER.fullmatch(value) else None
    if number is None or not least <= number <= greatest or (number == 0 and least < 0):
        raise RecurrenceError(
            part, N_("{part} takes whole numbers from {least} to {greatest}."), least=least, greatest=greatest
        )
    return number


def _numbers(part: str, value: str) -> tuple[int, ...]:
    _, least, greatest = _LISTS[part]
    return tuple(sorted({_number(part, one.strip(), least, greatest) for one in value.split(",")}))


def _interval(part: str, value: str) -> int:
    return _number(part, value, 1, LARGEST_INTERVAL)


def _count(part: str, value: str) -> int:
    return _number(part, value, 1, LARGEST_COUNT)


def _week_start(part: str, value: str) -> int:
    if value not in WEEKDAYS:
        raise _no_weekday(part)
    return WEEKDAYS.index(value)


def _days(part: str, value: str) -> tuple[Day, ...]:
    found = set()
    for one in value.split(","):
        match = _WEEKDAY.fullmatch(one.strip())
        if match is None:
            raise _no_weekday(part)
        which = _number(part, match[1], -53, 53) if match[1] else 0
        found.add((which, WEEKDAYS.index(match[2])))
    return tuple(sorted(found))


def _no_weekday(part: str) -> RecurrenceError:
    return RecurrenceError(
        part, N_("{part} takes {weekdays}, in a month or a year also 2TU or -1FR."), weekdays=", ".join(WEEKDAYS)
    )


def _until(part: str, value: str) -> When:
    return parse_when(part, value)


_SINGLE: Final[Mapping[str, tuple[str, Callable[[str, str], object]]]] = {
    "INTERVAL": ("interval", _interval),
    "BYDAY": ("days", _days),
    "WKST": ("week_start", _week_start),
    "COUNT": ("count", _count),
    "UNTIL": ("until", _until),
}


def parse_when(part: str, value: str) -> When:
    """`20270630` is a day, `20270630T190000` a local time, with a `Z` it is in UTC."""
    try:
        if match := _DATE_TIME.fullmatch(value):
            *numbers, zulu = match.groups()
            return _in_years(datetime(*map(int, numbers), tzinfo=UTC if zulu else None))  # type: ignore[arg-type, misc]
        if match := _DATE.fullmatch(value):
            return _in_years(date(*map(int, match.groups())))
    except ValueError:
        pass
    raise RecurrenceError(part, N_("{part} has a date that cannot be read; write it like 20270630T190000."))


def when_text(when: When) -> str:
    """The reverse of `parse_when`."""
    if not isinstance(when, datetime):
        return f"{when:%Y%m%d}"
    return f"{when:%Y%m%dT%H%M%S}" + ("Z" if when.tzinfo else "")


def _in_years(when: When) -> When:
    if when.year < FIRST_YEAR:
        raise ValueError
    return when


def _day_text(day: Day) -> str:
    return f"{day[0] or ''}{WEEKDAYS[day[1]]}"


def _check(rule: Rule) -> None:
    """What RFC 5545 forbids, and what could never match."""
    if rule.count is not None and rule.until is not None:
        raise RecurrenceError("COUNT", N_("{part} and UNTIL cannot both be given."))
    for part, name, frequencies in (
        ("BYWEEKNO", "weeks", ("YEARLY",)),
        ("BYYEARDAY", "year_days", ("YEARLY",)),
        ("BYMONTHDAY", "month_days", ("DAILY", "MONTHLY", "YEARLY")),
    ):
        if getattr(rule, name) and rule.frequency not in frequencies:
            raise RecurrenceError(
                part, N_("{part} does not go with FREQ={frequency}."), frequency=rule.frequency
            )  # fmt: skip
    if rule.times_of_a_day > MOST_TIMES:
        raise RecurrenceError("rule", N_("{part} gives at most {maximum} times a day."), maximum=MOST_TIMES)
    _check_positions(rule)
    _check_numbered_days(rule)
    if rule.month_days and not any(_in_month(day, month) for day in rule.month_days for month in _months(rule)):
        raise RecurrenceError("BYMONTHDAY", N_("{part} names days that none of the months has."))


def _check_positions(rule: Rule) -> None:
    """Each position is looked up in every period, so there are few, and none that no period could have."""
    if not rule.positions:
        return
    if not any(getattr(rule, name) for name in _SELECTING):
        raise RecurrenceError("BYSETPOS", N_("{part} needs another BY… part to choose from."))
    if len(rule.positions) > MOST_POSITIONS:
        raise RecurrenceError("BYSETPOS", N_("{part} has at most {maximum} numbers."), maximum=MOST_POSITIONS)
    largest = DAYS_OF_PERIODS[rule.frequency] * rule.times_of_a_day
    if max(map(abs, rule.positions)) > largest:
        raise RecurrenceError("BYSETPOS", N_("{part}: there are at most {maximum} to choose from."), maximum=largest)


def _check_numbered_days(rule: Rule) -> None:
    largest = max((abs(which) for which, _ in rule.days), default=0)
    if largest and (rule.frequency not in ("MONTHLY", "YEARLY") or rule.weeks):
        raise RecurrenceError(
            "BYDAY", N_("{part} takes a number before a weekday only with FREQ=MONTHLY and FREQ=YEARLY.")
        )
    if largest > 5 and (rule.frequency == "MONTHLY" or rule.months):
        raise RecurrenceError("BYDAY", N_("{part}: a month has no weekday more than five times."))


def _months(rule: Rule) -> tuple[int, ...]:
    return rule.months or tuple(range(1, 13))


def _in_month(day: int, month: int) -> bool:
    return abs(day) <= DAYS_OF_MONTHS[month - 1]
