"""The encodings of one response body: as it is, or compressed, each with its own ETag and headers."""

import gzip
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

import zstandard

Header = tuple[str, str]

SMALLEST_COMPRESSED = 1000
# The better one first: zstd makes a list smaller than gzip, in a third of the time.
COMPRESSORS = {
    "zstd": lambda body: zstandard.ZstdCompressor(level=3).compress(body),
    "gzip": lambda body: gzip.compress(body, 6, mtime=0),
}
ENCODED_TAG = re.compile(rf'-(?:{"|".join(COMPRESSORS)})"')  # the end of the ETag of a compressed body
REFUSED = re.compile(r";\s*q=0(\.0*)?\s*$")


@dataclass(eq=False)
class EncodedBody:
    """A body with its headers, complete: nothing is left to do for the requests that get it."""

    etag: str
    body: bytes
    headers: list[Header]  # of a 200
    compressible: bool

    @cached_property
    def not_modified(self) -> list[Header]:
        """The headers of a 304."""
        return [header for header in self.headers if not header[0].startswith("content-")]


def identity(headers: dict[str, str], body: bytes, etag: str) -> EncodedBody:
    """The body as the handler made it; its own headers are added to those that are given. Their names are in lower
    case, as the framework writes them."""
    size = len(body)
    headers["etag"], headers["content-length"] = etag, str(size)
    compressible = (
        size >= SMALLEST_COMPRESSED
        and "content-encoding" not in headers
        and ("content-type" not in headers or headers["content-type"][:6] != "image/")
    )
    return EncodedBody(etag, body, [*headers.items()], compressible)


def compress(plain: EncodedBody, coding: str) -> EncodedBody:
    body = COMPRESSORS[coding](plain.body)
    headers = {**dict(plain.headers), "content-encoding": coding}
    return identity(headers, body, f'{plain.etag[:-1]}-{coding}"')


def identity_tags(tags: str) -> list[str]:
    """The ETags that a client names, each as that of the uncompressed body."""
    return [ENCODED_TAG.sub('"', tag.strip().removeprefix("W/")) for tag in tags.split(",")]


@lru_cache(256)  # clients send few different values, and every browser sends one
def coding_for(accepted: str) -> str:
    """The content coding for a client that accepts these; empty for none."""
    parts = [part for part in accepted.lower().split(",") if not REFUSED.search(part)]
    named = {part.partition(";")[0].strip() for part in parts}
    return next((coding for coding in COMPRESSORS if coding in named), "")


def matches(known: str, etag: str) -> bool:
    """Whether an If-None-Match names this ETag of the uncompressed body, compressed or not."""
    if known == etag:
        return True
    if not known or not etag:
        return False
    return known.strip() == "*" or etag in identity_tags(known)
