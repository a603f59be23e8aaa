"""What is sent on a connection, at the pace of the client who takes it, and how far that client is."""

import asyncio
import os
import socket
import struct
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from kalends.http.front.sides import Streamed

UNTAKEN_SECONDS = 20.0  # a client that takes nothing for so long is gone
LEAST_RATE = 8 * 1024  # bytes a second, on average, that a client takes
UNHURRIED = 60.0  # seconds in which the rate does not count
JOINED = 16 * 1024  # bytes that are cheaper to copy than to send in pieces
# What Linux says of a connection: its state, and at this place how many bytes the other side has confirmed.
IS_LINUX = sys.platform == "linux"
BYTES_ACKED_AT = 120
ESTABLISHED, CLIENT_HAS_ENDED = 1, 8  # states


class Descriptor:
    """A second descriptor of a connection, for threads: the loop closes the first one whenever the client leaves, and
    its number may be that of another connection at once."""

    __slots__ = ("_lock", "_number")

    def __init__(self, number: int) -> None:
        self._number: int | None = os.dup(number)
        self._lock = threading.Lock()

    def write(self, data: bytes) -> int:
        """How many bytes the system takes at once; 0 too if the connection is closed, as the loop finds out."""
        with self._lock:
            try:
                return 0 if self._number is None else os.write(self._number, data)
            except OSError:
                return 0

    def close(self) -> None:
        with self._lock:
            if self._number is not None:
                os.close(self._number)
                self._number = None


class Sender:
    """Of one connection, in the loop."""

    __slots__ = ("_began", "_descriptor", "_parts", "_taken", "_taken_at", "_transport", "is_choked", "sent")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._descriptor: Descriptor | None = None
        self._parts: Streamed | None = None
        self.sent = 0  # bytes
        self.is_choked = False  # what was sent waits for the client
        self._taken, self._taken_at, self._began = 0, 0.0, 0.0

    def send(self, pieces: Sequence[bytes]) -> None:
        size = sum(map(len, pieces))
        self.sent += size
        if size <= JOINED:
            self._transport.write(b"".join(pieces))
        else:
            self._transport.writelines(pieces)

    def descriptor(self) -> Descriptor | None:
        """For a thread that sends a response itself, which spares the loop an awakening. None: something is still to
        be sent before it."""
        if self.is_choked or self._transport.get_write_buffer_size():
            return None
        if self._descriptor is None:
            found = self._transport.get_extra_info("socket")
            try:
                self._descriptor = None if found is None else Descriptor(found.fileno())
            except OSError:  # it is closed, or there are too many
                return None
        return self._descriptor

    def stream(self, parts: Streamed | None) -> None:
        self._parts = parts
        self.send_more()

    def send_more(self) -> None:
        if self._parts is not None and not self.is_choked:
            self._parts.next()

    def choke(self) -> None:
        self.is_choked = True
        self.watch()

    def resume(self) -> None:
        self.is_choked = False
        self.send_more()

    def watch(self) -> None:
        """From now on the client has to take what was sent."""
        self._began = self._taken_at = monotonic()
        self._taken = self._acked()

    def close(self) -> None:
        if self._descriptor is not None:
            self._descriptor.close()
        if self._parts is not None:
            self._parts.close()
            self._parts = None

    def reset(self) -> None:
        """A response that breaks off must not look as if it were whole."""
        with self._socket() as own:
            if own is not None:
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()

    def check(self, now: float) -> None:
        """To be called about once a second while something is to be taken: resets who takes nothing, or little."""
        taken = self._acked()
        if taken != self._taken:
            self._taken, self._taken_at = taken, now
        seconds = now - self._began - UNHURRIED
        unsent = self._transport.get_write_buffer_size()
        is_slow = seconds > 0 and self.sent - unsent < LEAST_RATE * seconds
        if is_slow or now - self._taken_at > UNTAKEN_SECONDS:
            self.reset()

    def has_client_ended(self) -> bool:
        """Whether the client has said that it sends nothing more, or is gone; also while nothing is read."""
        info = self._tcp_info()
        return bool(info) and info[0] != ESTABLISHED

    def is_client_gone(self) -> bool:
        """Whether the client takes nothing more either."""
        info = self._tcp_info()
        return bool(info) and info[0] not in (ESTABLISHED, CLIENT_HAS_ENDED)

    def _acked(self) -> int:
        """How many bytes the other side has confirmed; what has left, where the system does not say."""
        try:
            return int(struct.unpack_from("Q", self._tcp_info(), BYTES_ACKED_AT)[0])
        except struct.error:
            return self.sent - self._transport.get_write_buffer_size()

    def _tcp_info(self) -> bytes:
        with self._socket() as own:
            try:
                if own is not None and IS_LINUX:
                    return own.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 192)
            except OSError:
                pass
        return b""

    @contextmanager
    def _socket(self) -> Iterator[socket.socket | None]:
        """The loop gives no socket that can be asked."""
        found = self._transport.get_extra_info("socket")
        try:
            own = None if found is None else socket.socket(fileno=socket.dup(found.fileno()))
        except OSError:  # it is closed
            own = None
        try:
            yield own
        finally:
            if own is not None:
                own.close()
