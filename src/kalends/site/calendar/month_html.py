"""The days of a month as HTML: in the grid with bars and chips, those that open in a popover, and hover cards; in the
list below it with lines.

A template took twice as long: every piece of it passes through all the templates that it extends.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple, Protocol

from kalends.languages import N_
from kalends.site.calendar.calendar_agenda import DayOfMonth
from kalends.site.calendar.calendar_grid import GridCell, Piece
from kalends.site.escaping import escaped
from kalends.site.events.event_html import CONTINUED, OVER, EventHtml, Translate, hover_card_of, written
from kalends.site.events.listed_events import ListedEvent, MonthEvent

MOST_DOTS = 3
CONTINUES = N_("continues")
MORE = N_("+{count} more")
CLOSE = N_("Close")
TODAY = N_("Today")
NO_EVENTS = N_("No events")


class Present(Protocol):
    @property
    def today(self) -> date: ...


class WrittenEntry(NamedTuple):
    """What the month says of an event, written once: a day has it in the grid, in its popover and in the list."""

    parts: EventHtml
    chip: str  # all of its element but the beginning and the end
    mark: str  # its dot


class WrittenMonth(Protocol):
    """The page (`calendar_views.py`), which calls these functions and so imports them."""

    @property
    def context(self) -> Present: ...

    @property
    def written(self) -> dict[int, WrittenEntry]: ...
    @property
    def most_opened(self) -> int: ...
    def card(self, entry: MonthEvent, /) -> ListedEvent | None: ...
    def day_words(self, day: date, /) -> str: ...
    def day_at(self, day: date, /) -> str: ...
    def month_at(self, day: date, /) -> str: ...
    def weekday(self, day: date, /) -> str: ...


def cell_of(cell: GridCell, page: WrittenMonth, _: Translate) -> str:
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
    weekday = escaped(page.weekday(day))
    entries = [*cell.visible_entries, *cell.hidden]
    return (
        f'<td{marked}><a class="number" href="{here}" aria-label="{words}"{current}>{number}</a>\n'
        f'<a class="below" href="{below}#d{number}" aria-label="{number} {weekday}"{current}>{number}</a>\n'
        f"{mark}{_entries(cell, entries, page, day_words, here, _) if entries else ''}</td>\n"
    )


def _entries(
    cell: GridCell, entries: Sequence[MonthEvent], page: WrittenMonth, day: str, href: str, _: Translate
) -> str:
    """Everything that a day has below its number. The words for the day and its address are escaped."""
    found = [_written(entry, page, _) for entry in entries[: page.most_opened]]
    dots = "".join([one.mark for one in found[:MOST_DOTS]])
    chips = [
        f'<li class="chip{_written(one, page, _).chip}{hover_card_of(page.card(one), _)}</li>\n' for one in cell.lines
    ]
    shown = "".join([*[_piece(piece, page, _) for piece in cell.lanes], *chips])
    more, opened = (_more(cell, day, _), _opened(cell, found, page, day, href, _)) if cell.hidden else ("", "")
    return f'<span class="dots">{dots}</span>\n<ul>\n{shown}{more}</ul>\n{opened}'


def section_of(day: DayOfMonth, page: WrittenMonth, _: Translate) -> str:
    """A day of the list below the grid, which narrow screens show."""
    number, href = day.day.day, escaped(page.day_at(day.day))
    kinds = f"{' today' if day.is_today else ''}{' free' if day.is_free else ''}"
    mark = f' <span class="mark">{escaped(_(TODAY))}</span>' if day.is_today else ""
    more = ""
    if day.more:
        words, whole_day = escaped(_(MORE).format(count=day.more)), escaped(page.day_words(day.day))
        words += f'<span class="visually-hidden">, {whole_day}</span>'
        more = f'<li class="more"><a href="{href}">{words}</a></li>\n'
    over = OVER if day.day < page.context.today else ""
    lines = [_written(one, page, _).parts.line(over) for one in day.new]
    lines += [_written(one, page, _).parts.line(CONTINUED + over) for one in day.continued]
    none = f'<p class="none">{escaped(_(NO_EVENTS))}</p>\n'
    listed = f"<ul>\n{''.join(lines)}{more}</ul>\n" if lines else none
    return (
        f'<section class="day{kinds}" id="d{number}">\n'
        f'<h2><a href="{href}"><span class="numeral">{number}</span>'
        f' <span class="weekday">{escaped(page.weekday(day.day))}</span></a>{mark}</h2>\n{listed}</section>\n'
    )


def _written(entry: MonthEvent, page: WrittenMonth, _: Translate) -> WrittenEntry:
    known = page.written.get(id(entry))
    if known is None:
        parts = written(entry, _)
        chip = (
            f'{parts.classes}"><a class="entry-box" href="{parts.href}">{parts.hours}'
            f' <span class="title">{parts.title}</span></a>'
        )
        mark = entry.mark
        dot = f'<i class="cat {escaped(mark)}"></i>' if mark else "<i></i>"
        known = page.written[id(entry)] = WrittenEntry(parts, chip, dot)
    return known


def _piece(piece: Piece[MonthEvent], page: WrittenMonth, _: Translate) -> str:
    """One lane of the day: a bar begins or goes on, or there is none."""
    entry = piece.entry
    if entry is None:
        return '<li class="gap" aria-hidden="true"></li>\n'
    parts = _written(entry, page, _).parts
    if not piece.days:
        return f'<li class="gap"><span class="visually-hidden">{parts.name}, {escaped(_(CONTINUES))}</span></li>\n'
    ends = f"{' before' if piece.from_before else ''}{' on' if piece.continues else ''}"
    card = hover_card_of(page.card(entry), _)
    return (
        f'<li class="bar days-{piece.days}{ends}{parts.classes}"><a class="entry-box" href="{parts.href}">'
        f'{parts.title}<span class="visually-hidden">, {parts.time}</span></a>{card}</li>\n'
    )


def _more(cell: GridCell, day: str, _: Translate) -> str:
    words = escaped(_(MORE).format(count=len(cell.hidden)))
    return (
        f'<li class="more"><button type="button" popovertarget="all-{cell.day.isoformat()}">{words}'
        f'<span class="visually-hidden">, {day}</span></button></li>\n'
    )


def _opened(
    cell: GridCell, found: Sequence[WrittenEntry], page: WrittenMonth, day: str, href: str, _: Translate
) -> str:
    """The popover with the first events of the day. Those that the grid hides are the last."""
    name, shown = f"all-{cell.day.isoformat()}", len(cell.visible_entries)
    chips = [f'<li class="chip{one.chip}</li>\n' for one in found[:shown]]
    chips += [f'<li class="chip further{one.chip}</li>\n' for one in found[shown:]]
    left = shown + len(cell.hidden) - len(found)
    words = escaped(_(MORE).format(count=left))
    rest = f'<p class="more"><a href="{href}">{words}</a></p>\n' if left > 0 else ""
    return (
        f'<div class="opened" id="{name}" popover role="dialog" aria-label="{day}">\n'
        f'<h2><a href="{href}">{day}</a></h2>\n'
        f'<button type="button" class="close" popovertarget="{name}" popovertargetaction="hide"'
        f' aria-label="{escaped(_(CLOSE))}">×</button>\n<ul>\n{"".join(chips)}</ul>\n{rest}</div>\n'
    )
