"""A worker's front: the loop that all its connections share, and how it stops."""

import asyncio
import logging
import signal
import socket
import time
from collections.abc import Callable, Iterable
from functools import partial
from time import monotonic

import uvloop

from kalends.calendar.admission import QUICK, WAIT, WORKER, Slot, Work
from kalends.calendar.revisions import Revision
from kalends.contract.errors import UNAVAILABLE, ApiError
from kalends.http.app import KalendsApp
from kalends.http.asking_again import STEP, Again
from kalends.http.cache.cached_responses import READS
from kalends.http.cache.response_cache import Refused
from kalends.http.front.bodies import ReceivedBody
from kalends.http.front.connection import Connection
from kalends.http.front.exchange import Exchange
from kalends.http.front.freshness import Freshness
from kalends.http.front.heads import Head
from kalends.http.front.jobs import Job
from kalends.http.front.kept import KeptResponses, lines
from kalends.http.messages.responses import Header
from kalends.http.metrics.metrics import PATH as METRICS
from kalends.http.metrics.request_metrics import RequestMetrics
from kalends.http.request_context import HEALTH, SHAPE, Environ

log = logging.getLogger("kalends")

BACKLOG = 4096
CHECK_SECONDS = 0.5  # between two looks at who takes too long
LOOK_SECONDS = 0.025  # between two looks at who waits for a turn
STOP_SECONDS = 8.0  # for requests under way
HEAD_SECONDS = 5.0  # in which a connection has to send a whole head, the first and every other one
FEW_CONNECTIONS = 1000  # fewer than one client opens

Response = tuple[str, list[Header], Iterable[bytes]]


