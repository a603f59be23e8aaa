"""The prerender worker: what is asked for comes first, no error ends it, and it says how far it is."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.conftest import client_of

from kalends.application import make_app
from kalends.calendar.fragments import prerendering, rendering
from kalends.calendar.fragments.prerendering import Prerenderer, Requested
from kalends.calendar.service import Calendar
from kalends.contract.kinds import EVENT, VENUE
from kalends.server.cache import prerender_worker
from kalends.server.cache.prerender_worker import PrerenderWorker
from kalends.store.engine.store import Store, StoreUnavailable
from kalends.store.search import word_index

METRICS = "http://calendar.test/metrics"


@pytest.fixture
def world(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A calendar after its time zone was changed: every record has to be rendered anew."""
    monkeypatch.setattr(prerendering, "RENDERED_AT_ONCE", 2)
    monkeypatch.setattr(prerender_worker, "RENDERED_AT_ONCE", 2)
    monkeypatch.setattr(prerender_worker, "SHORTEST_PAUSE", 0.0)
    world = make_world(cache_size="0", metrics="127.0.0.1")
    world.events = [world.make("events", title=f"event {number}")["id"] for number in range(8)]
    venue = {"venue": "Hall"}
    last = {"start_date": "2027-06-01 10:00:00", "end_date": "2027-06-01 12:00:00"}
    event = world.make("events", title="the last", venue=venue, categories=["Music"], **last)
    world.events.append(event["id"])
    world.venue, world.category = event["venue"]["id"], event["categories"][0]["id"]
    calendar = world.calendar
    settings = replace(calendar.settings, timezone="Asia/Tokyo")
    world.calendar = Calendar(calendar.store, calendar.files, settings, world.clock)
    world.front = make_app(world.calendar)
    world.client = client_of(world.front)
    return world


def rendered(world: Any) -> set[int]:
    """The keys of what is prerendered for the present settings."""
    version = rendering.renderer_of(world.calendar.settings).version
    with world.calendar.store.read() as session:
        return set(session.column("SELECT key FROM fragment WHERE render_version = ?", (version,)))


def breaking(monkeypatch: pytest.MonkeyPatch, name: str, when: Callable[..., bool], error: Exception) -> list[Any]:
    """Lets a function of the prerenderer fail for some arguments; what it was called with then."""
    calls: list[Any] = []
    inner = getattr(rendering, name)

    def function(*args: Any) -> Any:
        if when(*args):
            calls.append(args)
            raise error
        return inner(*args)

    monkeypatch.setattr(rendering, name, function)
    return calls


