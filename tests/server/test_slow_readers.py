"""Clients that take what they asked for slowly, or not at all: all of them get it whole."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server import test_workers
from tests.server.test_supervising import threads_of, workers_of
from tests.server.test_workers import PATH, SECONDS, asked, service

PASSWORD = "takes its time 1"
EVENTS, READERS = 49, 100
THREADS = 60  # of a worker, with those of other work
LIST = f"{PATH}?per_page=50&start_date=2027-01-01"


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Any]]:
    monkeypatch.setitem(test_workers.SETTINGS, "ADMIN_PASSWORD", PASSWORD)
    with service(tmp_path) as (base, process):
        event = {"start_date": "2027-01-01", "end_date": "2027-01-02", "description": "x" * 100_000}
        with httpx.Client(base_url=base, auth=("admin", PASSWORD), timeout=SECONDS) as client:
            for number in range(EVENTS):
                assert client.post(PATH, json=event | {"title": f"Long {number}"}).status_code == 201
        yield base, process
    assert "Traceback" not in (tmp_path / "err").read_text()


def reader(base: str, path: str, opened: ExitStack) -> socket.socket:
    """Has asked, and takes little at a time."""
    connection = opened.enter_context(socket.socket())
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(SECONDS)
    connection.connect(("127.0.0.1", int(base.rpartition(":")[2])))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    return connection


def rest_of(connection: socket.socket) -> bytes:
    received = bytearray()
    while piece := connection.recv(1 << 20):
        received += piece
    return bytes(received)


def rests_of(connections: list[socket.socket]) -> list[int]:
    """The lengths of what they get, a little of it in turn: who takes nothing for long is gone."""
    received = dict.fromkeys(connections, 0)
    under_way = [*connections]
    while under_way:
        for connection in [*under_way]:
            piece = connection.recv(1 << 17)
            received[connection] += len(piece)
            if not piece:
                under_way.remove(connection)
    return [*received.values()]


def test_a_hundred_slow_readers_get_all_of_it_and_hold_nothing(running: tuple[str, Any]) -> None:
    base, process = running
    whole = asked(f"{base}{LIST}")
    assert whole is not None
    assert len(whole) > 4_900_000
    with ExitStack() as opened:
        readers = [reader(base, LIST, opened) for _ in range(READERS)]
        begun = [connection.recv(64) for connection in readers]
        assert {start.split()[1] for start in begun} == {b"200"}
        for number in range(5):
            assert asked(f"{base}{PATH}?per_page={number + 1}") is not None
        assert max(map(threads_of, workers_of(process.pid))) <= THREADS
        lengths = {len(start) + rest for start, rest in zip(begun, rests_of(readers), strict=True)}
        assert len(lengths) == 1
        assert min(lengths) > len(whole.encode())


def test_a_feed_under_way_is_sent_whole_before_the_service_ends(running: tuple[str, Any]) -> None:
    base, process = running
    with ExitStack() as opened:
        connection = reader(base, "/events.ics", opened)
        begin = connection.recv(4096)
        process.terminate()
        received = begin + rest_of(connection)
    assert b"END:VCALENDAR" in received
    assert received.endswith(b"\r\n0\r\n\r\n")
    assert process.wait(SECONDS) == 0
