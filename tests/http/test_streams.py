"""Clients that open an export and do not read it: they leave threads for reads, give way to others and are closed."""

import socket
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.http import test_workers
from tests.http.test_workers import PATH, SECONDS, asked, service
from tests.waiting import until

from kalends.calendar.admission import RETRY_AFTER, SLOW, WORKER
from kalends.calendar.lists import exports
from kalends.contract.errors import UNAVAILABLE, ApiError
from kalends.http.messages import client_connections, streams
from kalends.http.messages.client_connections import Ends
from kalends.http.messages.streams import Streams
from kalends.store.engine.store import StoreUnavailable

ENDS = Ends("192.0.2.1", "80")
MANY = 270  # more than two workers have threads
RECEIVED_AT_ONCE = 4096


def pieces() -> Iterator[bytes]:
    yield b"one"
    yield b"two"


def test_a_stream_gives_its_pieces_and_its_place_is_free_again() -> None:
    opened = Streams(at_once=1)
    for _ in range(3):
        assert list(opened.open(ENDS).respond(pieces())) == [b"one", b"two"]
    closed = opened.open(ENDS)
    closed.respond(pieces())
    assert next(closed) == b"one"
    closed.close()
    forgotten = opened.open(ENDS).respond(pieces())  # as the body of a response to HEAD is
    del forgotten
    assert list(opened.open(ENDS).respond(pieces())) == [b"one", b"two"]


def test_too_many_at_once_are_503_until_the_slowest_may_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Streams(at_once=2)
    slow, quick = opened.open(ENDS), opened.open(ENDS)
    for stream in (slow, quick):
        stream.respond(iter([b"x"] * 10))
    next(slow)
    assert next(quick) == next(quick) == b"x"
    quick.sent = 10**9
    with pytest.raises(ApiError) as busy:
        opened.open(ENDS)
    assert busy.value.error_type is UNAVAILABLE
    assert int(busy.value.headers["Retry-After"]) > 0
    monkeypatch.setattr(streams, "YOUNG", -1.0)
    assert list(opened.open(ENDS).respond(pieces())) == [b"one", b"two"]
    assert (slow.is_abandoned, quick.is_abandoned) == (True, False)
    monkeypatch.setattr(streams, "MOST_GIVEN_UP", 0)  # as long as it is not closed, it has its thread
    replacing = opened.open(ENDS)
    with pytest.raises(ApiError):
        opened.open(ENDS)
    replacing.close()
    slow.close()


def test_one_that_pauses_or_is_slow_is_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(streams.time, "monotonic", lambda: now[0])
    stream = streams.Stream(ENDS, Streams())
    stream.respond(iter([b"x" * 50_000] * 100))
    now[0] += 1000  # the service takes its time, which is not the client's
    assert not stream.is_too_slow
    next(stream)
    now[0] += streams.LONGEST_PAUSE - 1
    assert not stream.is_too_slow
    now[0] += 2
    assert stream.is_too_slow
    next(stream)
    for _ in range(6):
        assert not stream.is_too_slow
        now[0] += 10
        next(stream)
    now[0] += 29
    assert stream.is_too_slow  # less than 8 KB a second


class Closing:
    """Stands for what finds and closes connections: it fails so many times, and then succeeds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, failures: int = 0) -> None:
        self.closed: list[Ends] = []
        self._failures = failures
        monkeypatch.setattr(client_connections, "close_by", self)
        monkeypatch.setattr(streams, "CHECK_SECONDS", 0.01)

    def __call__(self, _pieces: list[bytes], ends: Ends) -> Generator[bytes, None, bool]:
        yield b" "
        if self._failures:
            self._failures -= 1
            return False
        self.closed.append(ends)
        return True


def test_one_that_is_given_up_is_never_ended_as_if_it_were_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends when its connection is closed, and not before."""
    closing = Closing(monkeypatch, failures=2)
    monkeypatch.setattr(streams, "LONGEST_PAUSE", 0.0)
    stream = Streams().open(ENDS)
    stream.respond(iter([b"x"] * 10))
    next(stream)
    until(lambda: stream.is_abandoned)
    assert [next(stream) for _ in range(3)] == [b" "] * 3
    assert closing.closed == []
    assert list(stream) == []  # and no error is logged
    assert closing.closed == [ENDS]


