"""A request on its way: its slot among all others, a thread for the application, and the way back."""

import io
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from time import perf_counter
from typing import Any

from kalends.calendar.admission import SLOW, Slot, Work
from kalends.calendar.revisions import Revision
from kalends.contract.errors import ApiError
from kalends.http.asking_again import Again
from kalends.http.cache.cached_responses import CachedResponse
from kalends.http.front import threads
from kalends.http.front.bodies import ReceivedBody
from kalends.http.front.heads import Head
from kalends.http.front.jobs import Job, guarded
from kalends.http.front.kept import connection_line, lines
from kalends.http.front.parts import Parts, close_body
from kalends.http.front.sending import Descriptor
from kalends.http.front.sides import Client, Response, Worker
from kalends.http.messages.responses import Header
from kalends.http.request_context import AGAIN, REFUSAL, REVISION, SLOT, STATUS, Environ

log = logging.getLogger("kalends")

MOST_REFUSALS = 40  # that wait for a thread; others are told nothing but the status
BARE_REFUSAL = [
    ("content-type", "application/json; charset=UTF-8"),
    ("retry-after", "2"),
    ("cache-control", "private, no-store"),
]
BARE_BODY = b'{"code":"service_unavailable","message":"The service is busy. Please try again.","data":{"status":503}}'
NO_BODY = frozenset({"204", "304"})


