"""What the loop of a worker answers itself, and what becomes of requests that fail in it or whose client is gone."""

import json
import logging
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from tests.conftest import World
from tests.server.loops import Loop, all_of, header, served, statuses
from tests.waiting import until

from kalends.calendar.admission import WORKER, WRITE
from kalends.http.front.connection import Connection
from kalends.http.front.exchange import Exchange
from kalends.http.front.kept import KeptResponses
from kalends.http.front.receiving import Receiver
from kalends.http.front.worker import Front
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
    (Exchange, "start"),
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


def test_what_fails_after_the_application_answered_is_told(
    loop: Loop, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kalends.http.front.exchange.lines", broken)
    assert statuses(loop.ask(loop.request(LIST))) == [500]
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
