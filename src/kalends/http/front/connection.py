"""One connection: requests are answered one after the other, and clients have bounded time."""

import asyncio
from collections.abc import Sequence
from functools import partial
from time import monotonic, perf_counter
from typing import cast

from kalends.calendar.revisions import Revision
from kalends.contract.errors import ApiError
from kalends.http.front import bodies
from kalends.http.front.bodies import IN_MEMORY, ReceivedBody, Unsent, too_slow
from kalends.http.front.exchange import Exchange
from kalends.http.front.heads import Head
from kalends.http.front.jobs import guarded
from kalends.http.front.receiving import Incoming, Receiver
from kalends.http.front.sending import Descriptor, Sender
from kalends.http.front.sides import Streamed, Worker

LINGER_SECONDS = 3.0  # in which a client that still sends may read why that is in vain
MOST_DROPPED = 8 * 1024 * 1024  # bytes of what it sends meanwhile
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
BARE = b"HTTP/1.1 %s\r\nconnection: close\r\ncontent-length: 0\r\n%s"
FAILED = b"500 Internal Server Error"


class Connection(asyncio.Protocol):
    """All of it runs in the loop."""

    __slots__ = (
        "_dropped",
        "_exchange",
        "_has_ended",
        "_incoming",
        "_is_advancing",
        "_is_asking",
        "_is_closing",
        "_is_lingering",
        "_is_paused",
        "_mark",
        "_raw",
        "_receiver",
        "_sender",
        "_sent_before",
        "_transport",
        "front",
    )

    def __init__(self, front: Worker) -> None:
        self.front = front
        self._exchange: Exchange | None = None  # the first of those that come in
        self._is_advancing = self._is_closing = self._is_lingering = self._is_paused = False
        self._is_asking = False  # whether anything has changed
        self._has_ended = False  # the client sends nothing more
        self._raw = b""  # what is being parsed, if it may be one request and no more
        self._dropped = 0  # bytes
        self._sent_before = 0  # bytes, before the response to the first request

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer, own = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        address = str(peer[0]) if peer else ""
        ends = {
            "REMOTE_ADDR": address,
            "SERVER_NAME": str(own[0]) if own else "",
            "SERVER_PORT": str(own[1]) if own else "",
        }
        self._mark = self.front.kept.mark_of(address)
        self._sender = Sender(self._transport)
        self._receiver = Receiver(self.front, ends)
        self._incoming = self._receiver.incoming
        if not self.front.add(self):
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._settle()
        self.front.remove(self)
        self._is_closing = True
        self._sender.close()
        if self._exchange is not None:
            self._exchange.lost()
            self._exchange = None
        self._receiver.close()

    # Receiving.

    @guarded
    def data_received(self, data: bytes) -> None:
        self._settle()
        receiver = self._receiver
        if receiver.is_deaf:
            self._dropped += len(data)
            if self._is_lingering and self._dropped > MOST_DROPPED:
                self._transport.abort()
            return
        if not self._incoming and not receiver.size:
            head = self.front.kept.known(self._mark + data if self._mark else data)
            if head is not None:
                self._incoming.append(Incoming(head, is_complete=True))
                self._advance()
                return
            self._raw = data
        receiver.feed(data)
        self._advance()
        self._raw = b""

    def eof_received(self) -> bool:
        """A client may have said everything, and wait for the answer. It is gone if it has to wait for a slot."""
        self._settle()
        self._has_ended = True
        waits_for_answer = self._receiver.end()
        if self._is_lingering or not waits_for_answer:
            return False
        if self._exchange is not None:
            if self._exchange.is_waiting:
                return False
            self._exchange.drop()
        self._advance()
        return True

    # One request after the other.

    @guarded
    def _advance(self) -> None:
        """Does what can be done now."""
        if self._is_advancing:
            return
        self._is_advancing = True
        try:
            while self._incoming and self._is_free():
                if not self._begin(self._incoming[0]):
                    break
        finally:
            self._is_advancing = False
        self._pause_or_resume()

    def _is_free(self) -> bool:
        """Whether the next request may begin."""
        is_busy = self._exchange is not None or self._is_asking
        return not (is_busy or self._sender.is_choked or self._is_closing)

    def _begin(self, incoming: Incoming) -> bool:
        """Begins to answer a request; False if more is to come first."""
        head, body = incoming.head, incoming.body
        if head is None:
            self._refuse(incoming.bare)
            return False
        if incoming.problem is not None:
            if not incoming.is_complete:
                head = head.closing()
            exchange = self._exchange = Exchange(self.front, self, head, body)
            exchange.refused(incoming.problem)
            return True
        if incoming.is_unsent:
            exchange = self._exchange = Exchange(self.front, self, head.closing(), body)
            exchange.input = Unsent(IN_MEMORY)
            exchange.start()
            return True
        if not (incoming.is_complete if body is None else self._receive(incoming, head, body)):
            return False
        if body is not None:
            self._start(Exchange(self.front, self, head, body))
            return True
        receiver = self._receiver
        if self._raw and len(self._incoming) == 1 and not receiver.size and not receiver.is_deaf:
            self.front.kept.remember(self._mark + self._raw if self._mark else self._raw, head)
        self._answer(head)
        return True

    def _answer(self, head: Head) -> None:
        """At once, if the response is kept and nothing has changed."""
        began = perf_counter()
        revision = self.front.freshness.glance()
        if revision is not None:
            if not self._send_kept(head, revision, began):
                self._start(Exchange(self.front, self, head), revision)
        elif self.front.is_worth_a_check(head):
            self._is_asking = True
            self.front.freshness.ask(partial(self._answer_at, head, began))
        else:
            self._start(Exchange(self.front, self, head))

    @guarded
    def _answer_at(self, head: Head, began: float, revision: Revision | None) -> None:
        self._is_asking = False
        if self._is_closing:
            return
        if revision is None or not self._send_kept(head, revision, began):
            self._start(Exchange(self.front, self, head), revision)
        self._advance()

    def _send_kept(self, head: Head, revision: Revision, began: float) -> bool:
        kept = self.front.kept.find(head, revision)
        pieces = None if kept is None else self.front.kept.answer(head, kept, began)
        if pieces is None:
            return False
        self._sender.send(pieces)
        self._over(head)
        return True

    def _start(self, exchange: Exchange, revision: Revision | None = None) -> None:
        # While nothing is read, the loop does not learn that the client is gone.
        if self._is_paused and self._sender.is_client_gone():
            self._abort()
            return
        self._exchange = exchange
        exchange.is_awaited = self._has_more
        exchange.start(revision)

    @property
    def _has_more(self) -> bool:
        """There is something to do as soon as the response is sent."""
        return len(self._incoming) > 1 or self._receiver.size > 0 or self._has_ended or self.front.is_stopping

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

    @guarded
    def _allowed(self, incoming: Incoming, *, allowed: bool) -> None:
        incoming.is_held = False
        body = incoming.body
        if self._is_closing or body is None:
            return
        body.may_be_large, body.began = allowed, monotonic()
        incoming.is_unsent = not allowed
        self._advance()

    @guarded
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

    def _settle(self) -> None:
        """The first request may be answered already, by a thread; if not, the thread tells when it is."""
        exchange = self._exchange
        if exchange is not None:
            exchange.is_awaited = True
            exchange.settle()

    # Sending, as an exchange wants it.

    def descriptor(self) -> Descriptor | None:
        return self._sender.descriptor()

    def sent_aside(self, size: int) -> None:
        self._sender.sent += size

    def send(self, pieces: Sequence[bytes]) -> None:
        self._sender.send(pieces)

    def stream(self, parts: Streamed | None) -> None:
        self._sender.stream(parts)

    def send_more(self) -> None:
        self._sender.send_more()

    def finished(self, exchange: Exchange) -> None:
        if exchange is self._exchange:
            self._exchange = None
            self._over(exchange.head)
            self._advance()

    def _over(self, head: Head) -> None:
        """The first request is answered."""
        incoming = self._incoming.popleft() if self._incoming else None
        self._sent_before = self._sender.sent
        self._receiver.deadline = monotonic() + self.front.head_seconds
        if incoming is not None and not incoming.is_complete:
            self._linger()
        elif not head.is_kept_alive or self.front.is_stopping or (self._has_ended and not self._incoming):
            self._close()

    def _refuse(self, status: bytes) -> None:
        """Answers what the application knows nothing of."""
        self._transport.write(BARE % (status, self.front.date()))
        self._linger()

    def _linger(self) -> None:
        """The client may still send: it is told the answer first, or a reset would take it away."""
        if self._has_ended:
            self._close()
            return
        self._is_lingering = self._is_closing = self._receiver.is_deaf = True
        self._incoming.clear()
        self._receiver.deadline = monotonic() + LINGER_SECONDS
        self._transport.write_eof()
        if self._is_paused:
            self._is_paused = False
            self._transport.resume_reading()

    def _close(self) -> None:
        """Ends the connection when all is sent."""
        self._is_closing = self._receiver.is_deaf = True
        if self._transport.get_write_buffer_size():
            self._sender.watch()
        self._transport.close()

    def _abort(self) -> None:
        self._is_closing = True
        self._transport.abort()

    def reset(self) -> None:
        self._is_closing = True
        self._sender.reset()

    def fail(self) -> None:
        """Something of ours failed: the client is told, if it was told nothing yet."""
        exchange, self._exchange = self._exchange, None
        if exchange is not None:
            exchange.lost()
        if self._is_closing:
            self._transport.abort()
        elif self._sender.sent != self._sent_before:
            self.reset()
        else:
            self._transport.write(BARE % (FAILED, self.front.date()))
            self._close()

    def pause_writing(self) -> None:
        self._sender.choke()

    @guarded
    def resume_writing(self) -> None:
        self._sender.resume()
        self._advance()

    # What takes too long.

    @guarded
    def check(self, now: float) -> None:
        """To be called about once a second."""
        if self._exchange is not None:
            self._exchange.settle()
        if self._is_lingering:
            if now > self._receiver.deadline:
                self._transport.abort()
        elif self._sender.is_choked or self._is_closing:
            self._sender.check(now)
        elif not self._incoming:
            if now > self._receiver.deadline:
                self._close()
        elif self._exchange is not None:
            if self._is_paused and self._exchange.is_waiting and self._sender.has_client_ended():
                self._abort()
        else:
            self._check_body(self._incoming[0], now)

    def _check_body(self, first: Incoming, now: float) -> None:
        body = first.body
        if first.is_complete or first.is_held or body is None or first.problem is not None:
            return
        if body.is_too_slow(now):
            first.problem = too_slow(bodies.DEADLINE)
            self._receiver.end_with_last()
            self._advance()

    def stop(self) -> None:
        """No request begins here any more."""
        self._settle()
        if not self._incoming and not self._is_closing:
            self._close()
