"""Closes the connection of one response: the server offers no way to ask for that, nor says which connection it is.

The server waits for the rest of a body as long as a thread reads it, and would end a response that breaks off as if
it were whole. So such a response is sent in pieces of random lengths, and the sockets of the process are watched: the
connection is the one that sent exactly these bytes, each time. Neither addresses nor times decide, since behind a
proxy all connections have the same address.
"""

import fcntl
import os
import random
import socket
import stat
import struct
import termios
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

# The server itself closes a connection that is idle for so long (cli/serve.py).
HEADER_SECONDS = 5.0
# The system closes a connection whose client takes nothing for so long, also while the server's thread waits for it.
UNTAKEN_SECONDS = 20.0
OPEN_FILES = Path("/proc/self/fd")  # Linux only; elsewhere a thread waits until the client goes away
TCP_INFO = getattr(socket, "TCP_INFO", 11)
TCP_USER_TIMEOUT = getattr(socket, "TCP_USER_TIMEOUT", 18)
BYTES_ACKED_AT = 120  # the place of tcpi_bytes_acked
PIECES = 14
IN_A_ROW = 7  # pieces of which a connection must have sent each; by chance less than once in a hundred million
ESTABLISHED, LISTENING = 1, 10  # what the first byte of TCP_INFO says
LOOK_LASTS = 0.1  # seconds at least; looking takes about 15 µs for each socket,
LOOK_SHARE = 0.1  # and of the time at most this part
SHORTEST, LONGEST = 16, 1024  # bytes of a piece that only serves to find the connection
WAIT_SECONDS = 1.0  # for a piece to leave
FIRST_WAIT_SECONDS = 0.05  # the first may leave together with the headers, whose length is not known, or the next
POLL_SECONDS = 0.0005

LONGEST_WAIT = 30.0  # until others have closed theirs

_one_at_a_time = threading.Lock()
_random = random.SystemRandom()


class Ends(NamedTuple):
    """The two ends of a connection, as far as they are known to a request: this one has a port of its own, which
    connections to a database do not. Many connections may have the same."""

    client: str
    port: str


class Look(NamedTuple):
    """The sockets of this process at a moment."""

    began: float = 0.0  # by the monotonic clock
    lasts_until: float = 0.0
    ports: frozenset[str] = frozenset()  # on which it listens
    open: frozenset[Ends] = frozenset()


