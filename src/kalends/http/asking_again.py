"""Requests that wait until something is new: the handler reads, and says what to wait for before it is asked again.
Meanwhile nothing is held but the connection."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from kalends.calendar.admission import WAIT, WORKER
from kalends.calendar.revisions import Revision, Revisions
from kalends.http.request_context import AGAIN, Application, Environ, StartResponse
from kalends.store.engine.store import StoreUnavailable

STEP = 0.05  # seconds between two looks at the store, which all who wait share


@dataclass(frozen=True, slots=True)
class Again:
    seen: Revision  # at which there was nothing
    is_new: Callable[[Revision, Revision], bool]  # whether another one may have something
    seconds: float  # to wait at most, since the request came


def respond(
    app: Application, revisions: Revisions, environ: Environ, start_response: StartResponse
) -> Iterable[bytes]:
    """The same in the thread that called."""
    until: float | None = None
    while True:
        asked, started = dict(environ), list[tuple[Any, ...]]()
        body = app(asked, lambda *head, started=started: started.append(head))
        again: Again | None = asked.pop(AGAIN, None)
        if again is None or not WORKER.enter_beside(WAIT, str(environ.get("REMOTE_ADDR"))):
            break
        until = until or time.monotonic() + again.seconds
        try:
            if not _wait(again, revisions, until):
                break
        finally:
            WORKER.give_back(WAIT, str(environ.get("REMOTE_ADDR")), 0.0)
    environ.update(asked)
    start_response(*started[-1])
    return body


def _wait(again: Again, revisions: Revisions, until: float) -> bool:
    """Whether there may be something new."""
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(STEP, left))
        try:
            if again.is_new(again.seen, revisions.current()):
                return True
        except StoreUnavailable:
            return False
    return False
