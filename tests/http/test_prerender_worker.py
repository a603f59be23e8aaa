"""The prerender worker: what is asked for comes first, no error ends it, and it says how far it is."""

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.conftest import client_of

from kalends.calendar.background import background, task_kinds
from kalends.calendar.background.background import ProcessWork
from kalends.calendar.service import Calendar
from kalends.calendar.storing import prerender_task, rendering
from kalends.calendar.storing.prerender_task import Prerenderer, Requested
from kalends.contract.kinds import EVENT, VENUE
from kalends.http.cache import prerender_worker
from kalends.http.cache.prerender_worker import PrerenderWorker
from kalends.store.engine.store import Store, StoreUnavailable
from kalends.store.search import word_index
from kalends.worker import make_app

METRICS = "http://calendar.test/metrics"


@pytest.fixture
def world(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A calendar after its time zone was changed: every record has to be rendered anew."""
    monkeypatch.setattr(prerender_task, "RENDERED_AT_ONCE", 2)
    monkeypatch.setattr(prerender_worker, "RENDERED_AT_ONCE", 2)
    monkeypatch.setattr(task_kinds, "SHORTEST_PAUSE", 0.0)
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
    assert queue.pop_oldest(2) == [("event", 5), ("event", 1)]
    queue.add(EVENT, [9])
    assert queue.pop_oldest(5) == [("venue", 5), ("event", 9)]
    assert queue.pop_oldest(5) == []


def test_one_bad_record_does_not_stop_the_others(
    world: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad = world.events[3]
    fails = lambda *args: any(event.id == bad for event in args[2])  # noqa: E731
    calls = breaking(monkeypatch, "rendered_events", fails, ValueError("odd"))
    worker = PrerenderWorker(world.calendar)
    assert worker.sweep(outdated=True) == len(world.events) - 1 + 2
    assert rendered(world) == {*world.events, world.venue, -world.category} - {bad}
    assert [record.getMessage() for record in caplog.records if record.exc_info] == [
        f"event {bad} cannot be prerendered"
    ]
    # It is shown from the record, and not tried again with every request.
    assert world.get(f"/events/{bad}").json()["title"] == "event 3"
    assert "event 3" in world.get("/events").text
    tries = len(calls)
    assert worker.render_requested(outdated=True) == 0
    assert len(calls) == tries
    monkeypatch.undo()
    assert worker.sweep(outdated=True) == 1
    assert bad in rendered(world)


@pytest.mark.parametrize("error", [RuntimeError("unforeseen"), StoreUnavailable("away")])
def test_after_an_error_it_is_tried_again(world: Any, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    failing = iter([error, error])
    inner = Prerenderer.sweep

    def sweep(self: Prerenderer, *, outdated: bool) -> Any:
        if (now := next(failing, None)) is not None:
            raise now
        return inner(self, outdated=outdated)

    monkeypatch.setattr(Prerenderer, "sweep", sweep)
    work = world.calendar.background
    work.register(*PrerenderWorker(world.calendar).kinds())
    for _ in range(2):
        work.run_due()
        assert rendered(world) == set()
        world.clock.move(minutes=1)
    work.run_due()
    assert len(rendered(world)) == len(world.events) + 2


def test_an_older_version_leaves_the_task_alone(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And its own is forgotten when no process takes it any more."""
    assert world.neighbour().get(f"{world.ns}/events").status_code == 200
    older, newer = world.neighbours[-1].background, world.calendar.background
    newer.register(*PrerenderWorker(world.calendar).kinds())
    with monkeypatch.context() as patch:
        patch.setattr(prerender_worker, "code_version", lambda: "older")
        name = prerender_worker.kind_name()
    assert name != prerender_worker.kind_name()
    older.register(task_kinds.TaskKind(name, "Older", lambda run: task_kinds.Done(), every=prerender_worker.REST))
    newer._make_regular()
    prerender_tasks = "SELECT kind FROM task WHERE kind LIKE 'prerender-%'"
    older.run_due()
    assert rendered(world) == set()
    with world.calendar.store.read() as session:
        assert sorted(session.column(prerender_tasks)) == sorted([name, prerender_worker.kind_name()])
    newer.run_due()
    assert len(rendered(world)) == len(world.events) + 2
    world.clock.move(days=3)
    newer.run_due()
    with world.calendar.store.read() as session:
        assert session.column(prerender_tasks) == [prerender_worker.kind_name()]


def test_other_settings_ask_for_the_sweep_at_once(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    worker, work = PrerenderWorker(world.calendar), world.calendar.background
    work.register(*worker.kinds())
    work.run_due()
    world.make("events")
    worker.go_on()
    assert work.run_due() == 0
    with monkeypatch.context() as patch:
        patch.setattr(Prerenderer, "fits", lambda self, settings: False)
        worker.go_on()
    assert work.run_due() == 1


def test_own_work_is_run_when_it_is_wanted_and_outlives_an_error(
    world: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ran, failing = threading.Event(), iter([RuntimeError("unforeseen"), StoreUnavailable("away")])

    def run() -> None:
        for error in failing:
            raise error
        ran.set()

    monkeypatch.setattr(background, "LONGEST_BACK_OFF", 0.0)
    monkeypatch.setattr(background, "TICK", 0.01)
    wanted, unwanted = (
        ProcessWork("wanted", lambda: not ran.is_set(), run),
        ProcessWork("unwanted", lambda: False, run),
    )
    world.calendar.background.add_process_work(wanted, unwanted)
    world.calendar.background.start()
    try:
        assert ran.wait(10)
    finally:
        world.calendar.background.stop()
    said = [record.getMessage() for record in caplog.records if "wanted" in record.getMessage()]
    assert said == ["wanted failed, the next try is in 0 s", "wanted: the next try is in 0 s: away"]


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
    PrerenderWorker(world.calendar, set_gauge=set_gauge).run()
    total = len(world.events) + 2
    assert remaining[0] == total
    assert remaining == sorted(remaining, reverse=True)
    assert read() == {"kalends_prerender_records": total, "kalends_prerender_remaining": 0}


def test_the_log_says_how_far_it_is(
    world: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(prerender_worker, "LOGGED_EVERY", 4)
    caplog.set_level(logging.INFO)
    PrerenderWorker(world.calendar).run()
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
    PrerenderWorker(world.calendar).run()
    assert sum(word_index.rebuild(store)) == 0
    assert "the word index is rebuilt: 10 texts are in it" in caplog.messages
    assert world.get("/events?search=vent").json()["total"] == 8
