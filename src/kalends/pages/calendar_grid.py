"""The month as a grid: bars for what takes days, lines for what has an hour, and no more of them than a day holds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from babel.dates import format_interval

from kalends.languages import translate
from kalends.pages import times
from kalends.pages.calendar_days import ONE_DAY
from kalends.pages.times import Span
from kalends.store.query.days import DayEvent
from kalends.values import zones

MOST_SHOWN = 4  # on a day; the others are folded


@dataclass(frozen=True, slots=True)
class Entry:
    """An event on a page of days. Its words are made when they are shown; most of a full month is folded."""

    title: str
    slug: str
    first: date
    last: date
    is_bar: bool
    featured: bool
    span: Span
    language: str
    site_zone: str

    @property
    def time(self) -> str:
        return short_time(self.span, self.language)

    @property
    def iso(self) -> str:
        return self.span.start_iso

    @property
    def zone(self) -> str:
        return foreign_zone(self.span, self.site_zone)


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands in one lane of one day: the beginning of a bar, the middle of one, or nothing."""

    entry: Entry | None = None
    days: int = 0  # how many cells it covers from here; 0 in its middle
    from_before: bool = False
    goes_on: bool = False


@dataclass(slots=True)
class Cell:
    """A day of the grid."""

    day: date
    is_outside: bool
    is_today: bool
    lanes: list[Piece] = field(default_factory=list)
    lines: list[Entry] = field(default_factory=list)
    more: int = 0

    @property
    def count(self) -> int:
        return sum(piece.entry is not None for piece in self.lanes) + len(self.lines) + self.more


def entry(event: DayEvent, language: str, site_zone: str) -> Entry:
    """That a masked one is featured or lasts all day is part of what it hides."""
    whole_days = event.start_local.endswith("00:00:00") and event.end_local.endswith("23:59:59")
    all_day = whole_days if event.masked else event.all_day
    span = Span(event.start_local, event.end_local, event.start_utc, event.start_utc, event.timezone, all_day)
    is_bar = all_day or not span.is_one_evening
    return Entry(
        title=event.name,
        slug=event.slug,
        first=span.first.date(),
        last=span.last_day if is_bar else span.first.date(),
        is_bar=is_bar,
        featured=event.featured and not event.masked,
        span=span,
        language=language,
        site_zone=site_zone,
    )


def short_time(span: Span, language: str) -> str:
    """`7:30 PM`, `All day`, or the days that it takes: `Mar 10 – 12`."""
    if not span.is_one_evening:
        return days_taken(span, language)
    return translate(times.ALL_DAY, language) if span.all_day else times.time(span.first, language)


def days_taken(span: Span, language: str) -> str:
    return format_interval(span.first.date(), span.last_day, "MMMd", locale=times.locale(language))


def foreign_zone(span: Span, site_zone: str) -> str:
    """The zone's short name where its clock shows another time than the site's."""
    if span.all_day or zones.offset(span.first, span.timezone) == zones.offset(span.first, site_zone):
        return ""
    return zones.abbreviation(span.first, span.timezone)


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
    bars = [bar for bar in all_bars if bar.first <= week[-1] and bar.last >= week[0]]
    # What began earlier keeps its place on top; of what begins together the longest is first.
    bars.sort(key=lambda bar: (bar.first, -(bar.last - bar.first).days))
    free: list[date] = []  # the first free day of each lane
    for bar in bars:
        start, end = max(bar.first, week[0]), min(bar.last, week[-1])
        lane = next((n for n, day in enumerate(free) if day <= start), len(free))
        free[lane : lane + 1] = [end + ONE_DAY]
        _lay(row, bar, lane, (start - week[0]).days, (end - week[0]).days, week)
    for cell in row:
        lines = all_lines.get(cell.day, [])
        room = MOST_SHOWN - sum(piece.entry is not None for piece in cell.lanes)
        cell.lines, cell.more = lines[:room], cell.more + len(lines[room:])
    return row


def _lay(row: list[Cell], bar: Entry, lane: int, start: int, end: int, week: Sequence[date]) -> None:
    for place in range(start, end + 1):
        cell = row[place]
        if lane >= MOST_SHOWN:
            cell.more += 1
            continue
        cell.lanes += [Piece()] * (lane + 1 - len(cell.lanes))
        cell.lanes[lane] = Piece(
            bar,
            days=end - start + 1 if place == start else 0,
            from_before=bar.first < week[0],
            goes_on=bar.last > week[-1],
        )
