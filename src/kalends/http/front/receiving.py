"""What a client sends becomes requests: the parser of one connection, and the bounds of what may come."""

from collections import deque
from dataclasses import dataclass
from time import monotonic

import httptools

from kalends.contract.errors import HEADERS_TOO_LARGE, TOO_LARGE, ApiError
from kalends.http.front.bodies import IN_MEMORY, LARGEST_FRAMING, ReceivedBody, broken_off
from kalends.http.front.heads import LARGEST_HEAD, BadHead, Head, read_head
from kalends.http.front.sides import Worker
from kalends.http.middleware.request_middleware import LARGEST_HEADERS
from kalends.http.request_context import Environ

LONGEST_ADDRESS = 65_534  # bytes
LARGEST_ON_WIRE = 3 * LARGEST_HEAD  # of a head that has not ended, with what is around names and values
BAD_REQUEST, ADDRESS_TOO_LONG = b"400 Bad Request", b"414 URI Too Long"
HEAD_TOO_LARGE = b"431 Request Header Fields Too Large"


@dataclass(slots=True, eq=False)
class Incoming:
    """A request that is being received, or waits for those before it."""

    head: Head | None  # None: there is none in what was sent
    body: ReceivedBody | None = None
    is_complete: bool = False
    is_held: bool = False  # until somebody has said whether its body may come, or until that is written
    problem: ApiError | None = None
    bare: bytes = BAD_REQUEST
    is_unsent: bool = False  # its body is not received
    was_continued: bool = False


class Receiver:
    """What the parser calls. All of it runs in the loop."""

    __slots__ = ("_ends", "_front", "_pairs", "_parser", "_url", "_wire", "deadline", "incoming", "is_deaf", "size")

    def __init__(self, front: Worker, ends: Environ) -> None:
        self.incoming: deque[Incoming] = deque()
        self.is_deaf = False  # no request follows
        self.size = 0  # of the head that comes
        self.deadline = monotonic() + front.head_seconds  # of the next head
        self._front = front
        self._ends = ends
        self._parser = httptools.HttpRequestParser(self)
        self._url = b""
        self._pairs: list[tuple[bytes, bytes]] = []
        self._wire = 0  # bytes that came for the head or the body that comes

    def feed(self, data: bytes) -> None:
        self._wire += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:  # we speak nothing else; what follows is in another language, or not
            self.end_with_last()
        except httptools.HttpParserError:
            self._break_off()
        else:
            self._check_sizes()

    def end(self) -> bool:
        """The client sends nothing more; False if it does not wait for an answer either."""
        self.is_deaf = True
        last = self.incoming[-1] if self.incoming else None
        if last is None:
            return False
        if not last.is_complete and last.problem is None and not last.is_unsent:
            if last.body is None or last.head is None:
                return False
            last.problem = broken_off(is_chunked=last.head.is_chunked)
        self.end_with_last()
        return True

    def end_with_last(self) -> None:
        """No request follows the last one."""
        self.is_deaf = True
        if self.incoming and (head := self.incoming[-1].head) is not None:
            self.incoming[-1].head = head.closing()

    def close(self) -> None:
        for incoming in self.incoming:
            if incoming.body is not None:
                incoming.body.close()
        self.incoming.clear()
        # What refers to each other would stay until garbage is collected, which is rare.
        del self._parser

    def _break_off(self) -> None:
        """What came is no request."""
        last = self.incoming[-1] if self.incoming else None
        if last is None or last.is_complete:
            self._refuse(BAD_REQUEST)
        elif last.head is not None:
            last.problem = last.problem or broken_off(is_chunked=last.head.is_chunked)
            self.end_with_last()

    def _refuse(self, bare: bytes) -> None:
        self.is_deaf = True
        self.incoming.append(Incoming(None, is_complete=True, bare=bare))

    def _check_sizes(self) -> None:
        last = self.incoming[-1] if self.incoming else None
        if last is None or last.is_complete:
            if self.size and max(self.size, self._wire) > LARGEST_ON_WIRE:
                self._refuse(ADDRESS_TOO_LONG if len(self._url) > LONGEST_ADDRESS else HEAD_TOO_LARGE)
            return
        body, head = last.body, last.head
        if body is None or head is None or not head.is_chunked:
            return
        if self._wire - body.size > LARGEST_FRAMING + 8 * body.size:
            last.problem = last.problem or broken_off(is_chunked=True)
            self.end_with_last()

    # What the parser calls.

    def on_message_begin(self) -> None:
        self._url, self._pairs = b"", []
        self.size = 1
        self._wire = 0
        self.deadline = monotonic() + self._front.head_seconds

    def on_url(self, url: bytes) -> None:
        self._url += url
        self.size += len(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.size += len(name) + len(value) + len("HTTP_")  # as the application counts
        if self.size - len(self._url) <= LARGEST_HEAD:
            self._pairs.append((name, value))

    def on_headers_complete(self) -> None:
        parser, size = self._parser, self.size - len(self._url)
        self._wire = 0
        if len(self._url) > LONGEST_ADDRESS:
            self._refuse(ADDRESS_TOO_LONG)
            return
        if size > LARGEST_HEAD:
            self._refuse(HEAD_TOO_LARGE)
            return
        method, is_kept_alive = parser.get_method().decode("ascii", "replace"), parser.should_keep_alive()
        try:
            head = read_head(
                method,
                self._url,
                parser.get_http_version(),
                self._pairs,
                self._ends,
                is_kept_alive=is_kept_alive,
            )
        except BadHead:
            self._refuse(BAD_REQUEST)
            return
        incoming = Incoming(head)
        if size > LARGEST_HEADERS:  # here, since what is kept is sent without a look at them
            incoming.problem = ApiError(HEADERS_TOO_LARGE)
        if head.has_body:
            incoming.body = ReceivedBody(self._front.client_of(head.environ))
            incoming.is_held = head.length > IN_MEMORY
        self.incoming.append(incoming)

    def on_body(self, piece: bytes) -> None:
        incoming = self.incoming[-1]
        body = incoming.body
        if body is None or incoming.problem is not None or incoming.is_unsent:
            return
        incoming.problem = body.take(piece)
        if incoming.head is not None and incoming.head.is_chunked and body.size > self._front.largest_in_chunks:
            incoming.problem = ApiError(TOO_LARGE, limit=self._front.largest_in_chunks)

    def on_message_complete(self) -> None:
        self.size = 0
        if not self.is_deaf and self.incoming:
            self.incoming[-1].is_complete = True
