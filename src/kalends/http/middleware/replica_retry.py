"""Repeats reads during which a replica failed: another replica or the primary will answer."""

from collections.abc import Iterable
from typing import Any

from kalends.http.request_context import Application, Environ, StartResponse

LOST = "kalends.lost"  # set by the error handler when a replica was lost


class ReplicaRetry:
    """Reads survive the loss of a replica."""

    def __init__(self, app: Application) -> None:
        self.app = app

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return self.app(environ, start_response)
        started: list[tuple[Any, ...]] = []
        first = dict(environ)  # the framework adds to what it is given
        body = self.app(first, lambda *response: started.append(response))
        if first.pop(LOST, False):
            return self.app(environ, start_response)
        environ.update(first)
        start_response(*started[-1])
        return body
