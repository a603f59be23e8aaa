"""What the workers of one service count: each writes a file of its own, and any of them can read all."""

import fcntl
import mmap
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TypeAlias

Cells: TypeAlias = "memoryview[float]"  # numbers that can be added to in place

SIZE = 1024 * 1024  # of which only what is written takes room
HEAD = struct.Struct("=II")  # the bytes of a row's name and the number of its cells; 0 0 is the end
CELL = 8
PASSING = "now"  # how the names of rows begin that say what is now, and not how much has been


class CountersFull(Exception):
    """There is no room for another row."""


class Counters:
    """Rows of numbers, each with a name. Adding to a row is a write to memory and nothing else."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory
        self._rows: dict[str, Cells] = {}
        self._end = 0
        self._lock = threading.Lock()
        for name, cells, self._end in _rows(memory):
            self._rows[name] = cells
            if name.startswith(PASSING):  # what a worker before us was doing has ended
                cells[:] = memoryview(bytes(cells.nbytes)).cast("d")

    def row(self, name: str, width: int) -> Cells:
        """The row of this name, made if it is not there."""
        with self._lock:
            cells = self._rows.get(name)
            if cells is None:
                cells = self._rows[name] = self._append(name, width)
            return cells

    def read(self) -> dict[str, list[float]]:
        return {name: list(cells) for name, cells, _ in _rows(self._memory)}

    def _append(self, name: str, width: int) -> Cells:
        written = name.encode()
        written += b" " * (-len(written) % CELL)
        start = self._end + HEAD.size
        end = start + len(written) + width * CELL
        if end + HEAD.size > len(self._memory):
            raise CountersFull
        self._memory[start : start + len(written)] = written
        # The head comes last: a reader sees the whole row or none.
        HEAD.pack_into(self._memory, self._end, len(written), width)
        self._end = end
        return memoryview(self._memory)[start + len(written) : end].cast("d")


class SharedCounters:
    """The ledgers of all workers. Without a folder this process is all there is."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.own = Counters(mmap.mmap(-1, SIZE)) if folder is None else Counters(_claim(folder))

    def read(self) -> Iterator[tuple[bool, dict[str, list[float]]]]:
        """Of every worker there ever was: whether it lives, and its rows."""
        if self._folder is None:
            yield True, self.own.read()
            return
        for path in sorted(self._folder.iterdir()):
            with path.open("rb") as file:
                lives = not _lock(file.fileno(), fcntl.LOCK_SH)
                yield lives, {name: list(cells) for name, cells, _ in _rows(file.read())}


def _claim(folder: Path) -> mmap.mmap:
    """The first file that nobody holds, for as long as this process lives: a worker that takes the place of a
    dead one counts on from where that one stopped, and there are never more files than workers at a time."""
    for number in count():
        descriptor = os.open(folder / str(number), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if _lock(descriptor, fcntl.LOCK_EX):
                os.ftruncate(descriptor, SIZE)
                return mmap.mmap(descriptor, SIZE)  # which keeps the file open, and so the lock
        finally:
            os.close(descriptor)
    raise AssertionError


def _lock(descriptor: int, kind: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        return True
    return False


def _rows(memory: mmap.mmap | bytes) -> Iterator[tuple[str, Cells, int]]:
    """Each row: its name, its cells, and where it ends."""
    end, whole = 0, memoryview(memory)
    while end + HEAD.size <= len(whole):
        length, width = HEAD.unpack_from(whole, end)
        if not length:
            return
        start = end + HEAD.size + length
        end = start + width * CELL
        yield bytes(whole[start - length : start]).decode().rstrip(), whole[start:end].cast("d"), end
