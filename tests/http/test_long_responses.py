"""Exports and other long responses: whole before they are sent, few of one client at once, and broken off visibly."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from falcon.testing import create_environ
from tests.conftest import World
from tests.http import test_workers
from tests.http.test_workers import PATH, SECONDS, asked, service

from kalends.calendar.admission import RETRY_AFTER, SLOW, STREAM, WORKER
from kalends.calendar.lists import exports
from kalends.http.messages import long_responses
from kalends.http.messages.long_responses import PIECE, LongResponse
from kalends.store.engine.store import StoreUnavailable
from kalends.store.files.media_files import OpenFile

MANY = 270  # from many addresses, more than two workers have places
RECEIVED_AT_ONCE = 4096
FEED = "http://calendar.test/events.ics"


def running(name: str) -> int:
    return next(running for work, running, _, _ in WORKER.figures() if work == name)


def sent(size: int, closed: list[str]) -> LongResponse:
    read = [b"x" * PIECE] * (size // PIECE)
    file = OpenFile(size, lambda _: read.pop() if read else b"", lambda: closed.append("file"))
    return LongResponse(file, lambda: closed.append("place"), lambda: closed.append("sent"))


def test_its_end_gives_file_and_place_back_once() -> None:
    closed: list[str] = []
    response = sent(3 * PIECE, closed)
    assert len(b"".join(response)) == 3 * PIECE
    assert closed == ["sent"]
    response.close()
    response.close()
    assert closed == ["sent", "file", "place"]


def test_a_client_that_goes_away_gives_them_back_too() -> None:
    closed: list[str] = []
    response = sent(3 * PIECE, closed)
    next(iter(response))
    response.close()
    assert closed == ["file", "place"]


def test_one_that_is_read_too_slowly_ends_before_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(long_responses.time, "monotonic", lambda: now[0])
    closed: list[str] = []
    pieces = iter(sent(100 * PIECE, closed))
    next(pieces)
    now[0] += long_responses.SECONDS + 7
    assert next(pieces)  # as quickly as it has to be
    now[0] += 10
    assert list(pieces) == []
    assert "sent" not in closed


@pytest.mark.parametrize("path", [FEED, "/events.ics"])
def test_a_feed_without_a_place_is_503_and_lists_are_not(
    world: World, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def refuse(work: Any) -> None:
        raise WORKER.refuse(work)

    world.make("events", title="Concert")
    assert "Concert" in world.get(path).text
    monkeypatch.setattr(WORKER, "hold", refuse)
    refused = world.get(path, headers={"Accept": "application/json"})
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, RETRY_AFTER)
    assert "ETag" not in refused.headers
    assert "public" not in refused.headers["Cache-Control"]  # a proxy would give it to others
    assert world.get("/events").status_code == 200


@pytest.mark.parametrize("role", ["anonymous", "editor"])
def test_a_feed_that_fails_midway_is_an_error_and_kept_by_nobody(
    world: World, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    events = exports.feed_events

    def failing(*arguments: Any) -> Iterator[Any]:
        yield from events(*arguments)
        raise StoreUnavailable("the database is away")

    world.make("events", title="Concert")
    with monkeypatch.context() as patch:
        patch.setattr(exports, "feed_events", failing)
        response = world.get("/events.ics", role)
    assert (response.status_code, response.json()["code"]) == (503, "service_unavailable")
    assert not {"etag", "content-disposition"} & {name.lower() for name in response.headers}
    assert "public" not in response.headers["Cache-Control"]
    assert "Concert" in world.get("/events.ics", role).text


def test_what_is_sent_says_its_length_and_holds_no_slot(world: World) -> None:
    world.make("events", title="Concert")
    headers: dict[str, str] = {}
    environ = create_environ(path="/events.ics", host="calendar.test")
    body = world.front(environ, lambda _, sent, *__: headers.update(sent))
    assert (running(STREAM.name), running(SLOW.name)) == (1, 0)
    content = b"".join(body)
    body.close()
    assert int(headers["content-length"]) == len(content)
    assert running(STREAM.name) == 0


def test_clients_that_never_read_leave_reads_unharmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(test_workers.SETTINGS, "ADMIN_PASSWORD", "unread-exports-1")
    with service(tmp_path) as (base, process), ExitStack() as opened:
        port = int(base.rpartition(":")[2])
        event = {"start_date": "2027-01-01", "end_date": "2027-01-02", "description": "x" * 100_000}
        with httpx.Client(base_url=base, auth=("admin", "unread-exports-1"), timeout=SECONDS) as client:
            for number in range(60):
                assert client.post(PATH, json=event | {"title": f"Long {number}"}).status_code == 201
        silent = []
        for number in range(MANY):
            connection = opened.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_AT_ONCE)
            connection.settimeout(SECONDS)
            connection.bind((f"127.0.1.{number // 4 + 1}", 0))
            connection.connect(("127.0.0.1", port))
            connection.sendall(b"GET /events.ics HTTP/1.1\r\nHost: x\r\n\r\n")
            silent.append(connection)
        for _ in range(8):
            assert asked(f"{base}{PATH}?per_page=1") is not None
        assert {connection.recv(16).split()[1] for connection in silent} == {b"200", b"503"}
        process.terminate()
        assert process.wait(20) is not None
    assert "Traceback" not in (tmp_path / "err").read_text()


def hurry() -> None:
    """From now on a long response is broken off after its first piece."""
    long_responses.BYTES_A_SECOND = -1


def test_one_that_is_broken_off_is_not_taken_for_a_whole_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(test_workers.SETTINGS, "ADMIN_PASSWORD", "unread-exports-1")
    with service(tmp_path, hurry) as (base, _):
        event = {"start_date": "2027-01-01", "end_date": "2027-01-02", "description": "x" * 100_000}
        with httpx.Client(base_url=base, auth=("admin", "unread-exports-1"), timeout=SECONDS) as client:
            for number in range(3):
                assert client.post(PATH, json=event | {"title": f"Long {number}"}).status_code == 201
            with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
                client.get("/events.ics")
