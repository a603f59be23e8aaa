"""The card of an event: what pointing at it or reaching it with the keyboard shows in a month, week or day."""

from collections.abc import Iterable
from dataclasses import dataclass

from kalends.pages import times
from kalends.pages.description_html import summary
from kalends.pages.head_metadata import Picture, picture_of
from kalends.pages.layout import Frame
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event

Shown = tuple[Event, Bundle]

EXCERPT = 120


@dataclass(frozen=True, slots=True)
class HoverCard:
    when: str
    place: str
    excerpt: str
    picture: Picture | None


def cards(shown: Iterable[Shown], frame: Frame) -> dict[str, HoverCard]:
    """By the slugs of their events. One that needs a password has none: only its title and time are public."""
    return {event.slug: card(event, bundle, frame) for event, bundle in shown if not bundle.masked}


def card(event: Event, bundle: Bundle, frame: Frame) -> HoverCard:
    return HoverCard(
        when=times.short_when(times.span_of(event), frame.language, frame.timezone),
        place=", ".join(venue.name for venue in bundle.venues),
        excerpt=summary(event.excerpt, event.description, most=EXCERPT),
        picture=picture_of(event, bundle, frame),
    )
