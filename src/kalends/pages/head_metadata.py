"""What the head of a page tells other programs: pictures, previews, and data for search engines."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from kalends.pages.layout import Frame
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Media, Post

UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
CROPPED = "thumbnail"
NOTHING = Markup("")


@dataclass(frozen=True, slots=True)
class Picture:
    """An image in all its sizes."""

    src: str
    srcset: str
    width: int
    height: int
    absolute: str


@dataclass(frozen=True, slots=True)
class Head:
    """What previews and search engines read. `data` is JSON-LD, safe within a script element."""

    title: str
    description: str = ""
    picture: Picture | None = None
    data: Markup = NOTHING
    oembed: str = ""


def picture_of(record: Post, bundle: Bundle, frame: Frame) -> Picture | None:
    found = bundle.images.get(record.image) if record.image is not None else None
    return None if found is None else _picture(found, frame)


def embedded(data: dict[str, Any]) -> Markup:
    """JSON that no text in it can end."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(UNSAFE)
    return Markup(written)  # noqa: S704 - every sign that HTML reads is escaped


def _picture(media: Media, frame: Frame) -> Picture:
    # By the path alone: the page fetches from where it came from, whatever name the site has in its settings.
    sizes = {int(size["width"]): str(size["file"]) for name, size in media.sizes.items() if name != CROPPED}
    sizes[media.width] = media.file
    srcset = ", ".join(f"{frame.root}/media/{quote(file)} {width}w" for width, file in sorted(sizes.items()))
    path = f"/media/{quote(media.file)}"
    return Picture(f"{frame.root}{path}", srcset, media.width, media.height, frame.base_url + path)
