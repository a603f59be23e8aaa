"""What people call a time: a day, tonight, this weekend, next month; as the first and the last day of it."""

import calendar
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, ClassVar

from kalends.contract.errors import WRONG_FORMAT, FieldError
from kalends.contract.types import Type, repeated, single
from kalends.contract.types.scalars import Date
from kalends.values import dates

SATURDAY, A_WEEK = 5, timedelta(days=7)
EXAMPLES = ("this weekend", "2027-03-10")


class PeriodWords(Type):
    """The words of a period, or a date in any of the accepted forms, which is its day."""

    json: ClassVar[str | None] = None

    def read(self, value: object) -> str | dates.Moment:
        value = single(value)
        if isinstance(value, str):
            words = " ".join(value.lower().split())
            if words in WORDS:
                return words
        try:
            return Date().read(value)
        except FieldError:
            first, second = EXAMPLES
            raise FieldError(
                WRONG_FORMAT,
                "is neither a period nor a date: “{value}”. Write it like {first} or {second}.",
                value=repeated(value),
                first=first,
                second=second,
            ) from None

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "integer"], "examples": [*EXAMPLES, "today", "friday"]}


def days_of(period: str | dates.Moment, today: date, day_of: Callable[[dates.Moment], date]) -> tuple[date, date]:
    """The first and the last day. `day_of`: the day of a moment on the site's clock."""
    if isinstance(period, str):
        return WORDS[period](today)
    day: date = day_of(period)
    return day, day


def _day(today: date) -> tuple[date, date]:
    return today, today


def _weekend(today: date, weeks: int = 0) -> tuple[date, date]:
    """Saturday and Sunday; on a Sunday, what is left of this one is that day."""
    saturday = today + timedelta(days=SATURDAY - today.weekday()) + weeks * A_WEEK
    return max(saturday, today) if not weeks else saturday, saturday + timedelta(days=1)


def _week(today: date, weeks: int = 0) -> tuple[date, date]:
    monday = today - timedelta(days=today.weekday()) + weeks * A_WEEK
    return monday, monday + timedelta(days=6)


def _month(today: date, months: int = 0) -> tuple[date, date]:
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    return date(year, month + 1, 1), date(year, month + 1, calendar.monthrange(year, month + 1)[1])


WORDS: dict[str, Callable[[date], tuple[date, date]]] = {
    "tonight": _day,
    "weekend": _weekend,
    "this weekend": _weekend,
    "the weekend": _weekend,
    "next weekend": lambda today: _weekend(today, 1),
    "week": _week,
    "this week": _week,
    "next week": lambda today: _week(today, 1),
    "month": _month,
    "this month": _month,
    "next month": lambda today: _month(today, 1),
}
