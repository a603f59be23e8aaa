"""Connections to checked addresses, with a deadline and a limit of bytes."""

import functools
import io
import ipaddress
import queue
import socket
import ssl
import threading
import time
from collections.abc import Sequence

from kalends.calendar.fetching.public_networks import Address, Resolver
from kalends.calendar.fetching.reach import Reach
from kalends.calendar.fetching.targets import Target, TargetReason, TargetRefused


class FetchDeadline:
    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds


def checked_addresses(target: Target, reach: Reach, deadline: FetchDeadline) -> Sequence[Address]:
    try:
        addresses: Sequence[Address] = [ipaddress.ip_address(target.host)]
    except ValueError:
        addresses = _resolve(target, reach.resolve, deadline)
    # One internal address among public ones is enough to refuse: DNS rebinding returns such answers.
    if not addresses or not all(reach.allow(address) for address in addresses):
        raise TargetRefused(TargetReason.NOT_PUBLIC)
    return addresses


def _resolve(target: Target, resolve: Resolver, deadline: FetchDeadline) -> Sequence[Address]:
    """The addresses of the host. In a thread, since the system's resolver cannot be interrupted at the deadline."""
    answers: queue.SimpleQueue[Sequence[Address]] = queue.SimpleQueue()

    def work() -> None:
        try:
            answers.put(resolve(target.host, target.port))
        except (OSError, ValueError):
            answers.put([])  # no such name

    threading.Thread(target=work, name="host-lookup", daemon=True).start()
    try:
        return answers.get(timeout=deadline.remaining())
    except queue.Empty:
        raise TimeoutError from None


def connect(
    target: Target, addresses: Sequence[Address], deadline: FetchDeadline, tls: ssl.SSLContext | None
) -> socket.socket:
    connection = _first_that_answers(addresses, target.port, deadline)
    if not target.secure:
        return connection
    try:
        connection.settimeout(deadline.remaining())
        return (tls or default_tls()).wrap_socket(connection, server_hostname=target.host)
    except BaseException:
        connection.close()
        raise


def _first_that_answers(addresses: Sequence[Address], port: int, deadline: FetchDeadline) -> socket.socket:
    waiting = list(addresses[:4])
    while True:
        # A share of the time for each, so that a dead address does not use up all of it.
        seconds = deadline.remaining() / len(waiting)
        try:
            return socket.create_connection((str(waiting.pop(0)), port), seconds)
        except OSError:
            if not waiting:
                raise


@functools.cache
def default_tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class LimitedConnection(io.RawIOBase):
    """A connection with a deadline and a limit of bytes, however they arrive."""

    def __init__(self, connection: socket.socket, deadline: FetchDeadline, most: int) -> None:
        self._connection = connection
        self._deadline = deadline
        self._bytes_allowed = most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._connection.settimeout(self._deadline.remaining())
        count = self._connection.recv_into(buffer)
        self._bytes_allowed -= count
        if self._bytes_allowed < 0:
            raise TargetRefused(TargetReason.TOO_LARGE)
        return count

    def send(self, data: bytes) -> None:
        self._connection.settimeout(self._deadline.remaining())
        self._connection.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        """All that the parser of responses asks of a socket."""
        return io.BufferedReader(self)