def test_one_that_fails_is_closed_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    closing = Closing(monkeypatch)
    opened = Streams(at_once=1)

    def failing() -> Iterator[bytes]:
        yield b"one"
        raise OSError("gone")

    stream = opened.open(ENDS)
    stream.respond(failing())
    assert next(stream) == b"one"
    next(stream)
    with pytest.raises(OSError, match="gone"):
        next(stream)
    assert closing.closed == [ENDS]
    stream.close()
    assert list(opened.open(ENDS).respond(pieces())) == [b"one", b"two"]


def test_one_that_an_outage_breaks_off_ends_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    closing = Closing(monkeypatch)

    def failing() -> Iterator[bytes]:
        yield b"one"
        raise StoreUnavailable("the database is away")

    stream = Streams().open(ENDS)
    assert list(stream.respond(failing())) == [b"one", b" "]
    assert closing.closed == [ENDS]


@pytest.mark.parametrize("path", ["{host}/events.ics", "/events.ics"])
def test_a_feed_beyond_the_bound_is_503_and_lists_are_not(
    world: Any, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    world.make("events", title="Concert")
    host = world.ns.partition("/api/")[0]
    assert "Concert" in world.get(path.format(host=host)).text
    monkeypatch.setattr(streams.STREAMS, "_at_once", 0)
    refused = world.get(path.format(host=host), headers={"Accept": "application/json"})
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, RETRY_AFTER)
    assert "ETag" not in refused.headers
    assert "public" not in refused.headers["Cache-Control"]  # a proxy would give it to others
    assert world.get("/events").status_code == 200


@pytest.mark.parametrize("role", ["anonymous", "editor"])
def test_a_feed_that_cannot_be_begun_is_an_error_and_kept_by_nobody(
    world: Any, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    def failing(*_: Any) -> Iterator[Any]:
        raise StoreUnavailable("the database is away")
        yield

    with monkeypatch.context() as patch:
        patch.setattr(exports, "feed_events", failing)
        response = world.get("/events.ics", role)
    assert (response.status_code, response.json()["code"]) == (503, "service_unavailable")
    assert not {"etag", "content-disposition"} & {name.lower() for name in response.headers}
    assert "public" not in response.headers["Cache-Control"]
    assert world.get("/events.ics", role).text.startswith("BEGIN:VCALENDAR")


def test_a_stream_that_waits_holds_no_turn(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other slow requests go on."""
    world.make("events", title="Concert")
    running: list[int] = []

    def respond(stream: streams.Stream, response: Any) -> Iterator[bytes]:
        for piece in response:
            running.append(sum(running for name, running, _, _ in WORKER.figures() if name == SLOW.name))
            yield piece

    monkeypatch.setattr(streams.Stream, "respond", respond)
    assert "Concert" in world.get(world.ns.partition("/api/")[0] + "/events.ics").text
    assert set(running) == {0}


def test_clients_that_never_read_leave_reads_unharmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(test_workers.SETTINGS, "ADMIN_PASSWORD", "unread-exports-1")
    with service(tmp_path) as (base, process):
        event = {"start_date": "2027-01-01", "end_date": "2027-01-02", "description": "x" * 100_000}
        with httpx.Client(base_url=base, auth=("admin", "unread-exports-1"), timeout=SECONDS) as client:
            for number in range(6):
                assert client.post(PATH, json=event | {"title": f"Long {number}"}).status_code == 201
        silent = []
        for _ in range(MANY):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_AT_ONCE)
            connection.settimeout(SECONDS)
            connection.connect(("127.0.0.1", int(base.rpartition(":")[2])))
            connection.sendall(b"GET /events.ics HTTP/1.1\r\nHost: x\r\n\r\n")
            silent.append(connection)
        statuses = {connection.recv(16).split()[1] for connection in silent}
        for _ in range(8):
            assert asked(f"{base}{PATH}?per_page=1") is not None
        assert statuses == {b"200", b"503"}
        process.terminate()
        assert process.wait(20) is not None
        for connection in silent:
            connection.close()
    assert "Traceback" not in (tmp_path / "err").read_text()
