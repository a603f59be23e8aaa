"""The order in which the threads of a process write: the client who wrote longest ago is next, and of its threads
the one that came first.

So one who sends much keeps others waiting for the transaction that is under way and not for all of its own. Between
processes the lock of the store decides.
"""

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

MOST_CLIENTS = 1000  # whose last write is remembered

Whose = Callable[[], str]  # the client for whom this thread works


def nobody() -> str:
    """Of a process with one client, as a command is."""
    return ""


class Waiter(NamedTuple):
    client: str
    arrived: float  # by the monotonic clock
    admitted: threading.Lock  # released when it may write


class WritersOrder:
    """The threads of a process that want to write, of which so many may at a time."""

    def __init__(self, whose: Whose = nobody, at_once: int = 1) -> None:
        self._whose = whose
        self._lock = threading.Lock()  # of what follows
        self._free = at_once
        self._waiters: list[Waiter] = []
        self._wrote: dict[str, float] = {}  # when a client last did

    def acquire(self, patience: float) -> bool:
        """Whether this thread may write within so many seconds; if so, `release` has to follow."""
        waiter = Waiter(self._whose(), time.monotonic(), threading.Lock())
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            waiter.admitted.acquire()
            self._waiters.append(waiter)
        if waiter.admitted.acquire(timeout=min(threading.TIMEOUT_MAX, max(0.0, patience))):
            return True
        with self._lock:
            if waiter not in self._waiters:  # it was admitted just now
                return True
            self._waiters.remove(waiter)
            return False

    def is_another_first(self) -> bool:
        """Whether a client waits who wrote longer ago than that of this thread."""
        with self._lock:
            mine = self._wrote.get(self._whose(), 0.0)
            return any(self._wrote.get(waiter.client, 0.0) < mine for waiter in self._waiters)

    def release(self, *, has_written: bool = True) -> None:
        """Admits the next one."""
        with self._lock:
            if len(self._wrote) >= MOST_CLIENTS:
                self._wrote.clear()
            if has_written:
                self._wrote[self._whose()] = time.monotonic()
            if not self._waiters:
                self._free += 1
                return
            first = min(self._waiters, key=lambda one: (self._wrote.get(one.client, 0.0), one.arrived))
            self._waiters.remove(first)
            first.admitted.release()
