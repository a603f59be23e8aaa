"""When tokens and sessions were last used, to ten minutes. The requests that use them only collect it; a background
worker writes it, so that no read writes."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from kalends.store.engine.store import Session, Store
from kalends.store.rows import sessions, users
from kalends.values import dates

GRAIN = timedelta(minutes=10)
MOST_COLLECTED = 10_000  # what does not fit is collected by the next request

Note = Callable[[Session, int, str], None]


class CredentialUses:
    """The uses that are not in the store yet."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._collected: dict[tuple[Note, int], str] = {}
        self._lock = threading.Lock()

    def note_token(self, id: int, last: str | None, now: datetime) -> None:
        """`last`: what the store has."""
        self._note((users.note_use, id), last, now)

    def note_session(self, id: int, last: str, now: datetime) -> None:
        self._note((sessions.note_use, id), last, now)

    def write(self, patience: float) -> None:
        """Raises StoreUnavailable when another writer takes longer; then they are written by the next call."""
        if not self._collected:
            return
        with self._lock:
            taken, self._collected = self._collected, {}
        try:
            with self._store.write(patience=patience) as session:
                for (note, id), at in taken.items():
                    note(session, id, at)
        except BaseException:
            with self._lock:
                self._collected = taken | self._collected
            raise

    def _note(self, key: tuple[Note, int], last: str | None, now: datetime) -> None:
        if last is not None and last > dates.text(now - GRAIN):
            return
        with self._lock:
            if key in self._collected or len(self._collected) < MOST_COLLECTED:
                self._collected[key] = dates.text(now)
