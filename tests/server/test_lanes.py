"""Quick reads take turns, slow reads queue in a lane of their own, and are refused only when the queue is long."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from kalends.server.middleware import lanes as module
from kalends.server.middleware.lanes import Lanes, Queue
from kalends.server.request_context import REFUSAL

WAIT = 60
LIST = {"REQUEST_METHOD": "GET", "PATH_INFO": "/events", "QUERY_STRING": ""}
EXPORT = {"REQUEST_METHOD": "GET", "PATH_INFO": "/events.ics", "QUERY_STRING": ""}


def find(environ: dict[str, Any]) -> tuple[str, bool]:
    path = environ["PATH_INFO"]
    return path, path.endswith(".ics")


class Held:
    """An application whose requests take until they are let go."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.go = threading.Event()
        self.refused = 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if REFUSAL in environ:
            self.refused += 1
            return []
        self.begun.release()
        assert self.go.wait(WAIT)
        return [b"body"]


def start(lanes: Lanes, app: Any, environ: dict[str, Any], number: int) -> list[threading.Thread]:
    threads = [threading.Thread(target=lanes.run, args=(app, dict(environ), None)) for _ in range(number)]
    for thread in threads:
        thread.start()
    return threads


def until(condition: Any) -> None:
    deadline = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_slow_requests_run_one_at_a_time_and_none_of_forty_is_refused() -> None:
    app, lanes = Held(), Lanes(find, ())
    threads = start(lanes, app, EXPORT, 40)
    assert app.begun.acquire(timeout=WAIT)
    until(lambda: lanes.slow.waiting == 39)
    assert not app.begun.acquire(blocking=False)
    assert lanes.run(lambda *_: [b"list"], dict(LIST), None) == [b"list"]  # a quick one passes by
    app.go.set()
    for thread in threads:
        thread.join(WAIT)
    assert app.refused == 0
    assert sum(app.begun.acquire(blocking=False) for _ in range(40)) == 39


def test_a_request_that_would_wait_too_long_is_refused_at_once() -> None:
    app, lanes = Held(), Lanes(find, ())
    for _ in range(40):
        lanes.slow.enter()
        lanes.slow.leave(module.PATIENCE / 3)
    threads = start(lanes, app, EXPORT, 4)
    until(lambda: lanes.slow.waiting == 3)
    lanes.run(app, dict(EXPORT), None)  # the fourth in the queue would wait for more than the limit
    assert app.refused == 1
    app.go.set()
    for thread in threads:
        thread.join(WAIT)


def test_a_burst_of_first_requests_does_not_make_the_next_ones_look_too_slow() -> None:
    app, lanes = Held(), Lanes(find, ())
    lanes.costs.note(("/events", frozenset()), 5 * module.PATIENCE)  # of one that ran beside many others
    threads = start(lanes, app, LIST, 8)
    until(lambda: lanes.slow.waiting == 7)
    app.go.set()
    for thread in threads:
        thread.join(WAIT)
    assert app.refused == 0


def test_a_request_that_waited_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    app, lanes = Held(), Lanes(find, ())
    threads = start(lanes, app, EXPORT, 1)
    assert app.begun.acquire(timeout=WAIT)
    lanes.run(app, dict(EXPORT), None)
    assert app.refused == 1
    assert lanes.slow.waiting == 0
    app.go.set()
    threads[0].join(WAIT)
    assert lanes.run(lambda *_: [b"next"], dict(EXPORT), None) == [b"next"]


def test_slow_requests_are_recognized_by_measured_cost_not_by_their_text() -> None:
    lanes = Lanes(find, ("search", "categories"))
    search = dict(LIST, QUERY_STRING="search=jazz&page=2")
    for _ in range(20):
        lanes.costs.note(("/events", frozenset({"search"})), 0.05)
    runs: list[str] = []
    lanes.slow.enter = lambda *_: runs.append("slow") or True  # type: ignore[method-assign, func-returns-value]
    lanes.run(lambda *_: [], search, None)
    lanes.run(lambda *_: [], dict(LIST, QUERY_STRING="categories=research,musical"), None)
    lanes.run(lambda *_: [], dict(LIST, QUERY_STRING="q=search"), None)
    assert runs == ["slow"]


