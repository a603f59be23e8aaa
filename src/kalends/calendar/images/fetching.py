"""Fetches an image from a URL of a client, guarded against server-side request forgery: the host name is resolved
once a hop, every address is checked, and the connection goes to a checked address."""

import functools
import http.client
import io
import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, cast
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from kalends.calendar.images.addresses import Address, Resolver, is_public, system_resolver
from kalends.languages import N_

__all__ = ["FetchLimits", "FetchRefused", "fetch_image"]

DEFAULT_PORTS: Final = frozenset({80, 443, 8080, 8443})

_BAD_URL: Final = N_("The image URL is not a plain http or https URL.")
_BAD_PORT: Final = N_("The image URL has a port that is not allowed.")
# One sentence for every refused address, so that it reveals nothing about what is there.
_NOT_PUBLIC: Final = N_("The image URL does not lead to a public address.")
_FAILED: Final = N_("The image could not be fetched.")
_SLOW: Final = N_("The image took too long to fetch.")
_TOO_LARGE: Final = N_("The image at this URL is too large.")
_NO_IMAGE: Final = N_("The image URL did not answer with an image.")
_REDIRECTS: Final = N_("The image URL redirects too often.")
_DOWNGRADE: Final = N_("The image URL redirects from https to http.")


class FetchRefused(ValueError):
    """The image is not fetched; the sentence may be shown to the client."""


@dataclass(frozen=True)
class FetchLimits:
    """How much one fetch may cost; the time includes all redirects."""

    max_bytes: int = 10_000_000
    timeout: float = 10.0
    max_redirects: int = 3


def fetch_image(
    url: str,
    limits: FetchLimits,
    resolve: Resolver = system_resolver,
    allow: Callable[[Address], bool] = is_public,
    *,
    ports: Collection[int] | None = DEFAULT_PORTS,
    tls: ssl.SSLContext | None = None,
) -> bytes:
    """The body of the image at the URL, after at most a few redirects, each under the same rules."""
    deadline = _Deadline(limits.timeout)
    target = _target(url, ports)
    try:
        for _ in range(limits.max_redirects + 1):
            addresses = _checked_addresses(target, resolve, allow, deadline)
            with _connect(target, addresses, deadline, tls or _default_tls()) as connection:
                response = _request(target, _LimitedConnection(connection, deadline, 2 * limits.max_bytes + 262_144))
                if response.status not in (301, 302, 303, 307, 308):
                    return _body(response, limits.max_bytes)
                target = _redirected(target, response, ports)
    except TimeoutError:
        raise FetchRefused(_SLOW) from None
    except (OSError, http.client.HTTPException):
        raise FetchRefused(_FAILED) from None
    raise FetchRefused(_REDIRECTS)


class _Deadline:
    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds


@dataclass(frozen=True)
class _Target:
    """One hop: the parts of a URL that is well formed."""

    url: str
    secure: bool
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == (443 if self.secure else 80) else f"{name}:{self.port}"


def _target(url: str, ports: Collection[int] | None) -> _Target:
    if len(url) > 2048 or not url.isprintable() or any(character in url for character in " \\"):
        raise FetchRefused(_BAD_URL)
    try:
        parts = urlsplit(url)
        port = parts.port
        host = _ascii_host(parts)
    except ValueError:
        raise FetchRefused(_BAD_URL) from None
    if parts.scheme not in ("http", "https") or "@" in parts.netloc:
        raise FetchRefused(_BAD_URL)
    secure = parts.scheme == "https"
    if port is None:
        port = 443 if secure else 80
    if port == 0 or (ports is not None and port not in ports):
        raise FetchRefused(_BAD_PORT)
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
    query = "?" + quote(parts.query, safe="/%:@!$&'()*+,;=~?") if parts.query else ""
    return _Target(url, secure, host, port, path + query)


def _ascii_host(parts: SplitResult) -> str:
    """The host name as it is sent; numbers in unusual notations are left to the resolver."""
    host = (parts.hostname or "").removesuffix(".")
    if len(host) > 253:
        raise ValueError("The name is too long.")
    if ":" in host:
        address = ipaddress.IPv6Address(host)
        if address.scope_id is not None:
            raise ValueError("A zone is only valid on this machine.")
        return str(address)
    # After the mapping of full-width digits and dots the name may end in a dot once more.
    host = host.encode("idna").decode("ascii").lower().removesuffix(".")
    if not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", host):
        raise ValueError("Not a host name.")
    return host