def test_what_a_list_shows_is_rendered_before_the_sweep_goes_on(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = PrerenderWorker(world.calendar)
    visibility: list[set[int]] = []

    def step(name: str, value: float) -> None:
        if name == "prerender_records":
            visibility.append(rendered(world))
            if len(visibility) == 1:
                assert world.get("/events?start_date=2027-06-01").json()["total"] == 1

    worker.set_gauge = step
    worker.sweep(outdated=True)
    shown = {world.events[-1], world.venue, -world.category}
    assert not visibility[0] & shown
    assert visibility[1] >= shown
    assert not visibility[1] >= set(world.events)
    assert rendered(world) == {*world.events, world.venue, -world.category}


def test_a_record_that_is_read_is_rendered_next(world: Any) -> None:
    assert world.get(f"/venues/{world.venue}").status_code == 200
    assert PrerenderWorker(world.calendar).render_requested(outdated=True) == 1
    assert rendered(world) == {world.venue}


def test_asking_for_what_is_not_there_or_not_public_renders_nothing(world: Any) -> None:
    draft = world.make("events", status="draft")["id"]
    for id in (draft, 99_999):
        world.get(f"/events/{id}")
    before = rendered(world)
    assert PrerenderWorker(world.calendar).render_requested(outdated=True) == 0
    assert rendered(world) == before


def test_what_another_version_rendered_is_left_alone_after_the_first_round(world: Any) -> None:
    """Two versions side by side would undo each other's work for ever."""
    assert world.get("/events").status_code == 200
    assert PrerenderWorker(world.calendar).render_requested(outdated=False) == 0
    assert rendered(world) == set()


def test_the_queue_of_requests_has_an_upper_limit() -> None:
    queue = Requested(most=3)
    queue.add(EVENT, [5, 1])
    queue.add(VENUE, [5, 6])
    queue.add(EVENT, [1])
    assert len(queue) == 3
    assert queue.take(2) == [("event", 5), ("event", 1)]
    queue.add(EVENT, [9])
    assert queue.take(5) == [("venue", 5), ("event", 9)]
    assert queue.take(5) == []


def test_one_bad_record_does_not_stop_the_others(
    world: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad = world.events[3]
    calls = breaking(monkeypatch, "render_post", lambda *args: args[3].id == bad, ValueError("odd"))
    worker = PrerenderWorker(world.calendar)
    assert worker.sweep(outdated=True) == len(world.events) - 1 + 2
    assert rendered(world) == {*world.events, world.venue, -world.category} - {bad}
    assert [record.getMessage() for record in caplog.records if record.exc_info] == [
        f"event {bad} cannot be prerendered"
    ]
    # It is shown from the record, and not tried again with every request.
    assert world.get(f"/events/{bad}").json()["title"] == "event 3"
    tries = len(calls)
    assert worker.render_requested(outdated=True) == 0
    assert len(calls) == tries
    monkeypatch.undo()
    assert worker.sweep(outdated=True) == 1
    assert bad in rendered(world)


@pytest.mark.parametrize("error", [RuntimeError("unforeseen"), StoreUnavailable("away")])
def test_an_error_is_logged_and_the_worker_goes_on(
    world: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    pauses: list[float] = []
    failing = iter([error, error, error])
    inner = Prerenderer.sweep

    def sweep(self: Prerenderer, *, outdated: bool) -> Any:
        if (now := next(failing, None)) is not None:
            raise now
        return inner(self, outdated=outdated)

    monkeypatch.setattr(Prerenderer, "sweep", sweep)
    monkeypatch.setattr(prerender_worker.time, "sleep", pauses.append)
    worker = PrerenderWorker(world.calendar)
    for _ in range(3):
        worker.go_on()
    assert [pause for pause in pauses if pause >= 1] == [1, 2, 4]
    said = [record for record in caplog.records if "next try" in record.getMessage()]
    assert len(said) == 3
    assert all(str(error) in (record.getMessage() + (record.exc_text or "")) for record in said)
    assert rendered(world) == set()
    worker.go_on()
    assert len(rendered(world)) == len(world.events) + 2


class Ended(BaseException):
    """Ends the worker of a test."""


def test_the_worker_outlives_an_error(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = iter([RuntimeError("unforeseen")])
    inner = PrerenderWorker.has_work

    def has_work(self: PrerenderWorker) -> bool:
        for error in failing:
            raise error
        return inner(self)

    def wait(self: Requested, seconds: float) -> None:
        if rendered(world):
            raise Ended

    monkeypatch.setattr(prerender_worker, "FIRST_BACK_OFF", 0.0)
    monkeypatch.setattr(PrerenderWorker, "has_work", has_work)
    monkeypatch.setattr(Requested, "wait", wait)
    with pytest.raises(Ended):
        PrerenderWorker(world.calendar).run()
    assert len(rendered(world)) == len(world.events) + 2


def test_metrics_say_how_far_it_is(world: Any) -> None:
    metrics = world.front.metrics
    remaining: list[int] = []

    def read() -> dict[str, float]:
        lines = (line.split() for line in world.get(METRICS).text.splitlines() if "prerender" in line)
        return {name: float(value) for name, value, *_ in lines if name.startswith("kalends")}

    def set_gauge(name: str, value: float) -> None:
        metrics.set_gauge(name, value)
        if name == "prerender_remaining":
            remaining.append(int(read()["kalends_prerender_remaining"]))

    assert read() == {}
    PrerenderWorker(world.calendar, set_gauge=set_gauge).go_on()
    total = len(world.events) + 2
    assert remaining[0] == total
    assert remaining == sorted(remaining, reverse=True)
    assert read() == {"kalends_prerender_records": total, "kalends_prerender_remaining": 0}


def test_the_log_says_how_far_it_is(
    world: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(prerender_worker, "LOGGED_EVERY", 4)
    caplog.set_level(logging.INFO)
    PrerenderWorker(world.calendar).go_on()
    said = [record.getMessage() for record in caplog.records if record.getMessage().startswith("prerendering")]
    assert said[0] == "prerendering: 0 of 11 records are checked"
    assert said[-1] == "prerendering is done: 11 records were rendered"


def test_the_word_index_is_rebuilt_beside_the_requests(
    world: Any, store_kind: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    if store_kind != "sqlite":
        pytest.skip("PostgreSQL has no tokens of ours")
    store: Store = world.calendar.store
    with store.write() as session:
        session.run("UPDATE word_index SET format = 0")
    caplog.set_level(logging.INFO)
    PrerenderWorker(world.calendar).go_on()
    assert sum(word_index.rebuild(store)) == 0
    assert "the word index is rebuilt: 10 texts are in it" in caplog.messages
    assert world.get("/events?search=vent").json()["total"] == 8
