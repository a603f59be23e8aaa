"""What decides who writes next: the last turn of each client, and who waits in other processes.

The processes of one SQLite file tell each other in a file beside it. Whatever it says, SQLite's own lock decides who
writes: a wrong entry costs the order and nothing else. So nothing is repaired after a kill: what a process says of
those who wait counts only as long as it says it again and again.
"""

import fcntl
import os
import struct
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

MOST_CLIENTS = 1000  # whose last turn is remembered
PROCESSES = 32  # of which some wait at the same time
# Seconds for which an entry counts: on a busy machine a thread may get the processor late.
ALIVE = 0.25
ENTRY = struct.Struct("4d")  # when it was written, the number of the client, and what else `Waiting` has
TIME = struct.Struct("d")
ENTRIES_SIZE = PROCESSES * ENTRY.size
SIZE = ENTRIES_SIZE + MOST_CLIENTS * TIME.size
NOTHING = bytes(ENTRIES_SIZE)


class Waiting(NamedTuple):
    """Those of one process who wait, by the monotonic clock, which all processes of a machine have in common."""

    last: float  # turn of the client of the first of them
    arrived: float  # when that one came
    since: float  # of those whose client has no turn now, the first; infinite where there are none


class Turns:
    """Those of one process, which nobody else knows of."""

    def __init__(self) -> None:
        self._last: dict[str, float] = {}

    def last(self, client: str) -> float:
        """When the last turn of a client ended; in the future while it has one."""
        return self._last.get(client, 0.0)

    def note(self, client: str, at: float) -> None:
        if len(self._last) >= MOST_CLIENTS:
            self._last = {}
        self._last[client] = at

    def say(self, client: str, arrived: float, since: float) -> None:
        """Tells other processes who waits in this one, as `Waiting` has it."""

    def withdraw(self) -> None:
        """Nobody waits in this one any more."""

    def others(self) -> Sequence[Waiting]:
        """Who waits in other processes."""
        return ()

    def close(self) -> None:
        """Of a file."""


class SharedTurns(Turns):
    """Those of all processes that have the file open. Clients are told apart by a hash: two of the same one share
    their turns."""

    def __init__(self, path: Path) -> None:
        """Raises OSError where the folder takes no file."""
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        self._mine: int | None = None  # the entry of this process, while somebody waits
        try:
            if os.fstat(self._file).st_size < SIZE:
                os.ftruncate(self._file, SIZE)
        except OSError:
            os.close(self._file)
            raise

    def last(self, client: str) -> float:
        return self._last_of(_number(client))

    def note(self, client: str, at: float) -> None:
        self._write(TIME.pack(at), _offset(_number(client)))

    def say(self, client: str, arrived: float, since: float) -> None:
        entry = ENTRY.pack(time.monotonic(), _number(client), arrived, since)
        if self._mine is not None:
            self._write(entry, self._mine * ENTRY.size)
            return
        with self._locked():
            free = (place for place, alive in enumerate(self._alive()) if alive is None)
            self._mine = next(free, 0)
            self._write(entry, self._mine * ENTRY.size)

    def withdraw(self) -> None:
        mine, self._mine = self._mine, None
        if mine is not None:
            self._write(bytes(ENTRY.size), mine * ENTRY.size)

    def others(self) -> Sequence[Waiting]:
        if self._read(ENTRIES_SIZE, 0) == NOTHING:  # as it mostly is
            return ()
        return [one for place, one in enumerate(self._alive()) if one is not None and place != self._mine]

    def close(self) -> None:
        self.withdraw()
        os.close(self._file)

    def _alive(self) -> Iterator[Waiting | None]:
        """By their places. None where an entry is free, or of a process that was killed."""
        entries, now = self._read(ENTRIES_SIZE, 0), time.monotonic()
        for said, number, arrived, since in ENTRY.iter_unpack(entries):
            is_alive = said > 0 and abs(now - said) < ALIVE
            yield Waiting(self._last_of(int(number)), arrived, since) if is_alive else None

    def _last_of(self, number: int) -> float:
        found: float = TIME.unpack(self._read(TIME.size, _offset(number)))[0]
        return found

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Two processes do not take one entry. A file system without locks leaves that to chance."""
        with suppress(OSError):
            fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            with suppress(OSError):
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def _read(self, size: int, offset: int) -> bytes:
        try:
            return os.pread(self._file, size, offset).ljust(size, b"\0")
        except OSError:
            return bytes(size)

    def _write(self, data: bytes, offset: int) -> None:
        with suppress(OSError):  # as when the disk is full
            os.pwrite(self._file, data, offset)


def open_turns(path: Path) -> Turns:
    """Where the folder takes no file, SQLite alone decides between processes."""
    try:
        return SharedTurns(path)
    except OSError:
        return Turns()


def _number(client: str) -> int:
    return zlib.crc32(client.encode()) % MOST_CLIENTS


def _offset(number: int) -> int:
    return ENTRIES_SIZE + number * TIME.size
