"""Slow requests wait for each other, and nobody else waits for them."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from kalends.server.slow_lane import FULL, SlowLane, Turns, is_slow

QUICK = {"PATH_INFO": "/api/calendar/events/v1/events", "QUERY_STRING": "page=2"}
SLOW = {**QUICK, "QUERY_STRING": "search=jazz"}
WAIT = 5


class Held:
    """An application whose slow answers take until they are let go."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.go = threading.Event()
        self.full = 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if FULL in environ:
            self.full += 1
        elif is_slow(environ):
            self.begun.release()
            assert self.go.wait(WAIT)
        return [b"answer"]


@pytest.mark.parametrize(
    ("path", "query", "slow"),
    [
        ("/api/calendar/events/v1/events", "", False),
        ("/api/calendar/events/v1/events", "categories=3&page=2", False),
        ("/api/calendar/events/v1/events", "search=jazz", True),
        ("/api/calendar/events/v1/events", "geoloc_lat=1&geoloc_lng=2", True),
        ("/events.ics", "", True),
        ("/venue/hall.ics", "", True),
        ("/event/concert.ics", "", False),
        ("/events/list", "ical=1", True),
    ],
)
def test_what_is_slow(path: str, query: str, slow: bool) -> None:
    assert is_slow({"PATH_INFO": path, "QUERY_STRING": query}) is slow


def test_one_at_a_time_while_others_go_by_and_the_rest_is_refused() -> None:
    app = Held()
    lane = SlowLane(app, at_once=1, most_waiting=1)
    threads = [threading.Thread(target=lane, args=(dict(SLOW), None)) for _ in range(2)]
    threads[0].start()
    assert app.begun.acquire(timeout=WAIT)
    threads[1].start()
    while lane._inside < 2:
        threading.Event().wait(0.001)
    assert not app.begun.acquire(blocking=False)  # the second waits
    assert lane(dict(QUICK), None) == [b"answer"]
    lane(dict(SLOW), None)
    assert app.full == 1
    app.go.set()
    for thread in threads:
        thread.join(WAIT)
    assert app.begun.acquire(timeout=WAIT)
    assert lane(dict(SLOW), None) == [b"answer"]
    assert app.full == 1


def test_a_long_answer_keeps_the_lane_only_while_a_part_is_made() -> None:
    def parts(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        yield b"one"
        yield b"two"

    lane = SlowLane(parts, at_once=1, most_waiting=1)
    first, second = (iter(lane(dict(SLOW), None)) for _ in range(2))
    assert [next(first), next(second), next(first), next(second)] == [b"one", b"one", b"two", b"two"]
    assert list(first) == list(second) == []
    assert lane._inside == 0


def test_who_came_first_is_first_even_before_one_who_is_there_already() -> None:
    turns, order, ready = Turns(1), [], threading.Event()

    def wait() -> None:
        ready.set()
        with turns:
            order.append("who waited")

    with turns:
        thread = threading.Thread(target=wait)
        thread.start()
        assert ready.wait(WAIT)
        while not turns._waiting:
            threading.Event().wait(0.001)
    with turns:
        order.append("who was there")
    thread.join(WAIT)
    assert order == ["who waited", "who was there"]


def test_a_client_that_goes_away_or_an_error_leaves_its_place() -> None:
    def failing(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        yield b"one"
        raise OSError

    lane = SlowLane(failing, at_once=1, most_waiting=0)
    gone = lane(dict(SLOW), None)
    assert lane._inside == 1
    del gone
    assert lane._inside == 0
    failed = iter(lane(dict(SLOW), None))
    next(failed)
    with pytest.raises(OSError):
        next(failed)
    assert lane._inside == 0


def test_the_refusal_is_the_usual_one(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SlowLane, "_enter", lambda self: False)
    refused = world.get("/events?search=jazz")
    assert refused.status_code == 503
    assert refused.json()["code"] == "service_unavailable"
    assert int(refused.headers["Retry-After"]) > 0
    assert world.get("/events").status_code == 200
