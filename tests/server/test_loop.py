"""What the loop of a worker answers itself, and what becomes of requests that fail in it or whose client is gone."""

import json
import logging
import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any, BinaryIO

import pytest
from tests.conftest import World
from tests.server.loops import Loop, all_of, header, served, statuses
from tests.waiting import until

from kalends.calendar.admission import WORKER, WRITE
from kalends.http.front.connection import Connection
from kalends.http.front.exchange import Exchange
from kalends.http.front.kept import KeptResponses
from kalends.http.front.receiving import Receiver
from kalends.http.front.worker import STOP_SECONDS, Front
from kalends.http.middleware.logs import JsonLines, log
from kalends.store.engine import postgresql

LIST = "/api/calendar/events/v1/events"
BATCH = "/api/calendar/events/v1/batch"


@pytest.fixture
def loop(world: World) -> Iterator[Loop]:
    with served(world) as loop:
        yield loop


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    written: list[dict[str, Any]] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(json.loads(JsonLines().format(record)))

    level, handler = log.level, Handler()
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    yield written
    log.removeHandler(handler)
    log.setLevel(level)


def answered_in_loop(world: World) -> int:
    """How many responses were found in memory."""
    return int(world.cache.hits)


# What the loop answers has everything that the middleware adds.


def test_the_loop_answers_within_the_rate_limit(make_world: Any) -> None:
    world = make_world(rate_limit="5")
    with served(world) as loop:
        answers = [loop.ask(loop.request(LIST)) for _ in range(7)]
    assert [statuses(answer) for answer in answers] == [[200]] * 5 + [[429]] * 2
    assert [header(answer, "RateLimit-Remaining") for answer in answers[:5]] == ["4", "3", "2", "1", "0"]
    assert {header(answer, "RateLimit-Limit") for answer in answers[:5]} == {"5"}
    assert header(answers[6], "Retry-After") is not None
    assert answered_in_loop(world) == 4


def test_the_rate_limit_is_that_of_the_client_whom_a_trusted_proxy_names(make_world: Any) -> None:
    world = make_world(rate_limit="2", trusted_proxies="127.0.0.1", base_url="https://calendar.test")
    with served(world) as loop:
        for client in ("192.0.2.1", "192.0.2.2"):
            sent = loop.request(LIST, f"X-Forwarded-For: {client}")
            assert [statuses(loop.ask(sent)) for _ in range(3)] == [[200], [200], [429]], client
        assert statuses(loop.ask(loop.request(LIST, "X-Forwarded-For: 192.0.2.3, 10.0.0.1"))) == [200]


def test_nobody_else_is_believed(make_world: Any) -> None:
    world = make_world(rate_limit="2")
    with served(world) as loop:
        found = [statuses(loop.ask(loop.request(LIST, f"X-Forwarded-For: 192.0.2.{n}"))) for n in range(3)]
    assert found == [[200], [200], [429]]


def test_each_request_is_a_line_with_its_client(make_world: Any, lines: list[dict[str, Any]]) -> None:
    world = make_world(log_requests="yes", trusted_proxies="127.0.0.1")
    with served(world) as loop:
        asked = [loop.request(f"{LIST}?secret=hidden", f"X-Forwarded-For: 192.0.2.{n}") for n in (1, 2, 2, 1)]
        answers = [loop.ask(request) for request in asked]
        known = header(answers[0], "etag")
        answers.append(loop.ask(loop.request(f"{LIST}?secret=hidden", f"If-None-Match: {known}")))
    assert answered_in_loop(world) == 4
    requests = [line for line in lines if line.get("path") == LIST]
    assert [line["remote"] for line in requests] == [*(f"192.0.2.{n}" for n in (1, 2, 2, 1)), "127.0.0.1"]
    assert [line["status"] for line in requests] == [200, 200, 200, 200, 304]
    assert [line["bytes"] > 0 for line in requests] == [True] * 4 + [False]
    assert [line["request_id"] for line in requests] == [header(answer, "X-Request-Id") for answer in answers]
    assert len({line["request_id"] for line in requests}) == 5
    assert "hidden" not in json.dumps(lines)


