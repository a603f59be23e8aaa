"""What Prometheus reads at `/metrics`: sums over all workers, in which nobody's records or names occur."""

import os
import platform
import re
import threading
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

import falcon
from prometheus_client import CollectorRegistry, Metric, ProcessCollector, exposition
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.openmetrics import exposition as openmetrics
from prometheus_client.registry import Collector

from kalends import __version__
from kalends.server.cache.kept_responses import KeptResponses
from kalends.server.metrics.shared_counters import PASSING, Cells, CountersFull, SharedCounters
from kalends.server.request_context import HIT, LOOKUP, MISS, ROUTE, STATUS, Environ, StartResponse
from kalends.store.engine.store import Store, StoreUnavailable
from kalends.store.rows import journal

PATH = "/metrics"
REQUEST = "request"
NO_ROUTE = "(none)"
OTHER = "(other)"
CRASHED = "500"  # nobody came to say how it ended
# A ready answer takes some 30 µs, a list from the store some milliseconds, a long feed seconds.
BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
WIDTH = len(BUCKETS) + 2  # how many requests fell between one bound and the next, and the seconds of all

Asked = tuple[str | None, str, str | None, str | None]  # the route, the method, the status, the look-up
Joining = Callable[[Iterable[float]], float]

# What each worker knows of itself: its name, what it means, and how those of several workers become one. What
# begins with `pool` or `replica` comes from the store's `figures`; SQLite has none. What begins with `prerender`
# comes from the prerender worker.
PID = "pid"
GAUGES: dict[str, tuple[str, Joining]] = {
    "cache_bytes": ("The memory that answers kept ready take.", sum),
    "cache_entries": ("How many answers are kept ready.", sum),
    "prerender_records": ("How many records the last check for prerendering began with.", max),
    "prerender_remaining": ("Of these, the records that are not checked and prerendered yet.", max),
    "pool_size": ("How many connections to the database there may be.", sum),
    "pool_in_use": ("Connections to the database at work.", sum),
    "pool_idle": ("Connections to the database at rest.", sum),
    "pool_waiting": ("Requests that wait for a connection to the database.", sum),
    "replica_used": ("Whether all workers read from this replica.", min),
    "replica_lag": ("How many changes this replica is behind.", max),
}
NUMBERED = re.compile(r"(replica)_([0-9]+)_(\w+)")  # a figure of one among several
PROCESSES: dict[str, Joining] = {
    "process_resident_memory_bytes": sum,
    "process_virtual_memory_bytes": sum,
    "process_cpu_seconds": sum,
    "process_open_fds": sum,
    "process_max_fds": min,
    "process_start_time_seconds": min,
}


class Metrics(Collector):
    """Counts what this worker does, and shows what all of them did."""

    def __init__(self, counters: SharedCounters, cache: KeptResponses, store: Store) -> None:
        self.counters = counters
        self.cache = cache
        self.store = store
        self._rows: dict[Asked, Cells] = {}
        self._lock = threading.Lock()
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        self.set_gauge(PID, os.getpid())

    def count(self, environ: Environ, seconds: float) -> None:
        """An answer is complete. This is on the way of the quickest answers: every step is a fraction of a µs."""
        asked = environ.get(ROUTE), environ["REQUEST_METHOD"], environ.get(STATUS), environ.get(LOOKUP)
        cells = self._rows.get(asked)
        if cells is None:
            cells = self._row(*asked)
        place = bisect_left(BUCKETS, seconds)
        lock = self._lock
        lock.acquire()  # cheaper than `with`, and nothing here can fail
        cells[place] += 1
        cells[-1] += seconds
        lock.release()
        if asked[3] is not HIT:  # a ready answer changes nothing of what is noted
            self.note()

    def note(self) -> None:
        """Writes down how things are now, for the worker that will be asked."""
        self.set_gauge("cache_bytes", self.cache.size)
        self.set_gauge("cache_entries", len(self.cache))
        for name, value in self.store.figures().items():
            self.set_gauge(name, value)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        environ[ROUTE], environ[STATUS] = PATH, "200"
        self.note()
        if "application/openmetrics-text" in environ.get("HTTP_ACCEPT", ""):
            body = openmetrics.generate_latest(self._registry)  # type: ignore[no-untyped-call]
            form = openmetrics.CONTENT_TYPE_LATEST
        else:
            body, form = exposition.generate_latest(self._registry), exposition.CONTENT_TYPE_PLAIN_0_0_4
        start_response(
            "200 OK",
            [("Content-Type", form), ("Content-Length", str(len(body))), ("Cache-Control", "private, no-store")],
        )
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]

    def collect(self) -> Iterator[Metric]:
        workers = list(self.counters.read())
        yield InfoMetricFamily(
            "kalends_build",
            "What runs here.",
            value={"version": __version__, "python": platform.python_version(), "database": self.store.dialect},
        )
        yield from _requests([rows for _, rows in workers])
        living = [_passing(rows) for lives, rows in workers if lives]
        yield GaugeMetricFamily("kalends_workers", "How many processes serve.", len(living))
        yield from _gauges(living)
        yield from self._journal()
        yield from _processes([int(worker[PID]) for worker in living if PID in worker])

    def _journal(self) -> Iterator[Metric]:
        try:
            with self.store.read() as session:
                rev = journal.last_rev(session)
        except StoreUnavailable:
            yield GaugeMetricFamily("kalends_store_up", "Whether the store answers.", 0)
            return
        yield GaugeMetricFamily("kalends_store_up", "Whether the store answers.", 1)
        yield GaugeMetricFamily("kalends_journal_rev", "The number of the last change.", rev)

    def _row(self, route: str | None, method: str, status: str | None, lookup: str | None) -> Cells:
        known = method in falcon.COMBINED_METHODS
        labels = (route or NO_ROUTE, method if known else OTHER, (status or CRASHED)[:3], lookup or "-")
        name = "\t".join((REQUEST, *labels))
        try:
            cells = self.counters.own.row(name, WIDTH)
        except CountersFull:
            return memoryview(bytearray(8 * WIDTH)).cast("d")  # counted by nobody
        if known:  # clients can think of any number of methods
            self._rows[route, method, status, lookup] = cells
        return cells

    def set_gauge(self, name: str, value: float) -> None:
        """Writes down one figure of this worker."""
        with suppress(CountersFull):
            self.counters.own.row(f"{PASSING}\t{name}", 1)[0] = value


