"""The month of the admin: the days of its weeks, and the events that start on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import ClassVar

from kalends.pages import times
from kalends.pages.admin.event_table import path_of
from kalends.pages.admin.status_names import STATUS_NAMES
from kalends.pages.calendar_days import week_start
from kalends.store.query.days import DayEvent
from kalends.store.rows.visibility import Visibility
from kalends.values import dates

MOST_OF_A_DAY = 6


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the month grid."""

    day: date
    number: str
    weekday: str
    is_other_month: bool
    is_today: bool
    name: str  # for screen readers
    events: Sequence[DayEvent]
    more: int  # events that have no room


@dataclass(frozen=True, slots=True)
class MonthPage:
    template: ClassVar[str] = "admin/event_month.html"

    first: date
    last: date
    weeks: Sequence[Sequence[Day]]
    visibility: Visibility
    language: str

    @property
    def name(self) -> str:
        return times.month(self.first, self.language)

    @property
    def previous(self) -> str:
        return f"{self.first - timedelta(days=1):%Y-%m}"

    @property
    def following(self) -> str:
        return f"{self.last + timedelta(days=1):%Y-%m}"

    def path_of(self, event: DayEvent) -> str:
        return path_of(event, self.visibility)

    def may_move(self, event: DayEvent) -> bool:
        return self.visibility.can_edit_as(event.author, event.status)

    def clock(self, event: DayEvent) -> str:
        return times.time(dates.from_text(event.start_local), self.language)

    def status_name(self, event: DayEvent) -> str:
        return STATUS_NAMES[event.status]


@dataclass(frozen=True, slots=True)
class MovePage:
    """One event to another day."""

    template: ClassVar[str] = "admin/move.html"

    action: str
    back: str
    day: str


def month(first: date, events: Sequence[DayEvent], today: date, language: str) -> list[list[Day]]:
    """The weeks of a month. An event stands on the day on which it starts."""
    by_day: dict[str, list[DayEvent]] = {}
    for event in events:
        by_day.setdefault(event.start_local[:10], []).append(event)
    begin = week_start(first, language)
    weeks: list[list[Day]] = []
    while not weeks or begin.month == first.month:
        weeks.append([_day(begin + timedelta(days=number), first, today, by_day, language) for number in range(7)])
        begin += timedelta(days=7)
    return weeks


def _day(day: date, first: date, today: date, by_day: dict[str, list[DayEvent]], language: str) -> Day:
    events = by_day.get(day.isoformat(), ())
    return Day(
        day=day,
        number=str(day.day),
        weekday=times.short_weekday(day, language),
        is_other_month=day.month != first.month,
        is_today=day == today,
        name=times.day(datetime(day.year, day.month, day.day), language),
        events=events[:MOST_OF_A_DAY],
        more=max(0, len(events) - MOST_OF_A_DAY),
    )
