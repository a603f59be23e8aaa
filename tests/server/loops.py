"""The front of a worker within the process of a test, on a real port, so that a test can change what it does."""

import asyncio
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

import uvloop
from tests.conftest import World

from kalends.http.front.connection import Connection
from kalends.http.front.worker import CHECK_SECONDS, Front

SECONDS = 60  # for what comes at once
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")


class Loop:
    """A front that serves a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._is_ready = threading.Event()
        self.thread = threading.Thread(target=lambda: uvloop.run(self._serve()))

    async def _serve(self) -> None:
        self.loop, self._ending = asyncio.get_running_loop(), asyncio.Event()
        self.front = Front(self._world.front, self.loop, 1000)
        server = await self.loop.create_server(partial(Connection, self.front), "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.loop.call_later(CHECK_SECONDS, self.front.check)
        self._is_ready.set()
        await self._ending.wait()
        server.close()
        await self.front.stop()

    def start(self) -> None:
        self.thread.start()
        assert self._is_ready.wait(SECONDS)

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self._ending.set)
        self.thread.join(SECONDS)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), SECONDS)

    def ask(self, *requests: bytes) -> bytes:
        """All that is answered on one connection until it is closed, or until it is silent at its end."""
        with self.connect() as connection:
            connection.sendall(b"".join(requests))
            return all_of(connection)

    def request(self, path: str, *lines: str, method: str = "GET", body: bytes = b"", ends: bool = True) -> bytes:
        head = [f"{method} {path} HTTP/1.1", "Host: calendar.test", *lines]
        if body:
            head.append(f"Content-Length: {len(body)}")
        if ends:
            head.append("Connection: close")
        return "\r\n".join([*head, "", ""]).encode() + body


def all_of(connection: socket.socket) -> bytes:
    received = b""
    with suppress(ConnectionError):
        while piece := connection.recv(65536):
            received += piece
    return received


def statuses(answer: bytes) -> list[int]:
    return [int(status) for status in STATUS.findall(answer)]


def header(answer: bytes, name: str) -> str | None:
    found = re.search(rb"\r\n%b: ([^\r]*)\r\n" % name.encode(), answer.partition(b"\r\n\r\n")[0] + b"\r\n", re.I)
    return None if found is None else found[1].decode()


@contextmanager
def served(world: World) -> Iterator[Loop]:
    loop = Loop(world)
    loop.start()
    try:
        yield loop
    finally:
        loop.stop()
