"""Requests to a URL that somebody named, guarded against server-side request forgery: the host name is resolved once
a hop, every address is checked, and the connection goes to a checked address."""

import http.client
import socket
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from email.message import Message
from typing import Final, cast

from kalends.calendar.fetching.checked_connections import FetchDeadline, LimitedConnection, checked_addresses, connect
from kalends.calendar.fetching.open_connections import OpenConnections
from kalends.calendar.fetching.public_networks import Address
from kalends.calendar.fetching.reach import PUBLIC, Reach
from kalends.calendar.fetching.targets import Target, TargetReason, TargetRefused, redirected, target_of

PIECE: Final = 65_536
NO_HEADERS: Final[Mapping[str, str]] = {}


@dataclass(frozen=True)
class FetchLimits:
    """How much one fetch may cost; the time includes all redirects."""

    max_bytes: int = 10_000_000
    timeout: float = 10.0
    max_redirects: int = 3


class GuardedResponse:
    """A response whose body is read piece by piece, within the limits of the fetch."""

    def __init__(self, url: str, response: http.client.HTTPResponse, max_bytes: int) -> None:
        self.url = url  # after redirects
        self.status = response.status
        self.headers: Message = response.headers
        self.announced = response.length
        self._response = response
        self._max_bytes = max_bytes

    def pieces(self) -> Iterator[bytes]:
        """The body. Raises TargetRefused when it is too large, too slow or not complete."""
        if self.announced is not None and self.announced > self._max_bytes:
            raise TargetRefused(TargetReason.TOO_LARGE)
        count = 0
        with _refusing():
            while piece := self._response.read(PIECE):
                count += len(piece)
                if count > self._max_bytes:
                    raise TargetRefused(TargetReason.TOO_LARGE)
                yield piece
        if self.announced is not None and count < self.announced:
            raise TargetRefused(TargetReason.FAILED)

    def body(self) -> bytes:
        return b"".join(self.pieces())


@contextmanager
def opened(
    url: str, limits: FetchLimits, headers: Mapping[str, str] = NO_HEADERS, reach: Reach = PUBLIC
) -> Iterator[GuardedResponse]:
    """The response to a GET, after at most a few redirects, each under the same rules. `Authorization` among the
    headers is sent to the first host only. Raises TargetRefused."""
    deadline = FetchDeadline(limits.timeout)
    first = target = target_of(url, reach.ports)
    for _ in range(limits.max_redirects + 1):
        sent = {
            name: value for name, value in headers.items() if name != "Authorization" or target.has_same_origin(first)
        }
        with _refusing():
            connection = connect(target, checked_addresses(target, reach, deadline), deadline, reach.tls)
        with connection:
            with _refusing():
                limited = LimitedConnection(connection, deadline, 2 * limits.max_bytes + 262_144)
                response = _request(target, limited, sent)
            if response.status not in (301, 302, 303, 307, 308):
                yield GuardedResponse(target.url, response, limits.max_bytes)
                return
            target = redirected(target, response, reach.ports)
    raise TargetRefused(TargetReason.REDIRECTS)


@dataclass(frozen=True, slots=True)
class PostAnswer:
    """What came back to a POST: the status, the headers and the beginning of the body."""

    status: int
    headers: Message
    start: bytes


def check(url: str, timeout: float, reach: Reach = PUBLIC) -> None:
    """Raises TargetRefused where `posted` would now; a name that has no address now may have one later."""
    target, deadline = target_of(url, reach.ports), FetchDeadline(timeout)
    known: list[Sequence[Address]] = []

    def remember(host: str, port: int) -> Sequence[Address]:
        known.append(reach.resolve(host, port))
        return known[-1]

    try:
        with _refusing():
            checked_addresses(target, replace(reach, resolve=remember), deadline)
    except TargetRefused:
        is_name = target.host.strip("0123456789.") and ":" not in target.host
        if not is_name or any(known):
            raise


def posted(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    limits: FetchLimits,
    reach: Reach = PUBLIC,
    connections: OpenConnections | None = None,
) -> PostAnswer:
    """Sends a body by POST, under the same rules; no redirect is followed. Of the answer at most `max_bytes` are
    read, however much there is: once its status is known, the rest does not matter. With `connections`, a connection
    may be one that was checked and opened for an earlier request, and stay open for the next; a body that could not
    be sent on it is sent again on a new one. Raises TargetRefused."""
    deadline = FetchDeadline(limits.timeout)
    target = target_of(url, reach.ports)
    posting = _Posting(target, body, headers, limits, deadline, connections)
    if connections is not None and (open_one := connections.pop(target.url, reach.allow)) is not None:
        with suppress(TargetRefused):  # the other side may have closed it just now
            return posting.on(open_one.connection, open_one.opened)
    with _refusing():
        connection = connect(target, checked_addresses(target, reach, deadline), deadline, reach.tls)
    return posting.on(connection, time.monotonic())


@dataclass(frozen=True, slots=True)
class _Posting:
    """What is sent by POST."""

    target: Target
    body: bytes
    headers: Mapping[str, str]
    limits: FetchLimits
    deadline: FetchDeadline
    connections: OpenConnections | None

    def on(self, connection: socket.socket, opened: float) -> PostAnswer:
        """Sends it on a connection, which is then closed, unless it can be used once more."""
        stays = False
        try:
            limited = LimitedConnection(connection, self.deadline, self.limits.max_bytes + 262_144)
            with _refusing():
                response = _request(self.target, limited, self.headers, self.body, closes=self.connections is None)
            start = _start_of(response, self.limits.max_bytes)
            stays = not response.will_close and (response.length == 0 or response.isclosed())
            return PostAnswer(response.status, response.headers, start)
        finally:
            if stays and self.connections is not None:
                self.connections.keep(self.target.url, connection, opened)
            else:
                connection.close()


def _start_of(response: http.client.HTTPResponse, most: int) -> bytes:
    """The first bytes of a body, as far as they came in time."""
    start = b""
    try:
        while len(start) < most and (piece := response.read1(most - len(start))):
            start += piece
    except (OSError, http.client.HTTPException, TargetRefused):
        pass
    return start


@contextmanager
def _refusing() -> Iterator[None]:
    """What can go wrong on the way, as the reason that is told."""
    try:
        yield
    except TimeoutError:
        raise TargetRefused(TargetReason.SLOW) from None
    except ssl.SSLCertVerificationError:
        raise TargetRefused(TargetReason.UNTRUSTED) from None
    except (OSError, http.client.HTTPException):
        raise TargetRefused(TargetReason.FAILED) from None


def _request(
    target: Target,
    connection: LimitedConnection,
    headers: Mapping[str, str],
    body: bytes | None = None,
    *,
    closes: bool = True,
) -> http.client.HTTPResponse:
    """A GET, or a POST of a body."""
    method = "GET" if body is None else "POST"
    lines = [
        f"{method} {target.path} HTTP/1.1",
        f"Host: {target.host_header}",
        "User-Agent: Kalends",
        *(f"{name}: {value}" for name, value in headers.items()),
        "Accept-Encoding: identity",
        *(("Connection: close",) if closes else ()),
    ]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    connection.send(("\r\n".join(lines) + "\r\n\r\n").encode("ascii") + (body or b""))
    response = http.client.HTTPResponse(cast(socket.socket, connection), method=method)
    response.begin()
    return response
