"""Sends what is long: a file that is whole before, in pieces, so that a client who does not read holds a thread and
some of them, not all of it.

The length is said first, so what breaks off never looks whole: the server closes the connection of a response that is
shorter. It asks for a piece when the client has taken most of those before, and only then the time is looked at: who
takes nothing at all keeps the place until the connection ends. One client has few such places, and all together leave
threads for others (`calendar/admission.py`); a proxy in front takes them at once (docs/operating.md).
"""

import os
import tempfile
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO
from weakref import WeakValueDictionary

import falcon

from kalends.calendar.admission import STREAM, WORKER
from kalends.store.files.media_files import MediaUnavailable, OpenFile, refused

PIECE = 64 * 1024
# How long it may take to send: so much, and a second more for each so many bytes that were taken.
SECONDS, BYTES_A_SECOND = 60.0, 8 * 1024
CAPACITY = 128 * 1024 * 1024  # bytes of feeds that are kept on disk, for each worker
MOST_KEPT = 32  # feeds, each of which is an open file

Pieces = Callable[[], Iterator[bytes]]


def nothing() -> None:
    pass


def send(req: falcon.Request, resp: falcon.Response, file: OpenFile, when_sent: Callable[[], None] = nothing) -> None:
    """Makes a file the body of the response, which closes it; 503 if there is no place for long. `when_sent`: called
    once the last piece was taken."""
    try:
        if req.method != "HEAD":
            resp.stream = LongResponse(file, WORKER.hold(STREAM), when_sent)
        resp.content_length = file.size
    finally:
        if resp.stream is None:
            file.close()


class LongResponse:
    """The pieces of a file. To read them is no work for which others should wait."""

    def __init__(self, file: OpenFile, give_back: Callable[[], None], when_sent: Callable[[], None]) -> None:
        self._file = file
        self._give_back = give_back
        self._when_sent = when_sent
        self._drop = weakref.finalize(self, _drop, file, give_back)  # the server closes it, unless something fails

    def __iter__(self) -> Iterator[bytes]:
        began, sent = time.monotonic(), 0
        while sent < self._file.size:
            if time.monotonic() - began > SECONDS + sent / BYTES_A_SECOND:
                return
            piece = self._file.read(min(PIECE, self._file.size - sent))
            if not piece:
                raise MediaUnavailable("a file has become shorter while it was sent")
            sent += len(piece)
            yield piece
        self._when_sent()

    def close(self) -> None:
        if self._drop.detach() is not None:
            self._file.close()
            self._give_back()


def _drop(file: OpenFile, give_back: Callable[[], None]) -> None:
    file.close()
    WORKER.dropped.append(give_back)


class WrittenFile:
    """A file without a name that any number of readers may have."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lock = threading.Lock()
        self.size = file.seek(0, os.SEEK_END)
        weakref.finalize(self, file.close)

    def pieces(self) -> Iterator[bytes]:
        file = self.open()
        return iter(lambda: file.read(PIECE), b"")

    def open(self) -> OpenFile:
        position = 0

        def read(size: int) -> bytes:
            nonlocal position
            with self._lock:
                self._file.seek(position)
                piece = self._file.read(size)
            position += len(piece)
            return piece

        return OpenFile(self.size, read, nothing)


def written(pieces: Iterable[bytes]) -> WrittenFile:
    """These pieces, on disk unless they are few. Others pass while they are made."""
    file = tempfile.SpooledTemporaryFile(PIECE)  # noqa: SIM115
    try:
        for piece in pieces:
            file.write(piece)
            WORKER.pause()
    except BaseException as error:
        file.close()
        if not isinstance(error, OSError):
            raise
        raise refused("responses", Path(tempfile.gettempdir()), error) from error
    return WrittenFile(file)


class FeedCache:
    """Public feeds by their ETags: who asks for one that another writes or reads shares it, and a long one is kept
    for the next, within bounds; those that were not used lately go first. The ETag says the public revision of the
    calendar, the address, and the code and settings that write it, so nothing has to be invalidated."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, WrittenFile] = OrderedDict()
        self._read: WeakValueDictionary[str, WrittenFile] = WeakValueDictionary()  # those that somebody has
        self._writing: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def open(self, mark: str, pieces: Pieces) -> OpenFile:
        """The feed with this ETag."""
        with self._lock:
            writing = self._writing.setdefault(mark, threading.Lock())
        if not writing.acquire(blocking=False):
            with WORKER.released(is_continuation=True):  # the other one needs the slot
                writing.acquire()
        try:
            feed = self._read.get(mark) or written(pieces())
            self._keep(mark, feed)
        finally:
            writing.release()
        return feed.open()

    def _keep(self, mark: str, feed: WrittenFile) -> None:
        with self._lock:
            self._read[mark] = feed
            if not PIECE < feed.size <= self._capacity:
                return
            self._kept[mark] = feed
            self._kept.move_to_end(mark)
            while len(self._kept) > MOST_KEPT or sum(one.size for one in self._kept.values()) > self._capacity:
                self._kept.popitem(last=False)


def gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces that are worth a write each."""
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
