"""The order of those who write into a SQLite file: threads of this process as they came, and processes in turn.

SQLite's lock of the file is free for whoever asks first. A process of which several threads write would take it again
at once, and another process, which asks now and then, would wait for seconds. So whoever is next holds the gate, a
lock of a file beside the database, from the moment that it asks until it has the lock of the database: nobody comes
in between.
"""

import fcntl
import threading
import time
from collections import deque
from pathlib import Path
from typing import IO

PAUSE = 0.0005  # seconds between two attempts to get a lock of a file


class WritersOrder:
    """Those of one file. One thread of a process has the turn at a time."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}-order")
        self._gate: IO[bytes] | None = None
        self._lock = threading.Lock()  # of what follows
        self._is_taken = False
        self._waiting: deque[threading.Lock] = deque()  # each is released when its turn has come

    def take(self, patience: float) -> bool:
        """Whether the turn of this process came in so many seconds."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return True
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        if mine.acquire(timeout=min(threading.TIMEOUT_MAX, max(0.0, patience))):
            return True
        with self._lock:
            if mine not in self._waiting:  # it came just now
                return True
            self._waiting.remove(mine)
            return False

    def pass_on(self) -> None:
        """Ends a turn."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False

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
