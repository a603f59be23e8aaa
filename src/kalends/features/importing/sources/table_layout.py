"""How the rows of a table lie: where its headings are, what columns without one are called, which rows say no more
than the day of those under them, and which empty dates are those of the row above."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.sources.cell_places import letters, place_of, row_and_place
from kalends.features.importing.sources.written_dates import read_date
from kalends.languages import N_

SEARCHED = 10  # rows
MOST_SAMPLED = 50
SAMPLES, LONGEST_SAMPLE = 3, 40
MOST_TOLD, LONGEST_TOLD = 10, 80
COLUMN = N_("Column {letter}")
HEADINGS_IN = N_("the headings are in row {row}; above them: {text}")
WITHOUT_HEADINGS = N_("no row of this table has headings that are known; say what its columns are")
FILLED = N_("empty dates that are those of the row above: {count} (rows {rows})")
Numbered = tuple[int, list[str]]


class Headings(NamedTuple):
    """`row` is 0 where the table has none; `above` are the rows that were passed over, as texts."""

    names: Sequence[str]
    row: int
    above: Sequence[tuple[int, str]]


NO_HEADINGS = Headings([], 0, [])


def headings_remarks(found: Headings) -> list[ImportMessage]:
    """What was passed over."""
    if not found.row:
        return [ImportMessage(WITHOUT_HEADINGS)]
    if not found.above:
        return []
    text = " · ".join(text if len(text) <= LONGEST_TOLD else f"{text[:LONGEST_TOLD]}…" for _, text in found.above)
    return [ImportMessage(HEADINGS_IN, row=found.row, text=text)]


def filled_remarks(rows: Sequence[int]) -> list[ImportMessage]:
    if not rows:
        return []
    shown = ", ".join(map(str, rows[:MOST_TOLD])) + ("…" if len(rows) > MOST_TOLD else "")
    return [ImportMessage(FILLED, count=len(rows), rows=shown)]


def find_headings(rows: Iterator[Numbered], count_known: Callable[[Sequence[str]], int]) -> Headings:
    """The row among the first ten with most names of columns that are known. Where none is, it is the first of those
    with most cells; and a table has no headings where that has a date already."""
    first = next(rows, None)
    if first is None:
        return NO_HEADINGS
    searched = [first, *itertools.takewhile(lambda found: found[0] <= SEARCHED, rows)]
    known = [count_known(row) for _, row in searched]
    widths = [_filled(row) for _, row in searched]
    best = known.index(max(known))
    if known[best] < 2 and not (known[best] and widths[best] == max(widths)) and not known[0]:
        best = widths.index(max(widths))
    width = max(len(row) for _, row in searched) if any(len(row) > 1 for _, row in searched) else 1
    has_none = not known[best] and any(read_date(cell.strip()) is not None for cell in searched[best][1])
    if has_none:
        names, row = [], 0
    else:
        names, row = [*map(str.strip, searched[best][1])], searched[best][0]
        width = len(names)
    above = [(number, " ".join(filter(None, map(str.strip, cells)))) for number, cells in searched[:best]]
    names = [*names, *[""] * (width - len(names))]
    return Headings([name or unnamed(place) for place, name in enumerate(names)], row, above)


def unnamed(place: int) -> ImportMessage:
    """What a column without a heading is called."""
    return ImportMessage(COLUMN, letter=letters(place))


def is_unnamed(name: str) -> bool:
    return isinstance(name, ImportMessage)


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def samples(rows: Iterable[Numbered], places: Iterable[int]) -> dict[int, str]:
    """The first values of columns, of those that have any."""
    found: dict[int, list[str]] = {place: [] for place in places}
    for _, (_, row) in zip(range(MOST_SAMPLED), rows, strict=False):
        for place, values in found.items():
            value = row[place].strip() if place < len(row) else ""
            if value and value not in values and len(values) < SAMPLES:
                values.append(value if len(value) <= LONGEST_SAMPLE else f"{value[:LONGEST_SAMPLE]}…")
    return {place: ", ".join(values) for place, values in found.items() if values}


def mended_rows(rows: Iterable[Numbered], mended: Mapping[str, str]) -> Iterator[Numbered]:
    """The rows with what somebody has written instead of some cells, by what these are called."""
    by_row: dict[int, dict[int, str]] = {}
    for name, text in mended.items():
        if (found := row_and_place(name)) is not None:
            by_row.setdefault(found[0], {})[found[1]] = text
    for number, row in rows:
        changes = by_row.get(number, {})
        yield number, [changes.get(place, cell) for place, cell in enumerate(_as_long(row, changes))]


def _as_long(row: list[str], changes: Mapping[int, str]) -> list[str]:
    return [*row, *[""] * (max(changes, default=-1) + 1 - len(row))]


def with_merged(mended: Mapping[str, str], merged: Mapping[tuple[int, int], int]) -> Mapping[str, str]:
    """What is written into a merged cell stands in all of its rows."""
    more = {
        place_of(row, place): text
        for (row, place), above in (merged.items() if mended else ())
        if (text := mended.get(place_of(above, place))) is not None
    }
    return {**more, **mended}


class TableRow(NamedTuple):
    """`filled`: of cells that are those of another row, the number of that row."""

    number: int
    cells: list[str]
    filled: Mapping[int, int]


@dataclass
class DayColumn:
    """Fills the empty cells of the column with the days of events. `day` is what a date says of the day alone;
    `has_day` tells whether a row has one elsewhere."""

    place: int
    day: Callable[[str], str]
    has_day: Callable[[Sequence[str]], bool]
    _last: tuple[str, int] = ("", 0)
    merged: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def rows(self, rows: Iterable[Numbered]) -> Iterator[TableRow]:
        """A row that has a date and nothing else says the day of those under it, if the next one has none. An empty
        date is that of the row above, if the row has more than one cell."""
        following = iter(rows)
        here = next(following, None)
        while here is not None:
            below = next(following, None)
            number, cells = here
            alone = only_date(cells)
            if alone and below is not None and not self._date(below[1]) and not only_date(below[1]):
                self._last = (alone, number)
            else:
                yield self._row(number, cells)
            here = below

    def _row(self, number: int, cells: list[str]) -> TableRow:
        filled = {place: row for place in range(len(cells)) if (row := self.merged.get((number, place)))}
        date = self._date(cells)
        if date:
            self._last = (date, filled.get(self.place, number))
        elif self._last[0] and _filled(cells) > 1 and not self.has_day(cells):
            cells = [*cells, *[""] * (self.place + 1 - len(cells))]
            cells[self.place] = self.day(self._last[0])
            filled[self.place] = self._last[1]
        return TableRow(number, cells, filled)

    def _date(self, cells: Sequence[str]) -> str:
        return cells[self.place].strip() if self.place < len(cells) else ""


def only_date(cells: Sequence[str]) -> str:
    """The one cell of a row, if it is a date."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return filled[0] if len(filled) == 1 and read_date(filled[0]) is not None else ""
