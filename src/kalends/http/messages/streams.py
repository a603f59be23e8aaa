"""Responses that are made or read from a file while they are sent: so many at once, and at a least rate, so that
clients who do not read leave threads for others.

The server asks for the next piece when the client has taken enough of those before. The response of a client that is
too slow, and one that fails midway, closes its own connection (`http/connections.py`): if its body just ended, the
server would end the response as if it were whole. One whose client takes nothing at all is never asked for a piece
again, and the system closes its connection after a while.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from weakref import WeakSet

import falcon

from kalends.calendar.admission import PICTURE, STREAM, WORKER, Work
from kalends.http.messages import client_connections
from kalends.http.messages.client_connections import Ends
from kalends.http.request_context import RESPONDER
from kalends.store.engine.store import StoreUnavailable

log = logging.getLogger("kalends")

MOST_GIVEN_UP = 6  # beside all places: those that are not closed yet, each with its thread
MOST_WAITING, MOST_WAITING_OF_ONE = 24, 20  # for a place; each holds a thread
STALLED = 5.0  # seconds between two pieces, after which one gives way to who waits for a place
LONGEST_PAUSE = 30.0  # seconds between two pieces that a client takes
LEAST_RATE = 8 * 1024  # bytes a second, on average, that a client takes
UNHURRIED = 60.0  # seconds in which the rate does not count
YOUNG = 10.0  # seconds in which none is given up for another
CHECK_SECONDS = 0.5
CLOSING_SECONDS = 600.0  # for the attempts to close the connection of a response that is broken off


class Stream:
    """The pieces of one response, and how quickly its client takes them."""

    def __init__(self, ends: Ends, streams: "Streams", client: str = "") -> None:
        self.ends = ends
        self.client = client
        self.began = time.monotonic()
        self.sent = 0  # bytes
        self.waited = 0.0  # seconds that the client took for them
        self.handed: float | None = None  # when a piece was handed over, until the next one is asked for
        self.is_abandoned = False
        self._response: Iterable[bytes] = ()
        self._pieces: Iterator[bytes] = iter(())
        self._closing: Iterator[bytes] | None = None  # what is sent in order to close the connection
        self._error: Exception | None = None  # raised afterwards
        self._streams = streams

    def respond(self, response: Iterable[bytes]) -> Iterable[bytes]:
        """The response with its pieces counted. Nothing is to be around it that others wait for, as a turn:
        one that is given up lasts until its connection is closed."""
        self._response, self._pieces = response, iter(response)
        return self

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self.handed is not None:
            self.waited += time.monotonic() - self.handed
        self.handed = None
        piece = self._filling() if self.is_abandoned else self._next_piece()
        self.sent += len(piece)
        self.handed = time.monotonic()
        return piece

    def _next_piece(self) -> bytes:
        try:
            return next(self._pieces)
        except StopIteration:
            self._streams.end(self)
            raise
        except StoreUnavailable as error:
            log.warning("a response is broken off: %s", error)
        except Exception as error:
            self._error = error
        self._streams.abandon(self)
        return self._filling()

    def _filling(self) -> bytes:
        """The next of the pieces by which the connection is found, until it is closed."""
        self._closing = self._closing or self._close_connection()
        try:
            return next(self._closing)
        except StopIteration:
            self._streams.end(self)
            if self._error is not None:
                raise self._error from None
            raise

    def _close_connection(self) -> Iterator[bytes]:
        deadline = time.monotonic() + CLOSING_SECONDS
        while time.monotonic() < deadline:
            if (yield from client_connections.close_by(client_connections.filling(), self.ends)):
                return
            time.sleep(CHECK_SECONDS)

    def close(self) -> None:
        self._streams.end(self)
        close = getattr(self._response, "close", None)
        if close is not None:
            close()

    @property
    def pause(self) -> float:
        """The seconds since the last piece, while the client has not taken it."""
        handed = self.handed
        return 0.0 if handed is None else time.monotonic() - handed

    @property
    def rate(self) -> float:
        return self.sent / max(self.waited + self.pause, 0.001)

    @property
    def is_too_slow(self) -> bool:
        pause = self.pause
        return pause > LONGEST_PAUSE or self.sent < LEAST_RATE * (self.waited + pause - UNHURRIED)


class Streams:
    """The streamed responses of a worker that are one class of work."""

    def __init__(self, at_once: int = STREAM.slots, of_one: int = STREAM.of_one, work: Work = STREAM) -> None:
        self._at_once = at_once
        self._of_one = of_one
        self._work = work
        self._patience = work.patience
        self._lock = threading.Condition()  # and what tells those who wait that a place may be free
        self._waiting_by_client: Counter[str] = Counter()
        # Weak, since a response to HEAD is dropped without being closed.
        self._open: WeakSet[Stream] = WeakSet()
        self._given_up: WeakSet[Stream] = WeakSet()
        self._is_watched = False
        self._is_silence_limited = False

    def send(self, req: falcon.Request, resp: falcon.Response, pieces: Iterable[bytes]) -> None:
        """Makes these the body of the response; 503 if there are too many at once."""
        ends = Ends(str(req.env.get("REMOTE_ADDR", "")), str(req.env.get("SERVER_PORT", "")))
        req.env[RESPONDER] = self.open(ends, WORKER.client)
        resp.stream = pieces

    def send_begun(self, req: falcon.Request, resp: falcon.Response, pieces: Iterator[bytes]) -> None:
        """The same, with the first piece made before the headers are sent: what cannot be begun is an error, and not
        a response that is broken off."""
        self.send(req, resp, pieces)
        if req.method != "HEAD":
            resp.stream = _continued(next(pieces, b""), pieces)

    def running(self) -> int:
        return len(self._open)

    def queued(self) -> int:
        return self._waiting_by_client.total()

    def open(self, ends: Ends, client: str = "") -> Stream:
        """A stream that has a place. Who finds none waits for one, or is refused, as its class of work says."""
        with self._lock:
            if not self._is_silence_limited:
                self._is_silence_limited = True
                client_connections.limit_silence(ends.port)
            if self._find_room(client, is_last=not self._patience):
                return self._add(ends, client)
            is_crowded = self.queued() >= MOST_WAITING or self._waiting_by_client[client] >= MOST_WAITING_OF_ONE
            if is_crowded or not self._patience:
                raise WORKER.refuse(self._work)
            self._waiting_by_client[client] += 1
        with WORKER.released(is_continuation=True), self._lock:
            self._wait_for_room(client)
            return self._add(ends, client)

    def _add(self, ends: Ends, client: str) -> Stream:
        stream = Stream(ends, self, client)
        self._open.add(stream)
        if not self._is_watched:
            self._is_watched = True
            threading.Thread(target=self._watch, name="streams", daemon=True).start()
        return stream

    def _wait_for_room(self, client: str) -> None:
        deadline = time.monotonic() + self._patience
        try:
            while not self._find_room(client, is_last=(left := deadline - time.monotonic()) <= 0):
                if left <= 0:
                    raise WORKER.refuse(self._work)
                self._lock.wait(min(left, CHECK_SECONDS))
        finally:
            self._waiting_by_client[client] -= 1
            if not self._waiting_by_client[client]:
                del self._waiting_by_client[client]

    def _find_room(self, client: str, *, is_last: bool) -> bool:
        """Whether there is a place, also by giving another stream up."""
        clients = Counter(known.client for known in self._open)
        if clients[client] >= self._of_one:
            return self._make_room(client, is_last=is_last)
        if clients.total() >= self._at_once:
            return self._make_room(clients.most_common(1)[0][0] if clients else client, is_last=is_last)
        return True

    def _make_room(self, client: str, *, is_last: bool) -> bool:
        """The slowest of a client, who has most of them, gives way to one that may be quick. Unless this is the last
        try, one that goes on is let go on: it may end before."""
        now = time.monotonic()
        grown = [
            stream
            for stream in self._open
            if stream.client == client and now - stream.began > YOUNG and (is_last or stream.pause > STALLED)
        ]
        if not grown or len(self._open) + len(self._given_up) >= self._at_once + MOST_GIVEN_UP:
            return False
        self._abandon(min(grown, key=lambda stream: stream.rate))
        return True

    def abandon(self, stream: Stream) -> None:
        with self._lock:
            self._abandon(stream)

    def _abandon(self, stream: Stream) -> None:
        stream.is_abandoned = True
        self._open.discard(stream)
        self._given_up.add(stream)
        self._lock.notify_all()

    def end(self, stream: Stream) -> None:
        with self._lock:
            self._open.discard(stream)
            self._given_up.discard(stream)
            self._lock.notify_all()

    def _watch(self) -> None:
        """Gives up those that are too slow: they break off with the next piece that their client takes."""
        while True:
            time.sleep(CHECK_SECONDS)
            with self._lock:
                for stream in [stream for stream in self._open if stream.is_too_slow]:
                    self._abandon(stream)
                if not self._open:
                    self._is_watched = False
                    return


def _continued(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


STREAMS = Streams()
PICTURES = Streams(PICTURE.slots, PICTURE.of_one, PICTURE)
WORKER.count(STREAM, STREAMS.running)
WORKER.count(PICTURE, PICTURES.running, PICTURES.queued)
