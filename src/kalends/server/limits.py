"""Limits of a request before it is looked at: how often an address may ask, and how large its headers may be."""

import threading
from collections.abc import Mapping
from datetime import datetime

from kalends.contract.errors import HEADERS_TOO_LARGE, TOO_MANY, Refusal

LARGEST_HEADERS = 32 * 1024
MOST_ADDRESSES = 100_000


class RequestLimit:
    """So many requests a minute from one address, counted anew each minute by each worker."""

    def __init__(self, a_minute: int) -> None:
        self.a_minute = a_minute
        self._minute: tuple[int, int, int, int, int] | None = None
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()

    def check(self, address: str, now: datetime) -> None:
        if not self.a_minute:
            return
        minute = (now.year, now.month, now.day, now.hour, now.minute)
        with self._lock:
            if minute != self._minute or len(self._counts) > MOST_ADDRESSES:
                self._minute, self._counts = minute, {}
            count = self._counts[address] = self._counts.get(address, 0) + 1
        if count > self.a_minute:
            seconds = 60 - now.second
            raise Refusal(TOO_MANY, headers={"Retry-After": str(seconds)}, seconds=seconds)


def check_headers(environ: Mapping[str, object]) -> None:
    size = sum(
        len(name) + len(value)
        for name, value in environ.items()
        if name.startswith("HTTP_") and isinstance(value, str)
    )
    if size > LARGEST_HEADERS:
        raise Refusal(HEADERS_TOO_LARGE)
