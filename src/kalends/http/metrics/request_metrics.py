"""Counts every request with its duration, and logs it if the settings say so."""

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Any

from kalends.http.metrics.metrics import PATH, Metrics
from kalends.http.metrics.request_counts import CRASHED
from kalends.http.middleware.logs import REQUEST, SETTINGS, about, log, request_id
from kalends.http.request_context import (
    AGAIN,
    STATUS,
    Application,
    Environ,
    StartResponse,
    address_of_client,
    is_within,
)
from kalends.settings import Settings

# Most proxies add one of these. The address of the connection is then not that of the client.
PROXIED = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_REAL_IP",
    "HTTP_FORWARDED",
    "HTTP_VIA",
)


def measured(app: Application, settings: Settings, metrics: Metrics | None) -> Application:
    """The application, measured as the settings say."""
    return RequestMetrics(app, settings, metrics) if metrics is not None or settings.log_requests else app


class RequestMetrics:
    """The outermost middleware."""

    def __init__(self, app: Application, settings: Settings, metrics: Metrics | None) -> None:
        self.app = app
        self.settings = settings
        self.metrics = metrics
        self.logs = settings.log_requests

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if self.logs:
            environ[SETTINGS] = self.settings
            start_response = with_request_id(request_id(environ), start_response)
        app = self.app
        if self.metrics is not None and environ["PATH_INFO"] == PATH and self._may_read(environ):
            app = self.metrics
        began = perf_counter()
        try:
            body = app(environ, start_response)
        except Exception:
            self.finish(environ, began, 0)
            raise
        if type(body) is not list:
            return MeasuredBody(body, self, environ, began)
        self.finish(environ, began, sum(map(len, body)) if self.logs else 0)
        return body

    def finish(self, environ: Environ, began: float, size: int) -> None:
        """The response is complete."""
        if AGAIN in environ:  # and not sent yet
            return
        seconds = perf_counter() - began
        if self.metrics is not None:
            self.metrics.counts.add(environ, seconds)
        if self.logs:
            request = about(environ) | {
                "status": int(environ.get(STATUS, CRASHED)[:3]),
                "duration_ms": round(seconds * 1000, 3),
                "bytes": size,
                "remote": address_of_client(environ, self.settings),
            }
            log.info(REQUEST, extra={"request": request})

    def _may_read(self, environ: Environ) -> bool:
        """Only clients that are connected directly from an allowed network; for all others there is no such route."""
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD") or any(name in environ for name in PROXIED):
            return False
        return is_within(environ.get("REMOTE_ADDR", ""), self.settings.metrics)


def with_request_id(name: str, start_response: StartResponse) -> StartResponse:
    """Adds the header X-Request-Id."""

    def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
        return start_response(status, [*headers, ("X-Request-Id", name)], *error)

    return start


class MeasuredBody:
    """A body that is made while it is sent: the request is counted when it was sent."""

    def __init__(self, body: Iterable[bytes], measuring: RequestMetrics, environ: Environ, began: float) -> None:
        self.body = body
        self.measuring = measuring
        self.environ = environ
        self.began = began
        self.size = 0
        self.is_complete = False
        self.parts = getattr(body, "parts", body)  # what makes the pieces
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
            self.measuring.finish(self.environ, self.began, self.size)
