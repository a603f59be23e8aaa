"""The rate limit: so many requests a minute from one address, whichever worker or node they come to."""

import threading
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from kalends.calendar.service import Calendar
from kalends.calendar.throttling import Throttle
from kalends.contract.errors import TOO_MANY, ApiError
from kalends.http.messages.responses import Header
from kalends.http.request_context import (
    MORE_REQUESTS,
    REFUSAL,
    Application,
    Environ,
    StartResponse,
    address_of_client,
)
from kalends.store.engine.store import StoreUnavailable

MOST_ADDRESSES = 100_000
PARTS = 20  # a worker asks the store for so large a part of a minute's requests at once
EXEMPT = ("/healthz", "/readyz", "/metrics")
STATIC = "/static/"


class RateLimit:
    """Middleware. The framework answers refused requests, in the shape of all errors."""

    def __init__(self, app: Application, calendar: Calendar) -> None:
        self.app = app
        self.calendar = calendar
        self.quotas = Quotas(calendar.settings.rate_limit, calendar.throttle)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path in EXEMPT or path.startswith(STATIC):
            return self.app(environ, start_response)
        now = self.calendar.clock()
        address = address_of_client(environ, self.calendar.settings)
        quota = self.quotas.consume(address, now)
        environ[MORE_REQUESTS] = partial(self._consume_more, address)
        if not quota.is_granted:
            environ[REFUSAL] = _refusal(quota)
        return self.app(environ, with_headers(quota.headers, start_response))

    def _consume_more(self, address: str, count: int) -> None:
        """The requests of a batch count one by one. Raises ApiError."""
        quota = self.quotas.consume(address, self.calendar.clock(), count)
        if not quota.is_granted:
            raise _refusal(quota)


class Quota(NamedTuple):
    """What one address has left of its minute."""

    limit: int
    remaining: int
    seconds: int  # until the next minute begins
    is_granted: bool

    @property
    def headers(self) -> list[Header]:
        return [
            ("RateLimit-Limit", str(self.limit)),
            ("RateLimit-Remaining", str(self.remaining)),
            ("RateLimit-Reset", str(self.seconds)),
            ("RateLimit-Policy", f"{self.limit};w=60"),
        ]


class Quotas:
    """Counts by address. A worker takes a part of a minute's requests from the store at a time, so that not every
    request is a write."""

    def __init__(self, a_minute: int, throttle: Throttle) -> None:
        self.a_minute = a_minute
        self.part = max(1, a_minute // PARTS)
        self._throttle = throttle
        self._minute: datetime | None = None
        self._remaining: dict[str, int] = {}  # of the part that this worker has; negative when the minute is used up
        self._shared: dict[str, int] = {}  # what the store has left to give
        self._lock = threading.Lock()

    def consume_held(self, address: str, now: datetime) -> Quota | None:
        """A request that this worker may grant without the store; None if it has to be asked."""
        with self._lock:
            left = self._remaining.get(address, 0)
            if now.replace(second=0, microsecond=0) != self._minute or left < 1:
                return None
            self._remaining[address] = left - 1
            return Quota(self.a_minute, left - 1 + self._shared.get(address, 0), 60 - now.second, True)

    def consume(self, address: str, now: datetime, count: int = 1) -> Quota:
        """All of so many requests, or none."""
        minute, seconds = now.replace(second=0, microsecond=0), 60 - now.second
        with self._lock:
            if minute != self._minute or len(self._remaining) > MOST_ADDRESSES:
                self._minute, self._remaining, self._shared = minute, {}, {}
            left = self._remaining.get(address, 0)
            if left >= count:
                self._remaining[address] = left - count
                return Quota(self.a_minute, left - count + self._shared.get(address, 0), seconds, True)
        if left < 0:
            return Quota(self.a_minute, 0, seconds, False)
        wanted = max(self.part, count - left)
        given, shared = self._ask_store(address, minute, wanted)
        with self._lock:
            left = given - count
            if minute == self._minute:  # else the next minute began while the store was asked
                left = self._remaining.get(address, 0) + given - count
                is_used_up = left < 0 and given < wanted
                self._remaining[address] = -1 if is_used_up else max(left, 0)
                self._shared[address] = shared
        return Quota(self.a_minute, max(0, left) + shared, seconds, left >= 0)

    def _ask_store(self, address: str, minute: datetime, wanted: int) -> tuple[int, int]:
        """How many requests the store grants, and how many it has left after that."""
        try:
            return self._throttle.consume_requests(address, minute, wanted, self.a_minute)
        except StoreUnavailable:
            return wanted, 0  # a limit that cannot be counted must not stop the readers


def _refusal(quota: Quota) -> ApiError:
    return ApiError(TOO_MANY, headers={"Retry-After": str(quota.seconds)}, seconds=quota.seconds)


def with_headers(headers: list[Header], start_response: StartResponse) -> StartResponse:
    def start(status: str, response_headers: list[Header], *error: Any) -> Any:
        return start_response(status, [*response_headers, *headers], *error)

    return start
