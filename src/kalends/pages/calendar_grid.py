"""The month grid: bars for events over days, lines for events with a time, at most MAX_SHOWN a day."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar, Generic, Protocol, TypeVar

from kalends.languages import translate
from kalends.pages import times
from kalends.pages.appearance import category_class
from kalends.pages.calendar_days import ONE_DAY
from kalends.pages.layout import Frame
from kalends.pages.listed_events import EventOnPage
from kalends.pages.times import Span
from kalends.store.query.days import DayEvent

MAX_SHOWN = 4  # on a day; the others are shown when it is opened
MAX_OPENED = 12  # then; the day view has all of them


@dataclass(frozen=True, slots=True)
class Entry(EventOnPage):
    """An event in the grid."""

    event: DayEvent
    first: date
    last: date
    is_bar: bool
    is_continued: bool = False  # on a later day than its first
    is_brief: ClassVar[bool] = True  # there is no more of it than its title and time

    @property
    def is_masked(self) -> bool:
        return self.event.masked

    @property
    def time(self) -> str:
        """`7:30 PM`, `All day`, or the days that it takes: `Mar 10 – 12`."""
        span, language = self.span, self.frame.language
        if self.is_bar and not span.is_one_evening:
            return times.days_taken(span, language)
        return translate(times.ALL_DAY, language) if span.all_day else times.time(span.first, language)

    @property
    def iso(self) -> str:
        """What `time` names: a moment, or a day."""
        return self.first.isoformat() if self.is_bar else self.span.start_iso

    @property
    def mark(self) -> str:
        """The class of its category's colour."""
        return "" if self.event.masked else category_class(self.event.category, self.event.color)


class Bar(Protocol):
    """What takes whole days."""

    @property
    def first(self) -> date: ...
    @property
    def last(self) -> date: ...


SomeBar = TypeVar("SomeBar", bound=Bar)


@dataclass(frozen=True, slots=True)
class Piece(Generic[SomeBar]):
    """One lane of one day: the first cell of a bar, a later cell, or empty."""

    entry: SomeBar | None = None
    days: int = 0  # how many cells it spans; 0 after its first cell
    from_before: bool = False
    goes_on: bool = False


@dataclass(slots=True)
class Cell:
    """A day of the grid."""

    day: date
    is_outside: bool
    is_today: bool
    lanes: list[Piece[Entry]] = field(default_factory=list)
    lines: list[Entry] = field(default_factory=list)
    hidden: list[Entry] = field(default_factory=list)  # those that do not fit

    @property
    def entries(self) -> list[Entry]:
        """All events of the day, bars first."""
        return [*(piece.entry for piece in self.lanes if piece.entry is not None), *self.lines, *self.hidden]


def entry(event: DayEvent, frame: Frame) -> Entry:
    all_day = times.fills_days(event, masked=event.masked)
    span = Span(event.start_local, event.end_local, event.start_utc, event.start_utc, event.timezone, all_day)
    is_bar = all_day or not span.is_one_evening
    first = times.day_of(event.start_local)
    return Entry(event, frame, span, first, span.last_day if is_bar else first, is_bar)


def grid(weeks: Sequence[Sequence[date]], month: date, today: date, entries: Sequence[Entry]) -> list[list[Cell]]:
    bars = [entry for entry in entries if entry.is_bar]
    lines: dict[date, list[Entry]] = {}
    for entry in entries:
        if not entry.is_bar:
            lines.setdefault(entry.first, []).append(entry)
    return [_row(week, month, today, bars, lines) for week in weeks]


def _row(
    week: Sequence[date], month: date, today: date, all_bars: Sequence[Entry], all_lines: dict[date, list[Entry]]
) -> list[Cell]:
    row = [Cell(day, (day.year, day.month) != (month.year, month.month), day == today) for day in week]
    for cell, lanes in zip(row, in_lanes(week, all_bars), strict=True):
        cell.lanes = lanes[:MAX_SHOWN]
        cell.hidden = [piece.entry for piece in lanes[MAX_SHOWN:] if piece.entry is not None]
        while cell.lanes and cell.lanes[-1].entry is None:
            cell.lanes.pop()
        lines = all_lines.get(cell.day, [])
        free_lines = MAX_SHOWN - sum(piece.entry is not None for piece in cell.lanes)
        cell.lines = lines[:free_lines]
        cell.hidden += lines[free_lines:]
    return row


def in_lanes(week: Sequence[date], bars: Sequence[SomeBar]) -> list[list[Piece[SomeBar]]]:
    """The lanes of each day, so that every bar stays in one."""
    days: list[list[Piece[SomeBar]]] = [[] for _ in week]
    # Earlier bars on top; of those that start together, the longest first.
    shown = [bar for bar in bars if bar.first <= week[-1] and bar.last >= week[0]]
    shown.sort(key=lambda bar: (bar.first, -(bar.last - bar.first).days))
    free: list[date] = []  # the first free day of each lane
    for bar in shown:
        start, end = max(bar.first, week[0]), min(bar.last, week[-1])
        lane = next((n for n, day in enumerate(free) if day <= start), len(free))
        free[lane : lane + 1] = [end + ONE_DAY]
        for number in range((start - week[0]).days, (end - week[0]).days + 1):
            cells = (end - start).days + 1 if week[number] == start else 0
            days[number] += [Piece()] * (lane + 1 - len(days[number]))
            days[number][lane] = Piece(bar, cells, from_before=bar.first < week[0], goes_on=bar.last > week[-1])
    return days
