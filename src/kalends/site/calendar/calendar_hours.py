"""Days with an axis of hours: where each event of a day or a week stands, and which stand side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from kalends.site import times
from kalends.site.calendar import calendar_grid
from kalends.site.calendar.calendar_grid import Piece
from kalends.site.events.listed_events import BundledEvent, ListedEvent, on_day
from kalends.site.layout.frame import Frame
from kalends.site.times import Span
from kalends.values.cost import Currency

QUARTERS = 4  # in an hour; the axis has a row for each
DAY = 24 * QUARTERS
SHORTEST = 2  # rows of an event, so that its title can be read
FIRST_HOUR, LAST_HOUR = 8, 20  # what is shown at least
MOST_LANES = {"week": (2, 1), "day": (6, 2)}  # in wide and in narrow columns: a lane has room for words


@dataclass(frozen=True, slots=True)
class MoreEvents:
    """The events of some hours for which there is no lane: a number that opens their list."""

    lines: list[ListedEvent]
    start: int
    end: int
    only: str = ""  # "wide" or "narrow" where the other has lanes for them, or has other ones


@dataclass(slots=True)
class HourBlock:
    """An event with a time. Rows count from midnight, lanes from 0; `lanes` are those of its group in wide and in
    narrow columns, each with a place for a number if `is_crowded`."""

    line: ListedEvent
    start: int
    end: int
    lane: int = 0
    lanes: tuple[int, int] = (1, 1)
    is_crowded: tuple[bool, bool] = (False, False)

    @property
    def classes(self) -> str:
        """For hour_rows.css."""
        wide, narrow = self.lanes
        names = [f"lane-{self.lane}", f"of-{wide}", f"narrow-of-{narrow}"]
        if self.lane >= narrow:
            names.append("wide-only")
        names += [name for name, is_so in zip(("crowded", "narrow-crowded"), self.is_crowded, strict=True) if is_so]
        return " ".join(names)


@dataclass(slots=True)
class HoursColumn:
    """A day: `bars` are events over days, in lanes; `lines` have no place on the axis."""

    day: date
    is_today: bool
    bars: list[Piece[ListedEvent]] = field(default_factory=list)
    lines: list[ListedEvent] = field(default_factory=list)
    blocks: list[HourBlock] = field(default_factory=list)
    more: list[MoreEvents] = field(default_factory=list)

    @property
    def is_free(self) -> bool:
        return not self.lines and not self.blocks and not any(piece.entry for piece in self.bars)


@dataclass(frozen=True, slots=True)
class Axis:
    """The hours from `first` to `last` and the columns beside them."""

    first: int
    last: int
    hours: list[str]
    columns: list[HoursColumn]
    now: int | None = None  # the row of the present

    def row_classes(self, start: int, end: int) -> str:
        """The classes of what takes these rows, for hour_rows.css: the pages allow no inline styles."""
        from_hour, from_quarter = divmod(start - self.first * QUARTERS, QUARTERS)
        to_hour, to_quarter = divmod(end - self.first * QUARTERS, QUARTERS)
        return f"from-{from_hour} plus-{from_quarter} to-{to_hour} and-{to_quarter}"


def axis(
    view: str, days: Sequence[date], bundled: Sequence[BundledEvent], now: datetime, frame: Frame, currency: Currency
) -> Axis:
    """`now` is the present on the site's clock."""
    events = [on_day(pair, frame, currency) for pair in bundled]
    whole = [one for one in events if one.span.all_day or not one.span.is_one_evening]
    timed = [_on_axis(one) for one in events if one.span.is_one_evening and not one.span.all_day]
    columns = []
    for day, lanes in zip(days, calendar_grid.in_lanes(days, calendar_grid.in_order(whole)), strict=True):

        def line(one: ListedEvent, day: date = day) -> ListedEvent:
            return replace(one, day=day, is_brief=max(one.first, days[0]) < day)

        bars = [piece._replace(entry=piece.entry and line(piece.entry)) for piece in lanes]
        column = HoursColumn(day, day == now.date(), bars)
        for one in timed:
            if one.first == day:
                column.blocks.append(HourBlock(line(one), *_rows(one.span)))
            elif one.first < day <= one.last:
                column.lines.append(line(one))
        column.more = _side_by_side(column.blocks, MOST_LANES[view])
        column.blocks = [block for block in column.blocks if block.lane < block.lanes[0]]
        columns.append(column)
    placed = [(one.start, one.end) for column in columns for one in column.blocks]
    placed += [(one.start, one.end) for column in columns for one in column.more]
    first = min([FIRST_HOUR, *(start // QUARTERS for start, _ in placed)])
    last = max([LAST_HOUR, *(-(-end // QUARTERS) for _, end in placed)])
    row = (now.hour * 60 + now.minute) * QUARTERS // 60
    is_shown = days[0] <= now.date() <= days[-1] and first * QUARTERS <= row < last * QUARTERS
    hours = [times.full_hour(hour, frame.language) for hour in range(first, last)]
    return Axis(first, last, hours, columns, row if is_shown else None)


def _on_axis(line: ListedEvent) -> ListedEvent:
    """Hours in another zone stand where they are on the site's clock, and are told on both."""
    if not line.zone:
        return line
    span = times.on_clock(line.span, line.frame.timezone)
    return replace(line, span=span, day=span.first.date(), there=line.span)


def next_row(now: datetime) -> datetime:
    """When the line of the present moves on."""
    minutes = 60 // QUARTERS
    return now.replace(minute=now.minute - now.minute % minutes, second=0, microsecond=0) + timedelta(minutes=minutes)


def _rows(span: Span) -> tuple[int, int]:
    """Of the day on which it starts; what lasts longer ends with that day."""
    start = min((span.first.hour * 60 + span.first.minute) * QUARTERS // 60, DAY - SHORTEST)
    minutes = span.last.hour * 60 + span.last.minute
    end = -(-minutes * QUARTERS // 60) if span.last.date() == span.first.date() else DAY
    return start, max(end, start + SHORTEST)


def _side_by_side(blocks: list[HourBlock], most: tuple[int, int]) -> list[MoreEvents]:
    """Gives events that overlap a lane each, and says which have none in a wide and in a narrow column."""
    more: list[MoreEvents] = []
    group: list[HourBlock] = []
    blocks.sort(key=lambda block: (block.start, -block.end))

    def close() -> None:
        lanes = max((block.lane for block in group), default=0) + 1
        # A number would have the width of a lane: it does not stand for a single one.
        room = [number + 1 if lanes == number + 1 else number for number in most]
        if most[1] == 1 and any(block.line.status for block in group):
            room[1] = 1  # half of a narrow column has no room for the word of a state
        for block in group:
            block.lanes = min(room[0], lanes), min(room[1], lanes)
            block.is_crowded = lanes > room[0], lanes > room[1]
        wide, narrow = (_without_lane(group, number) for number in room)
        if wide == narrow:
            more.extend(wide)
        else:
            more.extend(replace(one, only="wide") for one in wide)
            more.extend(replace(one, only="narrow") for one in narrow)

    for block in blocks:
        if group and block.start >= max(other.end for other in group):
            close()
            group = []
        taken = {other.lane for other in group if other.end > block.start}
        block.lane = next(lane for lane in range(len(group) + 1) if lane not in taken)
        group.append(block)
    close()
    return more


def _without_lane(group: Sequence[HourBlock], most: int) -> list[MoreEvents]:
    """One number for each run of events that follow or overlap one another."""
    found: list[MoreEvents] = []
    for block in group:
        if block.lane < most:
            continue
        if found and block.start < found[-1].end:
            last = found.pop()
            found.append(MoreEvents([*last.lines, block.line], last.start, max(last.end, block.end)))
        else:
            found.append(MoreEvents([block.line], block.start, block.end))
    return found