def _checked_addresses(
    target: _Target, resolve: Resolver, allow: Callable[[Address], bool], deadline: _Deadline
) -> Sequence[Address]:
    try:
        addresses: Sequence[Address] = [ipaddress.ip_address(target.host)]
    except ValueError:
        addresses = _resolve(target, resolve, deadline)
    # One internal address among public ones is enough to refuse: DNS rebinding returns such answers.
    if not addresses or not all(allow(address) for address in addresses):
        raise FetchRefused(_NOT_PUBLIC)
    return addresses


def _resolve(target: _Target, resolve: Resolver, deadline: _Deadline) -> Sequence[Address]:
    """The addresses of the host. In a thread, since the system's resolver cannot be interrupted at the deadline."""
    answers: queue.SimpleQueue[Sequence[Address]] = queue.SimpleQueue()

    def work() -> None:
        try:
            answers.put(resolve(target.host, target.port))
        except (OSError, ValueError):
            answers.put([])  # no such name

    threading.Thread(target=work, name="image-host-lookup", daemon=True).start()
    try:
        return answers.get(timeout=deadline.left())
    except queue.Empty:
        raise TimeoutError from None


def _connect(
    target: _Target, addresses: Sequence[Address], deadline: _Deadline, tls: ssl.SSLContext
) -> socket.socket:
    connection = _first_that_answers(addresses, target.port, deadline)
    if not target.secure:
        return connection
    try:
        connection.settimeout(deadline.left())
        return tls.wrap_socket(connection, server_hostname=target.host)
    except BaseException:
        connection.close()
        raise


def _first_that_answers(addresses: Sequence[Address], port: int, deadline: _Deadline) -> socket.socket:
    waiting = list(addresses[:4])
    while True:
        # A share of the time for each, so that a dead address does not use up all of it.
        seconds = deadline.left() / len(waiting)
        try:
            return socket.create_connection((str(waiting.pop(0)), port), seconds)
        except OSError:
            if not waiting:
                raise


@functools.cache
def _default_tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class _LimitedConnection(io.RawIOBase):
    """A connection with a deadline and a limit of bytes, however they arrive."""

    def __init__(self, connection: socket.socket, deadline: _Deadline, most: int) -> None:
        self._connection = connection
        self._deadline = deadline
        self._left = most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._connection.settimeout(self._deadline.left())
        count = self._connection.recv_into(buffer)
        self._left -= count
        if self._left < 0:
            raise FetchRefused(_TOO_LARGE)
        return count

    def send(self, data: bytes) -> None:
        self._connection.settimeout(self._deadline.left())
        self._connection.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        """All that the parser of responses asks of a socket."""
        return io.BufferedReader(self)


def _request(target: _Target, connection: _LimitedConnection) -> http.client.HTTPResponse:
    request = (
        f"GET {target.path} HTTP/1.1\r\nHost: {target.host_header}\r\nUser-Agent: Kalends\r\n"
        "Accept: image/avif,image/webp,image/png,image/jpeg,image/gif\r\n"
        "Accept-Encoding: identity\r\nConnection: close\r\n\r\n"
    )
    connection.send(request.encode("ascii"))
    response = http.client.HTTPResponse(cast(socket.socket, connection), method="GET")
    response.begin()
    return response


def _redirected(target: _Target, response: http.client.HTTPResponse, ports: Collection[int] | None) -> _Target:
    # Header bytes come as Latin-1; servers mean UTF-8.
    location = (response.getheader("Location") or "").encode("latin-1", "replace").decode("utf-8", "replace")
    if not location:
        raise FetchRefused(_NO_IMAGE)
    # Checked before joining, which silently drops line breaks.
    if not location.isprintable():
        raise FetchRefused(_BAD_URL)
    try:
        joined = urljoin(target.url, location)
    except ValueError:
        raise FetchRefused(_BAD_URL) from None
    following = _target(joined, ports)
    if target.secure and not following.secure:
        raise FetchRefused(_DOWNGRADE)
    return following


def _body(response: http.client.HTTPResponse, max_bytes: int) -> bytes:
    kind = (response.getheader("Content-Type") or "").strip().lower()
    encoded = (response.getheader("Content-Encoding") or "identity").strip().lower() != "identity"
    octets = kind.split(";")[0].strip() in ("application/octet-stream", "binary/octet-stream")
    if response.status != 200 or encoded or not (kind.startswith("image/") or octets):
        raise FetchRefused(_NO_IMAGE)
    announced = response.length
    if announced is not None and announced > max_bytes:
        raise FetchRefused(_TOO_LARGE)
    body = bytearray()
    while piece := response.read(65_536):
        body += piece
        if len(body) > max_bytes:
            raise FetchRefused(_TOO_LARGE)
    if announced is not None and len(body) < announced:
        raise FetchRefused(_FAILED)
    return bytes(body)
