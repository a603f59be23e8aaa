"""`/metrics` for Prometheus: sums over all workers, in which no names of records or users occur."""

import platform
import re
import threading
import time
import weakref
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from operator import add
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from prometheus_client import CollectorRegistry, Metric, ProcessCollector, exposition
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily
from prometheus_client.openmetrics import exposition as openmetrics
from prometheus_client.registry import Collector

from kalends import __version__
from kalends.calendar.admission import WORKER, Admission
from kalends.calendar.service import Calendar
from kalends.http.cache.cached_responses import CachedResponses
from kalends.http.metrics.request_counts import BUCKETS, CRASHED, NO_ROUTE, Labels, RequestCounts, Row
from kalends.http.metrics.worker_files import WorkerFiles
from kalends.http.middleware.logs import log
from kalends.http.request_context import HIT, MISS, ROUTE, STATUS, Environ, StartResponse
from kalends.store.engine.store import StoreUnavailable

PATH = "/metrics"
INTERVAL = 1.0  # seconds between two writes of a worker
BOUNDS = (*map(str, BUCKETS), "+Inf")

REQUESTS = ("kalends_requests", "kalends_requests_total", "Requests that were answered.")
WORK_REFUSED = ("kalends_work_refused", "kalends_work_refused_total", "Work that was refused with 503.")
DURATION = "kalends_request_duration_seconds"
DURATION_MEANING = "The time from a request to the end of its response."
LOOKUPS = {
    HIT: ("kalends_cache_hits", "kalends_cache_hits_total", "Requests whose response was in the cache."),
    MISS: ("kalends_cache_misses", "kalends_cache_misses_total", "Requests whose response could have been cached."),
}
# The gauges of a worker: what each means, and how those of several workers become one. Those of `pool` and `replica`
# come from the store's `figures` (SQLite has none), those of `prerender` from the prerender worker.
GAUGES: dict[str, tuple[str, str]] = {
    "cache_bytes": ("The memory that cached responses take.", "sum"),
    "cache_entries": ("How many responses are cached.", "sum"),
    "prerender_records": ("How many records the last check for prerendering began with.", "max"),
    "prerender_remaining": ("Of these, the records that are not checked and prerendered yet.", "max"),
    "pool_size": ("How many connections to the database there may be.", "sum"),
    "pool_in_use": ("Connections to the database in use.", "sum"),
    "pool_idle": ("Idle connections to the database.", "sum"),
    "pool_waiting": ("Requests that wait for a connection to the database.", "sum"),
    "replica_used": ("Whether all workers read from this replica.", "min"),
    "replica_lag": ("How many changes this replica is behind.", "max"),
}
# Work for later, on all nodes together; in the order of `tasks.Count`.
TASKS = (
    ("waiting", "Work for later that waits for its time."),
    ("running", "Work for later that a process runs."),
    ("failed", "Work for later whose last try failed."),
    ("late", "Work for later that was due more than a minute ago and that no process has taken."),
)
NUMBERED = re.compile(r"(replica)_([0-9]+)_(\w+)")  # a figure of one among several
PROCESSES: dict[str, Callable[[Iterable[float]], float]] = {
    "process_resident_memory_bytes": sum,
    "process_virtual_memory_bytes": sum,
    "process_cpu_seconds": sum,
    "process_open_fds": sum,
    "process_max_fds": min,
    "process_start_time_seconds": min,
}


