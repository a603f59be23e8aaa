"""Events grouped by day: for the list view and for the month on a phone."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import NamedTuple

from kalends.site import times
from kalends.site.calendar.calendar_days import ONE_DAY
from kalends.site.calendar.calendar_grid import MAX_SHOWN
from kalends.site.events.listed_events import BundledEvent, ListedEvent, MonthEvent, on_day
from kalends.site.layout.frame import Frame
from kalends.values.cost import Currency


@dataclass(slots=True)
class AgendaDay:
    """A day with its events."""

    day: date
    is_today: bool
    lines: Sequence[ListedEvent] = field(default_factory=list)
    month: str = ""  # where a new month begins

    @property
    def month_name(self) -> str:
        return f"{self.day:%Y-%m}"


class DayOfMonth(NamedTuple):
    """A day of a month on a phone: the events that are new on it, and those that go on."""

    day: date
    is_today: bool
    new: Sequence[MonthEvent]
    continued: Sequence[MonthEvent]
    more: int  # events that are not among them

    @property
    def is_free(self) -> bool:
        """Nothing is new on it; today counts what goes on too."""
        return not self.new and not (self.is_today and self.continued)


def by_start(
    bundled: Sequence[BundledEvent],
    earliest: date | None,
    today: date,
    frame: Frame,
    currency: Currency,
    occurrences: Sequence[int] | None = None,
) -> list[AgendaDay]:
    """The days on which events start; events that started before the earliest day are listed on it. `occurrences`:
    how many dates each of them stands for."""
    counted = zip(bundled, occurrences or [1] * len(bundled), strict=True)
    lines = [on_day(pair, frame, currency, count, earliest) for pair, count in counted]
    days: list[AgendaDay] = []
    for day, group in groupby(lines, key=lambda line: line.day):
        is_new = not days or days[-1].day.replace(day=1) != day.replace(day=1)
        days.append(
            AgendaDay(day, day == today, list(group), month=times.month(day, frame.language) if is_new else "")
        )
    return days


def of_month(first: date, last: date, entries: Sequence[MonthEvent], today: date) -> list[DayOfMonth]:
    """Every day of the month, for narrow screens. An event over several days is new on the first of them, and the
    others list it last: a phone shows it there when the day is opened."""
    new: dict[date, list[MonthEvent]] = {day: [] for day in days_from(first, last)}
    continued: dict[date, list[MonthEvent]] = {day: [] for day in new}
    for entry in entries:
        if not entry.is_bar:
            if entry.first in new:
                new[entry.first].append(entry)
            continue
        day = max(entry.first, first)
        for there in days_from(day, min(entry.last, last)):
            (new if there == day else continued)[there].append(entry)
    return [_day_of_month(day, new[day], continued[day], today) for day in new]


def _day_of_month(day: date, new: Sequence[MonthEvent], continued: Sequence[MonthEvent], today: date) -> DayOfMonth:
    shown = new[:MAX_SHOWN]
    going_on = continued[: MAX_SHOWN - len(shown)]
    more = len(new) + len(continued) - len(shown) - len(going_on)
    return DayOfMonth(day, day == today, shown, going_on, more)


def days_from(first: date, last: date) -> list[date]:
    return [first + n * ONE_DAY for n in range((last - first).days + 1)]