def _requests(workers: Iterable[dict[str, list[float]]]) -> Iterator[Metric]:
    """The requests of all workers that are or were."""
    counts: Counter[tuple[str, str, str]] = Counter()
    lookups = Counter({HIT: 0, MISS: 0})
    times: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * WIDTH)
    for rows in workers:
        for name, cells in rows.items():
            if name.startswith(REQUEST):
                _, route, method, status, lookup = name.split("\t")
                number = int(sum(cells[:-1]))
                counts[route, method, status] += number
                lookups[lookup] += number
                times[route] = [one + other for one, other in zip(times[route], cells, strict=True)]
    requests = CounterMetricFamily(
        "kalends_requests", "Requests that were answered.", labels=("route", "method", "status")
    )
    for labels, number in sorted(counts.items()):
        requests.add_metric(labels, number)
    yield requests
    durations = HistogramMetricFamily(
        "kalends_request_duration_seconds", "The time from a request to the end of its answer.", labels=("route",)
    )
    for route, (*numbers, seconds) in sorted(times.items()):
        durations.add_metric([route], _cumulative(numbers), seconds)
    yield durations
    yield CounterMetricFamily("kalends_cache_hits", "Requests whose answer was ready.", lookups[HIT])
    yield CounterMetricFamily("kalends_cache_misses", "Requests whose answer could have been ready.", lookups[MISS])


def _cumulative(numbers: Iterable[float]) -> list[tuple[str, float]]:
    found, total = [], 0.0
    for bound, number in zip((*map(str, BUCKETS), "+Inf"), numbers, strict=True):
        total += number
        found.append((bound, total))
    return found


def _passing(rows: dict[str, list[float]]) -> dict[str, float]:
    prefix = f"{PASSING}\t"
    return {name.removeprefix(prefix): cells[0] for name, cells in rows.items() if name.startswith(prefix)}


def _gauges(workers: Iterable[dict[str, float]]) -> Iterator[Metric]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for worker in workers:
        for name, value in worker.items():
            found[name].append(value)
    families: dict[str, GaugeMetricFamily] = {}
    for name, values in sorted(found.items()):
        match = NUMBERED.fullmatch(name)
        family, labels = (f"{match[1]}_{match[3]}", {match[1]: match[2]}) if match else (name, {})
        if family in GAUGES:
            meaning, join = GAUGES[family]
            gauge = families.setdefault(family, GaugeMetricFamily(f"kalends_{family}", meaning, labels=tuple(labels)))
            gauge.add_metric(tuple(labels.values()), join(values))
    yield from families.values()


def _processes(pids: Iterable[int]) -> Iterator[Metric]:
    """What the system says of the workers: as if they were one process."""
    found: dict[str, Metric] = {}
    values: defaultdict[str, list[float]] = defaultdict(list)
    for pid in pids:
        for metric in ProcessCollector(pid=partial(int, pid), registry=None).collect():
            found[metric.name] = metric
            values[metric.name].append(metric.samples[0].value)
    for name, metric in found.items():
        metric.samples = [metric.samples[0]._replace(value=PROCESSES.get(name, max)(values[name]))]
        yield metric
