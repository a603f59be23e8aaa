"""The head of a request: what the parser gave, as the WSGI application wants it."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote_to_bytes

from kalends.http.request_context import Environ

LARGEST_HEAD = 64 * 1024  # bytes; the application refuses more than half of it (431), and what is larger here

SENT_ONCE = ("CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING")
LONGEST_LENGTH = 18  # digits
COMMON: Environ = {
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "Kalends",
    "wsgi.version": (1, 0),
    "wsgi.url_scheme": "http",
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": False,
    "wsgi.run_once": False,
}
Pairs = Sequence[tuple[bytes, bytes]]


class BadHead(Exception):
    """A request that is none."""


@dataclass(slots=True, eq=False)
class Head:
    """What is known of a request before its body came."""

    environ: Environ  # to be copied: the application adds to it
    is_kept_alive: bool
    is_http_1_0: bool
    length: int = 0  # of the body
    is_chunked: bool = False
    wants_continue: bool = False
    # What the kept responses (`kept.py`) have found out of it.
    prepared: Any = field(default=None)

    def closing(self) -> "Head":
        """The same, after which the connection ends."""
        return replace(self, is_kept_alive=False, prepared=None)

    @property
    def has_body(self) -> bool:
        return self.is_chunked or self.length > 0


def read_head(method: str, url: bytes, version: str, pairs: Pairs, ends: Environ, *, is_kept_alive: bool) -> Head:
    """`ends`: the addresses of the connection, as WSGI names them. Raises BadHead."""
    if method == "CONNECT" or version not in ("1.0", "1.1"):
        raise BadHead
    environ = COMMON | ends
    environ["REQUEST_METHOD"] = method
    environ["SERVER_PROTOCOL"] = "HTTP/1.1" if version == "1.1" else "HTTP/1.0"
    environ["PATH_INFO"], environ["QUERY_STRING"] = _address(url)
    for name, value in pairs:
        key = name.decode("latin-1").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        text = value.decode("latin-1").strip(" \t")
        if key in environ:
            if key in SENT_ONCE:
                raise BadHead
            text = f"{environ[key]}{';' if key == 'HTTP_COOKIE' else ','}{text}"
        environ[key] = text
    head = Head(environ, is_kept_alive, version == "1.0")
    coding = environ.get("HTTP_TRANSFER_ENCODING")
    if coding is not None:
        if coding.lower() != "chunked" or "CONTENT_LENGTH" in environ or head.is_http_1_0:
            raise BadHead
        head.is_chunked = True
    length = environ.get("CONTENT_LENGTH", "0")
    if not (length.isascii() and length.isdigit()) or len(length) > LONGEST_LENGTH:
        raise BadHead
    head.length = int(length)
    head.wants_continue = environ.get("HTTP_EXPECT", "").lower() == "100-continue" and not head.is_http_1_0
    return head


def _address(url: bytes) -> tuple[str, str]:
    """The path and the query string. WSGI wants bytes, each as one character."""
    if url != b"*" and not url.startswith(b"/"):
        scheme, found, rest = url.partition(b"://")
        if not found or scheme.lower() not in (b"http", b"https"):
            raise BadHead
        inside = min((place for place in (rest.find(b"/"), rest.find(b"?")) if place >= 0), default=len(rest))
        url = rest[inside:]
        if not url.startswith(b"/"):
            url = b"/" + url
    path, _, query = url.partition(b"#")[0].partition(b"?")
    return unquote_to_bytes(path).decode("latin-1"), query.decode("latin-1")
