"""A request on its way: its turn among all others, a thread for the application, and the way back."""

import io
import logging
from collections.abc import Iterable
from time import perf_counter
from typing import Any

from kalends.calendar.admission import SLOW, WORKER, Slot, Waiter, Work
from kalends.calendar.revisions import Revision
from kalends.contract.errors import ApiError
from kalends.http.asking_again import Again
from kalends.http.cache.cached_responses import CachedResponse
from kalends.http.front import threads
from kalends.http.front.bodies import ReceivedBody
from kalends.http.front.heads import Head
from kalends.http.front.kept import connection_line, lines
from kalends.http.front.sides import Client, Worker
from kalends.http.messages.responses import Header
from kalends.http.middleware.admitting import BodyInParts
from kalends.http.request_context import AGAIN, HEALTH, REFUSAL, REVISION, SLOT, STATUS, Environ
from kalends.store.engine.store import StoreUnavailable

log = logging.getLogger("kalends")

MOST_REFUSALS = 40  # that wait for a thread; others are told nothing but the status
BARE_REFUSAL = [
    ("content-type", "application/json; charset=UTF-8"),
    ("retry-after", "2"),
    ("cache-control", "private, no-store"),
]
BARE_BODY = b'{"code":"service_unavailable","message":"The service is busy. Please try again.","data":{"status":503}}'
NO_BODY = frozenset({"204", "304"})


class Exchange:
    """One request and its response. Methods run in the loop unless they say otherwise."""

    __slots__ = (
        "began",
        "body",
        "client",
        "connection",
        "environ",
        "front",
        "head",
        "input",
        "is_gone",
        "is_over",
        "revision",
        "slot",
        "until",
        "waiter",
        "work",
    )

    def __init__(self, front: Worker, connection: Client, head: Head, body: ReceivedBody | None = None) -> None:
        self.front = front
        self.connection = connection
        self.head = head
        self.body = body
        self.input: Any = None
        self.revision: Revision | None = None
        self.environ: Environ = {}
        self.client = ""
        self.work: Work = SLOW
        self.slot: Slot | None = None
        self.waiter: Waiter | None = None
        self.until: float | None = None  # who waits for something new is answered then
        self.is_gone = False  # its client is
        self.is_over = False
        self.began = perf_counter()

    # The way to a thread.

    def start(self, revision: Revision | None = None) -> None:
        """Nothing more is to come from the client."""
        if self.is_gone:
            return
        environ = self.environ = dict(self.head.environ)
        environ["wsgi.input"] = (
            self.input if self.input is not None else self.body.finish() if self.body else io.BytesIO()
        )
        if environ["PATH_INFO"] in HEALTH or environ["PATH_INFO"] == self.front.metrics_path:
            threads.HEALTH.put(self.run)
            return
        if revision is not None:
            self.admit(revision)
        elif (found := self.front.freshness.glance()) is not None:
            self.admit(found)
        else:
            self.front.freshness.ask(self.admit)

    def start_at(self, revision: Revision | None) -> None:
        """The same at this revision; None: the store cannot be asked."""
        self.environ = dict(self.head.environ)
        self.environ["wsgi.input"] = io.BytesIO()
        self.admit(revision)

    def admit(self, revision: Revision | None) -> None:
        if self.is_gone:
            return
        self.revision = revision
        self.slot = self.waiter = None
        if revision is not None:
            if self.front.find_rewritten(self, revision):
                return
            self.environ[REVISION] = revision
        self.work, self.client = self.front.classify(self.environ, revision)
        try:
            self.waiter = WORKER.ask(self.work, self.client, self)
        except ApiError as refused:
            self.refused(refused)
            return
        if self.waiter is not None:
            self.environ.pop(REVISION, None)  # there may be a newer one until it has its turn
            self.front.watch_waiting()

    def begin(self, slot: Slot, rest: float) -> None:
        """In any thread."""
        self.slot = slot
        if rest:
            self.front.loop.call_soon_threadsafe(
                self.front.loop.call_later, rest, threads.REQUESTS.put, self.run_in_turn
            )
        else:
            threads.REQUESTS.put(self.run_in_turn)

    def refuse(self, error: ApiError) -> None:
        """In any thread."""
        self.front.loop.call_soon_threadsafe(self.refused, error)

    def refused(self, error: ApiError) -> None:
        """Without a thread, if the refusal of this kind was made before."""
        if self.is_gone or self.is_over:
            return
        if not self.environ:
            self.environ = dict(self.head.environ)
        self.environ["wsgi.input"] = io.BytesIO()
        kept = self.front.kept_refusal(error, self.environ, self.revision)
        if kept is not None:
            status, headers, body = kept
            self.environ[STATUS] = status
            self.front.count(self.environ, self.began, 0)
            self.send(status, headers, body)
        elif threads.HEALTH.under_way > MOST_REFUSALS:
            self.send("503 Service Unavailable", BARE_REFUSAL, [BARE_BODY])
        else:
            self.environ[REFUSAL] = error
            if self.revision is not None:
                self.environ[REVISION] = self.revision
            threads.HEALTH.put(self.run)

    def send_kept(self, kept: CachedResponse, added: bytes = b"") -> bool:
        """Whether these bytes are the response, and a thread has nothing to do first."""
        pieces = self.front.kept.answer(self.head, kept, self.began, added)
        if pieces is None:
            return False
        self.connection.send(pieces)
        self.finish()
        return True

    # In a thread.

    def run_in_turn(self) -> None:
        slot = self.slot
        assert slot is not None
        client = slot.client  # who it is may be found out meanwhile
        WORKER.adopt(slot)
        try:
            if not self.is_gone:
                self.environ[SLOT] = slot
                self.run()
        finally:
            WORKER.leave(slot)
            WORKER.free_thread(client)

    def run(self) -> None:
        status, headers = "500 Internal Server Error", list[Header]()

        def start_response(answered: str, named: list[Header], *_: Any) -> None:
            nonlocal status, headers
            status, headers = answered, named

        body: Iterable[bytes]
        try:
            body = self.front.app(self.environ, start_response)
            if type(body) is list and AGAIN not in self.environ:
                # Here, since it takes as long as it is large.
                body = [b"".join(body)] if len(body) > 1 else body
        except Exception:
            log.exception("a request failed")
            status, headers, body = "500 Internal Server Error", [("connection", "close")], []
        self.front.loop.call_soon_threadsafe(self.answered, status, headers, body)

    # The way back.

    def answered(self, status: str, headers: list[Header], body: Iterable[bytes]) -> None:
        again: Again | None = self.environ.pop(AGAIN, None)
        if again is None or self.is_gone or not self.front.wait(self, again, (status, headers, body)):
            self.send(status, headers, body)

    def send(self, status: str, headers: list[Header], body: Iterable[bytes]) -> None:
        self.close_body()
        if self.is_gone:
            _close(body)
            return
        named = {name.lower(): value for name, value in headers}
        if self.head.is_kept_alive and named.get("connection", "").lower() == "close":
            self.head = self.head.closing()
        added = b"" if "connection" in named else connection_line(self.head)
        head = b"HTTP/1.1 %s\r\n" % status.encode("latin-1") + lines(headers) + added
        is_head = self.environ.get("REQUEST_METHOD") == "HEAD" or self.head.environ["REQUEST_METHOD"] == "HEAD"
        has_length = "content-length" in named
        if type(body) is list or is_head:
            content = body[0] if type(body) is list and body else b""
            if not has_length and status[:3] not in NO_BODY and not is_head:
                head += b"content-length: %d\r\n" % len(content)
            elif not has_length and is_head and type(body) is list:
                head += b"content-length: 0\r\n"
            self.connection.send([head, self.front.date(), b"" if is_head else content])
            self.finish()
            _close(body)
            return
        is_chunked = not has_length and not self.head.is_http_1_0
        if is_chunked:
            head += b"transfer-encoding: chunked\r\n"
        elif not has_length:
            self.head = self.head.closing()
        self.connection.send([head, self.front.date()])
        self.connection.stream(Parts(self, body, is_chunked=is_chunked))

    def finish(self) -> None:
        """The whole response is sent, as far as this is concerned."""
        if not self.is_over:
            self.is_over = True
            self.connection.finished(self)

    @property
    def is_waiting(self) -> bool:
        """For a turn, or for something new."""
        return (self.waiter is not None and self.slot is None) or self.front.is_asking(self)

    def close_body(self) -> None:
        if self.body is not None:
            self.body.close()
            self.body = None

    def lost(self) -> None:
        """The client is gone. What has not begun is dropped."""
        self.is_gone = True
        if self.waiter is not None:
            WORKER.cancel(self.work, self.waiter)
        self.front.forget(self)
        self.close_body()


