"""The days of a month as HTML: in the grid with bars and chips, those that open in a popover, and hover cards; in the
list below it with lines.

A template took twice as long: every piece of it passes through all the templates that it extends.
"""

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from kalends.languages import N_
from kalends.pages.calendar_agenda import Day
from kalends.pages.calendar_grid import Cell, Entry, Piece
from kalends.pages.escaping import escaped
from kalends.pages.event_html import (
    Translate,
    badge,
    classes,
    entry_box,
    hover_card_of,
    line_of,
    of_templates,
    star,
)
from kalends.pages.listed_events import ListedEvent

MOST_DOTS = 3
CONTINUES = N_("continues")
MORE = N_("+{count} more")
CLOSE = N_("Close")
TODAY = N_("Today")
NO_EVENTS = N_("No events")
WHOLE_MONTH = N_("The whole month")


class Present(Protocol):
    @property
    def today(self) -> date: ...


class Month(Protocol):
    """The page (`calendar_views.py`), which is rendered with these functions and so imports them."""

    @property
    def context(self) -> Present: ...

    @property
    def boxes(self) -> dict[int, str]: ...
    @property
    def most_opened(self) -> int: ...
    def card(self, entry: Entry, /) -> ListedEvent | None: ...
    def day_words(self, day: date, /) -> str: ...
    def day_at(self, day: date, /) -> str: ...
    def month_at(self, day: date, /) -> str: ...
    def weekday(self, day: date, /) -> str: ...


def cell_of(cell: Cell, page: Month, _: Translate) -> str:
    """A day of the grid."""
    day, today = cell.day, page.context.today
    day_words, here, number = escaped(page.day_words(day)), escaped(page.day_at(day)), day.day
    kinds = (
        f"{'outside' if cell.is_outside else ''}{' today' if cell.is_today else ''}{' over' if day < today else ''}"
    )
    marked = f' class="{kinds}"' if cell.is_outside or day <= today else ""
    below = escaped(page.month_at(day)) if cell.is_outside else ""
    words, current, mark = day_words, "", ""
    if cell.is_today:
        name = escaped(_(TODAY))
        current, words = ' aria-current="date"', f"{day_words}, {name}"
        mark = f'<span class="mark" aria-hidden="true">{name}</span>'
    entries = cell.entries
    return (
        f'      <td{marked}>\n        <a class="number" href="{here}"{current}>'
        f'<span class="visually-hidden">{words}</span><span aria-hidden="true">{number}</span></a>\n'
        f'        <a class="below" href="{below}#d{number}" aria-label="{words}">{number}</a>\n'
        f"{mark}{_entries(cell, entries, page, day_words, here, _) if entries else ''}      </td>\n"
    )


def _entries(cell: Cell, entries: Sequence[Entry], page: Month, day: str, href: str, _: Translate) -> str:
    """Everything that a day has below its number. The words for the day and its address are escaped."""
    dots = "".join(
        [f'<i class="cat {escaped(mark)}"></i>' if (mark := one.mark) else "<i></i>" for one in entries[:MOST_DOTS]]
    )
    chips = [f'<li class="chip{_box(one, page, _)}{hover_card_of(page.card(one), _)}</li>\n' for one in cell.lines]
    shown = "".join([*[_piece(piece, page, _) for piece in cell.lanes], *chips])
    more, opened = (_more(cell, day, _), _opened(cell, entries, page, day, href, _)) if cell.hidden else ("", "")
    return f'        <span class="dots" aria-hidden="true">{dots}</span>\n<ul>\n{shown}{more}</ul>\n{opened}\n'


