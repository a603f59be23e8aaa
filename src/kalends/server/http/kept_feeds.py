"""Public feeds in files: one that was sent whole is not rendered again while its ETag stays the same.

The ETag of a feed says the public revision of the calendar, the address, and the code and settings that write it. So
nothing has to be invalidated: after a change it is another feed, and those of before are the first to go.
"""

import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile

PIECE = 64 * 1024
CAPACITY = 128 * 1024 * 1024  # bytes on disk for each worker


class FeedFile:
    """A feed in a file without a name, which is closed when nobody reads it any more."""

    def __init__(self) -> None:
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self.size = 0

    def write(self, piece: bytes) -> None:
        written = self._file.write(piece)
        self.size += written
        if written != len(piece):
            raise OSError("the disk is full")

    def __iter__(self) -> Iterator[bytes]:
        """Any number of readers at once: each has its own place in the file."""
        for start in range(0, self.size, PIECE):
            yield os.pread(self._file.fileno(), min(PIECE, self.size - start), start)


class KeptFeeds:
    """Feeds by their ETags, bounded in bytes. Those that were not used lately go first."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._files: OrderedDict[str, FeedFile] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, mark: str) -> FeedFile | None:
        """A feed that is kept."""
        with self._lock:
            if mark in self._files:
                self._files.move_to_end(mark)
            return self._files.get(mark)

    def keeping(self, mark: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces of a feed, which is kept when its client has taken all of them. A disk that refuses it costs
        only that."""
        file: FeedFile | None = None
        is_kept = True
        for piece in pieces:
            try:
                if is_kept:
                    file = file or FeedFile()
                    file.write(piece)
                    is_kept = file.size <= self._capacity
            except OSError:
                is_kept = False
            yield piece
        if is_kept and file is not None:
            self._put(mark, file)

    def _put(self, mark: str, file: FeedFile) -> None:
        with self._lock:
            self._files[mark] = file
            self._files.move_to_end(mark)
            while sum(kept.size for kept in self._files.values()) > self._capacity:
                self._files.popitem(last=False)


def gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces that are worth a turn and a write each."""
    some: list[bytes] = []
    size = 0
    for piece in pieces:
        some.append(piece)
        size += len(piece)
        if size >= PIECE:
            yield b"".join(some)
            some, size = [], 0
    if some:
        yield b"".join(some)
