"""One connection: bytes become requests, which are answered one after the other, and clients have bounded time."""

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import cast

import httptools

from kalends.contract.errors import HEADERS_TOO_LARGE, TOO_LARGE, ApiError
from kalends.http.front import bodies
from kalends.http.front.bodies import IN_MEMORY, LARGEST_FRAMING, ReceivedBody, Unsent, broken_off, too_slow
from kalends.http.front.exchange import Exchange
from kalends.http.front.heads import LARGEST_HEAD, BadHead, Head, read_head
from kalends.http.front.sides import Streamed, Worker
from kalends.http.middleware.request_middleware import LARGEST_HEADERS

LINGER_SECONDS = 3.0  # in which a client that still sends may read why that is in vain
MOST_DROPPED = 8 * 1024 * 1024  # bytes of what it sends meanwhile
UNTAKEN_SECONDS = 20.0  # a client that takes nothing for so long is gone
LEAST_RATE = 8 * 1024  # bytes a second, on average, that a client takes
UNHURRIED = 60.0  # seconds in which the rate does not count
JOINED = 16 * 1024  # bytes that are cheaper to copy than to send in pieces
TCP_INFO, BYTES_ACKED_AT = getattr(socket, "TCP_INFO", 11), 120  # the place of tcpi_bytes_acked, on Linux
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
BARE = b"HTTP/1.1 %s\r\nconnection: close\r\ncontent-length: 0\r\n%s"
BAD_REQUEST, HEAD_TOO_LARGE = b"400 Bad Request", b"431 Request Header Fields Too Large"


@dataclass(slots=True, eq=False)
class Incoming:
    """A request that is being received."""

    head: Head | None  # None: there is none in what was sent
    body: ReceivedBody | None = None
    is_complete: bool = False
    is_held: bool = False  # until somebody has said whether its body may come, or until that is written
    problem: ApiError | None = None
    bare: bytes = BAD_REQUEST
    is_unsent: bool = False  # its body is not received
    was_continued: bool = False


