"""Limits of a request before it is looked at: how often an address may ask, how large its headers may be, and how
long its path."""

import threading
from collections.abc import Mapping
from datetime import datetime

from kalends.calendar import guessing
from kalends.contract.errors import BAD_HOST, HEADERS_TOO_LARGE, MARKS_IN_ADDRESS, NO_ROUTE, TOO_MANY, Refusal
from kalends.server.parameters import unquoted
from kalends.store.database import Store
from kalends.values import marks

LARGEST_HEADERS = 32 * 1024
LONGEST_PATH = 2000  # characters; no slug and no file has so many
HEALTH = ("/healthz", "/readyz")
MOST_ADDRESSES = 100_000
PARTS = 20  # a worker asks the store for so large a part of a minute's requests at once


class RequestLimit:
    """So many requests a minute from one address, whichever worker or node they come to. A worker takes a part of
    them from the store at a time, so that not every request is a write."""

    def __init__(self, a_minute: int, store: Store) -> None:
        self.a_minute = a_minute
        self.part = max(1, a_minute // PARTS)
        self._store = store
        self._minute: datetime | None = None
        self._left: dict[str, int] = {}  # below zero for those who have had all of theirs
        self._lock = threading.Lock()

    def check(self, address: str, now: datetime) -> None:
        if not self.a_minute:
            return
        minute = now.replace(second=0, microsecond=0)
        if self._take(address, minute):
            return
        if not self._is_spent(address):
            given = guessing.take_requests(self._store, address, minute, self.part, self.a_minute)
            with self._lock:
                self._left[address] = self._left.get(address, 0) + given - 1
            if given:
                return
        seconds = 60 - now.second
        raise Refusal(TOO_MANY, headers={"Retry-After": str(seconds)}, seconds=seconds)

    def _take(self, address: str, minute: datetime) -> bool:
        """One of those that this worker has for the address."""
        with self._lock:
            if minute != self._minute or len(self._left) > MOST_ADDRESSES:
                self._minute, self._left = minute, {}
            left = self._left.get(address, 0)
            if left > 0:
                self._left[address] = left - 1
            return left > 0

    def _is_spent(self, address: str) -> bool:
        with self._lock:
            return self._left.get(address, 0) < 0


def check_address(path: str, query: str) -> None:
    """Refuses an address that would be slow to look up, before anything else reads it."""
    if len(path) > LONGEST_PATH:
        raise Refusal(NO_ROUTE)
    written = path if query.isascii() and "%" not in query else path + unquoted(query)
    # A server hands over raw UTF-8 in a query as one character for each byte.
    if marks.has_long_run(written) or marks.has_long_run(_as_utf8(query)):
        raise Refusal(MARKS_IN_ADDRESS, maximum=marks.LONGEST_RUN)


def check_host(environ: Mapping[str, object]) -> None:
    """Several Host headers arrive joined by commas, and which of them a proxy looked at is anybody's guess. Whoever
    asks whether the service is alive may leave it out."""
    host = str(environ.get("HTTP_HOST", "")).strip()
    if (not host or "," in host) and environ.get("PATH_INFO") not in HEALTH:
        raise Refusal(BAD_HOST)


def _as_utf8(query: str) -> str:
    return "" if query.isascii() else query.encode("latin-1", "replace").decode("utf-8", "replace")


def check_headers(environ: Mapping[str, object]) -> None:
    if are_too_large(environ):
        raise Refusal(HEADERS_TOO_LARGE)


def are_too_large(environ: Mapping[str, object]) -> bool:
    """Whether the headers of a request take more room than they may."""
    sizes = [
        len(name) + len(value)
        for name, value in environ.items()
        if name.startswith("HTTP_") and isinstance(value, str)
    ]
    return sum(sizes) > LARGEST_HEADERS
