"""Metadata in the head of pages: descriptions, Open Graph images and JSON-LD."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from kalends.calendar.lists.joined_fragments import GatheredFragments
from kalends.calendar.lists.page_views import PrerenderedEvents
from kalends.present import json_ld, prerendered
from kalends.present.addresses import RenderContext
from kalends.site.layout.description_html import shortened, summary
from kalends.site.layout.frame import Frame
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Media, Post

BundledEvent = tuple[Event, Bundle]

UNSAFE = [(character, f"\\u{ord(character):04x}") for character in "<>&\u2028\u2029"]
CROPPED = "thumbnail"
NOTHING = Markup("")
NAMES_BETWEEN = " · "
MOST_NAMES = 20
BRIEF_TEXT = 80
NOT_IN_MONTHS = ("description", "offers")
# What a list need not say of an event: it is what is thought of one that says nothing else.
USUAL = {
    "eventAttendanceMode": f"{json_ld.SCHEMA}/OfflineEventAttendanceMode",
    "eventStatus": f"{json_ld.SCHEMA}/EventScheduled",
    "performer": "Organization",
}


@dataclass(frozen=True, slots=True)
class HeadPicture:
    """An image with its sizes."""

    src: str
    srcset: str
    width: int
    height: int
    absolute: str
    alt: str = ""
    focus: str = ""
    small: str = ""  # the smallest size that is not cropped, for lists

    @property
    def focus_class(self) -> str:
        """Where the picture is cropped to, by thirds: a page has no inline styles."""
        found = re.fullmatch(r"([0-9]{1,3})(?:\.[0-9]+)?% ([0-9]{1,3})(?:\.[0-9]+)?%", self.focus)
        across, down = (int(found[1]), int(found[2])) if found else (50, 50)
        columns, rows = ("left", "middle", "right"), ("top", "centre", "bottom")
        return f"at-{columns[min(across // 34, 2)]}-{rows[min(down // 34, 2)]}"


@dataclass(frozen=True, slots=True)
class Head:
    """Values for link previews and search engines. `data` and `events` are JSON-LD, safe within a script element."""

    title: str
    description: str = ""
    picture: HeadPicture | None = None
    data: Markup = NOTHING  # the record of the page
    events: Markup = NOTHING  # those that the page lists
    oembed: str = ""


def of_list(
    title: str,
    bundled: Sequence[BundledEvent],
    frame: Frame,
    render_context: RenderContext,
    described: PrerenderedEvents | None = None,
    *,
    is_month: bool = False,
) -> Head:
    """The head of a list of events, described by their names. `described`: more events than are shown."""
    names = [event.name for event, _ in bundled] if described is None else described.names
    words = NAMES_BETWEEN.join(dict.fromkeys(names[:MOST_NAMES]))
    pictures = (picture_of(event, bundle, frame) for event, bundle in bundled if not bundle.masked)
    if described is None:
        events = [json_ld.event(*one, render_context, brief=True) for one in bundled if not one[1].masked]
    else:
        events = _prerendered(described.fragments, render_context)
    return Head(
        title=title,
        description=summary(html.escape(words), html.escape(f"{title}{NAMES_BETWEEN}{frame.site_name}")),
        picture=next((picture for picture in pictures if picture is not None), None),
        events=embedded([_brief(event, is_month=is_month) for event in events]) if events else NOTHING,
    )


def _prerendered(found: GatheredFragments, render_context: RenderContext) -> list[json_ld.Json]:
    parts = prerendered.embedded_fragments(found.parts, render_context.addresses)
    return prerendered.briefly(found.events, found.details, parts, found.values, found.more)


def _brief(event: json_ld.Json, *, is_month: bool) -> json_ld.Json:
    """A list says in short what an event is, and who its places and organizers are, a month even less. The rest is on
    their own pages; here it would be half the page."""
    event = json_ld.on_page(event)
    if is_month:
        event = {name: value for name, value in event.items() if name not in NOT_IN_MONTHS}
        organizers = event.get("organizer", [])
        for organizer in organizers if isinstance(organizers, list) else [organizers]:
            organizer.pop("url", None)
    if "description" in event:
        event["description"] = shortened(event["description"], BRIEF_TEXT)
    offers = event.get("offers", [])
    for offer in offers if isinstance(offers, list) else [offers]:
        if offer.get("url") == event["url"]:
            del offer["url"]
    return {name: value for name, value in event.items() if USUAL.get(name) != value}


def picture_of(record: Post, bundle: Bundle, frame: Frame) -> HeadPicture | None:
    media = bundle.image_of(record)
    return None if media is None else _picture(media, frame)


def embedded(data: json_ld.Json | list[json_ld.Json]) -> Markup:
    """JSON that cannot close its script element."""
    text = msgspec.json.encode(data).decode()
    for character, written in UNSAFE:  # which is much quicker than `translate`
        text = text.replace(character, written)
    return Markup(text)  # noqa: S704 - every character with a meaning in HTML is escaped


def _picture(media: Media, frame: Frame) -> HeadPicture:
    # Paths, not absolute addresses: they work under whatever host name the page was requested with.
    sizes = {int(size["width"]): str(size["file"]) for name, size in media.sizes.items() if name != CROPPED}
    sizes[media.width] = media.file
    srcset = ", ".join(
        f"{frame.root}{frame.media_path}/{quote(file)} {width}w" for width, file in sorted(sizes.items())
    )
    path = f"{frame.media_path}/{quote(media.file)}"
    return HeadPicture(
        src=f"{frame.root}{path}",
        srcset=srcset,
        width=media.width,
        height=media.height,
        absolute=frame.base_url + path,
        alt=media.alt,
        focus=media.focus,
        small=f"{frame.root}{frame.media_path}/{quote(sizes[min(sizes)])}",
    )