class Metrics(Collector):
    """Counts what this worker does, and shows what all of them did. `folder` is shared by all workers; without one
    this process is all there is."""

    def __init__(
        self, folder: Path | None, cache: CachedResponses, calendar: Calendar, admission: Admission = WORKER
    ) -> None:
        self.cache = cache
        self.admission = admission
        self.store = calendar.store
        self.revisions = calendar.revisions
        self.background = calendar.background
        self.counts = RequestCounts()
        self._files = WorkerFiles(folder or self._temporary_folder())
        self._gauges: dict[str, float] = {}
        self._refused: Counter[str] = Counter()  # of each class of work, as far as it is written
        self._lock = threading.Lock()
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        for family, sample, meaning in LOOKUPS.values():
            self._files.add("counter", family, sample, meaning, {}, 0)

    def set_gauge(self, name: str, value: float) -> None:
        self._gauges[name] = value

    def flush(self) -> None:
        """Writes what this worker has counted, and its gauges, to its files."""
        with self._lock:
            self._add_requests(self.counts.drain())
            gauges = {"cache_bytes": self.cache.size, "cache_entries": len(self.cache), **self._gauges}
            for name, value in {**gauges, **self.store.figures()}.items():
                self._write_gauge(name, value)
            for work in self.admission.figures():
                self._write_work(*work)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        environ[ROUTE], environ[STATUS] = PATH, "200"
        self.flush()
        if "application/openmetrics-text" in environ.get("HTTP_ACCEPT", ""):
            body = openmetrics.generate_latest(self._registry)  # type: ignore[no-untyped-call]
            content_type = openmetrics.CONTENT_TYPE_LATEST
        else:
            body, content_type = exposition.generate_latest(self._registry), exposition.CONTENT_TYPE_PLAIN_0_0_4
        length = ("Content-Length", str(len(body)))
        start_response("200 OK", [("Content-Type", content_type), length, ("Cache-Control", "private, no-store")])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily(
            "kalends_build",
            "What runs here.",
            value={"version": __version__, "python": platform.python_version(), "database": self.store.dialect},
        )
        with self._lock:
            merged, processes = list(self._files.merged()), self._files.living_processes()
        yield from merged
        yield GaugeMetricFamily("kalends_workers", "How many processes serve.", len(processes))
        yield from self._journal()
        yield from _processes(processes)

    def _temporary_folder(self) -> Path:
        folder = mkdtemp(prefix="kalends-")
        weakref.finalize(self, rmtree, folder, ignore_errors=True)
        return Path(folder)

    def _journal(self) -> Iterator[Metric]:
        try:
            rev, counts = self.revisions.last_rev(), self.background.counts()
        except StoreUnavailable:
            yield GaugeMetricFamily("kalends_store_up", "Whether the store answers.", 0)
            return
        yield GaugeMetricFamily("kalends_store_up", "Whether the store answers.", 1)
        yield GaugeMetricFamily("kalends_journal_rev", "The number of the last change.", rev)
        for position, (name, meaning) in enumerate(TASKS, 1):
            family = GaugeMetricFamily(f"kalends_tasks_{name}", meaning, labels=["kind"])
            for count in counts:
                family.add_metric([count.kind], float(count[position]))
            yield family

    def _add_requests(self, rows: Mapping[Labels, Row]) -> None:
        by_route: dict[str, Row] = {}
        for (route, method, status, lookup), row in rows.items():
            labels = {"route": route or NO_ROUTE, "method": method, "status": (status or CRASHED)[:3]}
            number = sum(row[:-1])
            self._files.add("counter", *REQUESTS, labels, number)
            if lookup in LOOKUPS:
                self._files.add("counter", *LOOKUPS[lookup], {}, number)
            others = by_route.get(labels["route"])
            by_route[labels["route"]] = row if others is None else [*map(add, others, row)]
        for route, row in by_route.items():
            self._add_durations(route, row)

    def _add_durations(self, route: str, row: Row) -> None:
        *numbers, seconds = row
        for bound, number in zip(BOUNDS, numbers, strict=True):
            labels = {"route": route, "le": bound}
            self._files.add("histogram", DURATION, f"{DURATION}_bucket", DURATION_MEANING, labels, number)
        self._files.add("histogram", DURATION, f"{DURATION}_sum", DURATION_MEANING, {"route": route}, seconds)

    def _write_work(self, name: str, running: int, queued: int, refused: int) -> None:
        labels = {"class": name}
        self._files.set("sum", "kalends_work_running", "Work that has a place.", labels, running)
        self._files.set("sum", "kalends_work_waiting", "Work that waits for a place.", labels, queued)
        self._files.add("counter", *WORK_REFUSED, labels, refused - self._refused[name])
        self._refused[name] = refused

    def _write_gauge(self, name: str, value: float) -> None:
        match = NUMBERED.fullmatch(name)
        family, labels = (f"{match[1]}_{match[3]}", {match[1]: match[2]}) if match else (name, {})
        if family in GAUGES:
            meaning, mode = GAUGES[family]
            self._files.set(mode, f"kalends_{family}", meaning, labels, value)


class MetricsFlush(threading.Thread):
    """Writes a worker's figures once a second, for the worker that will be asked."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__(name="metrics", daemon=True)
        self.metrics = metrics

    def run(self) -> None:
        while True:
            time.sleep(INTERVAL)
            try:
                self.metrics.flush()
            except (OSError, StoreUnavailable) as error:
                log.warning("the figures for /metrics cannot be written: %s", error)


def _processes(pids: Iterable[int]) -> Iterator[Metric]:
    """What the system says of the workers: as if they were one process."""
    metrics: dict[str, Metric] = {}
    values: defaultdict[str, list[float]] = defaultdict(list)
    for pid in pids:
        for metric in ProcessCollector(pid=partial(int, pid), registry=None).collect():
            metrics[metric.name] = metric
            values[metric.name].append(metric.samples[0].value)
    for name, metric in metrics.items():
        metric.samples = [metric.samples[0]._replace(value=PROCESSES.get(name, max)(values[name]))]
        yield metric
