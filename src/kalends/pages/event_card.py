"""The card of an event: what pointing at it or reaching it with the keyboard shows in a month, week or day."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from kalends.pages import times
from kalends.pages.description_html import summary
from kalends.pages.layout import Frame
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Media

Shown = tuple[Event, Bundle]

EXCERPT = 120
WIDTH = 300  # of its picture, in pixels at least
CROPPED = "thumbnail"


@dataclass(frozen=True, slots=True)
class Thumbnail:
    src: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Card:
    when: str
    place: str
    excerpt: str
    picture: Thumbnail | None


def cards(shown: Iterable[Shown], frame: Frame) -> dict[str, Card]:
    """By the slugs of their events. One that needs a password has none: only its title and time are public."""
    return {event.slug: card(event, bundle, frame) for event, bundle in shown if not bundle.masked}


def card(event: Event, bundle: Bundle, frame: Frame) -> Card:
    media = bundle.images.get(event.image) if event.image is not None else None
    return Card(
        when=times.short_when(times.span_of(event), frame.language),
        place=", ".join(venue.name for venue in bundle.venues),
        excerpt=summary(event.excerpt, event.description, most=EXCERPT),
        picture=None if media is None else thumbnail(media, frame),
    )


def thumbnail(media: Media, frame: Frame) -> Thumbnail:
    """The smallest size that is wide enough."""
    sizes = [
        (int(size["width"]), int(size["height"]), str(size["file"]))
        for name, size in media.sizes.items()
        if name != CROPPED
    ]
    wide_enough = [size for size in sizes if size[0] >= WIDTH]
    width, height, file = min(wide_enough, default=(media.width, media.height, media.file))
    return Thumbnail(f"{frame.root}/media/{quote(file)}", width, height)
