"""Closes connections that the server keeps open although their request was refused: it offers no way to ask for it.

The server waits for the rest of a body as long as a thread reads it, and for clients that do not read a response. The
connection is found among the open files of the process, by the address of the client, the port of the service and
when something was last sent.
"""

import os
import socket
import stat
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# The server itself closes a connection that is idle for so long (cli/serve.py). So one that was answered longer ago,
# and was sent nothing since, is not idle.
HEADER_SECONDS = 5.0
IDLE_SECONDS = HEADER_SECONDS + 2.0
SILENT_SECONDS = 0.5  # before the response: other requests were sent just before their responses
OPEN_FILES = Path("/proc/self/fd")  # Linux only; elsewhere a thread waits until the client goes away
TCP_INFO = getattr(socket, "TCP_INFO", 11)
LAST_SENT_AT, LAST_RECEIVED_AT = 44, 52  # the places of tcpi_last_data_sent and _recv, in milliseconds
EARLY, LATE = 0.5, 2.0  # seconds by which a response may leave before or after the moment that is known


class Ends(NamedTuple):
    """The two ends of a connection, as far as they are known to a request: this one has a port of its own, which
    connections to a database do not."""

    client: str
    port: str


def close_answered(ends: Ends, moment: float) -> int:
    """Closes the connections between these ends that were answered at a moment of the monotonic clock, but whose
    request is not over; how many there were."""
    closed = 0
    for connection in _between(ends):
        if _is_answered(connection, moment):
            _shut_down(connection)
            closed += 1
    return closed


def close_unfinished(ends: Ends, began: float, last: float | None) -> bool:
    """Closes the connections between these ends that were sent a part of a response that began at a moment of the
    monotonic clock, and nothing for a while; nothing since `last`, if that is known. Whether all are closed that may
    have that response: a client can have several like it, and which of them has it is not known."""
    is_closed = OPEN_FILES.exists()
    for connection in _between(ends):
        sent, received = _last_times(connection)
        # A request that waited for its turn came some time before its response began.
        if not began < sent or not received < began + EARLY:
            continue
        is_late = last is not None and sent > last + LATE
        if sent < time.monotonic() - IDLE_SECONDS and not is_late:
            _shut_down(connection)
        else:
            is_closed = False
    return is_closed


def _between(ends: Ends) -> Iterator[socket.socket]:
    for connection in _connections():
        with connection:
            if _ends(connection) == ends:
                yield connection


def _is_answered(connection: socket.socket, moment: float) -> bool:
    sent, received = _last_times(connection)
    was_silent = moment - received > SILENT_SECONDS
    return -EARLY < sent - moment < LATE and (was_silent or time.monotonic() - moment > IDLE_SECONDS)


def _last_times(connection: socket.socket) -> tuple[float, float]:
    """When something was sent and received last, by the monotonic clock."""
    now = time.monotonic()
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 64)
    except OSError:
        return now, now
    sent, received = (struct.unpack_from("I", info, place)[0] / 1000 for place in (LAST_SENT_AT, LAST_RECEIVED_AT))
    return now - sent, now - received


def _connections() -> Iterator[socket.socket]:
    """A copy of each open socket. A file may be closed, and its number taken by another, at any time."""
    try:
        numbers = [int(file.name) for file in OPEN_FILES.iterdir()]
    except FileNotFoundError:
        return
    for number in numbers:
        try:
            if not stat.S_ISSOCK(os.fstat(number).st_mode):
                continue
            copy = os.dup(number)
        except OSError:
            continue
        try:
            yield socket.socket(fileno=copy)
        except OSError:
            os.close(copy)


def _ends(connection: socket.socket) -> Ends | None:
    try:
        peer, own = connection.getpeername(), connection.getsockname()
    except OSError:
        return None
    return Ends(str(peer[0]), str(own[1])) if peer and isinstance(peer, tuple) else None


def _shut_down(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it is closed already
