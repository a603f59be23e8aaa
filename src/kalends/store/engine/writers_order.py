"""The order of those who write: clients of this process in turn, and processes too.

A client who has just written comes after those who asked meanwhile, so one who sends much keeps others waiting for a
transaction of each process and not for all of its own; on PostgreSQL for two, as many as are at the server at once.

SQLite's lock of the file is free for whoever asks first. A process of which several threads write would take it again
at once, and another process, which asks now and then, would wait for seconds. So whoever is next holds the gate, a
lock of a file beside the database, from the moment that it asks until it has the lock of the database: nobody comes
in between.
"""

import fcntl
import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

PAUSE = 0.0005  # seconds between two attempts to get a lock of a file
MOST_CLIENTS = 1000  # whose last turn is remembered


Whose = Callable[[], str]  # the client for whom this thread works


def nobody() -> str:
    """Of a process with one client, as a command is."""
    return ""


class Waiter(NamedTuple):
    client: str
    arrived: int
    turn: threading.Lock  # released when it has come


class ClientsOrder:
    """The threads of a process that want to write. So many have the turn at a time."""

    def __init__(self, whose: Whose = nobody, at_once: int = 1) -> None:
        self._whose = whose
        self._lock = threading.Lock()  # of what follows
        self._free = at_once
        self._waiting: list[Waiter] = []
        self._count = itertools.count(1)  # of arrivals and ends
        self._ended: dict[str, int] = {}  # the last turn of a client
        self._mine = threading.local()  # for whom this thread has the turn

    def take(self, patience: float) -> bool:
        """Whether a turn came in so many seconds."""
        client = self._mine.client = self._whose()
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            mine = Waiter(client, next(self._count), threading.Lock())
            mine.turn.acquire()
            self._waiting.append(mine)
        if mine.turn.acquire(timeout=min(threading.TIMEOUT_MAX, max(0.0, patience))):
            return True
        with self._lock:
            if mine not in self._waiting:  # it came just now
                return True
            self._waiting.remove(mine)
            return False

    def pass_on(self) -> None:
        """Ends the turn of this thread."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            if len(self._ended) >= MOST_CLIENTS:
                self._ended = {}
            self._ended[self._mine.client] = next(self._count)
            chosen = min(self._waiting, key=lambda one: max(one.arrived, self._ended.get(one.client, 0)))
            self._waiting.remove(chosen)
            chosen.turn.release()


class WritersOrder(ClientsOrder):
    """Those of one SQLite file. One thread of a process has the turn at a time."""

    def __init__(self, database: Path, whose: Whose = nobody) -> None:
        super().__init__(whose)
        self._path = database.with_name(f"{database.name}-order")
        self._gate: IO[bytes] | None = None

    def come_first(self, deadline: float) -> None:
        """No other process asks for the lock of the database until `let_others_come`; after the deadline there is no
        order."""
        gate = self._open_gate()
        while gate is not None:
            try:
                fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                if time.monotonic() > deadline:
                    return
            time.sleep(PAUSE)

    def let_others_come(self) -> None:
        if self._gate is not None:
            fcntl.flock(self._gate, fcntl.LOCK_UN)

    def close(self) -> None:
        if self._gate is not None:
            self._gate.close()
            self._gate = None

    def _open_gate(self) -> IO[bytes] | None:
        """None where the folder takes no file: there SQLite alone decides."""
        if self._gate is None:
            try:
                self._gate = self._path.open("ab")
            except OSError:
                return None
        return self._gate
