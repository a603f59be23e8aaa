"""Days with an axis of hours: where each event of a day or a week stands, and which stand side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from kalends.pages import calendar_agenda, calendar_grid, times
from kalends.pages.calendar_agenda import Line, Shown
from kalends.pages.hover_card import HoverCard
from kalends.pages.layout import Frame
from kalends.pages.times import Span
from kalends.present.render_context import RenderContext

QUARTERS = 4  # in an hour; the axis has a row for each
DAY = 24 * QUARTERS
SHORTEST = 2  # rows of an event, so that its title can be read
FIRST_HOUR, LAST_HOUR = 8, 20  # what is shown at least
MOST_LANES = {"week": 4, "day": 8}


@dataclass(slots=True)
class Block:
    """An event with a time. Rows count from midnight, lanes from 0."""

    line: Line
    card: HoverCard | None
    start: int
    end: int
    lane: int = 0
    lanes: int = 1


@dataclass(frozen=True, slots=True)
class WholeDays:
    """An event of whole days, or over several."""

    span: Span
    event: Shown

    @property
    def first(self) -> date:
        return self.span.first.date()

    @property
    def last(self) -> date:
        return self.span.last_day


@dataclass(frozen=True, slots=True)
class WholeDay:
    """A day of a bar, as `calendar_grid.Piece` has it."""

    line: Line
    card: HoverCard | None
    days: int
    from_before: bool
    goes_on: bool


@dataclass(slots=True)
class Column:
    """A day: `bars` are events over days, None where a lane is empty; `lines` have no place on the axis."""

    day: date
    is_today: bool
    bars: list[WholeDay | None] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    @property
    def is_free(self) -> bool:
        return not self.lines and not self.blocks and not any(self.bars)


@dataclass(frozen=True, slots=True)
class Axis:
    """The hours from `first` to `last` and the columns beside them."""

    first: int
    last: int
    hours: list[str]
    columns: list[Column]
    now: int | None = None  # the row of the present

    def place(self, start: int, end: int) -> str:
        """The classes of what takes these rows, for hour_rows.css: the pages allow no inline styles."""
        from_hour, from_quarter = divmod(start - self.first * QUARTERS, QUARTERS)
        to_hour, to_quarter = divmod(end - self.first * QUARTERS, QUARTERS)
        return f"from-{from_hour} plus-{from_quarter} to-{to_hour} and-{to_quarter}"


def axis(
    view: str,
    days: Sequence[date],
    shown: Sequence[Shown],
    cards: Mapping[str, HoverCard],
    now: datetime,
    frame: Frame,
    render_context: RenderContext,
) -> Axis:
    """`now` is the present on the site's clock."""
    spans = [(calendar_agenda.span_of(pair), pair) for pair in shown]
    whole = [WholeDays(span, pair) for span, pair in spans if span.all_day or not span.is_one_evening]
    timed = [(span, pair) for span, pair in spans if span.is_one_evening and not span.all_day]
    columns = []
    for day, lanes in zip(days, calendar_grid.in_lanes(days, whole), strict=True):

        def line(span: Span, pair: Shown, day: date = day) -> Line:
            # After the first day shown, an event over several days has only its title and time.
            in_short = max(span.first.date(), days[0]) < day
            return calendar_agenda.line(span, pair, day, frame, render_context, in_short=in_short)

        column = Column(day, day == now.date())
        for piece in lanes:
            if piece.entry is None:
                column.bars.append(None)
                continue
            span, pair = piece.entry.span, piece.entry.event
            card = cards.get(pair[0].slug)
            column.bars.append(WholeDay(line(span, pair), card, piece.days, piece.from_before, piece.goes_on))
        for span, pair in timed:
            if span.first.date() == day:
                column.blocks.append(Block(line(span, pair), cards.get(pair[0].slug), *_rows(span)))
            elif span.first.date() < day <= span.last_day:
                column.lines.append(line(span, pair))
        column.lines += _side_by_side(column.blocks, MOST_LANES[view])
        column.blocks = [block for block in column.blocks if block.lane < MOST_LANES[view]]
        columns.append(column)
    blocks = [block for column in columns for block in column.blocks]
    first = min([FIRST_HOUR, *(block.start // QUARTERS for block in blocks)])
    last = max([LAST_HOUR, *(-(-block.end // QUARTERS) for block in blocks)])
    row = (now.hour * 60 + now.minute) * QUARTERS // 60
    is_shown = days[0] <= now.date() <= days[-1] and first * QUARTERS <= row < last * QUARTERS
    hours = [times.full_hour(hour, frame.language) for hour in range(first, last)]
    return Axis(first, last, hours, columns, row if is_shown else None)


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


def _side_by_side(blocks: list[Block], most: int) -> list[Line]:
    """Gives events that overlap a lane each. Returns those for which there is none."""
    without_lane: list[Line] = []
    group: list[Block] = []
    blocks.sort(key=lambda block: (block.start, -block.end))

    def close() -> None:
        lanes = min(most, max((block.lane for block in group), default=0) + 1)
        for block in group:
            block.lanes = lanes
            if block.lane >= most:
                without_lane.append(block.line)

    for block in blocks:
        if group and block.start >= max(other.end for other in group):
            close()
            group = []
        taken = {other.lane for other in group if other.end > block.start}
        block.lane = next(lane for lane in range(len(group) + 1) if lane not in taken)
        group.append(block)
    close()
    return without_lane
