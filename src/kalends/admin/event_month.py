"""The month of the admin: every event that a person can edit, to be moved from day to day."""

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import ClassVar, NamedTuple

from kalends.admin.events import path_of
from kalends.admin.request import LONGEST_SEARCH, AdminRequest
from kalends.admin.values_in_words import STATUS_NAMES
from kalends.calendar.access import may_edit_others, visibility_of
from kalends.calendar.editing.dashboard import EXISTING
from kalends.calendar.lists import day_events, filter_choices
from kalends.calendar.posts import labels
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_query
from kalends.contract.kinds.event_filters import EVENT_FILTERS
from kalends.contract.statuses import CANCELLED
from kalends.languages import translate
from kalends.present import event_statuses
from kalends.site import times
from kalends.site.calendar.calendar_days import week_start
from kalends.site.calendar.calendar_grid import Piece, in_lanes, in_order
from kalends.site.layout.frame import Pairs, with_query
from kalends.site.times import Span
from kalends.store.query.days import DayEvent
from kalends.store.rows.visibility import Visibility
from kalends.values import colours, dates
from kalends.values.dates import FIRST_YEAR

MOST_OF_A_DAY = 6


@dataclass(frozen=True, slots=True)
class GridEvent:
    """An event of the grid: a bar over its days, or a line on one."""

    event: DayEvent
    first: date
    last: date
    is_bar: bool

    @property
    def color(self) -> str:
        """That of its category; empty without one."""
        return (self.event.color or colours.of_number(self.event.category)) if self.event.category else ""


@dataclass(frozen=True, slots=True)
class GridDay:
    """A day of the month grid."""

    day: date
    number: str
    weekday: str
    is_other_month: bool
    is_today: bool
    is_past: bool
    name: str  # for screen readers
    lanes: Sequence[Piece[GridEvent]]
    lines: Sequence[GridEvent]
    more: int  # events that have no room

    @property
    def is_empty(self) -> bool:
        """Whether nothing begins on it: a list of days leaves it out."""
        return not self.lines and not any(piece.days for piece in self.lanes)


class MonthFilters(NamedTuple):
    """What the month is narrowed by, as it was sent."""

    search: str = ""
    categories: str = ""
    venue: str = ""
    status: str = ""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [(name, value) for name, value in self._asdict().items() if value]


@dataclass(frozen=True, slots=True)
class EventMonthPage:
    template: ClassVar[str] = "admin/event_month.html"

    first: date
    last: date
    weeks: Sequence[Sequence[GridDay]]
    visibility: Visibility
    language: str
    filters: MonthFilters
    categories: Sequence[tuple[int, str]]
    venues: Sequence[tuple[int, str]]

    @property
    def name(self) -> str:
        return times.month(self.first, self.language)

    @property
    def previous(self) -> Pairs:
        return self._at(self.first - timedelta(days=1))

    @property
    def here(self) -> Pairs:
        return self._at(self.first)

    @property
    def following(self) -> Pairs:
        return self._at(self.last + timedelta(days=1))

    def _at(self, day: date) -> Pairs:
        """A month with the same filters."""
        return [("month", f"{day:%Y-%m}"), *self.filters.pairs]

    @property
    def back(self) -> str:
        return with_query("/admin/events/month", self.here)

    @property
    def has_past(self) -> bool:
        """Whether a phone begins with today."""
        days = [day for week in self.weeks for day in week if not day.is_other_month]
        return any(day.is_today for day in days) and any(day.is_past and not day.is_empty for day in days)

    @property
    def statuses(self) -> list[tuple[str, str]]:
        return [(word, translate(STATUS_NAMES[word], self.language)) for word in EXISTING.split(",")]

    def path_of(self, event: DayEvent) -> str:
        return path_of(event, self.visibility)

    def may_move(self, event: DayEvent) -> bool:
        return self.visibility.can_edit_as(event.author, event.status)

    def clock(self, event: DayEvent) -> str:
        return times.time(dates.from_text(event.start_local), self.language)

    def status_name(self, event: DayEvent) -> str:
        return STATUS_NAMES[event.status]

    def off_plan(self, event: DayEvent) -> str:
        """That it is cancelled, or whatever else is not as planned; empty as planned."""
        return event_statuses.label(
            event_statuses.visible_status(event.event_status, masked=event.masked), self.language
        )

    def is_cancelled(self, event: DayEvent) -> bool:
        return event.event_status == CANCELLED and not event.masked