class OpenConnections:
    """Whether clients are still there, which the server does not tell. It answers nobody who has ended what he sends,
    so such a connection is not open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = Look()

    def is_gone(self, ends: Ends, since: float) -> bool:
        """Whether no connection is open any more between these ends, where there was one at that moment. Not where
        sockets cannot be looked at, or where another process has the connections."""
        with self._lock:
            if time.monotonic() > self._last.lasts_until:
                self._last = _look()
            look = self._last
        return look.began > since and ends.port in look.ports and ends not in look.open


CONNECTIONS = OpenConnections()


def cut(content: bytes) -> list[bytes]:
    """A content in pieces of random lengths."""
    places = sorted(_random.sample(range(1, len(content)), min(PIECES, len(content)) - 1)) if content else []
    return [content[start:end] for start, end in zip([0, *places], [*places, len(content)], strict=True)]


def filling() -> list[bytes]:
    """Pieces for a response that is broken off: nobody reads them as a part of it."""
    return [b" " * _random.randint(SHORTEST, LONGEST) for _ in range(PIECES)]


def close_by(pieces: Sequence[bytes], ends: Ends) -> Generator[bytes, None, bool]:
    """Yields pieces of a response for the server to send, and closes the connection that sent them; whether one was
    found. All pieces are yielded, so that the client has a whole response. One at a time looks, since it has a copy
    of each connection."""
    if not _one_at_a_time.acquire(timeout=LONGEST_WAIT):
        yield from pieces
        return False
    with ExitStack() as opened:
        opened.callback(_one_at_a_time.release)
        sockets = {inode: opened.enter_context(copy) for inode, copy in _between(ends)}
        streaks = dict.fromkeys(sockets, 0)
        found, patience = None, FIRST_WAIT_SECONDS
        for piece in pieces:
            before = {inode: _written(copy) for inode, copy in sockets.items()} if found is None else {}
            yield piece
            if found is not None:
                continue
            sent = _wait_for(len(piece), sockets, before, patience)
            patience = WAIT_SECONDS if sent else min(2 * patience, WAIT_SECONDS)
            streaks = {inode: streak + 1 if inode in sent else 0 for inode, streak in streaks.items()}
            certain = [inode for inode, streak in streaks.items() if streak >= IN_A_ROW]
            found = certain[0] if len(certain) == 1 else None
        if found is None:
            return False
        with suppress(OSError):  # it is closed already
            sockets[found].shutdown(socket.SHUT_RDWR)
        return True


def limit_silence(port: str) -> None:
    """From now on the system closes connections to this port of the process if their clients take nothing: those that
    there are, and later ones, which get it from the socket that listens."""
    for _, copy in _sockets():
        with copy, suppress(OSError):
            own = copy.getsockname()
            if isinstance(own, tuple) and str(own[1]) == port:
                copy.setsockopt(socket.IPPROTO_TCP, TCP_USER_TIMEOUT, round(UNTAKEN_SECONDS * 1000))


def _wait_for(size: int, sockets: dict[int, socket.socket], before: dict[int, int], patience: float) -> set[int]:
    """The sockets that sent exactly one piece of this size, as it is or as a chunk, within so many seconds."""
    sizes = (size, size + len(f"{size:x}") + 4)
    deadline = time.monotonic() + patience
    while True:
        sent = {inode for inode, copy in sockets.items() if _written(copy) - before[inode] in sizes}
        if sent or not sockets or time.monotonic() > deadline:
            return sent
        time.sleep(POLL_SECONDS)


def _written(connection: socket.socket) -> int:
    """How many bytes were handed to a socket: those that arrived and those that did not yet. -1 once it is closed."""
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, TCP_INFO, BYTES_ACKED_AT + 8)
        waiting = fcntl.ioctl(connection, termios.TIOCOUTQ, b"\0" * 4)
    except OSError:
        return -1
    acked: int = struct.unpack_from("Q", info, BYTES_ACKED_AT)[0] if len(info) >= BYTES_ACKED_AT + 8 else 0
    return acked + int(struct.unpack("i", waiting)[0])


def _look() -> Look:
    began, ports, found = time.monotonic(), set(), set()
    for _, copy in _sockets():
        with copy, suppress(OSError):
            state = copy.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 1)[0]
            if state == LISTENING:
                ports.add(str(copy.getsockname()[1]))
            elif state == ESTABLISHED and (ends := _ends(copy)) is not None:
                found.add(ends)
    now = time.monotonic()
    return Look(began, now + max(LOOK_LASTS, (now - began) / LOOK_SHARE), frozenset(ports), frozenset(found))


def _between(ends: Ends) -> Iterator[tuple[int, socket.socket]]:
    """Each connection between these ends once, by its inode; the server may have several descriptors of it."""
    known = set()
    for inode, copy in _sockets():
        if inode not in known and _ends(copy) == ends:
            known.add(inode)
            yield inode, copy
        else:
            copy.close()


def _sockets() -> Iterator[tuple[int, socket.socket]]:
    """A copy of each open socket. A file may be closed, and its number taken by another, at any time.

    Nothing else is copied: closing any descriptor of the database would release the locks that SQLite holds on it,
    and another process would write at the same time."""
    try:
        numbers = [int(file.name) for file in OPEN_FILES.iterdir()]
    except OSError:
        return
    for number in numbers:
        try:
            if not _is_socket(number):
                continue
            copy = os.dup(number)
        except OSError:
            continue
        if _is_socket(copy):
            yield os.fstat(copy).st_ino, socket.socket(fileno=copy)
        # Otherwise another file took the number in between, perhaps the database: its copy stays open.


def _is_socket(number: int) -> bool:
    return stat.S_ISSOCK(os.fstat(number).st_mode)


def _ends(connection: socket.socket) -> Ends | None:
    try:
        peer, own = connection.getpeername(), connection.getsockname()
    except OSError:
        return None
    return Ends(str(peer[0]), str(own[1])) if peer and isinstance(peer, tuple) else None
