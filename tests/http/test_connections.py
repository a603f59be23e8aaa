"""Closing the connection of one response: never that of another reader, although all come from one proxy."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from tests.http.test_workers import SECONDS
from tests.waiting import until

from kalends.http.messages import client_connections
from kalends.http.messages.client_connections import Ends, OpenConnections, close_by, cut, filling
from kalends.store.engine.sqlite import open_connection

pytestmark = pytest.mark.skipif(
    not client_connections.OPEN_FILES.exists(), reason="finds connections by what Linux says of them"
)


class Pair:
    """A connection of the proxy, and its end at the service."""

    def __init__(self, listening: socket.socket, opened: ExitStack) -> None:
        self.client = opened.enter_context(socket.create_connection(listening.getsockname(), SECONDS))
        self.server = opened.enter_context(listening.accept()[0])

    @property
    def is_open(self) -> bool:
        self.client.settimeout(0)
        try:
            while self.client.recv(100_000):
                pass
        except BlockingIOError:
            return True
        finally:
            self.client.settimeout(SECONDS)
        return False


@contextmanager
def proxied(count: int) -> Iterator[tuple[Ends, list[Pair]]]:
    """So many connections between the same two addresses."""
    with ExitStack() as opened:
        listening = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        pairs = [Pair(listening, opened) for _ in range(count)]
        yield Ends("127.0.0.1", str(listening.getsockname()[1])), pairs


def send(pair: Pair, pieces: list[bytes], ends: Ends, frame: Callable[[bytes], bytes] = bytes) -> bool:
    """Sends as the server does: the head with the first piece."""
    closing = close_by(pieces, ends)
    head = b"HTTP/1.1 408\r\n\r\n"
    while True:
        try:
            piece = next(closing)
        except StopIteration as end:
            return bool(end.value)
        pair.server.sendall(head + frame(piece))
        head = b""


def chunk(piece: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(piece), piece)


@contextmanager
def busy(pairs: list[Pair], size: int) -> Iterator[None]:
    """Downloads under way, whose pieces are as small as those of the response that is to be closed."""
    over = threading.Event()

    def download(pair: Pair) -> None:
        while not over.is_set():
            pair.server.sendall(b"x" * size)
            time.sleep(0.0002)

    def take(pair: Pair) -> None:
        while not over.is_set():
            pair.client.recv(100_000)

    threads = [threading.Thread(target=work, args=(pair,)) for pair in pairs for work in (download, take)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for pair in pairs:
            pair.server.sendall(b"end")
        for thread in threads:
            thread.join(SECONDS)


@pytest.mark.parametrize(
    ("pieces", "frame"),
    [(lambda: cut(b"x" * 150), bytes), (lambda: cut(b"x" * 5000), bytes), (filling, bytes), (filling, chunk)],
    ids=["error", "page", "broken off", "broken off in chunks"],
)
def test_only_the_connection_that_sent_the_response_is_closed(
    pieces: Callable[[], list[bytes]], frame: Callable[[bytes], bytes]
) -> None:
    with proxied(6) as (ends, (closed, *others)):
        with busy(others[:3], 12):
            assert send(closed, pieces(), ends, frame)
        until(lambda: not closed.is_open)
        assert all(pair.is_open for pair in others)


def test_the_client_has_the_whole_response_before_it_is_closed() -> None:
    content = bytes(range(256)) * 3
    with proxied(3) as (ends, (closed, *_)):
        assert send(closed, cut(content), ends)
        received = b""
        while piece := closed.client.recv(4096):
            received += piece
        assert received.endswith(b"\r\n\r\n" + content)


def test_nothing_is_closed_when_no_connection_sent_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client is gone, or the server could not send yet."""
    monkeypatch.setattr(client_connections, "WAIT_SECONDS", 0.01)
    with proxied(3) as (ends, pairs):
        with busy(pairs, 16):
            assert list(close_by(parts := filling(), ends)) == parts
        assert all(pair.is_open for pair in pairs)


def test_readers_at_the_same_addresses_outlive_many_closed_ones() -> None:
    """Twenty at the same moment, and each closes its own."""
    with proxied(40) as (ends, pairs):
        closed, others = pairs[:20], pairs[20:]
        results: list[bool] = []
        threads = [
            threading.Thread(target=lambda pair=pair: results.append(send(pair, filling(), ends, chunk)))
            for pair in closed
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SECONDS)
        assert results == [True] * 20
        assert not any(pair.is_open for pair in closed)
        assert all(pair.is_open for pair in others)


def test_a_client_that_takes_nothing_is_closed_by_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_connections, "UNTAKEN_SECONDS", 0.3)
    with ExitStack() as opened:
        listening = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        earlier = Pair(listening, opened)
        client_connections.limit_silence(str(listening.getsockname()[1]))
        later, reading = Pair(listening, opened), Pair(listening, opened)
        for pair in (earlier, later):
            pair.server.setblocking(False)

        def is_closed(pair: Pair) -> bool:
            try:
                pair.server.send(b"x" * 65536)
            except BlockingIOError:
                return False
            except OSError:
                return True
            return False

        until(lambda: is_closed(earlier))
        until(lambda: is_closed(later))
        reading.server.sendall(b"x")
        assert reading.is_open


WRITE = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"


def test_looking_for_connections_leaves_the_locks_of_the_database(tmp_path: Path) -> None:
    """Closing any descriptor of the file would release them, and two processes would write at once."""
    file = tmp_path / "kalends.db"
    with closing(open_connection(file)) as writer, socket.create_server(("127.0.0.1", 0)) as listening:
        writer.execute("CREATE TABLE t (n)")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO t VALUES (1)")
        port = str(listening.getsockname()[1])
        client_connections.limit_silence(port)
        assert list(close_by(filling(), Ends("127.0.0.1", port)))
        other = subprocess.run([sys.executable, "-c", WRITE, str(file)], capture_output=True, text=True, check=False)
        assert "database is locked" in other.stderr
        writer.execute("COMMIT")


def is_gone(ends: Ends, since: float) -> bool:
    return OpenConnections().is_gone(ends, since)


def test_a_client_is_gone_when_none_of_its_connections_is_open() -> None:
    with proxied(3) as (ends, pairs):
        since = time.monotonic()
        for pair in pairs:
            assert not is_gone(ends, since)
            pair.client.close()
        assert is_gone(ends, since)
        assert not is_gone(ends, time.monotonic() + 60)  # it may have come after the look
    assert not is_gone(ends, since)  # here nobody listens: its connections are those of another process


def test_a_client_that_has_ended_what_it_sends_is_gone() -> None:
    with proxied(1) as (ends, [pair]):
        since = time.monotonic()
        pair.client.shutdown(socket.SHUT_WR)
        assert is_gone(ends, since)


def test_nobody_is_gone_where_sockets_cannot_be_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with proxied(1) as (ends, [pair]):
        since = time.monotonic()
        pair.client.close()
        monkeypatch.setattr(client_connections, "OPEN_FILES", tmp_path / "nothing")
        assert not is_gone(ends, since)


def test_many_who_ask_share_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_connections, "LOOK_LASTS", 60.0)
    connections, since = OpenConnections(), time.monotonic()
    with proxied(1) as (ends, [pair]):
        assert not connections.is_gone(ends, since)
        pair.client.close()
        assert not connections.is_gone(ends, since)