class Front:
    """The connections of a worker, and what they share."""

    def __init__(self, app: KalendsApp, loop: asyncio.AbstractEventLoop, connections: int) -> None:
        self.loop = loop
        self.app = app.wsgi
        self._application = app
        self._cache = app.cache
        self._requests = app.cache.requests
        self._measuring = app.wsgi if isinstance(app.wsgi, RequestMetrics) else None
        self.freshness = Freshness(app.cache.calendar.revisions, loop)
        self.kept = KeptResponses(app, self.date)
        self._about_itself = HEALTH if app.metrics is None else (*HEALTH, METRICS)
        self.largest_body, self.largest_in_chunks = app.largest_body, app.largest_in_chunks
        # Where few connections can be open, those that say nothing keep others out, health checks too.
        self.head_seconds = HEAD_SECONDS if connections >= FEW_CONNECTIONS else HEAD_SECONDS / 5
        self.is_stopping = False
        self._most = connections
        self._connections: set[Connection] = set()
        self._asking: dict[Exchange, tuple[Again, Response]] = {}
        self._is_looking = self._is_watching = False
        self._date, self._date_at = b"", 0

    # Connections.

    def add(self, connection: Connection) -> bool:
        if len(self._connections) >= self._most or self.is_stopping:
            return False
        self._connections.add(connection)
        return True

    def remove(self, connection: Connection) -> None:
        self._connections.discard(connection)

    def check(self) -> None:
        """Who takes too long."""
        now = monotonic()
        for connection in [*self._connections]:
            connection.check(now)
        self.loop.call_later(CHECK_SECONDS, self.check)

    def date(self) -> bytes:
        """The last header, and the end of the head."""
        now = int(time.time())
        if now != self._date_at:
            moment = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(now))
            self._date, self._date_at = f"date: {moment}\r\n\r\n".encode(), now
        return self._date

    # Requests.

    def classify(self, environ: Environ, revision: Revision | None) -> tuple[Work, str]:
        """The class of a request, by the address that we have for it, and whose it is."""
        seen = environ
        if revision is not None and not self._cache.is_as_it_stays(environ):
            seen = dict(environ)
            self._cache.look(seen, revision)
        work, client = self._requests.classify(seen)
        environ[SHAPE] = seen[SHAPE]
        return work, client

    def find_rewritten(self, exchange: Exchange, revision: Revision) -> bool:
        """Whether what is kept under another address was sent."""
        environ = exchange.environ
        if environ["REQUEST_METHOD"] not in READS or self._cache.is_as_it_stays(environ):
            return False
        _, kept, warning = self._cache.look(dict(environ), revision)
        return kept is not None and exchange.send_kept(kept, lines(warning))

    def is_worth_a_check(self, head: Head) -> bool:
        """Whether to find out if anything has changed before a thread is taken: a response is kept, or may be under
        another address."""
        environ = head.environ
        if self.is_about_itself(environ["PATH_INFO"]) or environ["REQUEST_METHOD"] not in READS:
            return False
        return self.kept.may_have(head) or not self._cache.is_as_it_stays(environ)

    def is_about_itself(self, path: str) -> bool:
        """What must be answered also when nothing else is: it asks for no revision, and has threads of its own."""
        return path in self._about_itself

    def client_of(self, environ: Environ) -> str:
        return self._requests.client(environ)

    def kept_refusal(self, error: ApiError, environ: Environ, revision: Revision | None) -> Refused | None:
        if error.error_type is not UNAVAILABLE or revision is None or self._application.rate_limit is not None:
            return None
        if self._measuring is not None and self._measuring.logs:
            return None  # the line and the response have an id
        found = self._cache.kept_refusal(environ, revision)
        if found is None:
            return None
        status, headers, body = found
        return status, [*headers, *self._application.transport_security.headers_for(environ)], body

    def count(self, environ: Environ, began: float, size: int) -> None:
        """A response that the application has not sent itself."""
        if self._measuring is not None:
            self._measuring.finish(environ, began, size)

    def ask_for_large(self, head: Head, body: ReceivedBody, done: Callable[[bool], None]) -> None:
        """Whether a body of more than a megabyte may come: nobody anonymous fills the disk."""
        environ = dict(head.environ)
        if head.length > self.largest_body:
            self.loop.call_soon(done, False)
        elif head.length <= self._application.largest_of_anybody(environ) and not head.is_chunked:
            self.loop.call_soon(done, True)
        elif "HTTP_AUTHORIZATION" not in environ and "HTTP_COOKIE" not in environ:
            self.loop.call_soon(done, False)
        else:
            Identification(self, environ, body, done)

    def is_known(self, environ: Environ) -> bool:
        return self._application.is_known(environ)

    # Who waits.

    def watch_waiting(self) -> None:
        """Something waits for a turn."""
        if not self._is_watching:
            self._is_watching = True
            self.loop.call_later(LOOK_SECONDS, self._watch)

    def _watch(self) -> None:
        self._is_watching = False
        try:
            is_needed = WORKER.look()
        except Exception:  # who waits is looked at again
            log.exception("nobody could be admitted")
            is_needed = True
        if is_needed:
            self.watch_waiting()

    def wait(self, exchange: Exchange, again: Again, response: Response) -> bool:
        """Asks the handler again when there is a reason, if one more may wait for that."""
        if self.is_stopping or not WORKER.enter_beside(WAIT, exchange.client):
            return False
        exchange.until = exchange.until or monotonic() + again.seconds
        self._asking[exchange] = again, response
        self._look_later()
        return True

    def is_asking(self, exchange: Exchange) -> bool:
        return exchange in self._asking

    def forget(self, exchange: Exchange) -> None:
        if self._asking.pop(exchange, None) is not None:
            WORKER.give_back(WAIT, exchange.client, 0.0)

    def _look_later(self) -> None:
        if self._asking and not self._is_looking:
            self._is_looking = True
            self.loop.call_later(STEP, self.freshness.ask, self._look)

    def _look(self, revision: Revision | None) -> None:
        self._is_looking = False
        now = monotonic()
        for exchange, (again, response) in [*self._asking.items()]:
            is_over = revision is None or self.is_stopping or now >= (exchange.until or 0.0)
            if not is_over and (revision is None or not again.is_new(again.seen, revision)):
                continue
            self.forget(exchange)
            if is_over:
                self.count(exchange.environ, exchange.began, 0)
                exchange.send(*response)
            else:
                exchange.start_at(revision)
        self._look_later()

    # The end.

    async def stop(self) -> None:
        """Requests under way are answered, and responses sent."""
        self.is_stopping = True
        for exchange in [*self._asking]:
            _, response = self._asking[exchange]
            self.forget(exchange)
            exchange.send(*response)
        for connection in [*self._connections]:
            connection.stop()
        until = monotonic() + STOP_SECONDS
        while self._connections and monotonic() < until:
            await asyncio.sleep(0.02)
        for connection in [*self._connections]:
            connection.reset()


class Identification(Job):
    """Finds out in a thread whether a request comes with credentials that are valid."""

    def __init__(self, front: Front, environ: Environ, body: ReceivedBody, done: Callable[[bool], None]) -> None:
        super().__init__(front)
        self._environ, self._body, self._done = environ, body, done
        try:
            self.ask(QUICK, body.client)
        except ApiError as error:
            front.loop.call_soon(self.refused, error)

    def refused(self, _error: ApiError) -> None:
        self._done(False)

    def run_in_slot(self, _slot: Slot) -> None:
        is_known = False
        try:
            is_known = self.front.is_known(self._environ)
        finally:
            self._body.is_signed = is_known
            self.front.loop.call_soon_threadsafe(self._done, is_known)


def run(app: KalendsApp, listening: socket.socket, connections: int) -> None:
    """Serves until a signal comes."""
    uvloop.run(_serve(app, listening, connections))


async def _serve(app: KalendsApp, listening: socket.socket, connections: int) -> None:
    loop = asyncio.get_running_loop()
    ending = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ending.set)
    front = Front(app, loop, connections)
    server = await loop.create_server(partial(Connection, front), sock=listening, backlog=BACKLOG)
    loop.call_later(CHECK_SECONDS, front.check)
    await ending.wait()
    server.close()
    await front.stop()