def test_forwarded_headers_decide_what_is_sent(make_world: Any) -> None:
    """The addresses in a response are those that the client has used, and only browsers that came by https stay."""
    world = make_world(trusted_proxies="127.0.0.1")
    world.make("events", title="Anywhere")
    with served(world) as loop:
        for _ in range(2):
            for scheme, host in (("https", "one.test"), ("http", "one.test"), ("https", "two.test")):
                sent = loop.request(LIST, f"X-Forwarded-Proto: {scheme}", f"X-Forwarded-Host: {host}")
                answer = loop.ask(sent)
                assert f'"{scheme}://{host}/'.encode() in answer.replace(b"\\/", b"/")
                assert (header(answer, "Strict-Transport-Security") is not None) == (scheme == "https")
    assert answered_in_loop(world) == 3


# What fails in the loop.

FAILURES = [
    (Receiver, "feed"),
    (KeptResponses, "find"),
    (Front, "classify"),
    (Exchange, "start_at"),
    (Exchange, "_admit"),
    (Connection, "_begin"),
    (Connection, "_pause_or_resume"),
]


@pytest.mark.parametrize(("of", "name"), FAILURES)
def test_what_fails_is_told_and_no_client_waits(
    world: World, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, of: type, name: str
) -> None:
    with served(world) as loop:
        with monkeypatch.context() as changed:
            changed.setattr(of, name, broken)
            answer = loop.ask(loop.request(LIST, ends=False))
        assert statuses(answer) in ([500], []), answer
        assert statuses(loop.ask(loop.request(LIST))) == [200]
    assert any("a request failed" in line["message"] for line in lines)


@pytest.mark.parametrize("ends", [False, True], ids=["in the thread", "in the loop"])
def test_what_fails_after_the_application_answered_is_told(
    loop: Loop, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, *, ends: bool
) -> None:
    monkeypatch.setattr("kalends.http.front.exchange.lines", broken)
    assert statuses(loop.ask(loop.request(LIST, ends=ends))) == [500]
    assert any("a request failed" in line["message"] for line in lines)


def test_a_streamed_response_that_fails_is_reset(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "send_more", broken)
    answer = loop.ask(loop.request("/events.ics"))
    assert not answer.endswith(b"\r\n0\r\n\r\n")


