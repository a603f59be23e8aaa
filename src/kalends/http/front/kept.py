"""Answers from what is kept, in the loop: no thread and no environment, and one lookup by the bytes of a request that
was sent before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from kalends.calendar.revisions import Revision
from kalends.http.cache.cached_responses import READS, CachedResponse, Key
from kalends.http.cache.response_cache import LONGEST_ACCEPTED, NOT_MODIFIED
from kalends.http.front.heads import Head
from kalends.http.messages.responses import EncodedBody, Header, coding_for, matches
from kalends.http.middleware.logs import REQUEST, SETTINGS, about, log, request_id
from kalends.http.middleware.rate_limit import EXEMPT, STATIC
from kalends.http.request_context import HIT, LOOKUP, ROUTE, STATUS, address_of_client
from kalends.settings import Settings

LARGEST_KNOWN, MOST_KNOWN = 3000, 4000  # bytes of a head that is remembered, and how many


@dataclass(slots=True, eq=False)
class Prepared:
    """What of a request decides which kept bytes it gets."""

    settings: Settings | None  # for which the key was made
    key: Key | None
    coding: str
    known: str | None  # If-None-Match
    since: str | None  # If-Modified-Since
    is_head: bool
    client: str
    counts_requests: bool  # for the rate limit
    added: bytes  # lines that belong to the request: HSTS, the end of the connection


class KeptResponses:
    """Of one worker. `app` is the application behind."""

    def __init__(self, app: Any, date: Callable[[], bytes]) -> None:
        self.cache = app.cache
        self.responses = app.cache.kept
        self.settings: Settings = app.cache.calendar.settings
        self.counts = app.metrics.counts if app.metrics is not None else None
        self.quotas = app.rate_limit.quotas if app.rate_limit is not None else None
        self.clock = app.cache.calendar.clock
        self._transport_security = app.transport_security
        self._logs = self.settings.log_requests
        self._date = date
        self._known: dict[bytes, Head] = {}
        # Whether what is kept of a head depends on who sent it.
        self._by_peer = bool(self.settings.trusted_proxies or self.settings.rate_limit or self._logs)

    def mark_of(self, peer: str) -> bytes:
        """What the bytes of a request from there are remembered with."""
        return peer.encode() + b"\n" if self._by_peer else b""

    def known(self, data: bytes) -> Head | None:
        return self._known.get(data)

    def remember(self, data: bytes, head: Head) -> None:
        """These bytes are this request, and nothing else."""
        if (
            len(data) > LARGEST_KNOWN
            or "HTTP_AUTHORIZATION" in head.environ
            or head.environ["REQUEST_METHOD"] not in READS
        ):
            return
        if len(self._known) >= MOST_KNOWN:
            self._known = {}
        self._known[data] = head

    def may_have(self, head: Head) -> bool:
        """False where it is not worth a check whether anything has changed: the application looks itself."""
        key = self._key(head, self.cache.calendar.settings)
        return key in self.responses if key is not None else False

    def find(self, head: Head, revision: Revision) -> CachedResponse | None:
        """The response that is kept for a request."""
        key = self._key(head, revision.settings)
        if key is None:
            return None
        found: CachedResponse | None = self.responses.get(key, revision.state, revision.moment)
        return found

    def _key(self, head: Head, settings: Settings) -> Key | None:
        prepared: Prepared = head.prepared or self._prepare(head)
        if prepared.settings is not settings:
            prepared.key = self.cache.keys.of(head.environ, settings)
            prepared.settings = settings
        return prepared.key

    def answer(self, head: Head, kept: CachedResponse, began: float, added: bytes = b"") -> Sequence[bytes] | None:
        """What to send; None if a thread has to do something first."""
        prepared: Prepared = head.prepared
        body = kept.plain
        if prepared.coding and body.compressible:
            encoded = kept.compressed.get(prepared.coding)
            if encoded is None:
                return None
            body = encoded
        if prepared.counts_requests and self.quotas is not None:
            quota = self.quotas.consume_held(prepared.client, self.clock())
            if quota is None:
                return None
            added += lines(quota.headers)
        status = kept.status
        if prepared.known is None:
            is_known = bool(prepared.since) and prepared.since == kept.last_modified
        else:
            is_known = matches(prepared.known, kept.plain.etag)
        wire = body.wire
        if wire is None:
            wire = body.wire = wire_of(kept.status, body)
        if is_known:
            status, pieces = NOT_MODIFIED, [wire[1]]
        else:
            pieces = [wire[0]]
        if prepared.added or added:
            pieces.append(prepared.added + added)
        if self._logs:
            pieces.append(self._log(head, kept, status, began, 0 if is_known or prepared.is_head else len(body.body)))
        pieces.append(self._date())
        if not is_known and not prepared.is_head:
            pieces.append(body.body)
        self.responses.hits += 1
        if self.counts is not None:
            method = "HEAD" if prepared.is_head else "GET"
            self.counts.add_row((kept.route, method, status, HIT), perf_counter() - began)
        return pieces

    def _prepare(self, head: Head) -> Prepared:
        environ = head.environ
        accepted = environ.get("HTTP_ACCEPT_ENCODING", "")
        coding = coding_for(accepted) if accepted and len(accepted) < LONGEST_ACCEPTED else ""
        path = environ["PATH_INFO"]
        added = lines(self._transport_security.headers_for(environ)) + connection_line(head)
        prepared = head.prepared = Prepared(
            None,
            None,
            coding,
            environ.get("HTTP_IF_NONE_MATCH"),
            environ.get("HTTP_IF_MODIFIED_SINCE"),
            environ["REQUEST_METHOD"] == "HEAD",
            address_of_client(environ, self.settings) if self._by_peer else "",
            self.quotas is not None and path not in EXEMPT and not path.startswith(STATIC),
            added,
        )
        return prepared

    def _log(self, head: Head, kept: CachedResponse, status: str, began: float, size: int) -> bytes:
        """The line of a request; its id is a header of the response."""
        environ = head.environ | {SETTINGS: self.settings, ROUTE: kept.route, STATUS: status, LOOKUP: HIT}
        name = request_id(environ)
        request = about(environ) | {
            "status": int(status[:3]),
            "duration_ms": round((perf_counter() - began) * 1000, 3),
            "bytes": size,
            "remote": head.prepared.client,
        }
        log.info(REQUEST, extra={"request": request})
        return b"X-Request-Id: %s\r\n" % name.encode("latin-1", "replace")


def connection_line(head: Head) -> bytes:
    """What the client is told of the connection."""
    if not head.is_kept_alive:
        return b"connection: close\r\n"
    return b"connection: keep-alive\r\n" if head.is_http_1_0 else b""


def lines(headers: Sequence[Header]) -> bytes:
    """Headers as they are sent. None of them ends early, whatever is in it."""
    text = "".join([f"{name}: {value}\r\n" for name, value in headers])
    if text.count("\n") != len(headers) or text.count("\r") != len(headers):
        text = "".join([f"{name}: {' '.join(value.split())}\r\n" for name, value in headers])
    return text.encode("latin-1", "replace")


def wire_of(status: str, body: EncodedBody) -> tuple[bytes, bytes]:
    """The heads of a 200 and of a 304, up to what depends on the request and the moment."""
    start = b"HTTP/1.1 %s\r\n"
    whole = start % status.encode() + lines(body.headers)
    return whole, start % NOT_MODIFIED.encode() + lines(body.not_modified)
