"""Metadata in the head of record pages: Open Graph images and JSON-LD."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from kalends.pages.layout import Frame
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Media, Post

UNSAFE = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
CROPPED = "thumbnail"
NOTHING = Markup("")


@dataclass(frozen=True, slots=True)
class Picture:
    """An image with its sizes."""

    src: str
    srcset: str
    width: int
    height: int
    absolute: str


@dataclass(frozen=True, slots=True)
class Head:
    """Values for link previews and search engines. `data` is JSON-LD, safe within a script element."""

    title: str
    description: str = ""
    picture: Picture | None = None
    data: Markup = NOTHING
    oembed: str = ""


def picture_of(record: Post, bundle: Bundle, frame: Frame) -> Picture | None:
    media = bundle.images.get(record.image) if record.image is not None else None
    return None if media is None else _picture(media, frame)


def embedded(data: dict[str, Any]) -> Markup:
    """JSON that cannot close its script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(UNSAFE)
    return Markup(text)  # noqa: S704 - every character with a meaning in HTML is escaped


def _picture(media: Media, frame: Frame) -> Picture:
    # Paths, not absolute addresses: they work under whatever host name the page was requested with.
    sizes = {int(size["width"]): str(size["file"]) for name, size in media.sizes.items() if name != CROPPED}
    sizes[media.width] = media.file
    srcset = ", ".join(f"{frame.root}/media/{quote(file)} {width}w" for width, file in sorted(sizes.items()))
    path = f"/media/{quote(media.file)}"
    return Picture(f"{frame.root}{path}", srcset, media.width, media.height, frame.base_url + path)
