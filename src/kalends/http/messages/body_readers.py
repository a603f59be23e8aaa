"""Receives bodies with a deadline and a least rate, so many at once, so that slow clients leave threads for others.

The server's `read` blocks until the client sends, and cannot be interrupted. So a thread of its own calls it, while
the thread of the request waits no longer than it should and answers 408. The server hangs if a request ends while
another thread reads its body, so this response closes its own connection (`http/connections.py`) before it ends.

A body in chunks tells no length, and piece by piece one that breaks off or is malformed looks as if it were whole.
Asked for all of it, the server gives nothing then. It does not say meanwhile how much came, so memory is watched
(`http/chunk_places.py`).
"""

import errno
import io
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from tempfile import SpooledTemporaryFile
from typing import IO, Protocol, cast

from kalends.calendar.admission import RETRY_AFTER, UPLOAD, WORKER
from kalends.contract.errors import BODY_TOO_SLOW, STORAGE_FULL, TOO_LARGE, UNAVAILABLE, ApiError
from kalends.http.messages import client_connections
from kalends.http.messages.chunk_slots import ChunkSlots
from kalends.http.messages.client_connections import Ends

DEADLINE = 30.0  # seconds for a whole body
LEAST_RATE = 1024  # bytes a second, on average
UNHURRIED = 10.0  # seconds in which the rate does not count
YOUNG = 1.0  # seconds in which a body is not given up for another
MOST_READERS = UPLOAD.slots + 8  # with those that are given up and not closed yet
MOST_READERS_OF_ONE = MOST_READERS - 4  # so that those of one client leave some for others
CHECK_SECONDS = 0.25
QUICK_SECONDS = 0.1  # a piece that takes longer was too large
LARGEST_PIECE = 256 * 1024
GROWTH = 16  # of pieces: most bodies come in three
LARGEST_IN_MEMORY = 1024 * 1024  # what is larger is on disk until it is read
CHUNKS_CHECK_SECONDS = 0.02  # more often, since memory may fill quickly


class Stream(Protocol):
    """What the server gives: `read` returns less than was asked for at the end only."""

    def read(self, size: int | None = None, /) -> bytes: ...


class BodyAbandoned(ApiError):
    """The refusal of a body that is still being read."""

    body: "Body"


class BodyTooSlow(BodyAbandoned):
    def __init__(self, body: "Body", seconds: float) -> None:
        super().__init__(BODY_TOO_SLOW, seconds=round(seconds))
        self.body = body


class BodyTooLarge(BodyAbandoned):
    def __init__(self, body: "Body", limit: int) -> None:
        super().__init__(TOO_LARGE, limit=limit)
        self.body = body


class BodyInTheWay(BodyAbandoned):
    """Of several bodies, one grew too large, perhaps another."""

    def __init__(self, body: "Body") -> None:
        super().__init__(UNAVAILABLE, headers={"Retry-After": RETRY_AFTER})
        self.body = body


