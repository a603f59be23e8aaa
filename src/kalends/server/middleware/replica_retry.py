"""Reads that a replica failed in the middle of are asked once more: somebody else will answer."""

from collections.abc import Callable, Iterable
from typing import Any

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

LOST = "kalends.lost"  # where the handler of errors says that a replica was lost


class ReplicaRetry:
    """An application whose reads survive the end of a replica."""

    def __init__(self, app: Application) -> None:
        self.app = app

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return self.app(environ, start_response)
        told: list[tuple[Any, ...]] = []
        # The framework leaves its own marks in what it is given.
        first = dict(environ)
        body = self.app(first, lambda *answer: told.append(answer))
        if first.pop(LOST, False):
            return self.app(environ, start_response)
        environ.update(first)
        start_response(*told[-1])
        return body