def test_a_failing_look_does_not_end_the_looks(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def look() -> bool:
        looks.append(1)
        raise RuntimeError

    monkeypatch.setattr(WORKER, "look", look)
    loop.loop.call_soon_threadsafe(loop.front.watch_waiting)
    until(lambda: len(looks) > 2)


def broken(*_: Any, **__: Any) -> Any:
    raise RuntimeError("a fault of ours")


# What nobody waits for.


def figures() -> dict[str, tuple[int, int]]:
    return {name: (running, waiting) for name, running, waiting, _ in WORKER.figures()}


def batch(world: World, loop: Loop, title: str, count: int = 3) -> bytes:
    event = {"title": title, "start_date": "2027-03-01", "end_date": "2027-03-02"}
    writes = [{"method": "POST", "path": "/events", "body": event}] * count
    body = json.dumps({"requests": writes, "atomic": True}).encode()
    token = f"Authorization: Bearer {world.tokens['administrator']}"
    return loop.request(BATCH, token, "Content-Type: application/json", method="POST", body=body, ends=False)


@pytest.mark.both_stores
def test_what_nobody_waits_for_does_not_begin(world: World, loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "WAITED", 0.0)
    with ExitStack() as stack:
        held = stack.enter_context(ExitStack())
        held.enter_context(world.calendar.store.write())
        gone = [loop.connect() for _ in range(8)]
        for connection in gone:
            connection.sendall(batch(world, loop, "Nobody waits"))
        until(lambda: figures()[WRITE.name] == (4, 4))
        for connection in gone:
            connection.close()
        until(lambda: all(connection._has_ended for connection in [*loop.front._connections]))
        other = stack.enter_context(loop.connect())
        other.sendall(batch(world, loop, "Somebody waits"))
        until(lambda: sum(figures()[WRITE.name]) > 0)
        held.close()
        assert statuses(other.recv(65536)) == [207]
    until(lambda: figures()[WRITE.name] == (0, 0))
    titles = [event["title"] for event in world.get("/events").json()["events"]]
    assert sorted(titles) == ["Somebody waits"] * 3


def test_pipelined_requests_of_a_client_that_is_gone_do_not_begin(world: World, loop: Loop) -> None:
    with world.calendar.store.write():
        connection = loop.connect()
        connection.sendall(b"".join(batch(world, loop, f"Number {number}") for number in range(8)))
        until(lambda: figures()[WRITE.name] == (1, 0))
        connection.close()
    until(lambda: figures()[WRITE.name] == (0, 0) and not loop.front._connections)
    titles = {event["title"] for event in world.get("/events").json()["events"]}
    assert titles <= {"Number 0"}


def test_who_has_said_everything_and_still_reads_is_answered(world: World, loop: Loop) -> None:
    with loop.connect() as connection:
        connection.sendall(batch(world, loop, "Half closed"))
        connection.shutdown(1)
        assert statuses(all_of(connection)) == [207]


# What a thread sends itself, past the loop.


def uncached(loop: Loop, number: int) -> bytes:
    """A request that no other is equal to, whose answer tells its number."""
    return loop.request(f"{LIST}?search=nothing{number}", ends=False)


def answers(stream: BinaryIO, count: int) -> list[bytes]:
    """The bodies of so many responses."""
    return [stream.read(int(dict(iter(lambda: line_of(stream), ("", "")))["content-length"])) for _ in range(count)]


def line_of(stream: BinaryIO) -> tuple[str, str]:
    """A header, or two empty texts at the end of the head."""
    name, _, value = stream.readline().decode().strip().partition(": ")
    return name.lower(), value


def numbers(bodies: list[bytes]) -> list[int]:
    return [int(re.findall(rb"search=nothing(\d+)", body)[0]) for body in bodies]


@pytest.mark.both_stores
def test_each_client_gets_his_own_answers_one_by_one_and_several_at_once(world: World, loop: Loop) -> None:
    def ask(client: int) -> None:
        random, asked = Random(client), 0
        with loop.connect() as connection, connection.makefile("rb") as stream:
            while asked < 40:
                some = [50 * client + asked + place for place in range(random.choice((1, 1, 1, 2, 5)))]
                for request in (uncached(loop, number) for number in some):
                    connection.sendall(request)
                    sleep(random.choice((0, 0, 0.002)))
                assert numbers(answers(stream, len(some))) == some
                asked += len(some)

    with ThreadPoolExecutor(6) as clients:
        assert [*clients.map(ask, range(6))] == [None] * 6


def test_what_a_client_does_not_take_at_once_comes_afterwards(world: World, loop: Loop) -> None:
    for number in range(20):
        world.make("events", title=f"Event {number}", description="much " * 39_000, start_date="2027-03-01 10:00:00")
    with loop.connect() as connection, connection.makefile("rb") as stream:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        connection.sendall(loop.request(f"{LIST}?per_page=50&search=event&start_date=2027-01-01", ends=False))
        sleep(0.3)
        [large] = answers(stream, 1)
        assert len(json.loads(large)["events"]) == 20
        connection.sendall(uncached(loop, 7))
        assert numbers(answers(stream, 1)) == [7]


def test_clients_that_leave_before_their_answer_leave_no_open_descriptor(world: World, loop: Loop) -> None:
    def open_descriptors() -> int:
        return len([*Path("/proc/self/fd").iterdir()])

    with loop.connect() as connection, connection.makefile("rb") as stream:
        connection.sendall(uncached(loop, 1))
        answers(stream, 1)
    until(lambda: not loop.front._connections)
    before = open_descriptors()
    for number in range(60):
        with loop.connect() as connection, connection.makefile("rb") as stream:
            connection.sendall(uncached(loop, number))
            if number % 2:
                answers(stream, 1)
    until(lambda: not loop.front._connections and open_descriptors() <= before)
    with loop.connect() as connection, connection.makefile("rb") as stream:
        connection.sendall(uncached(loop, 99))
        assert numbers(answers(stream, 1)) == [99]


def test_a_connection_that_a_thread_has_answered_is_closed_when_the_worker_stops(world: World) -> None:
    loop = Loop(world)
    loop.start()
    with loop.connect() as connection, connection.makefile("rb") as stream:
        connection.sendall(uncached(loop, 1))
        answers(stream, 1)
        begun = monotonic()
        loop.stop()
        assert all_of(connection) == b""
    assert monotonic() - begun < STOP_SECONDS / 2