class Body:
    """A body that is being received."""

    check_seconds = CHECK_SECONDS

    def __init__(self, stream: Stream, size: int, ends: Ends, convert: Callable[[bytes], bytes] = bytes) -> None:
        self.ends = ends
        self.client = WORKER.client
        self.began = time.monotonic()
        self.received = 0
        self.is_abandoned = False
        self._stream = stream
        self._size = size
        self._convert = convert
        self._file = self._open_file(size)
        self._error: Exception | None = None
        self._woken: SimpleQueue[None] = SimpleQueue()  # gets something when there is nothing more to wait for
        self._reading = threading.Lock()  # held until no thread reads it any more
        self._reading.acquire()

    def _open_file(self, size: int) -> IO[bytes]:
        if size <= LARGEST_IN_MEMORY:
            return io.BytesIO()
        file = SpooledTemporaryFile(LARGEST_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, file.close)  # when neither this request nor the thread that reads needs it
        return cast(IO[bytes], file)

    def receive(self) -> None:
        """Runs in the reader's thread."""
        try:
            self._read_pieces()
        except Exception as error:
            self._error = error
        finally:
            self._reading.release()
            self._woken.put(None)

    def _read_pieces(self) -> None:
        size = 1  # small at first and as long as it is slow, so that giving up is noticed
        while self.received < self._size and not self.is_abandoned:
            wanted, began = min(size, self._size - self.received), time.monotonic()
            piece = bytes(self._stream.read(wanted))
            self._file.write(self._convert(piece))
            self.received += len(piece)
            if len(piece) < wanted:
                return
            is_quick = time.monotonic() - began < QUICK_SECONDS
            size = min(GROWTH * size, LARGEST_PIECE) if is_quick else max(size // GROWTH, 1)

    def wait(self, deadline: float) -> None:
        """Runs in the thread of the request, until the whole body is there; 408 if it does not come."""
        while not self._is_over():
            self.check_growth()
            if self.is_too_slow(deadline):
                self.abandon()
        if self.is_abandoned:
            raise BodyTooSlow(self, deadline)
        if isinstance(self._error, OSError) and self._error.errno == errno.ENOSPC:
            raise ApiError(STORAGE_FULL)
        if self._error is not None:
            raise self._error

    def _is_over(self) -> bool:
        """Waits a little."""
        try:
            self._woken.get(timeout=self.check_seconds)
        except Empty:
            return False
        return True

    def content(self) -> bytes:
        self._file.seek(0)
        return self._file.read()

    def is_too_slow(self, deadline: float) -> bool:
        seconds = time.monotonic() - self.began
        return seconds > deadline or self.received < LEAST_RATE * (seconds - UNHURRIED)

    def check_growth(self) -> None:
        """Nothing: a body of known size is read up to that."""

    @property
    def rate(self) -> float:
        return self.received / max(time.monotonic() - self.began, 0.001)

    def abandon(self) -> None:
        self.is_abandoned = True
        self._woken.put(None)

    @property
    def is_released(self) -> bool:
        """Whether no thread reads it any more."""
        return not self._reading.locked()

    def respond(self, response: Iterable[bytes]) -> Iterator[bytes]:
        """A response that lasts until no thread reads the body: its connection is closed once it is sent."""
        content = b"".join(response)
        if self.is_released:
            yield content
            return
        yield from client_connections.close_by(client_connections.cut(content), self.ends)
        with self._reading:
            pass


class ChunkedBody(Body):
    """A body in chunks, which is received in one piece. Its rate is not known until then, so it is the first that
    gives way to another."""

    check_seconds = CHUNKS_CHECK_SECONDS

    def __init__(self, stream: Stream, limit: int, ends: Ends, slots: ChunkSlots) -> None:
        super().__init__(stream, limit, ends)
        self.limit = limit
        self._slots = slots

    def _read_pieces(self) -> None:
        with self._slots.slot(self):
            if self.is_abandoned:
                return
            self.began = time.monotonic()  # it could not come before
            self._file.write(bytes(self._stream.read()))

    def is_too_slow(self, deadline: float) -> bool:
        return time.monotonic() - self.began > deadline

    def check_growth(self) -> None:
        if self._slots.is_above_ceiling(self):
            self.abandon()
            raise BodyInTheWay(self) if self._slots.is_shared() else BodyTooLarge(self, self.limit)


class BodyReaders:
    """The threads of a worker that receive bodies."""

    def __init__(self, at_once: int = UPLOAD.slots, deadline: float = DEADLINE, of_one: int = UPLOAD.of_one) -> None:
        self._at_once = at_once
        self._of_one = of_one
        self._deadline = deadline
        self._lock = threading.Lock()
        self._receiving: set[Body] = set()
        self._given_up: set[Body] = set()  # and still read by a thread
        self._chunk_slots = ChunkSlots()
        self._jobs: SimpleQueue[Body] = SimpleQueue()
        self._readers = 0
        self._idle = 0

    def read(self, stream: Stream, size: int, ends: Ends, convert: Callable[[bytes], bytes] = bytes) -> bytes:
        """Up to so many bytes of the body that comes on a connection; of each piece what `convert` leaves of it."""
        return self._receive(Body(stream, size, ends, convert)) if size else b""

    def read_chunks(self, stream: Stream, limit: int, ends: Ends) -> bytes:
        """The body in chunks that comes on a connection; nothing if it is empty, malformed or breaks off. One above
        the limit comes whole, or is refused."""
        return self._receive(ChunkedBody(stream, limit, ends, self._chunk_slots))

    def _receive(self, body: Body) -> bytes:
        self._begin(body)
        try:
            with WORKER.released():
                body.wait(self._deadline)
            return body.content()  # in memory only once there is a turn to read it
        finally:
            with self._lock:
                self._receiving.discard(body)
                if not body.is_released:
                    self._given_up.add(body)

    def running(self) -> int:
        return len(self._receiving)

    def _begin(self, body: Body) -> None:
        with self._lock:
            if self._receiving or self._given_up or not self._at_once:
                self._claim_slot(body.client)
            if self._idle:
                self._idle -= 1
            else:
                self._add_reader()
            self._receiving.add(body)
        self._jobs.put(body)

    def _claim_slot(self, client: str) -> None:
        """Among the others that are being received."""
        clients = Counter(known.client for known in self._receiving)
        self._given_up = {known for known in self._given_up if not known.is_released}
        given_up = sum(known.client == client for known in self._given_up)
        if clients[client] + given_up >= MOST_READERS_OF_ONE:
            raise WORKER.refuse(UPLOAD)
        if clients[client] >= self._of_one:
            self._make_room(client)
        elif clients.total() >= self._at_once:
            self._make_room(clients.most_common(1)[0][0] if clients else client)

    def _make_room(self, client: str) -> None:
        """The slowest body of a client, who sends most of them, gives way to one that may be quick."""
        now = time.monotonic()
        grown = [body for body in self._receiving if body.client == client and now - body.began > YOUNG]
        if not grown or self._readers >= MOST_READERS:
            raise WORKER.refuse(UPLOAD)
        slowest = min(grown, key=lambda body: body.rate)
        slowest.abandon()
        self._receiving.discard(slowest)
        self._given_up.add(slowest)

    def _add_reader(self) -> None:
        if self._readers >= MOST_READERS:
            raise WORKER.refuse(UPLOAD)
        threading.Thread(target=self._run, name="body", daemon=True).start()
        self._readers += 1

    def _run(self) -> None:
        while True:
            self._jobs.get().receive()
            with self._lock:
                if self._idle >= self._at_once:
                    self._readers -= 1
                    return
                self._idle += 1


READERS = BodyReaders()
WORKER.count(UPLOAD, READERS.running)