class Parts:
    """A body that is made while it is sent: its next part is begun when the client has taken the last. What needs a
    turn gets one for each part; a file is read without one."""

    def __init__(self, exchange: Exchange, body: Iterable[bytes], *, is_chunked: bool) -> None:
        self._exchange = exchange
        self._body = body
        self._is_chunked = is_chunked
        self._parts = iter(body)
        self._made_by = getattr(body, "parts", body)
        self._slot: Slot | None = None
        self._waiter: Waiter | None = None
        self.is_under_way = False
        self._is_closed = False

    def next(self) -> None:
        if self.is_under_way or self._is_closed:
            return
        self.is_under_way = True
        if isinstance(self._made_by, BodyInParts):
            self._waiter = WORKER.ask(SLOW, self._made_by.client, self, goes_on=True)
            if self._waiter is not None:
                self._exchange.front.watch_waiting()
        else:
            threads.FILES.put(self._make)

    def begin(self, slot: Slot, rest: float) -> None:
        self._slot = slot
        loop = self._exchange.front.loop
        if rest:
            loop.call_soon_threadsafe(loop.call_later, rest, threads.REQUESTS.put, self._make_in_turn)
        else:
            threads.REQUESTS.put(self._make_in_turn)

    def refuse(self, error: ApiError) -> None:
        """What goes on is not refused."""

    def close(self) -> None:
        """The client is gone, or has everything."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._waiter is not None and WORKER.cancel(SLOW, self._waiter):
            self.is_under_way = False
        if not self.is_under_way:
            threads.FILES.put(lambda: _close(self._body))

    def _make_in_turn(self) -> None:
        slot = self._slot
        assert slot is not None
        client = slot.client
        WORKER.adopt(slot)
        try:
            self._make()
        finally:
            WORKER.leave(slot)
            WORKER.free_thread(client)

    def _make(self) -> None:
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
        self._exchange.front.loop.call_soon_threadsafe(self._made, piece, error)

    def _made(self, piece: bytes | None, error: Exception | None) -> None:
        self.is_under_way, self._waiter = False, None
        if self._is_closed:
            threads.FILES.put(lambda: _close(self._body))
            return
        connection = self._exchange.connection
        if error is not None:
            connection.reset()
        elif piece is None:
            if self._is_chunked:
                connection.send([b"0\r\n\r\n"])
            connection.stream(None)
            self.close()
            self._exchange.finish()
        else:
            connection.send([b"%x\r\n" % len(piece), piece, b"\r\n"] if self._is_chunked else [piece])
            connection.send_more()


def _close(body: Iterable[bytes]) -> None:
    close = getattr(body, "close", None)
    if close is not None:
        try:
            close()
        except Exception:
            log.exception("a response could not be closed")
