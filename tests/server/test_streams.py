"""Clients that open an export and do not read it: they leave threads for reads, give way to others and are closed."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server import test_workers
from tests.server.test_workers import PATH, SECONDS, asked, service

from kalends.calendar.lists import exports
from kalends.store.engine.store import StoreUnavailable

MANY = 270  # more than two workers have threads
RECEIVED_AT_ONCE = 4096


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
        assert b"200" in statuses
        assert statuses <= {b"200", b"503"}
        process.terminate()
        assert process.wait(20) is not None
        for connection in silent:
            connection.close()
    assert "Traceback" not in (tmp_path / "err").read_text()
