"""Connections that stay open for the next request to the same URL, for some seconds."""

import ipaddress
import select
import socket
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from typing import NamedTuple

from kalends.calendar.fetching.public_networks import Address

IDLE = 4.0  # seconds; common servers close what is idle for five
OLDEST = 60.0  # seconds, then the name is looked up again


class OpenConnection(NamedTuple):
    """A connection without a request, and when it was opened and last used."""

    connection: socket.socket
    opened: float
    used: float

    def is_stale(self, now: float) -> bool:
        return now > self.used + IDLE or now > self.opened + OLDEST


class OpenConnections:
    """Those of one process, one for each URL: who answers at one has no part in the answers at another."""

    def __init__(self) -> None:
        self._connections: dict[str, OpenConnection] = {}
        self._lock = threading.Lock()
        weakref.finalize(self, _close_all, self._connections)

    def pop(self, url: str, allow: Callable[[Address], bool]) -> OpenConnection | None:
        """One that is open, and leads to an address that is allowed now."""
        with self._lock:
            kept = self._connections.pop(url, None)
        if kept is None:
            return None
        if not kept.is_stale(time.monotonic()) and _is_silent(kept.connection) and allow(_address(kept.connection)):
            return kept
        kept.connection.close()
        return None

    def keep(self, url: str, connection: socket.socket, opened: float) -> None:
        with self._lock:
            before = self._connections.get(url)
            self._connections[url] = OpenConnection(connection, opened, time.monotonic())
        if before is not None:
            before.connection.close()

    def has_stale(self) -> bool:
        now = time.monotonic()
        return any(kept.is_stale(now) for kept in [*self._connections.values()])

    def close_stale(self) -> None:
        now = time.monotonic()
        with self._lock:
            stale = {url: kept for url, kept in self._connections.items() if kept.is_stale(now)}
            for url in stale:
                del self._connections[url]
        _close_all(stale)


def _close_all(connections: Mapping[str, OpenConnection]) -> None:
    for one in connections.values():
        one.connection.close()


def _is_silent(connection: socket.socket) -> bool:
    """Whether nothing came since the last answer: neither its end, nor something that nobody asked for."""
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return not poll.poll(0)


def _address(connection: socket.socket) -> Address:
    return ipaddress.ip_address(connection.getpeername()[0])
