"""Lists of events on record pages: one row an event, grouped by month."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from kalends.contract.kinds import EVENT
from kalends.pages import event_statuses, times
from kalends.pages.head_metadata import Picture, picture_of
from kalends.pages.layout import Frame
from kalends.pages.look import event_class
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
    date: str
    when: str
    place: str
    featured: bool
    mark: str = ""  # the class of its category's colour
    status: str = ""  # as in contract/statuses.py; empty as planned
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Month:
    """The rows of one month."""

    name: str
    rows: list[Row]


def row(event: Event, bundle: Bundle, frame: Frame, at: str = "") -> Row:
    """`at` is the slug of the venue whose page this is; its name is not repeated."""
    span, language = times.span_of(event, masked=bundle.masked), frame.language
    return Row(
        href=frame.page_of(EVENT, event.slug),
        title=event.name,
        iso=span.start_iso,
        day=str(span.first.day),
        weekday=times.short_weekday(span.first, language),
        month=times.short_month(span.first, language),
        date=times.short_day(span.first, language),
        when=times.short_when(span, language, frame.timezone),
        place=", ".join(venue.name for venue in bundle.venues if venue.slug != at),
        featured=event.featured and not bundle.masked,
        mark=event_class(bundle.categories),
        status=event_statuses.shown(event, bundle),
        picture=None if bundle.masked or event.password else picture_of(event, bundle, frame),
    )


def months(shown: Iterable[tuple[Event, Bundle]], frame: Frame, at: str = "") -> list[Month]:
    """Rows grouped by the month in which they start."""
    grouped = []
    for _, group in groupby(shown, key=lambda pair: pair[0].start_local[:7]):
        pairs = list(group)
        name = times.month(times.day_of(pairs[0][0].start_local), frame.language)
        grouped.append(Month(name, [row(event, bundle, frame, at) for event, bundle in pairs]))
    return grouped