class Exchange(Job):
    """One request and its response. Methods run in the loop unless they say otherwise."""

    __slots__ = (
        "_descriptor",
        "began",
        "body",
        "client",
        "connection",
        "environ",
        "head",
        "input",
        "is_awaited",
        "is_gone",
        "is_over",
        "is_sent",
        "revision",
        "size",
        "until",
        "work",
    )

    def __init__(self, front: Worker, connection: Client, head: Head, body: ReceivedBody | None = None) -> None:
        super().__init__(front)
        self.connection = connection
        self.head = head
        self.body = body
        self.input: Any = None
        self.revision: Revision | None = None
        self.environ: Environ = {}
        self.client = ""
        self.work: Work = SLOW
        self.until: float | None = None  # who waits for something new is answered then
        self.is_gone = False  # its client is
        self.is_over = False
        self.is_sent = False  # by the thread itself, and the loop has not noticed yet
        self.is_awaited = False  # the loop wants to be told
        self.size = 0  # bytes that the thread has sent
        self._descriptor: Descriptor | None = None
        self.began = perf_counter()

    # The way to a thread.

    def start(self, revision: Revision | None = None) -> None:
        """Nothing more is to come from the client. Without a revision the application finds it."""
        if self.front.is_about_itself(self.head.environ["PATH_INFO"]):
            self._prepare()
            threads.HEALTH.put(self.run)
        else:
            self.start_at(revision)

    @guarded
    def start_at(self, revision: Revision | None) -> None:
        """At this revision, for the first time or again."""
        if not self.is_gone:
            self._prepare()
            self._admit(revision)

    def _prepare(self) -> None:
        environ = self.environ = dict(self.head.environ)
        environ["wsgi.input"] = (
            self.input if self.input is not None else self.body.finish() if self.body else io.BytesIO()
        )

    def _admit(self, revision: Revision | None) -> None:
        self.revision = revision
        if self.body is None and self.input is None and self.head.is_kept_alive and not self.head.is_http_1_0:
            self._descriptor = self.connection.descriptor()
        if revision is not None:
            if self.front.find_rewritten(self, revision):
                return
            self.environ[REVISION] = revision
        self.work, self.client = self.front.classify(self.environ, revision)
        try:
            if self.ask(self.work, self.client):
                self.environ.pop(REVISION, None)  # there may be a newer one until it has its slot
        except ApiError as refused:
            self.refused(refused)

    @guarded
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

    def run_in_slot(self, slot: Slot) -> Callable[[], object] | None:
        if self.is_gone:
            return None
        self.environ[SLOT] = slot
        return partial(self._deliver, *self._respond())

    def run(self) -> None:
        self._deliver(*self._respond())

    def _respond(self) -> Response:
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
        return status, headers, body

    def _deliver(self, status: str, headers: list[Header], body: Iterable[bytes]) -> None:
        try:
            if type(body) is list and self._send_whole(status, headers, body):
                return
        except Exception:
            log.exception("a request failed")
            self.front.loop.call_soon_threadsafe(self.fail)
            return
        self.front.loop.call_soon_threadsafe(self.answered, status, headers, body)

    def _send_whole(self, status: str, headers: list[Header], body: list[bytes]) -> bool:
        """Sends a response from here, if the loop has nothing to do with it. It is told only if it wants to be, else
        it finds out when the next request comes."""
        descriptor = self._descriptor
        if descriptor is None or self.is_gone or AGAIN in self.environ:
            return False
        named = {name.lower() for name, _ in headers}
        if "connection" in named:
            return False
        data = b"".join(self._whole(status, headers, named, body))
        self.size = descriptor.write(data)
        if self.size < len(data):
            self.front.loop.call_soon_threadsafe(self._send_rest, data[self.size :])
            return True
        self.is_sent = True
        if self.is_awaited:
            self.front.loop.call_soon_threadsafe(self.settle)
        return True

    # The way back.

    @guarded
    def answered(self, status: str, headers: list[Header], body: Iterable[bytes]) -> None:
        again: Again | None = self.environ.pop(AGAIN, None)
        if again is None or self.is_gone or not self.front.wait(self, again, (status, headers, body)):
            self.send(status, headers, body)

    @guarded
    def send(self, status: str, headers: list[Header], body: Iterable[bytes]) -> None:
        self.close_body()
        if self.is_gone:
            close_body(body)
            return
        named = {name.lower(): value for name, value in headers}
        if self.head.is_kept_alive and named.get("connection", "").lower() == "close":
            self.head = self.head.closing()
        if type(body) is list or self._is_head:
            self.connection.send(self._whole(status, headers, named, body))
            self.finish()
            close_body(body)
            return
        head, has_length = self._start_of(status, headers, named), "content-length" in named
        is_chunked = not has_length and not self.head.is_http_1_0
        if is_chunked:
            head += b"transfer-encoding: chunked\r\n"
        elif not has_length:
            self.head = self.head.closing()
        self.connection.send([head, self.front.date()])
        self.connection.stream(Parts(self.front, self.connection, body, self.finish, is_chunked=is_chunked))

    def _whole(
        self, status: str, headers: list[Header], named: Collection[str], body: Iterable[bytes]
    ) -> Sequence[bytes]:
        """A response that is there, or only its head. In any thread."""
        head, is_list = self._start_of(status, headers, named), type(body) is list
        content = body[0] if isinstance(body, list) and body and not self._is_head else b""
        if "content-length" not in named and (is_list if self._is_head else status[:3] not in NO_BODY):
            head += b"content-length: %d\r\n" % len(content)
        return head, self.front.date(), content

    def _start_of(self, status: str, headers: list[Header], named: Collection[str]) -> bytes:
        added = b"" if "connection" in named else connection_line(self.head)
        return b"HTTP/1.1 %s\r\n" % status.encode("latin-1") + lines(headers) + added

    @property
    def _is_head(self) -> bool:
        return "HEAD" in (self.environ.get("REQUEST_METHOD"), self.head.environ["REQUEST_METHOD"])

    @guarded
    def _send_rest(self, rest: bytes) -> None:
        """What the system did not take from the thread."""
        if not self.is_gone:
            self.connection.sent_aside(self.size)
            self.connection.send([rest])
            self.finish()

    @guarded
    def settle(self) -> None:
        """Notices that the thread has sent the response."""
        if self.is_sent and not self.is_over and not self.is_gone:
            self.connection.sent_aside(self.size)
            self.finish()

    def finish(self) -> None:
        """The whole response is sent, as far as this is concerned."""
        if not self.is_over:
            self.is_over = True
            self.connection.finished(self)

    @property
    def is_waiting(self) -> bool:
        """For a slot, or for something new."""
        return self.waits_for_slot or self.front.is_asking(self)

    def close_body(self) -> None:
        if self.body is not None:
            self.body.close()
            self.body = None

    def lost(self) -> None:
        """The client is gone. What has not begun is dropped."""
        self.is_gone = True
        self.drop()
        self.front.forget(self)
        self.close_body()

    def fail(self) -> None:
        self.connection.fail()
