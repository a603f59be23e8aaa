"""The events of a day in the grid of a month, as HTML: bars and chips, those that open in a popover, hover cards.

A template took twice as long: every piece of it passes through all the templates that it extends.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Protocol

from markupsafe import Markup, escape

from kalends.languages import N_
from kalends.pages.event_html import Line, Translate, WholeLine, badge, classes, entry_box, hover_card_of, star

MOST_DOTS = 3
CONTINUES = N_("continues")
MORE = N_("+{count} more")
CLOSE = N_("Close")


class Named(Protocol):
    @property
    def slug(self) -> str: ...


class Entry(Line, Protocol):
    """An event of the grid (`calendar_grid.py`, as the others here)."""

    @property
    def event(self) -> Named: ...


class Piece(Protocol):
    @property
    def entry(self) -> Entry | None: ...
    @property
    def days(self) -> int: ...
    @property
    def from_before(self) -> bool: ...
    @property
    def goes_on(self) -> bool: ...


class Cell(Protocol):
    @property
    def day(self) -> date: ...
    @property
    def lanes(self) -> Sequence[Piece]: ...
    @property
    def lines(self) -> Sequence[Entry]: ...
    @property
    def hidden(self) -> Sequence[Entry]: ...
    @property
    def entries(self) -> Sequence[Entry]: ...


class Month(Protocol):
    """The page (`calendar_views.py`)."""

    @property
    def cards(self) -> Mapping[str, WholeLine]: ...
    @property
    def boxes(self) -> dict[int, str]: ...
    @property
    def most_opened(self) -> int: ...
    def day_words(self, day: date, /) -> str: ...
    def day_at(self, day: date, /) -> str: ...


def entries_of(cell: Cell, page: Month, _: Translate) -> Markup:
    """Everything that a day has below its number."""
    entries = cell.entries
    dots = "".join(
        [f'<i class="cat {escape(mark)}"></i>' if (mark := one.mark) else "<i></i>" for one in entries[:MOST_DOTS]]
    )
    chips = [
        f'<li class="chip{_box(one, page, _)}{hover_card_of(page.cards.get(one.event.slug), _)}</li>\n'
        for one in cell.lines
    ]
    shown = "".join([*[_piece(piece, page, _) for piece in cell.lanes], *chips])
    more, opened = (_more(cell, page, _), _opened(cell, entries, page, _)) if cell.hidden else ("", "")
    return Markup(  # noqa: S704 - every text is escaped
        f'<span class="dots" aria-hidden="true">{dots}</span>\n<ul>\n{shown}{more}</ul>\n{opened}'
    )


def _box(entry: Entry, page: Month, _: Translate) -> str:
    """The end of the class and the box of a chip. An event over several days has the same on each of them."""
    if (known := page.boxes.get(id(entry))) is None:
        known = page.boxes[id(entry)] = f'{classes(entry)}">{entry_box(entry, _)}'
    return known


def _piece(piece: Piece, page: Month, _: Translate) -> str:
    """One lane of the day: a bar begins or goes on, or there is none."""
    entry = piece.entry
    if entry is None:
        return '<li class="gap" aria-hidden="true"></li>\n'
    if not piece.days:
        words = f"{escape(entry.title)}, {escape(_(CONTINUES))}"
        return f'<li class="gap"><span class="visually-hidden">{words}</span></li>\n'
    ends = f"{' before' if piece.from_before else ''}{' on' if piece.goes_on else ''}"
    card = hover_card_of(page.cards.get(entry.event.slug), _)
    return (
        f'<li class="bar days-{piece.days}{ends}{classes(entry)}"><a class="entry-box" href="{escape(entry.href)}">'
        f"{star(entry, _)}<bdi>{escape(entry.title)}</bdi>{badge(entry, _)}"
        f'<span class="visually-hidden">, {escape(entry.time)}</span></a>{card}</li>\n'
    )


def _more(cell: Cell, page: Month, _: Translate) -> str:
    words, day = escape(_(MORE).format(count=len(cell.hidden))), escape(page.day_words(cell.day))
    return (
        f'<li class="more"><button type="button" popovertarget="all-{cell.day.isoformat()}">{words}'
        f'<span class="visually-hidden">, {day}</span></button></li>\n'
    )


def _opened(cell: Cell, entries: Sequence[Entry], page: Month, _: Translate) -> str:
    """The popover with all events of the day, up to a number."""
    name, day, href = f"all-{cell.day.isoformat()}", escape(page.day_words(cell.day)), escape(page.day_at(cell.day))
    further = {id(one) for one in cell.hidden}
    chips = [
        f'<li class="chip{" further" if id(one) in further else ""}{_box(one, page, _)}</li>\n'
        for one in entries[: page.most_opened]
    ]
    left = len(entries) - page.most_opened
    words = escape(_(MORE).format(count=left))
    rest = f'<p class="more"><a href="{href}">{words}</a></p>\n' if left > 0 else ""
    return (
        f'<div class="opened" id="{name}" popover role="dialog" aria-label="{day}">\n'
        f'<h2><a href="{href}">{day}</a></h2>\n'
        f'<button type="button" class="close" popovertarget="{name}" popovertargetaction="hide"'
        f' aria-label="{escape(_(CLOSE))}">×</button>\n<ul>\n{"".join(chips)}</ul>\n{rest}</div>\n'
    )
