"""Which revision of the calendar is current: the store and the clock are followed, and what is due gets published.

A read never writes and never waits for a writer. Posts that are due are published by a thread of their own. The read
that notices them waits for its first try, so that they are public at their second; while somebody else writes or the
store cannot be written, reads go on with what was public before.
"""

import logging
import threading
import time
from collections.abc import Callable, Hashable
from datetime import datetime
from typing import NamedTuple

from kalends.store.engine.store import Store, StoreUnavailable
from kalends.store.rows import journal, posts
from kalends.values import dates

LONGEST_WAIT = 1.0  # seconds that a read gives to a publication that nobody blocks, which takes some milliseconds
PATIENCE = 10.0  # seconds that the publisher waits for other writers at a time
SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # between two tries

log = logging.getLogger("kalends")


class Revision(NamedTuple):
    """The calendar as it is at one moment, after one change."""

    now: datetime
    moment: str  # `now` as text
    token: Hashable  # of the store: what a read must have
    public: int  # the last change that an anonymous reader could notice
    changed: str | None  # when that was
    due: str | None  # when the next post becomes public


class Revisions:
    """Follows the store and the clock. `publish` publishes what is due at a time."""

    def __init__(
        self, store: Store, clock: Callable[[], datetime], publish: Callable[[datetime, float], object]
    ) -> None:
        self._store = store
        self._clock = clock
        self._publisher = Publisher(lambda patience: publish(clock(), patience))
        self._known = Revision(datetime.min, "", None, -1, None, None)

    def current(self) -> Revision:
        """Has everything that was committed before this call, anywhere, and what is due by the clock."""
        found = self._follow()
        if found.due is not None and found.due <= found.moment and self._publisher.run():
            found = self._follow()
        return found

    def _follow(self) -> Revision:
        now, known, token = self._clock(), self._known, self._store.changes()
        if token != known.token:
            with self._store.read(since=token) as session:
                rev, public, changed = journal.last_changes(session)
                due = posts.next_due(session)
            token = self._store.changes_with(token, rev)
            known = self._known = Revision(now, dates.text(now), token, public, changed, due)
        elif now != known.now:
            known = self._known = known._replace(now=now, moment=dates.text(now))
        return known


class Publisher:
    """Publishes in a thread of its own, as often as it takes, and only once at a time."""

    def __init__(self, publish: Callable[[float], object]) -> None:
        self._publish = publish
        self._lock = threading.Lock()
        self._first_try: threading.Event | None = None  # of the publication that is under way
        self._is_blocked = False

    def run(self) -> bool:
        """Begins unless it is under way, and waits for the first try. False when somebody else is writing or nothing
        can be written: then nobody waits, and it goes on in the background."""
        with self._lock:
            if self._first_try is None:
                self._first_try, self._is_blocked = threading.Event(), False
                threading.Thread(target=self._work, args=[self._first_try], name="publisher", daemon=True).start()
            first_try = self._first_try
        return first_try.wait(LONGEST_WAIT) and not self._is_blocked

    def _work(self, first_try: threading.Event) -> None:
        patience, pause = 0.0, SHORTEST_PAUSE
        while True:
            try:
                self._publish(patience)
                break
            except StoreUnavailable as error:
                if patience:
                    log.warning("what is due cannot be published now: %s", error)
            except Exception:
                log.exception("publishing what is due failed")
            self._is_blocked = True
            first_try.set()
            time.sleep(pause)
            patience, pause = PATIENCE, min(LONGEST_PAUSE, 2 * pause)
        with self._lock:
            self._first_try = None
        first_try.set()
