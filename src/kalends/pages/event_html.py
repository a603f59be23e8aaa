"""An event as HTML: its line in a list, its box in the month, its hover card, and the marks that all of them have.

A month shows hundreds of them, and a macro of the template language took ten times as long for each. Templates call
these functions by the same names; `_` translates, and every text is escaped.
"""

from collections.abc import Callable
from typing import Protocol, cast

from markupsafe import Markup, escape

from kalends.languages import N_
from kalends.pages import event_statuses

Translate = Callable[[str], str]


class Picture(Protocol):
    """Of an event, with its sizes (`head_metadata.py`)."""

    @property
    def small(self) -> str: ...
    @property
    def focus_class(self) -> str: ...


class Line(Protocol):
    """An event in a list or in the month (`listed_events.py`, `calendar_grid.py`)."""

    @property
    def title(self) -> str: ...
    @property
    def href(self) -> str: ...
    @property
    def time(self) -> str: ...
    @property
    def zone(self) -> str: ...
    @property
    def iso(self) -> str: ...
    @property
    def mark(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def featured(self) -> bool: ...
    @property
    def is_brief(self) -> bool: ...
    @property
    def is_continued(self) -> bool: ...


class WholeLine(Line, Protocol):
    """One with its whole record."""

    @property
    def is_masked(self) -> bool: ...
    @property
    def when(self) -> str: ...
    @property
    def end_iso(self) -> str: ...
    @property
    def days(self) -> str: ...
    @property
    def dates(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def terms(self) -> str: ...
    @property
    def cost(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def picture(self) -> Picture | None: ...


BETWEEN = '<span aria-hidden="true">&nbsp;· </span>'
FEATURED = N_("Featured")


def classes(line: Line) -> Markup:
    """The colour of its category, whether it is featured, and whether it takes place."""
    mark, status = line.mark, line.status
    featured = " featured" if line.featured else ""
    return _safe(f"{f' cat {escape(mark)}' if mark else ''}{featured}{f' {escape(status)}' if status else ''}")


def star(line: Line, _: Translate) -> Markup:
    if not line.featured:
        return NOTHING
    words = escape(_(FEATURED))
    return _safe(f'<span class="star" aria-hidden="true">★</span><span class="visually-hidden">{words}: </span>')


def badge(line: Line, _: Translate) -> Markup:
    """Whether it takes place as planned; empty if it does."""
    if not (status := line.status):
        return NOTHING
    return _safe(f' <span class="badge">{escape(_(event_statuses.LABELS[status]))}</span>')


def thumbnail(picture: Picture | None) -> Markup:
    if picture is None:
        return NOTHING
    return _safe(
        f'<img class="thumbnail {picture.focus_class}" src="{escape(picture.small)}" width="96" height="72" alt=""'
        ' loading="lazy">'
    )


def entry_box(entry: Line, _: Translate) -> Markup:
    """An event with a time, in the month."""
    return _safe(
        f'<a class="entry-box" href="{escape(entry.href)}"><time class="hours" datetime="{entry.iso}">'
        f'{_time(entry)}</time> <span class="title">{_title(entry, _)}{badge(entry, _)}</span></a>'
    )


def line_of(line: Line, _: Translate, is_over: bool = False) -> Markup:
    """An event in the list of a day. What is brief has no more than its title and time."""
    full = None if line.is_brief else cast(WholeLine, line)
    end = f' data-end="{full.end_iso}"' if full and full.end_iso else ""
    about, picture = (about_of(full), thumbnail(full.picture)) if full else ("", NOTHING)
    continued, over = " continued" if line.is_continued else "", " over" if is_over else ""
    return _safe(
        f'<li class="line{classes(line)}{continued}{over}">\n'
        f'  <time class="hours" datetime="{line.iso}"{end}>{_time(line)}</time>\n'
        f'  <div>\n    <a class="name" href="{escape(line.href)}">{_title(line, _)}</a>{badge(line, _)}\n'
        f"{about}  </div>{picture}\n</li>\n"
    )


def about_of(line: WholeLine) -> str:
    parts = [part for part in (line.days, line.dates, line.place, line.terms, line.cost) if part]
    told = BETWEEN.join([f"<bdi>{escape(part)}</bdi>" for part in parts])
    return f'    <p class="about">{told}</p>\n' if parts else ""


def hover_card_of(card: WholeLine | None, _: Translate) -> Markup:
    """What pointing at an event shows, or reaching it with the keyboard."""
    if card is None or card.is_masked:
        return NOTHING
    picture, place, summary = card.picture, card.place, card.summary
    image = (
        f'<img class="{picture.focus_class}" src="{escape(picture.small)}" width="288" height="144" alt=""'
        ' loading="lazy">'
        if picture
        else ""
    )
    return _safe(
        f'<div class="hover-card">{image}<p class="hover-title" dir="auto">{escape(card.title)}</p>{badge(card, _)}'
        f'<p class="hover-when">{escape(card.when)}</p>'
        f"{f'<p class={QUOTE}hover-when{QUOTE} dir={QUOTE}auto{QUOTE}>{escape(place)}</p>' if place else ''}"
        f"{f'<p dir={QUOTE}auto{QUOTE}>{escape(summary)}</p>' if summary else ''}</div>"
    )


def _time(line: Line) -> str:
    zone = line.zone
    return f"{escape(line.time)} <small>{escape(zone)}</small>" if zone else str(escape(line.time))


def _title(line: Line, _: Translate) -> str:
    return f"{star(line, _)}<bdi>{escape(line.title)}</bdi>"


def _safe(html: str) -> Markup:
    return Markup(html)  # noqa: S704 - its callers have escaped every text


QUOTE = '"'
NOTHING = Markup("")
FUNCTIONS = {
    function.__name__: function for function in (classes, star, badge, thumbnail, entry_box, line_of, hover_card_of)
}  # of templates
