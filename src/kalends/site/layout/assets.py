"""The static files of the pages. Their address contains a hash of their content, so they can be cached forever."""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from kalends.feature import features

STATIC = "/static"
TYPES = {
    "css": "text/css; charset=UTF-8",
    "js": "text/javascript; charset=UTF-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}
# What pages load, and the parts of each file: a page has one or two style sheets, however many parts they have.
SHARED = ("shared/tokens", "shared/elements", "shared/skip_link")
BASE = (*SHARED, "base")
MONTH = ("shared/bars", "shared/month", "public/month", "shared/month_narrow")
EVENTS = ("public/controls", "public/filters", "public/controls_phone", "public/days", "public/marks")
BUNDLES = {
    "base.css": BASE,
    "public.css": (*BASE, "header", "public/layout"),
    "month.css": (*EVENTS, *MONTH, "public/hover_card", "public/month_print"),
    "hours.css": (
        *EVENTS,
        "shared/bars",
        "public/hours",
        "public/hour_blocks",
        "public/hour_more",
        "public/hours_phone",
        "public/hour_rows",
        "public/hover_card",
    ),
    "list.css": (*EVENTS, "public/cards"),
    "record.css": ("public/record", "public/record_details", "public/agenda", "public/marks", "public/cards"),
    "message.css": ("public/record", "public/message"),
    "submit.css": ("public/record", "public/submit"),
    "subscribe.css": ("public/subscribe",),
    "public.js": ("header", "public/share", "public/suggestions", "public/layout"),
    "calendar.js": ("region", "public/nearby", "public/filters", "public/views", "public/my_clock"),
    "event.js": ("region", "public/local_time"),
    "map.js": ("public/map",),
    "submit.js": ("shrink", "public/submit"),
    "admin.css": (*SHARED, "admin", "admin_parts", "admin_forms", "admin_lists", "admin_filters"),
    "admin_month.css": ("shared/month", "shared/bars", "admin_month"),
}

CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# Lines with nothing but a comment, in the forms that the scripts have.
JS_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*.*\*/)$", re.MULTILINE)
IMPORT = re.compile(r"^import .*$", re.MULTILINE)
EXPORT = re.compile(r"^export ", re.MULTILINE)
LINE_ENDS = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class Asset:
    content_type: str
    data: bytes


@cache
def assets() -> dict[str, Asset]:
    """Every static file by name; no other is served."""
    folders = (_folder(), *(one.folder / "static" for one in features() if (one.folder / "static").is_dir()))
    found = (file for folder in folders for file in folder.iterdir())
    served = {file.name: file.read_bytes() for file in found if _ending(file.name) in TYPES}
    served |= {name: _bundle(name, parts).encode() for name, parts in BUNDLES.items()}
    return {name: Asset(TYPES[_ending(name)], data) for name, data in sorted(served.items())}


@cache
def version() -> str:
    """A hash of all files: modules that import each other always come from the same version."""
    digest = hashlib.blake2b(digest_size=8)
    for name, asset in assets().items():
        digest.update(f"{name}\0{len(asset.data)}\0".encode() + asset.data)
    return digest.hexdigest()


def folder() -> str:
    """The path of the files, below that of the site."""
    return f"{STATIC}/{version()}"


def stylesheet(*parts: str) -> str:
    """Parts of a style sheet as one, without comments and indentation."""
    return "".join(LINE_ENDS.sub("\n", CSS_COMMENT.sub("", read(f"{part}.css"))) for part in parts)


def script(part: str) -> str:
    """A script without comments and indentation; no string in these files spans lines."""
    return LINE_ENDS.sub("\n", JS_COMMENT.sub("", read(f"{part}.js"))).lstrip()


def read(name: str) -> str:
    return (_folder() / name).read_text(encoding="utf-8")


def _bundle(name: str, parts: tuple[str, ...]) -> str:
    return stylesheet(*parts) if name.endswith(".css") else "".join(_module(part) for part in parts)


def _module(part: str) -> str:
    """A module as a part of another: what exports nothing keeps its names for itself."""
    source = script(part)
    if EXPORT.search(source):
        return EXPORT.sub("", source)
    return f"{{\n{IMPORT.sub('', source)}}}\n"


def _ending(name: str) -> str:
    return name.rpartition(".")[2]


def _folder() -> Traversable:
    return files("kalends.site") / "static"