def test_a_request_that_became_quick_leaves_the_slow_lane() -> None:
    lanes = Lanes(find, ())
    shape = ("/events", frozenset[str]())
    lanes.costs.note(shape, 1.0)
    assert lanes.costs.of(shape) > module.SLOW_SECONDS
    for _ in range(40):
        lanes.costs.note(shape, 0.001)
    assert lanes.costs.of(shape) < module.SLOW_SECONDS


def test_the_number_of_remembered_shapes_is_bounded() -> None:
    lanes = Lanes(find, ("search",))
    for number in range(3 * module.MOST_SHAPES):
        lanes.run(lambda *_: [], dict(LIST, PATH_INFO=f"/{number}", QUERY_STRING=f"x{number}=1"), None)
    assert len(lanes.costs._seconds) <= module.MOST_SHAPES


def test_a_quick_read_does_not_wait_long_for_one_that_turns_out_slow() -> None:
    app, lanes = Held(), Lanes(find, ())
    threads = start(lanes, app, LIST, 1)
    assert app.begun.acquire(timeout=WAIT)
    assert lanes.run(lambda *_: [b"list"], dict(LIST), None) == [b"list"]
    app.go.set()
    threads[0].join(WAIT)


def test_the_parts_of_long_bodies_take_turns() -> None:
    def parts(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        yield b"one"
        yield b"two"

    lanes = Lanes(find, ())
    first, second = (iter(lanes.run(parts, dict(EXPORT), None)) for _ in range(2))
    assert [next(first), next(second), next(first), next(second)] == [b"one", b"one", b"two", b"two"]
    assert list(first) == list(second) == []


def test_a_body_that_fails_or_is_never_closed_leaves_the_lane_free() -> None:
    def failing(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        yield b"one"
        raise OSError

    lanes = Lanes(find, ())
    forgotten = lanes.run(failing, dict(EXPORT), None)
    next(iter(forgotten))
    failed = iter(lanes.run(failing, dict(EXPORT), None))
    next(failed)
    with pytest.raises(OSError):
        next(failed)
    assert lanes.run(lambda *_: [b"next"], dict(EXPORT), None) == [b"next"]


def test_the_queue_is_first_come_first_served() -> None:
    queue, order = Queue(1), list[str]()
    queue.enter()
    waiting = threading.Thread(target=lambda: (queue.enter(), order.append("who waited"), queue.leave(0.0)))
    waiting.start()
    until(lambda: queue.waiting == 1)
    queue.leave(0.0)
    queue.enter()
    order.append("who came back")
    queue.leave(0.0)
    waiting.join(WAIT)
    assert order == ["who waited", "who came back"]


def test_the_refusal_is_an_ordinary_error(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes = world.front.cache.lanes
    monkeypatch.setattr(lanes.costs, "of", lambda shape: 1.0)
    monkeypatch.setattr(lanes.slow, "enter", lambda *_: False)
    refused = world.get("/events?search=jazz")
    assert refused.status_code == 503
    assert refused.json()["code"] == "service_unavailable"
    assert int(refused.headers["Retry-After"]) > 0


def test_requests_that_are_refused_anyway_use_no_lane_and_teach_no_cost(make_world: Any) -> None:
    world = make_world(rate_limit="1")
    world.get("/events?search=jazz")
    costs = world.front.cache.lanes.costs
    [(shape, _)] = costs._seconds.items()
    costs._seconds[shape] = 1.0
    assert world.get("/events?search=rock").status_code == 429
    assert costs.of(shape) == 1.0


def test_a_response_that_another_request_has_made_meanwhile_teaches_no_cost(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.get("/events?search=jazz")
    cache = world.front.cache
    [(shape, _)] = cache.lanes.costs._seconds.items()
    cache.lanes.costs._seconds[shape] = 1.0
    get, answers = cache.kept.get, iter([None])
    monkeypatch.setattr(cache.kept, "get", lambda *key: next(answers, get(*key)))
    assert world.get("/events?search=jazz").status_code == 200
    assert cache.lanes.costs.of(shape) == 1.0
