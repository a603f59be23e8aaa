"""Requests counted in memory, until they are written to the files that all workers share."""

import threading
from bisect import bisect_left

import falcon

from kalends.http.request_context import LOOKUP, ROUTE, STATUS, Environ

NO_ROUTE = "(none)"
OTHER = "(other)"
CRASHED = "500"  # the response was never started
# A cached response takes some 30 µs, a list from the store some milliseconds, a long feed seconds.
BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

Labels = tuple[str | None, str, str | None, str | None]  # route, method, status, result of the cache lookup
Row = list[float]  # the number of requests in each bucket, those above the last bound, and the seconds of all


class RequestCounts:
    """What this worker has counted since the last `take`."""

    def __init__(self) -> None:
        self._rows: dict[Labels, Row] = {}
        self._lock = threading.Lock()

    def add(self, environ: Environ, seconds: float) -> None:
        """A response is complete."""
        self.add_row(
            (environ.get(ROUTE), environ["REQUEST_METHOD"], environ.get(STATUS), environ.get(LOOKUP)), seconds
        )

    def add_row(self, labels: Labels, seconds: float) -> None:
        """Cached responses pass here: every step is a fraction of a microsecond."""
        bucket = bisect_left(BUCKETS, seconds)
        lock = self._lock
        lock.acquire()  # cheaper than `with`, and nothing here can fail
        row = self._rows.get(labels)
        if row is None:
            row = self._new_row(labels)
        row[bucket] += 1
        row[-1] += seconds
        lock.release()

    def drain(self) -> dict[Labels, Row]:
        """Hands over what was counted, and begins anew."""
        with self._lock:
            rows, self._rows = self._rows, {}
        return rows

    def _new_row(self, labels: Labels) -> Row:
        route, method, status, lookup = labels
        if method not in falcon.COMBINED_METHODS:
            method = OTHER  # clients can invent any number of methods
        return self._rows.setdefault((route, method, status, lookup), [0.0] * (len(BUCKETS) + 2))
