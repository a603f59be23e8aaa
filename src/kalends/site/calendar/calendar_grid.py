"""The month grid: bars for events over days, lines for events with a time, at most MAX_SHOWN a day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from kalends.site import times
from kalends.site.events.listed_events import MonthEvent
from kalends.site.layout.frame import Frame
from kalends.site.times import Span
from kalends.store.query.days import DayEvent

MAX_SHOWN = 4  # on a day; the others are shown when it is opened
MAX_OPENED = 12  # then; the day view has all of them


class Bar(Protocol):
    """What takes whole days."""

    @property
    def first(self) -> date: ...
    @property
    def last(self) -> date: ...


SomeBar = TypeVar("SomeBar", bound=Bar)


class Piece(NamedTuple, Generic[SomeBar]):
    """One lane of one day: the first cell of a bar, a later cell, or empty."""

    entry: SomeBar | None = None
    days: int = 0  # how many cells it spans; 0 after its first cell
    from_before: bool = False
    continues: bool = False


EMPTY = Piece[Any]()


@dataclass(slots=True)
class GridCell:
    """A day of the grid."""

    day: date
    is_outside: bool
    is_today: bool
    lanes: list[Piece[MonthEvent]] = field(default_factory=list)
    lines: list[MonthEvent] = field(default_factory=list)
    hidden: list[MonthEvent] = field(default_factory=list)  # those that do not fit

    @property
    def visible_entries(self) -> list[MonthEvent]:
        """The events that stand in the grid, bars first."""
        return [*[piece.entry for piece in self.lanes if piece.entry is not None], *self.lines]


def entry(event: DayEvent, frame: Frame) -> MonthEvent:
    all_day = times.fills_days(event, masked=event.masked)
    span = Span(event.start_local, event.end_local, event.start_utc, event.start_utc, event.timezone, all_day)
    is_bar = all_day or not span.is_one_evening
    first = times.day_of(event.start_local)
    return MonthEvent(event, frame, span, first, span.last_day if is_bar else first, is_bar)


@dataclass
class MonthGrid:
    """The days of a month, to which the events are given once they are known: which of them stand in the grid decides
    what else is read of them."""

    weeks: Sequence[Sequence[date]]
    month: date
    today: date
    frame: Frame
    entries: Sequence[MonthEvent] = ()
    rows: Sequence[Sequence[GridCell]] = ()

    def arrange(self, events: Iterable[DayEvent]) -> set[int]:
        """Returns the ids of the events that stand on days of the month; the others are behind a number."""
        self.entries = [entry(event, self.frame) for event in events]
        bars = in_order([entry for entry in self.entries if entry.is_bar])
        lines: dict[date, list[MonthEvent]] = {}
        for one in self.entries:
            if not one.is_bar:
                lines.setdefault(one.first, []).append(one)
        self.rows = [_row(week, self.month, self.today, bars, lines) for week in self.weeks]
        cells = [cell for row in self.rows for cell in row if not cell.is_outside]
        return {one.event.id for cell in cells for one in cell.visible_entries}


def _row(
    week: Sequence[date],
    month: date,
    today: date,
    all_bars: Sequence[MonthEvent],
    all_lines: dict[date, list[MonthEvent]],
) -> list[GridCell]:
    row = [GridCell(day, (day.year, day.month) != (month.year, month.month), day == today) for day in week]
    for cell, lanes in zip(row, in_lanes(week, all_bars), strict=True):
        cell.lanes = lanes[:MAX_SHOWN]
        cell.hidden = [piece.entry for piece in lanes[MAX_SHOWN:] if piece.entry is not None]
        while cell.lanes and cell.lanes[-1].entry is None:
            cell.lanes.pop()
        lines = all_lines.get(cell.day, [])
        free_lines = MAX_SHOWN - sum([piece.entry is not None for piece in cell.lanes])
        cell.lines = lines[:free_lines]
        cell.hidden += lines[free_lines:]
    return row


def in_order(bars: Iterable[SomeBar]) -> list[SomeBar]:
    """Earlier bars on top; of those that start together, the longest first."""
    return sorted(bars, key=lambda bar: (bar.first, bar.first - bar.last))


def in_lanes(week: Sequence[date], bars: Iterable[SomeBar]) -> list[list[Piece[SomeBar]]]:
    """The lanes of each day, so that every bar stays in one. The bars are in order."""
    days: list[list[Piece[SomeBar]]] = [[] for _ in week]
    begin, end = week[0], week[-1]
    free: list[int] = []  # the number of the first free day of each lane
    for bar in bars:
        if bar.first > end or bar.last < begin:
            continue
        before, beyond = bar.first < begin, bar.last > end
        start = 0 if before else (bar.first - begin).days
        after = len(week) if beyond else (bar.last - begin).days + 1
        lane = next((number for number, day in enumerate(free) if day <= start), len(free))
        free[lane : lane + 1] = [after]
        piece, rest = Piece(bar, after - start, before, beyond), Piece(bar, 0, before, beyond)
        for day in days[start:after]:
            day += [EMPTY] * (lane + 1 - len(day))
            day[lane] = piece
            piece = rest
    return days
