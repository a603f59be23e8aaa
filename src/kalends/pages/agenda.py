"""Lists of events: one row an event, gathered by months."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from kalends.contract.kinds import EVENT
from kalends.pages import times
from kalends.pages.layout import Frame
from kalends.pages.times import Span
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event


@dataclass(frozen=True, slots=True)
class Row:
    """An event in a list."""

    href: str
    title: str
    iso: str
    day: str
    weekday: str
    month: str
    when: str
    place: str
    featured: bool


@dataclass(frozen=True, slots=True)
class Month:
    """The rows of one month."""

    name: str
    rows: list[Row]


def span_of(event: Event, *, masked: bool = False) -> Span:
    """The time of an event. Of a protected one nobody is told whether it lasts all day."""
    return Span(
        event.start_local,
        event.end_local,
        event.start_utc,
        event.end_utc,
        event.timezone,
        event.all_day and not masked,
    )


def row(event: Event, bundle: Bundle, frame: Frame, render_context: RenderContext, at: str = "") -> Row:
    """`at` is the venue whose page this is, where it need not be said again."""
    span, language = span_of(event, masked=bundle.masked), frame.language
    return Row(
        href=path_of(event, frame, render_context),
        title=event.name,
        iso=span.start_iso,
        day=str(span.first.day),
        weekday=times.short_weekday(span.first, language),
        month=times.short_month(span.first, language),
        when=times.short_when(span, language),
        place=", ".join(venue.name for venue in bundle.venues if venue.slug != at),
        featured=event.featured and not bundle.masked,
    )


def months(
    shown: Iterable[tuple[Event, Bundle]], frame: Frame, render_context: RenderContext, at: str = ""
) -> list[Month]:
    """The rows in their order, with the month that they begin in."""
    gathered = groupby(shown, key=lambda pair: pair[0].start_local[:7])
    found = []
    for _, pairs in gathered:
        together = list(pairs)
        name = times.month(times.day_of(together[0][0].start_local), frame.language)
        found.append(Month(name, [row(event, bundle, frame, render_context, at) for event, bundle in together]))
    return found


def path_of(event: Event, frame: Frame, render_context: RenderContext) -> str:
    return frame.at(render_context.addresses.page(EVENT, event.slug).removeprefix(render_context.addresses.base_url))
