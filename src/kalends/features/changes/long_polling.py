"""Waits for the first change that a caller can read, without a turn, a transaction or a connection.

All who wait in a process share one look at the store, some times a second; it also publishes what falls due.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from kalends.calendar.admission import WAIT, WORKER
from kalends.calendar.revisions import Revision, Revisions
from kalends.contract.errors import ApiError
from kalends.store.engine.store import StoreUnavailable

STEP = 0.05  # seconds between two looks


class Watch:
    """The newest revision, as those who wait see it."""

    def __init__(self, revisions: Revisions) -> None:
        self._revisions = revisions
        self._lock = threading.Lock()
        self._seen: tuple[float, Revision] | None = None

    def wait(self, before: Revision, seconds: float, is_new: Callable[[Revision, Revision], bool]) -> Revision | None:
        """The first revision after one that is new for somebody; None when the time is over. Raises
        StoreUnavailable."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(STEP, left))
            revision = self._look()
            if is_new(before, revision):
                return revision
        return None

    def _look(self) -> Revision:
        with self._lock:
            now = time.monotonic()
            if self._seen is None or now - self._seen[0] >= STEP:
                self._seen = now, self._revisions.current()
            return self._seen[1]


def is_new_to_all(before: Revision, after: Revision) -> bool:
    """For who reads what everybody reads."""
    return before.state != after.state


def is_new_to_some(before: Revision, after: Revision) -> bool:
    """For callers that can read more: whether it is for them, only a page of changes tells."""
    return (before.token, before.state) != (after.token, after.state)


def aside(wait: Callable[[], Revision | None]) -> Revision | None:
    """Waits without a turn, if a place is free; else there is nothing new."""
    with suppress(ApiError, StoreUnavailable), WORKER.aside(WAIT):
        return wait()
    return None
