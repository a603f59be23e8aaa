"""Slow clients wait in the proxies of deploy/: seventy who send or read slowly keep nobody waiting behind them."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from tests.http import test_workers
from tests.http.test_workers import PATH, SECONDS, figure, service
from tests.product.deploy.programs import program, proxy
from tests.waiting import until

MANY = 70
LENGTH = 1_000_000  # of a body, most of which never comes
RECEIVED_AT_ONCE = 4096
QUICK = 0.5  # seconds that others wait at most
TRIES = 10  # of which the quickest counts: the machine may be busy
PASSWORD = "behind a proxy 1"
EVENT = {"start_date": "2027-01-01", "end_date": "2027-01-02"}


@pytest.fixture(params=["nginx", "caddy"])
def served(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, str]]:
    """The addresses of a service and of a proxy in front of it."""
    program(request.param)
    monkeypatch.setitem(test_workers.SETTINGS, "ADMIN_PASSWORD", PASSWORD)
    monkeypatch.setitem(test_workers.SETTINGS, "TRUSTED_PROXIES", "127.0.0.1")
    with service(tmp_path) as (base, _):
        with httpx.Client(base_url=base, auth=("admin", PASSWORD), timeout=SECONDS) as client:
            for number in range(60):
                event = EVENT | {"title": f"Long {number}", "description": "x" * 100_000, "status": "publish"}
                assert client.post(PATH, json=event).status_code == 201
        folder = tmp_path / "proxy"
        folder.mkdir()
        with proxy(request.param, folder, int(base.rpartition(":")[2])) as address:
            yield base, address


def connected(address: str, opened: ExitStack) -> socket.socket:
    connection = opened.enter_context(socket.socket())
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_AT_ONCE)
    connection.settimeout(SECONDS)
    connection.connect(("127.0.0.1", int(address.rpartition(":")[2])))
    return connection


def held(base: str, work: str) -> float:
    """Places that a class of work has, in both workers."""
    return figure(base, f'kalends_work_running{{class="{work}"}}')


def seconds_of_others(address: str) -> dict[str, float]:
    """How long the quickest of some requests takes, each of which is answered."""
    best: dict[str, float] = {}
    for number in range(TRIES):
        asked = {
            "write": ("POST", PATH, EVENT | {"title": f"Quick {number}"}, 201),
            "list": ("GET", f"{PATH}?search=Quick&page=1&per_page={number + 1}&start_date=2027-01-01", None, 200),
            "long": ("GET", "/events.ics", None, 200),
        }
        with httpx.Client(base_url=address, auth=("admin", PASSWORD), timeout=SECONDS) as client:
            for name, (method, path, json, status) in asked.items():
                began = time.monotonic()
                assert client.request(method, path, json=json).status_code == status
                best[name] = min(best.get(name, SECONDS), time.monotonic() - began)
    return best


def test_who_sends_slowly_keeps_nobody_waiting(served: tuple[str, str]) -> None:
    base, address = served
    head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {LENGTH}\r\n\r\n"
    with ExitStack() as opened:
        slow = [connected(address, opened) for _ in range(MANY)]
        for connection in slow:
            connection.sendall(head.encode() + b'{"title": "')
        took = seconds_of_others(address)
        for connection in slow:
            connection.sendall(b"x")
        assert held(base, "upload") == 0
    assert max(took.values()) < QUICK, took


def test_who_reads_slowly_keeps_nobody_waiting(served: tuple[str, str]) -> None:
    base, address = served
    with ExitStack() as opened:
        slow = [connected(address, opened) for _ in range(MANY)]
        for connection in slow:
            connection.sendall(b"GET /events.ics HTTP/1.1\r\nHost: x\r\n\r\n")
        assert {connection.recv(16).split()[1] for connection in slow} == {b"200"}
        until(lambda: held(base, "stream") == 0)
        took = seconds_of_others(address)
    assert max(took.values()) < QUICK, took
