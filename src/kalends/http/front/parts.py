"""A response whose body is made while it is sent."""

import logging
from collections.abc import Callable, Iterable

from kalends.calendar.admission import SLOW, Slot
from kalends.http.front import threads
from kalends.http.front.jobs import Job, guarded
from kalends.http.front.sides import Client, Worker
from kalends.http.middleware.admitting import BodyInParts
from kalends.store.engine.store import StoreUnavailable

log = logging.getLogger("kalends")


class Parts(Job):
    """Its next part is begun when the client has taken the last. What needs a slot gets one for each part; a file is
    read without one."""

    def __init__(
        self, front: Worker, connection: Client, body: Iterable[bytes], done: Callable[[], None], *, is_chunked: bool
    ) -> None:
        super().__init__(front)
        self._connection = connection
        self._body = body
        self._done = done
        self._is_chunked = is_chunked
        self._parts = iter(body)
        self._is_under_way = self._is_closed = False

    def next(self) -> None:
        if self._is_under_way or self._is_closed:
            return
        self._is_under_way = True
        in_slots = getattr(self._body, "parts", self._body)
        if isinstance(in_slots, BodyInParts):
            self.ask(SLOW, in_slots.client, goes_on=True)
        else:
            threads.FILES.put(self._make)

    def close(self) -> None:
        """The client is gone, or has everything."""
        if self._is_closed:
            return
        self._is_closed = True
        if self.drop() or not self._is_under_way:
            threads.FILES.put(lambda: close_body(self._body))

    def fail(self) -> None:
        self._connection.fail()

    def run_in_slot(self, _slot: Slot) -> None:
        self._make()

    def _make(self) -> None:
        """In a thread."""
        piece: bytes | None = None
        error: Exception | None = None
        try:
            piece = b"" if self._is_closed else next(self._parts, None)
            while piece == b"" and not self._is_closed:
                piece = next(self._parts, None)
        except StoreUnavailable as outage:
            error = outage
            log.warning("a response is broken off: %s", outage)
        except Exception as failure:
            error = failure
            log.exception("a response is broken off")
        self.front.loop.call_soon_threadsafe(self._made, piece, error)

    @guarded
    def _made(self, piece: bytes | None, error: Exception | None) -> None:
        self._is_under_way = False
        if self._is_closed:
            threads.FILES.put(lambda: close_body(self._body))
        elif error is not None:
            self._connection.reset()
        elif piece is None:
            if self._is_chunked:
                self._connection.send([b"0\r\n\r\n"])
            self._connection.stream(None)
            self.close()
            self._done()
        else:
            self._connection.send([b"%x\r\n" % len(piece), piece, b"\r\n"] if self._is_chunked else [piece])
            self._connection.send_more()


def close_body(body: Iterable[bytes]) -> None:
    close = getattr(body, "close", None)
    if close is not None:
        try:
            close()
        except Exception:
            log.exception("a response could not be closed")