def weeks_of(first: date, events: Sequence[DayEvent], today: date, language: str) -> list[list[GridDay]]:
    """The weeks of a month. An event over several days is a bar; others stand on the day on which they start."""
    entries = [_entry(event) for event in events]
    bars, lines = in_order(entry for entry in entries if entry.is_bar), dict[date, list[GridEvent]]()
    for entry in entries:
        if not entry.is_bar:
            lines.setdefault(entry.first, []).append(entry)
    begin = week_start(first, language)
    weeks: list[list[GridDay]] = []
    while not weeks or begin.month == first.month:
        week = [begin + timedelta(days=number) for number in range(7)]
        lanes = in_lanes(week, bars)
        weeks.append(
            [
                _day(day, (first, today), in_day, lines.get(day, []), language)
                for day, in_day in zip(week, lanes, strict=True)
            ]
        )
        begin += timedelta(days=7)
    return weeks


def _entry(event: DayEvent) -> GridEvent:
    all_day = times.fills_days(event, masked=event.masked)
    span = Span(event.start_local, event.end_local, event.start_utc, event.start_utc, event.timezone, all_day)
    is_bar = all_day or not span.is_one_evening
    first = span.first.date()
    return GridEvent(event, first, span.last_day if is_bar else first, is_bar)


def _day(
    day: date, around: tuple[date, date], lanes: list[Piece[GridEvent]], lines: Sequence[GridEvent], language: str
) -> GridDay:
    first, today = around
    shown = lanes[:MOST_OF_A_DAY]
    while shown and shown[-1].entry is None:
        shown.pop()
    room = max(0, MOST_OF_A_DAY - len(shown))
    hidden = sum(piece.entry is not None for piece in lanes[MOST_OF_A_DAY:]) + max(0, len(lines) - room)
    return GridDay(
        day=day,
        number=str(day.day),
        weekday=times.short_weekday(day, language),
        is_other_month=day.month != first.month,
        is_today=day == today,
        is_past=day < today,
        name=times.day(datetime(day.year, day.month, day.day), language),
        lanes=shown,
        lines=lines[:room],
        more=hidden,
    )


def show_month(request: AdminRequest) -> None:
    """A month, with the drafts."""
    today = dates.from_text(request.now).date()
    first = _month(request.param("month")) or today.replace(day=1)
    last = first.replace(day=calendar.monthrange(first.year, first.month)[1])
    filters = MonthFilters(*(request.param(name)[:LONGEST_SEARCH] for name in MonthFilters._fields))
    sent = {"status": EXISTING, "show_hidden": "true"} | dict(filters.pairs)
    if not may_edit_others(request.caller):
        sent["author"] = str(request.caller.user)
    around = timedelta(days=7)
    try:
        found = request.read(day_events.overlapping, read_query(EVENT_FILTERS, sent), first - around, last + around)
    except ApiError:  # an address that was typed by hand: the month without its filters
        request.go("/admin/events/month")
        return
    venues = request.calendar.read(request.caller, filter_choices.choices, wanted=["venue"])["venue"]
    page = EventMonthPage(
        first,
        last,
        weeks_of(first, found, today, request.language),
        visibility_of(request.caller),
        request.language,
        filters,
        request.calendar.read(request.caller, labels.category_choices),
        [(venue.id, venue.label) for venue in venues],
    )
    request.answer(page)


def _month(text: str) -> date | None:
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
    return month if FIRST_YEAR < month.year < date.max.year else None  # the weeks around it are shown too
