"""The revision that a response belongs to, as the loop learns it: one that includes everything that was committed
before it asked, on any node."""

import logging
from asyncio import AbstractEventLoop
from collections.abc import Callable

from kalends.calendar.revisions import Revision, Revisions
from kalends.http.front.threads import CHECKS
from kalends.store.engine.store import StoreUnavailable

log = logging.getLogger("kalends")

Waiting = Callable[[Revision | None], None]


class Freshness:
    """On SQLite a look at shared memory says that nothing has changed, and is taken for each request. What takes
    longer is one check for all who wait, in a thread: nobody gets the result of one that began before it asked."""

    def __init__(self, revisions: Revisions, loop: AbstractEventLoop) -> None:
        self.glance = revisions.glance
        self._revisions = revisions
        self._loop = loop
        self._waiting: list[Waiting] = []
        self._is_running = self._has_failed = False

    def ask(self, waiting: Waiting) -> None:
        """Calls it with the revision; with None if the store cannot be asked."""
        if self._is_running and self._has_failed:
            waiting(None)  # nobody waits for the same failure again
            return
        self._waiting.append(waiting)
        if not self._is_running:
            self._plan()

    def _plan(self) -> None:
        """One check is for all whose requests the loop is reading now, and not for the first of them alone."""
        self._is_running = True
        self._loop.call_soon(self._start)

    def _start(self) -> None:
        asked, self._waiting = self._waiting, []

        def check() -> None:
            try:
                found: Revision | None = self._revisions.current()
            except StoreUnavailable:
                found = None
            self._loop.call_soon_threadsafe(self._tell, asked, found)

        CHECKS.put(check)

    def _tell(self, asked: list[Waiting], found: Revision | None) -> None:
        self._is_running, self._has_failed = False, found is None
        if self._waiting:
            self._plan()
        for waiting in asked:
            try:
                waiting(found)
            except Exception:  # of one request, and the others wait too
                log.exception("a request failed")