def section_of(day: Day, page: Month, _: Translate) -> str:
    """A day of the list below the grid, which narrow screens show."""
    number, href, is_over = day.day.day, escaped(page.day_at(day.day)), day.day < page.context.today
    kinds = f"{' today' if day.is_today else ''}{' free' if day.is_free else ''}"
    mark = f' <span class="mark">{escaped(_(TODAY))}</span>' if day.is_today else ""
    more = ""
    if day.more:
        words, whole_day = escaped(_(MORE).format(count=day.more)), escaped(page.day_words(day.day))
        words += f'<span class="visually-hidden">, {whole_day}</span>'
        more = f'    <li class="more"><a href="{href}">{words}</a></li>\n'
    lines = "".join([f"{line_of(line, _, is_over)}\n" for line in day.lines])
    listed = f"  <ul>\n{lines}{more}  </ul>\n" if day.lines else f'  <p class="none">{escaped(_(NO_EVENTS))}</p>\n'
    return (
        f'<section class="day{kinds}" aria-labelledby="h{number}" id="d{number}">\n'
        f'  <h2 id="h{number}"><a href="{href}"><span class="numeral">{number}</span>'
        f' <span class="weekday">{escaped(page.weekday(day.day))}</span></a>{mark}</h2>\n'
        f'{listed}  <p class="whole"><a href="#days">{escaped(_(WHOLE_MONTH))}</a></p>\n</section>\n'
    )


def _box(entry: Entry, page: Month, _: Translate) -> str:
    """The end of the class and the box of a chip. An event over several days has the same on each of them."""
    if (known := page.boxes.get(id(entry))) is None:
        known = page.boxes[id(entry)] = f'{classes(entry)}">{entry_box(entry, _)}'
    return known


def _piece(piece: Piece[Entry], page: Month, _: Translate) -> str:
    """One lane of the day: a bar begins or goes on, or there is none."""
    entry = piece.entry
    if entry is None:
        return '<li class="gap" aria-hidden="true"></li>\n'
    if not piece.days:
        words = f"{escaped(entry.title)}, {escaped(_(CONTINUES))}"
        return f'<li class="gap"><span class="visually-hidden">{words}</span></li>\n'
    ends = f"{' before' if piece.from_before else ''}{' on' if piece.goes_on else ''}"
    card = hover_card_of(page.card(entry), _)
    return (
        f'<li class="bar days-{piece.days}{ends}{classes(entry)}"><a class="entry-box" href="{escaped(entry.href)}">'
        f"{star(entry, _)}<bdi>{escaped(entry.title)}</bdi>{badge(entry, _)}"
        f'<span class="visually-hidden">, {escaped(entry.time)}</span></a>{card}</li>\n'
    )


def _more(cell: Cell, day: str, _: Translate) -> str:
    words = escaped(_(MORE).format(count=len(cell.hidden)))
    return (
        f'<li class="more"><button type="button" popovertarget="all-{cell.day.isoformat()}">{words}'
        f'<span class="visually-hidden">, {day}</span></button></li>\n'
    )


def _opened(cell: Cell, entries: Sequence[Entry], page: Month, day: str, href: str, _: Translate) -> str:
    """The popover with all events of the day, up to a number."""
    name = f"all-{cell.day.isoformat()}"
    further = {id(one) for one in cell.hidden}
    chips = [
        f'<li class="chip{" further" if id(one) in further else ""}{_box(one, page, _)}</li>\n'
        for one in entries[: page.most_opened]
    ]
    left = len(entries) - page.most_opened
    words = escaped(_(MORE).format(count=left))
    rest = f'<p class="more"><a href="{href}">{words}</a></p>\n' if left > 0 else ""
    return (
        f'<div class="opened" id="{name}" popover role="dialog" aria-label="{day}">\n'
        f'<h2><a href="{href}">{day}</a></h2>\n'
        f'<button type="button" class="close" popovertarget="{name}" popovertargetaction="hide"'
        f' aria-label="{escaped(_(CLOSE))}">×</button>\n<ul>\n{"".join(chips)}</ul>\n{rest}</div>\n'
    )


FUNCTIONS = {function.__name__: of_templates(function) for function in (cell_of, section_of)}