class Connection(asyncio.Protocol):
    """The protocol of a connection. All of it runs in the loop."""

    __slots__ = (
        "_dropped",
        "_ends",
        "_exchange",
        "_incoming",
        "_is_advancing",
        "_is_choked",
        "_is_closing",
        "_is_deaf",
        "_is_lingering",
        "_is_paused",
        "_mark",
        "_pairs",
        "_parser",
        "_parts",
        "_raw",
        "_sent",
        "_size",
        "_taken",
        "_taken_at",
        "_transport",
        "_url",
        "_wire",
        "_write_began",
        "deadline",
        "front",
    )

    def __init__(self, front: Worker) -> None:
        self.front = front
        self._incoming: deque[Incoming] = deque()
        self._exchange: Exchange | None = None
        self._parts: Streamed | None = None
        self._is_advancing = self._is_choked = self._is_closing = self._is_deaf = False
        self._is_lingering = self._is_paused = False
        self._url = b""
        self._pairs: list[tuple[bytes, bytes]] = []
        self._size = 0  # of the head that comes
        self._wire = 0  # bytes that came for the body that comes
        self._raw = b""  # what is being parsed, if it may be one request and no more
        self._sent = self._dropped = 0
        self._taken, self._taken_at, self._write_began = 0, 0.0, 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer, own = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        address = str(peer[0]) if peer else ""
        self._ends = {
            "REMOTE_ADDR": address,
            "SERVER_NAME": str(own[0]) if own else "",
            "SERVER_PORT": str(own[1]) if own else "",
        }
        self._mark = self.front.kept.mark_of(address)
        self._parser = httptools.HttpRequestParser(self)
        self.deadline = monotonic() + self.front.head_seconds
        if not self.front.add(self):
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self.front.remove(self)
        self._is_closing = True
        if self._parts is not None:
            self._parts.close()
        if self._exchange is not None:
            self._exchange.lost()
        for incoming in self._incoming:
            if incoming.body is not None:
                incoming.body.close()
        self._incoming.clear()
        # What refers to each other would stay until garbage is collected, which is rare.
        self._exchange = self._parts = None
        del self._parser

    # Receiving.

    def data_received(self, data: bytes) -> None:
        if not self._incoming:
            head = self.front.kept.known(self._mark + data if self._mark else data)
            if head is not None and not self._size and not self._is_deaf:
                self._incoming.append(Incoming(head, is_complete=True))
                self._advance()
                return
            self._raw = data if not self._size else b""
        else:
            self._raw = b""
        if self._is_deaf:
            self._dropped += len(data)
            if self._is_lingering and self._dropped > MOST_DROPPED:
                self._transport.abort()
            return
        self._wire += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:  # we speak nothing else; what follows is in another language, or not
            self._end_with(self._incoming[-1] if self._incoming else None)
        except httptools.HttpParserError:
            self._break_off()
        else:
            self._check_sizes()
        self._advance()
        self._raw = b""

    def eof_received(self) -> bool:
        """A client may have said everything, and wait for the answer. It is gone if it has to wait for a turn."""
        self._is_deaf = True
        last = self._incoming[-1] if self._incoming else None
        if self._is_lingering or last is None:
            return False
        if not last.is_complete and last.problem is None and not last.is_unsent:
            if last.body is None or last.head is None:
                return False
            last.problem = broken_off(is_chunked=last.head.is_chunked)
        self._end_with(last)
        if self._exchange is not None and self._exchange.is_waiting:
            return False
        self._advance()
        return True

    def _end_with(self, last: Incoming | None) -> None:
        """No request follows this one."""
        self._is_deaf = True
        if last is not None and last.head is not None:
            last.head = last.head.closing()
            if self._exchange is not None and last is self._incoming[0]:
                self._exchange.head = self._exchange.head.closing()

    def _break_off(self) -> None:
        """What came is no request."""
        last = self._incoming[-1] if self._incoming else None
        self._is_deaf = True
        if last is None or last.is_complete:
            self._incoming.append(Incoming(None, is_complete=True))
        elif last.head is not None:
            last.problem = last.problem or broken_off(is_chunked=last.head.is_chunked)
            self._end_with(last)

    def _check_sizes(self) -> None:
        last = self._incoming[-1] if self._incoming else None
        if last is None or last.is_complete:
            if self._size and self._size + len(self._url) + self._wire > 2 * LARGEST_HEAD:
                self._is_deaf = True
                self._incoming.append(Incoming(None, is_complete=True, bare=HEAD_TOO_LARGE))
            return
        body, head = last.body, last.head
        if body is None or head is None or not head.is_chunked:
            return
        if self._wire - body.size > LARGEST_FRAMING + 8 * body.size:
            last.problem = last.problem or broken_off(is_chunked=True)
            self._end_with(last)

    # What the parser calls.

    def on_message_begin(self) -> None:
        self._url, self._pairs = b"", []
        self._size = 1
        self._wire = 0
        self.deadline = monotonic() + self.front.head_seconds

    def on_url(self, url: bytes) -> None:
        self._url += url
        self._size += len(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._size += len(name) + len(value) + len("HTTP_")  # as the application counts
        if self._size <= LARGEST_HEAD:
            self._pairs.append((name, value))

    def on_headers_complete(self) -> None:
        parser = self._parser
        method, is_kept_alive = parser.get_method().decode("ascii", "replace"), parser.should_keep_alive()
        is_too_large = self._size > LARGEST_HEAD
        self._wire = 0
        try:
            if is_too_large or method == "CONNECT":
                raise BadHead
            version = parser.get_http_version()
            if version not in ("1.0", "1.1"):
                raise BadHead
            head = read_head(method, self._url, version, self._pairs, self._ends, is_kept_alive=is_kept_alive)
        except BadHead:
            bare = HEAD_TOO_LARGE if is_too_large else BAD_REQUEST
            self._incoming.append(Incoming(None, is_complete=True, bare=bare))
            self._is_deaf = True
            return
        incoming = Incoming(head)
        if self._size - len(self._url) > LARGEST_HEADERS:  # here, since what is kept is sent without a look at them
            incoming.problem = ApiError(HEADERS_TOO_LARGE)
        if head.has_body:
            incoming.body = ReceivedBody(self.front.client_of(head.environ))
            incoming.is_held = head.length > IN_MEMORY
        self._incoming.append(incoming)

    def on_body(self, piece: bytes) -> None:
        incoming = self._incoming[-1]
        body = incoming.body
        if body is None or incoming.problem is not None or incoming.is_unsent:
            return
        incoming.problem = body.take(piece)
        if incoming.head is not None and incoming.head.is_chunked and body.size > self.front.largest_in_chunks:
            incoming.problem = ApiError(TOO_LARGE, limit=self.front.largest_in_chunks)

    def on_message_complete(self) -> None:
        self._size = 0
        if self._is_deaf or not self._incoming:
            return
        incoming = self._incoming[-1]
        incoming.is_complete = True

    # One request after the other.

    def _advance(self) -> None:
        """Does what can be done now."""
        if self._is_advancing:
            return
        self._is_advancing = True
        try:
            while self._incoming and self._exchange is None and not self._is_choked and not self._is_closing:
                if not self._begin(self._incoming[0]):
                    break
        finally:
            self._is_advancing = False
        self._pause_or_resume()

    def _begin(self, incoming: Incoming) -> bool:
        """Begins to answer a request; False if more is to come first."""
        head, body = incoming.head, incoming.body
        if head is None:
            self._transport.write(BARE % (incoming.bare, self.front.date()))
            self._close()
            return False
        if incoming.problem is not None:
            if not incoming.is_complete:
                incoming.head = head = head.closing()
            exchange = self._exchange = Exchange(self.front, self, head, body)
            exchange.refused(incoming.problem)
            return True
        if incoming.is_unsent:
            exchange = self._exchange = Exchange(self.front, self, head.closing(), body)
            exchange.input = Unsent(IN_MEMORY)
            exchange.start()
            return True
        if body is not None and not self._receive(incoming, head, body):
            return False
        if body is None and not self._incoming[0].is_complete:
            return False
        if body is None and self._raw and len(self._incoming) == 1 and not self._size and not self._is_deaf:
            self.front.kept.remember(self._mark + self._raw if self._mark else self._raw, head)
        self.front.answer(self, head, body)
        return True

    def _receive(self, incoming: Incoming, head: Head, body: ReceivedBody) -> bool:
        """Whether all of a body is there."""
        if incoming.is_held or (body.is_full and not body.may_be_large):
            if not body.may_be_large and not body.is_asked:
                incoming.is_held = body.is_asked = True
                self.front.ask_for_large(head, body, lambda allowed: self._allowed(incoming, allowed=allowed))
            return False
        if head.wants_continue and not incoming.was_continued and not incoming.is_complete and not body.size:
            self._transport.write(CONTINUE)
        incoming.was_continued = True
        if body.is_full or (incoming.is_complete and body.is_in_file and body.has_more):
            incoming.is_held = True
            loop = self.front.loop

            def written(problem: ApiError | None) -> None:
                loop.call_soon_threadsafe(self._written, incoming, body, problem)

            body.write(written)
            return False
        return incoming.is_complete

    def _allowed(self, incoming: Incoming, *, allowed: bool) -> None:
        incoming.is_held = False
        body = incoming.body
        if self._is_closing or body is None:
            return
        body.may_be_large, body.began = allowed, monotonic()
        incoming.is_unsent = not allowed
        self._advance()

    def _written(self, incoming: Incoming, body: ReceivedBody, problem: ApiError | None) -> None:
        incoming.is_held = False
        body.written()
        if not self._is_closing:
            incoming.problem = incoming.problem or problem
            self._advance()

    def _pause_or_resume(self) -> None:
        """Reads on while there is nothing to answer, or a body to come; else a little more, to learn that the client
        is gone."""
        if self._is_closing:
            return
        first = self._incoming[0] if self._incoming else None
        is_enough = len(self._incoming) > 1 or (first is not None and first.is_held)
        if is_enough != self._is_paused:
            self._is_paused = is_enough
            if is_enough:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    # Sending.

    def send(self, pieces: Sequence[bytes]) -> None:
        size = sum(map(len, pieces))
        self._sent += size
        if size <= JOINED:
            self._transport.write(b"".join(pieces))
        else:
            self._transport.writelines(pieces)

    def answer_at_once(self, pieces: Sequence[bytes], head: Head) -> None:
        """The whole response to the request that is next."""
        self.send(pieces)
        self._over(head)

    def stream(self, parts: Streamed | None) -> None:
        self._parts = parts
        self.send_more()

    def send_more(self) -> None:
        if self._parts is not None and not self._is_choked:
            self._parts.next()

    def set_exchange(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def finished(self, exchange: Exchange) -> None:
        if exchange is self._exchange:
            self._exchange = None
            self._over(exchange.head)
            self._advance()

    def _over(self, head: Head) -> None:
        incoming = self._incoming.popleft() if self._incoming else None
        self.deadline = monotonic() + self.front.head_seconds
        if head.is_kept_alive and not self.front.is_stopping:
            return
        if incoming is not None and not incoming.is_complete and not self._is_deaf:
            self._linger()
        else:
            self._close()

    def _linger(self) -> None:
        """The client still sends: it is told the answer first, or a reset would take it away."""
        self._is_lingering = self._is_deaf = True
        self._incoming.clear()
        self.deadline = monotonic() + LINGER_SECONDS
        self._transport.write_eof()

    def _close(self) -> None:
        self._is_closing = self._is_deaf = True
        self._transport.close()

    def reset(self) -> None:
        """A response that breaks off must not look as if it were whole."""
        self._is_closing = True
        found = self._transport.get_extra_info("socket")
        if found is not None:
            with socket.socket(fileno=socket.dup(found.fileno())) as own:
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()

    def pause_writing(self) -> None:
        self._is_choked = True
        self._write_began = self._taken_at = monotonic()
        self._taken = self._acked()

    def resume_writing(self) -> None:
        self._is_choked = False
        self.send_more()
        self._advance()

    # What takes too long.

    def check(self, now: float) -> None:
        """To be called about once a second."""
        if self._is_choked:
            self._check_taking(now)
            return
        first = self._incoming[0] if self._incoming else None
        if first is None:
            if now > self.deadline:
                if self._is_lingering:
                    self._transport.abort()
                else:
                    self._close()
            return
        body = first.body
        if first.is_complete or first.is_held or body is None or self._exchange is not None:
            return
        if first.problem is None and body.is_too_slow(now):
            first.problem = too_slow(bodies.DEADLINE)
            self._end_with(first)
            self._advance()

    def stop(self) -> None:
        """No request begins here any more."""
        if not self._incoming:
            self._close()

    def _check_taking(self, now: float) -> None:
        taken = self._acked()
        if taken != self._taken:
            self._taken_at = now
            if not self._write_began:
                self._write_began = now
        is_silent = now - self._taken_at > UNTAKEN_SECONDS
        self._taken = taken
        unsent = self._transport.get_write_buffer_size()
        rate_counts = now - self._write_began - UNHURRIED
        is_slow = rate_counts > 0 and self._sent - unsent < LEAST_RATE * rate_counts
        if is_silent or is_slow:
            self.reset()

    def _acked(self) -> int:
        """How many bytes the other side has confirmed; what has left, where the system does not say."""
        try:
            with socket.socket(fileno=socket.dup(self._transport.get_extra_info("socket").fileno())) as own:
                info = own.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 192)
            return int(struct.unpack_from("Q", info, BYTES_ACKED_AT)[0])
        except (OSError, struct.error, AttributeError):
            return self._sent - self._transport.get_write_buffer_size()
