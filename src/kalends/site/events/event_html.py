"""An event as HTML: its line in a list, its hover card, and the marks that all places have.

A month shows hundreds of them, and a macro of the template language took ten times as long for each. Templates call
these functions by the same names; `_` translates, and every text is escaped.
"""

from collections.abc import Callable
from typing import NamedTuple, ParamSpec

from markupsafe import Markup

from kalends.languages import N_
from kalends.present import event_statuses
from kalends.site.escaping import escaped
from kalends.site.events.listed_events import ListedEvent, MonthEvent
from kalends.site.layout.head_metadata import HeadPicture

Translate = Callable[[str], str]
P = ParamSpec("P")
Line = ListedEvent | MonthEvent  # an event in a list, with its whole record, or in the month

BETWEEN = '<span aria-hidden="true">&nbsp;· </span>'
FEATURED = N_("Featured")
CONTINUED, OVER = " continued", " over"  # classes


def classes(line: Line) -> str:
    """The colour of its category, whether it is featured, and whether it takes place."""
    mark, status = line.mark, line.status
    featured = " featured" if line.featured else ""
    return f"{f' cat {escaped(mark)}' if mark else ''}{featured}{f' {escaped(status)}' if status else ''}"


def star(line: Line, _: Translate) -> str:
    if not line.featured:
        return ""
    words = escaped(_(FEATURED))
    return f'<span class="star" aria-hidden="true">★</span><span class="visually-hidden">{words}: </span>'


def badge(line: Line, _: Translate) -> str:
    """Whether it takes place as planned, before its name, where nothing cuts it off; empty if it does."""
    if not (status := line.status):
        return ""
    return f'<span class="badge">{escaped(_(event_statuses.LABELS[status]))}</span> '


def thumbnail(picture: HeadPicture | None) -> str:
    if picture is None:
        return ""
    return (
        f'<img class="thumbnail {picture.focus_class}" src="{escaped(picture.small)}" width="96" height="72" alt=""'
        ' loading="lazy">'
    )


class EventHtml(NamedTuple):
    """What every place says of an event, as HTML: the month has the same event in several."""

    classes: str
    href: str
    name: str
    title: str  # the name, after its badge and its star
    time: str
    hours: str  # the time as an element, with the zone if it is another

    def line(self, more_classes: str = "", about: str = "", picture: str = "") -> str:
        """In the list of a day."""
        return (
            f'<li class="line{self.classes}{more_classes}">{self.hours}\n'
            f'<div><a class="name" href="{self.href}">{self.title}</a>\n{about}</div>{picture}</li>\n'
        )


def written(line: Line, _: Translate, end: str = "") -> EventHtml:
    """`end`: an attribute of its time."""
    name, time, zone = escaped(line.title), escaped(line.time), line.zone
    shown = f"{time} <small>{escaped(zone)}</small>" if zone else time
    return EventHtml(
        classes(line),
        escaped(line.href),
        name,
        f"{badge(line, _)}{star(line, _)}<bdi>{name}</bdi>",
        time,
        f'<time class="hours" datetime="{line.iso}"{end}>{shown}</time>',
    )


def line_of(line: ListedEvent, _: Translate, is_over: bool = False) -> str:
    """An event in the list of a day. What is brief has no more than its title and time."""
    over = OVER if is_over else ""
    if line.is_brief:
        return written(line, _).line(f"{CONTINUED}{over}")
    end = f' data-end="{line.end_iso}"' if line.end_iso else ""
    return written(line, _, end).line(over, about_of(line), thumbnail(line.picture))


def about_of(line: ListedEvent) -> str:
    parts = [part for part in (line.days, line.dates, line.venue_names, line.terms, line.cost) if part]
    text = BETWEEN.join([f"<bdi>{escaped(part)}</bdi>" for part in parts])
    return f'<p class="about">{text}</p>\n' if parts else ""


def hover_card_of(card: ListedEvent | None, _: Translate) -> str:
    """What pointing at an event shows, or reaching it with the keyboard."""
    if card is None or card.is_masked:
        return ""
    picture, place, summary = card.picture, card.venue_names, card.summary
    image = (
        f'<img class="{picture.focus_class}" src="{escaped(picture.small)}" width="288" height="144" alt=""'
        ' loading="lazy">'
        if picture
        else ""
    )
    return (
        f'<div class="hover-card">{image}{badge(card, _)}<p class="hover-title">{escaped(card.title)}</p>'
        f'<p class="hover-when">{escaped(card.when)}</p>'
        f"{f'<p class={QUOTE}hover-when{QUOTE}>{escaped(place)}</p>' if place else ''}"
        f"{f'<p>{escaped(summary)}</p>' if summary else ''}</div>"
    )


QUOTE = '"'


def of_templates(function: Callable[P, str]) -> Callable[P, Markup]:
    """A function whose texts are escaped, for templates."""

    def marked(*arguments: P.args, **named: P.kwargs) -> Markup:
        return Markup(function(*arguments, **named))  # noqa: S704 - see above

    return marked


FUNCTIONS = {
    function.__name__: of_templates(function)
    for function in (classes, star, badge, thumbnail, line_of, hover_card_of)
}
