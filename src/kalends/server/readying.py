"""Makes ready, beside the requests, what is not: everything after an update of the program or other settings, and
what somebody left who is gone."""

import threading
import time

from kalends.calendar.readiness import make_all_ready, were_all_ready
from kalends.calendar.service import Calendar
from kalends.server.logs import log
from kalends.store.database import StoreUnavailable

REST = 300.0  # seconds between two looks through the whole calendar
SHORTEST_PAUSE = 0.02


class Readying(threading.Thread):
    """Works in small steps and pauses as long as each took, so that nobody has to wait for it."""

    def __init__(self, calendar: Calendar, rest: float = REST) -> None:
        super().__init__(name="readying", daemon=True)
        self.calendar = calendar
        self.rest = rest

    def run(self) -> None:
        # Only once: two versions that serve one store side by side would undo each other's work for ever.
        outdated = True
        while True:
            try:
                if self.has_work():
                    self.look(outdated=outdated)
                    outdated = False
            except StoreUnavailable as error:
                log.warning("nothing can be made ready now: %s", error)
            time.sleep(self.rest)
            self.calendar.met_unready.wait()

    def has_work(self) -> bool:
        """Not every worker that starts has to look: one before it may have seen that everything is ready."""
        calendar = self.calendar
        return calendar.met_unready.is_set() or not were_all_ready(calendar.store, calendar.settings)

    def look(self, *, outdated: bool) -> int:
        """One look through the calendar; how many records were made ready."""
        self.calendar.met_unready.clear()
        count, begun = 0, time.monotonic()
        for made in make_all_ready(self.calendar.store, self.calendar.settings, outdated=outdated):
            count += made
            time.sleep(max(SHORTEST_PAUSE, time.monotonic() - begun))
            begun = time.monotonic()
        if count:
            log.info("%d records were made ready", count)
        return count
