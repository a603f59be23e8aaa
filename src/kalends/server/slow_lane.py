"""Keeps slow work from taking every thread and the whole interpreter: only so much of it is done at a time."""

import threading
from collections import deque
from collections.abc import Iterable, Iterator

from kalends.server.asking import Application, Environ, StartResponse

FULL = "kalends.full"  # set when there is no room, so that the request is refused as any other is

# Two at once made the quick answers beside them five times as slow, and the slow ones no quicker.
AT_ONCE = 1
MOST_WAITING = 8  # so that half of the worker's threads stay free
FEEDS = (".ics", ".rss", ".json")
ONE_EVENT = "/event/"  # its feed is as quick as its page
# Filters that no index answers alone, and whole lists as files.
SLOW_FILTERS = ("search", "geoloc", "only_with_upcoming", "ical")


class SlowLane:
    """Stands before an application. Slow requests wait for each other here, and nobody else waits for them."""

    def __init__(self, app: Application, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self.app = app
        self.most_inside = at_once + most_waiting
        self.turns = Turns(at_once)
        self._inside = 0
        self._lock = threading.Lock()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if not is_slow(environ):
            return self.app(environ, start_response)
        if not self._enter():
            environ[FULL] = True
            return self.app(environ, start_response)
        try:
            with self.turns:
                body = self.app(environ, start_response)
        except BaseException:
            self._leave()
            raise
        if isinstance(body, list):
            self._leave()
            return body
        return Parts(body, self)

    def _enter(self) -> bool:
        with self._lock:
            if self._inside >= self.most_inside:
                return False
            self._inside += 1
            return True

    def _leave(self) -> None:
        with self._lock:
            self._inside -= 1


class Turns:
    """So many at once, strictly in the order in which they came. With the semaphore of the library, an export that
    goes on to its next part would be quicker than the search that it should let through."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: deque[threading.Lock] = deque()
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        turn = threading.Lock()
        turn.acquire()
        with self._lock:
            if self._free:
                self._free -= 1
                return
            self._waiting.append(turn)
        turn.acquire()  # until somebody who leaves hands over

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


class Parts:
    """An answer that is made while it is sent. Its parts take turns with other slow work, so that a client who
    reads slowly keeps nobody waiting."""

    def __init__(self, body: Iterable[bytes], lane: SlowLane) -> None:
        self.body = body
        self.lane = lane
        self._parts = iter(body)
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            with self.lane.turns:
                return next(self._parts)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if not self._is_open:
            return
        self._is_open = False
        self.lane._leave()
        close = getattr(self.body, "close", None)
        if close is not None:
            close()

    __del__ = close  # a server may forget an answer whose client went away


def is_slow(environ: Environ) -> bool:
    path, query = environ["PATH_INFO"], environ.get("QUERY_STRING", "")
    if path.startswith(ONE_EVENT):
        return False
    return path.endswith(FEEDS) or any(name in query for name in SLOW_FILTERS)
