"""What the actors saw: counts of answers, and everything that must not happen."""

import threading
from collections import Counter
from dataclasses import dataclass, field

MOST_TOLD = 30


@dataclass
class Results:
    """Shared by all actors of a run."""

    statuses: Counter[str] = field(default_factory=Counter)
    chaos: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    disk_is_full: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, actor: str, status: int, told: str = "") -> None:
        """An answer. 503 is allowed at any time, and 507 for an upload that did not fit."""
        with self._lock:
            self.statuses[f"{actor} {status}"] += 1
            if status >= 500 and status != 503 and not (status == 507 and actor == "uploads"):
                self._fail(f"{actor}: {status} {told[:500]}")

    def note_broken(self, actor: str) -> None:
        """A connection that ended without an answer."""
        with self._lock:
            self.statuses[f"{actor} broken"] += 1

    def fail(self, told: str) -> None:
        with self._lock:
            self._fail(told)

    def _fail(self, told: str) -> None:
        if len(self.failures) < MOST_TOLD:
            self.failures.append(told)
