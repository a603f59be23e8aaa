"""Looks at every request and its answer from outside: counts it, and writes a line about it where that is wanted."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from kalends.server.cache.kept_responses import KeptResponses
from kalends.server.metrics.metrics import CRASHED, PATH, Metrics
from kalends.server.metrics.shared_counters import SharedCounters
from kalends.server.middleware.logs import about, log, request_id
from kalends.server.request_context import STATUS, Application, Environ, StartResponse, address_of_client, is_within
from kalends.settings import Settings
from kalends.store.engine.store import Store

# Most proxies leave one of these. Who comes through one is not who the address says.
PROXIED = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_REAL_IP",
    "HTTP_FORWARDED",
    "HTTP_VIA",
)


def request_metrics_for(
    settings: Settings, cache: KeptResponses, store: Store, counts: Path | None
) -> "RequestMetrics | None":
    """The watch that the settings ask for. `counts` is the folder in which all workers of the service count."""
    if not settings.metrics and not settings.log_requests:
        return None
    return RequestMetrics(settings, Metrics(SharedCounters(counts), cache, store) if settings.metrics else None)


class MeasuredApp:
    """An application with a watch around it."""

    def __init__(self, app: Application, watch: "RequestMetrics") -> None:
        self.app = app
        self.watch = watch

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        return self.watch(self.app, environ, start_response)


class RequestMetrics:
    """Stands around an application."""

    def __init__(self, settings: Settings, metrics: Metrics | None) -> None:
        self.settings = settings
        self.metrics = metrics
        self.logs = settings.log_requests

    def __call__(self, app: Application, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if self.logs:
            start_response = naming(request_id(environ, self.settings), start_response)
        if self.metrics is not None and environ["PATH_INFO"] == PATH and self._may_read(environ):
            app = self.metrics
        began = perf_counter()
        try:
            body = app(environ, start_response)
        except Exception:
            self.finish(environ, began, 0)
            raise
        if type(body) is not list:
            return Streamed(body, self, environ, began)
        self.finish(environ, began, sum(map(len, body)) if self.logs else 0)
        return body

    def finish(self, environ: Environ, began: float, size: int) -> None:
        """The answer is complete."""
        seconds = perf_counter() - began
        if self.metrics is not None:
            self.metrics.count(environ, seconds)
        if self.logs:
            request = about(environ) | {
                "status": int(environ.get(STATUS, CRASHED)[:3]),
                "duration_ms": round(seconds * 1000, 3),
                "bytes": size,
                "remote": address_of_client(environ, self.settings),
            }
            log.info("request", extra={"request": request})

    def _may_read(self, environ: Environ) -> bool:
        """Only who stands at our own door; to all others there is no such address."""
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD") or any(name in environ for name in PROXIED):
            return False
        return is_within(environ.get("REMOTE_ADDR", ""), self.settings.metrics)


def naming(name: str, start_response: StartResponse) -> StartResponse:
    """Starts an answer that tells the name of its request."""

    def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
        return start_response(status, [*headers, ("X-Request-Id", name)], *error)

    return start


class Streamed:
    """The body of an answer that is made while it is sent: it is complete when it was sent."""

    def __init__(self, body: Iterable[bytes], watch: RequestMetrics, environ: Environ, began: float) -> None:
        self.body = body
        self.watch = watch
        self.environ = environ
        self.began = began
        self.size = 0
        self.is_complete = False
        self._parts = iter(body)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            part = next(self._parts)
        except StopIteration:
            self._finish()
            raise
        self.size += len(part)
        return part

    def close(self) -> None:
        self._finish()
        close = getattr(self.body, "close", None)
        if close is not None:
            close()

    def _finish(self) -> None:
        if not self.is_complete:
            self.is_complete = True
            self.watch.finish(self.environ, self.began, self.size)
