"""Which reads run at once. Quick ones take turns; slow ones queue in a lane of their own and do not delay them.

SQLite's calls release the interpreter lock and wait for it again. With sixteen threads that do so at once, uncached
lists were a third slower than with one, so quick reads run one at a time. Whether a read is slow is known by its
route and by what reads of the same route and parameters cost lately.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from time import perf_counter

from kalends.contract.errors import UNAVAILABLE, ApiError
from kalends.server.request_context import HIT, LOOKUP, REFUSAL, Application, Environ, StartResponse

SLOW_SECONDS = 0.010  # reads that cost more use the slow lane
PATIENCE = 10.0  # the longest wait in the slow lane; requests that would wait longer are refused at once
QUICK_PATIENCE = 0.02  # the longest wait for a quick turn; then it runs in parallel
MOST_SHAPES = 500  # of requests whose cost is remembered
LONGEST_QUERY = 2000
NEWEST_SHARE = 0.2  # of the last request in the average

Shape = tuple[str, frozenset[str]]


class Lanes:
    """Runs requests. `find` tells of a request the template of its route and whether the route itself is slow;
    `parameters` are the names that can decide what a request costs."""

    def __init__(
        self, find: Callable[[Environ], tuple[str, bool]], parameters: Iterable[str], *, quick: int = 1, slow: int = 1
    ) -> None:
        self._find = find
        self._parameters = frozenset(parameters)
        self._turns: SimpleQueue[None] = SimpleQueue()  # quicker than a semaphore, by ten microseconds
        for _ in range(quick):
            self._turns.put(None)
        self.slow = Queue(slow)
        self.costs = Costs()

    def run(self, app: Application, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return app(environ, start_response)  # a write waits for the store, not here
        template, is_slow = self._find(environ)
        shape = template, self._parameters.intersection(_names(environ.get("QUERY_STRING", "")))
        if is_slow or self.costs.of(shape) > SLOW_SECONDS:
            return self._run_slow(app, environ, start_response, shape)
        has_turn = self._take_turn()
        began = perf_counter()
        try:
            return app(environ, start_response)
        finally:
            self._note(environ, shape, perf_counter() - began)
            if has_turn:
                self._turns.put(None)

    def _take_turn(self) -> bool:
        try:
            self._turns.get(timeout=QUICK_PATIENCE)
        except Empty:
            return False
        return True

    def _note(self, environ: Environ, shape: Shape, seconds: float) -> None:
        if environ.get(LOOKUP) is not HIT:  # a response that became available during the wait says nothing
            self.costs.note(shape, seconds)

    def _run_slow(
        self, app: Application, environ: Environ, start_response: StartResponse, shape: Shape
    ) -> Iterable[bytes]:
        if not self.slow.enter(PATIENCE):
            environ[REFUSAL] = ApiError(UNAVAILABLE, headers={"Retry-After": str(round(PATIENCE / 2))})
            return app(environ, start_response)
        began = perf_counter()
        try:
            body = app(environ, start_response)
        finally:
            seconds = perf_counter() - began
            self._note(environ, shape, seconds)
            self.slow.leave(seconds)
        return body if isinstance(body, list) else SlowBody(body, self.slow)


class Costs:
    """The seconds that requests of one shape took lately."""

    def __init__(self) -> None:
        self._seconds: dict[Shape, float] = {}

    def of(self, shape: Shape) -> float:
        return self._seconds.get(shape, 0.0)

    def note(self, shape: Shape, seconds: float) -> None:
        known = self._seconds.get(shape, 0.0)
        if not known and len(self._seconds) >= MOST_SHAPES:
            self._seconds = {}
        self._seconds[shape] = known + (seconds - known) * NEWEST_SHARE


class Queue:
    """So many at once, strictly in the order of arrival: with a semaphore, an export that goes on to its next part
    would overtake the search that it should let through."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._at_once = at_once
        # What a turn takes lately. The costs of requests say less of it: some were measured while many ran at once.
        self._turn_seconds = 0.0
        self._waiting: deque[threading.Lock] = deque()
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def enter(self, patience: float | None = None) -> bool:
        """Waits for a turn; whether it came within `patience`. Does not wait for one that will not."""
        turn = threading.Lock()
        turn.acquire()
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            if patience is not None and self._turn_seconds * (len(self._waiting) + 1) / self._at_once > patience:
                return False
            self._waiting.append(turn)
        if turn.acquire(timeout=-1 if patience is None else patience):
            return True
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return False
        return True  # it came at the last moment

    def leave(self, seconds: float) -> None:
        """Ends a turn that took so long."""
        with self._lock:
            self._turn_seconds += (seconds - self._turn_seconds) * NEWEST_SHARE
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


class SlowBody:
    """A body that is made while it is sent. Its parts take turns with other slow work, so that a client who reads
    slowly does not block it. Nothing is held between two parts, so a body that is never closed blocks nothing."""

    def __init__(self, body: Iterable[bytes], queue: Queue) -> None:
        self.body = body
        self._queue = queue
        self._parts = iter(body)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        self._queue.enter()
        began = perf_counter()
        try:
            return next(self._parts)
        finally:
            self._queue.leave(perf_counter() - began)

    def close(self) -> None:
        close = getattr(self.body, "close", None)
        if close is not None:
            close()


def _names(query: str) -> list[str]:
    return [part.partition("=")[0].partition("[")[0] for part in query[:LONGEST_QUERY].split("&")] if query else []
