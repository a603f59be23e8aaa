"""Public feeds in files: readers of one feed share its rendering, and a long one is not rendered again while its ETag
stays the same.

The ETag of a feed says the public revision of the calendar, the address, and the code and settings that write it. So
nothing has to be invalidated: after a change it is another feed, and those of before are the first to go.
"""

import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from tempfile import TemporaryFile
from typing import IO

from kalends.calendar.admission import WORKER

PIECE = 64 * 1024
CAPACITY = 128 * 1024 * 1024  # bytes on disk for each worker
MOST_KEPT = 32  # each of them is an open file

Pieces = Callable[[], Iterator[bytes]]


class SharedFeed:
    """A feed and any number of readers. Whoever comes first to a piece renders it into a file without a name, from
    which the others read it; so a slow one keeps nobody waiting. The first piece stays in memory: most feeds have no
    other. What nobody reads to its end is forgotten with its last reader: it holds the events that come next."""

    def __init__(self, pieces: Pieces, capacity: int = CAPACITY) -> None:
        self._make = pieces
        self._capacity = capacity
        self._lock = threading.Lock()  # of who renders
        self._counting = threading.RLock()  # readers may also end while garbage is collected
        self._readers = 0
        self._is_abandoned = False  # by all who began to read it
        self._begin()

    def _begin(self) -> None:
        self._pieces: Iterator[bytes] | None = None
        self._first = b""
        self._file: IO[bytes] | None = None
        self._rendered = 0  # bytes
        self._is_lost = False  # some of them, refused by the disk
        self._error: BaseException | None = None
        self.size = 0  # bytes that can be read
        self.is_whole = False

    @property
    def is_worth_keeping(self) -> bool:
        """Whether it goes on, or would take long to render again."""
        is_short, is_too_long = self.is_whole and self.size <= PIECE, self.size > self._capacity
        return not (self._is_abandoned or self._is_lost or self._error or is_short or is_too_long)

    def __iter__(self) -> Iterator[bytes]:
        with self._counting:
            self._readers += 1
        try:
            position = 0
            while piece := self._read(position) or self._next(position):
                yield piece
                position += len(piece)
        finally:
            with self._counting:
                self._readers -= 1
                if not self._readers and not self.is_whole:
                    self._is_abandoned = True
                    if self._file is not None:
                        self._file.close()
                    self._begin()

    def _read(self, position: int) -> bytes:
        """What is there after this position."""
        size, start = self.size, position - len(self._first)
        if position >= size:
            return b""
        if start < 0 or self._file is None:
            return self._first[position:]
        return os.pread(self._file.fileno(), min(PIECE, size - position), start)

    def _next(self, position: int) -> bytes:
        """The piece at the end of what is there; empty at the end of the feed."""
        while not self._lock.acquire(blocking=False):
            with (
                WORKER.released(is_continuation=True),
                self._lock,
            ):  # nobody waits for a turn while another waits for this
                pass
        try:
            return self._read(position) or self._render(position)
        finally:
            self._lock.release()

    def _render(self, position: int) -> bytes:
        if self._error is not None:
            raise self._error
        if position < self._rendered:
            raise OSError("the disk has refused what another reader rendered")
        if self.is_whole:
            return b""
        try:
            self._pieces = self._pieces or self._make()
            piece = next(self._pieces, b"")
        except BaseException as error:
            self._error = error
            raise
        self._rendered += len(piece)
        if not piece:
            self.is_whole, self._pieces = True, None
        elif not self._is_lost:
            self._write(piece)
        return piece

    def _write(self, piece: bytes) -> None:
        """A disk that refuses it costs only that. Of what is too long to be kept, one reader needs no file."""
        if self.size > self._capacity and self._readers == 1:
            self._is_lost = True
            return
        try:
            if not self._first:
                self._first = piece
            elif self._file is None:
                self._file = TemporaryFile(buffering=0)  # noqa: SIM115
                weakref.finalize(self, self._file.close)
            if self._file is None or self._file.write(piece) == len(piece):
                self.size += len(piece)
            else:
                self._is_lost = True
        except OSError:
            self._is_lost = True


class FeedCache:
    """Feeds by their ETags, bounded in number and bytes. Those that were not used lately go first."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._feeds: OrderedDict[str, SharedFeed] = OrderedDict()
        self._lock = threading.Lock()

    def stream(self, mark: str, pieces: Pieces) -> Iterator[bytes]:
        """The pieces of the feed with this ETag. A response that is never sent, as to HEAD, opens none."""
        yield from self.open(mark, pieces)

    def open(self, mark: str, pieces: Pieces) -> SharedFeed:
        """A feed that others may have rendered in part or whole."""
        with self._lock:
            for known in [mark for mark, feed in self._feeds.items() if not feed.is_worth_keeping]:
                del self._feeds[known]
            feed = self._feeds.setdefault(mark, SharedFeed(pieces, self._capacity))
            self._feeds.move_to_end(mark)
            while len(self._feeds) > MOST_KEPT or (len(self._feeds) > 1 and self._size() > self._capacity):
                self._feeds.popitem(last=False)
        return feed

    def _size(self) -> int:
        return sum(feed.size for feed in self._feeds.values())


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
