"""The forms in which one answer goes out: plain or packed, and whole or as "you have it already"."""

import gzip
import re
from functools import lru_cache
from typing import NamedTuple

import zstandard

Header = tuple[str, str]

SMALLEST_PACKED = 1000
# The ways to pack, the better one first: zstd makes a list smaller than gzip, in a third of the time.
PACKERS = {
    "zstd": lambda body: zstandard.ZstdCompressor(level=3).compress(body),
    "gzip": lambda body: gzip.compress(body, 6, mtime=0),
}
PACKED_TAG = re.compile(rf'-(?:{"|".join(PACKERS)})"')  # the end of the ETag of a packed form
REFUSED = re.compile(r";\s*q=0(\.0*)?\s*$")


class Form(NamedTuple):
    """What is sent, put together once: nothing is left to do for the requests that get it."""

    etag: str
    body: bytes
    headers: list[Header]  # of the whole answer
    unchanged: list[Header]  # of the one that says that the client has it
    packs: bool  # whether a smaller form of it can be made


def plain(headers: list[Header], body: bytes, etag: str) -> Form:
    own = [(name, value) for name, value in headers if name.lower() not in ("content-length", "etag")]
    about = [(name, value) for name, value in own if not name.lower().startswith("content-")]
    tag = ("ETag", etag)
    whole = [*own, tag, ("Content-Length", str(len(body)))]
    return Form(etag, body, whole, [*about, tag], _can_be_packed(own, body))


def ready(about: list[Header], content_type: str, body: bytes, etag: str) -> Form:
    """The same of what was made to be sent. `about`: headers that say nothing of the content."""
    tag = ("ETag", etag)
    whole = [*about, ("Content-Type", content_type), tag, ("Content-Length", str(len(body)))]
    return Form(etag, body, whole, [*about, tag], len(body) >= SMALLEST_PACKED)


def packed(form: Form, coding: str) -> Form:
    body = PACKERS[coding](form.body)
    return plain([*form.headers, ("Content-Encoding", coding)], body, f'{form.etag[:-1]}-{coding}"')


def unpacked_tags(tags: str) -> list[str]:
    """The ETags that a client names, each as that of the plain form."""
    return [PACKED_TAG.sub('"', tag.strip().removeprefix("W/")) for tag in tags.split(",")]


def _can_be_packed(headers: list[Header], body: bytes) -> bool:
    named = {name.lower(): value for name, value in headers}
    is_image = named.get("content-type", "").startswith("image/")
    return len(body) >= SMALLEST_PACKED and not is_image and "content-encoding" not in named


@lru_cache(256)  # there are few ways to ask, and every request of a browser does
def coding_for(accepted: str) -> str:
    """How to pack for a client that accepts this; empty is not at all."""
    parts = [part for part in accepted.lower().split(",") if not REFUSED.search(part)]
    named = {part.partition(";")[0].strip() for part in parts}
    return next((coding for coding in PACKERS if coding in named), "")


def matches(known: str, etag: str) -> bool:
    """Whether a client has the answer with this plain ETag, packed or not."""
    if known == etag:
        return True
    if not known or not etag:
        return False
    return known.strip() == "*" or etag in unpacked_tags(known)
