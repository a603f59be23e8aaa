"""The files in which each worker leaves its figures for the others, in prometheus-client's multiprocess format.

A worker does not use its process id in their names but the first number that no living worker holds: the successor of
a dead worker counts on in its files, and there are never more files than workers at a time.
"""

import fcntl
import os
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

from prometheus_client import Metric
from prometheus_client.mmap_dict import MmapedDict, mmap_key
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead


class WorkerFiles:
    """The files of one worker, and a view of those of all. Not thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        lock, self._number = _claim(folder)
        _remove_gauges(folder, self._number)  # of the worker that had the number before
        self._files: dict[str, MmapedDict] = {}
        # Gives the number back, at the latest when the process ends.
        self.close = weakref.finalize(self, _close, lock, self._files)

    def add(self, kind: str, family: str, sample: str, meaning: str, labels: Mapping[str, str], value: float) -> None:
        """Adds to a sample of a counter or histogram."""
        file, key = self._file(kind), _key(family, sample, meaning, tuple(labels.items()))
        known, _ = file.read_value(key)  # type: ignore[no-untyped-call]
        if value:
            file.write_value(key, known + value, 0.0)  # type: ignore[no-untyped-call]

    def set(self, mode: str, family: str, meaning: str, labels: Mapping[str, str], value: float) -> None:
        """Sets a gauge. `mode` is how those of several workers become one: sum, min or max."""
        key = _key(family, family, meaning, tuple(labels.items()))
        self._file(f"gauge_live{mode}").write_value(key, value, 0.0)  # type: ignore[no-untyped-call]

    def merged(self) -> Iterable[Metric]:
        """The figures of all workers that are or were; gauges of the living ones only."""
        for number, _ in self._numbers(alive=False):
            _remove_gauges(self._folder, number)
        collector = MultiProcessCollector(None, str(self._folder))  # type: ignore[no-untyped-call]
        merged: Iterable[Metric] = collector.collect()  # type: ignore[no-untyped-call]
        return merged

    def living_processes(self) -> list[int]:
        return [pid for _, pid in self._numbers(alive=True)]

    def _numbers(self, *, alive: bool) -> Iterator[tuple[str, int]]:
        for path in sorted(self._folder.glob("*.lock")):
            with path.open() as file:  # closing it unlocks it
                is_free = _try_lock(file.fileno(), fcntl.LOCK_SH)
                pid = int(file.read() or 0)
                if pid and is_free is not alive:
                    yield path.stem, pid

    def _file(self, kind: str) -> MmapedDict:
        if kind not in self._files:
            self._files[kind] = _open(self._folder / f"{kind}_{self._number}.db")
        return self._files[kind]


@cache  # labels have few different values
def _key(family: str, sample: str, meaning: str, labels: tuple[tuple[str, str], ...]) -> str:
    return mmap_key(family, sample, [name for name, _ in labels], [value for _, value in labels], meaning)


def _claim(folder: Path) -> tuple[int, str]:
    """A locked file with the process id in it, and its number. The lock lasts as long as the process."""
    for number in count():
        lock = os.open(folder / f"{number}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        if _try_lock(lock, fcntl.LOCK_EX):
            os.ftruncate(lock, 0)
            os.write(lock, str(os.getpid()).encode())
            return lock, str(number)
        os.close(lock)
    raise AssertionError


def _open(path: Path) -> MmapedDict:
    if path.exists():
        return MmapedDict(str(path))  # type: ignore[no-untyped-call]
    # Renamed when its header is written: readers cannot parse an empty file.
    unfinished = path.with_suffix(".new")
    os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT, 0o600))
    file = MmapedDict(str(unfinished))  # type: ignore[no-untyped-call]
    unfinished.rename(path)
    return file


def _close(lock: int, files: Mapping[str, MmapedDict]) -> None:
    for file in files.values():
        file.close()  # type: ignore[no-untyped-call]
    os.close(lock)


def _remove_gauges(folder: Path, number: str) -> None:
    with suppress(FileNotFoundError):  # another worker does the same
        mark_process_dead(number, str(folder))  # type: ignore[no-untyped-call]


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
