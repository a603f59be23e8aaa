"""A clock that was ahead and comes back, or goes ahead: work for later goes on, and nothing is done twice."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.stores import careless_store
from tests.waiting import until

from kalends.calendar.background import background
from kalends.calendar.background.background import LEASE, Background
from kalends.calendar.background.task_kinds import Again, Done, Failed, Outcome, Run, TaskKind
from kalends.calendar.service import Calendar
from kalends.store.rows import tasks
from kalends.store.rows.tasks import NEVER, Task
from kalends.values import dates

pytestmark = pytest.mark.both_stores

AHEAD = [pytest.param(timedelta(hours=5), id="hours"), pytest.param(timedelta(days=400), id="a year")]


class Work:
    """A kind of work that counts how often it ran."""

    def __init__(self, *outcomes: Outcome | Exception) -> None:
        self.ran = 0
        self._outcomes = list(outcomes)

    def __call__(self, run: Run) -> Outcome:
        self.ran += 1
        outcome = self._outcomes.pop(0) if self._outcomes else Done()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def registered(world: World, work: Callable[[Run], Outcome], **more: object) -> Background:
    """In a calendar that has no other work."""
    world.calendar.background = Background(world.calendar)
    world.calendar.background.register(TaskKind("test", "Tests", work, **more))  # type: ignore[arg-type]
    return world.calendar.background


def neighbour(world: World, work: Callable[[Run], Outcome]) -> Background:
    """Another process with the same store."""
    calendar = world.calendar
    other = Calendar(careless_store(calendar.settings), calendar.files, calendar.settings, world.clock)
    world.neighbours.append(other)
    other.background.register(TaskKind("test", "Tests", work, longest=0.0))
    return other.background


def add(world: World, seconds: float = 0) -> None:
    with world.calendar.store.write() as session:
        tasks.add(session, "test", "one", dates.text(world.clock() + timedelta(seconds=seconds)))


def found(world: World, key: str = "one") -> Task:
    with world.calendar.store.read() as session:
        task = tasks.find(session, "test", key)
    assert task is not None
    return task


@pytest.mark.parametrize("ahead", AHEAD)
def test_regular_work_goes_on_when_the_clock_comes_back(world: World, ahead: timedelta) -> None:
    work = Work()
    process = registered(world, work, every=60.0)
    world.clock.now += ahead
    assert process.run_due() == 1
    world.clock.now -= ahead
    assert process.run_due() == 1
    assert process.run_due() == 0  # and as often as before
    world.clock.move(seconds=59)
    assert process.run_due() == 0
    world.clock.move(seconds=1)
    assert process.run_due() == 1


@pytest.mark.parametrize("ahead", AHEAD)
def test_what_was_asked_for_is_done_when_the_clock_comes_back(world: World, ahead: timedelta) -> None:
    work = Work()
    process = registered(world, work, longest=30.0)
    world.clock.now += ahead
    add(world, seconds=30)
    assert process.run_due() == 0
    world.clock.now -= ahead
    assert process.run_due() == 1
    assert process.run_due() == 0
    assert work.ran == 1


@pytest.mark.parametrize("ahead", AHEAD)
def test_a_failed_try_is_repeated_and_then_as_late_as_ever(world: World, ahead: timedelta) -> None:
    work = Work(*[Failed("away")] * 4)
    process = registered(world, work, retries=(60.0, 86_400.0))
    add(world)
    assert process.run_due() == 1
    world.clock.now += ahead
    assert process.run_due() == 1  # fails the second time
    world.clock.now -= ahead
    assert process.run_due() == 1
    assert process.run_due() == 0, "it would be tried all the time"
    assert found(world).tries == 2, "it would be given up early"
    assert found(world).due_utc == dates.text(world.clock() + timedelta(days=1))
    world.clock.move(days=1)
    assert process.run_due() == 1
    assert found(world).due_utc == NEVER
    assert process.run_due() == 0, "what was given up stays so"


def test_what_may_be_far_away_or_differs_as_clocks_do_is_left_alone(world: World) -> None:
    work = Work(Again(world.clock() + timedelta(hours=1)))
    process = registered(world, work, longest=3600.0)
    add(world)
    assert process.run_due() == 1
    world.clock.move(seconds=-50)  # that of another node
    assert process.run_due() == 0


def test_a_lease_of_a_process_that_was_killed_while_the_clock_was_ahead(world: World) -> None:
    work = Work()
    process = registered(world, work)
    world.clock.move(days=30)
    add(world)
    assert process._claim(1)  # and is killed
    world.clock.move(days=-30)
    other = neighbour(world, work)
    assert other.run_due() == 0
    world.clock.now += LEASE
    assert other.run_due() == 1


@pytest.mark.parametrize("days", [30, -30], ids=["ahead", "back"])
def test_what_runs_while_the_clock_is_set_is_not_done_twice(
    world: World, days: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "RENEWED_AFTER", 2.0)
    started, may_end = threading.Event(), threading.Event()
    looked: list[str] = []

    def run(run: Run) -> Outcome:
        looked.append(run.task.key)
        started.set()
        assert may_end.wait(30)
        return Done()

    process, other = registered(world, run), neighbour(world, run)
    add(world)
    try:
        process.start()
        assert started.wait(30)
        other.start()
        until(lambda: other._looked is not None)
        world.clock.move(days=days)
        now, lease = world.clock(), dates.text(world.clock() + LEASE)
        until(lambda: found(world).due_utc == lease and other._looked is not None and other._looked[0] == now)
        may_end.set()
        until(lambda: not process._under_way())
        assert looked == ["one"]
        with world.calendar.store.read() as session:
            assert tasks.find(session, "test", "one") is None
    finally:
        may_end.set()
        process.stop()
        other.stop()


def test_an_idle_process_notices_that_the_clock_came_back(world: World) -> None:
    work = Work()
    process = registered(world, work, every=60.0)
    world.clock.move(days=30)
    try:
        process.start()
        until(lambda: work.ran == 1 and process._looked is not None and not process._under_way())
        world.clock.move(days=-30)
        until(lambda: work.ran == 2)
    finally:
        process.stop()
    assert work.ran == 2


def test_no_kind_of_the_calendar_asks_for_more_than_it_says(world: World) -> None:
    kinds = world.calendar.background.kinds.values()
    assert len(kinds) > 10
    while world.calendar.background.run_due():
        pass
    world.clock.move(days=30)
    world.make("events", title="Concert")
    while world.calendar.background.run_due():
        pass
    now = world.clock()
    limits = [background._furthest(kind, now) for kind in kinds]
    with world.calendar.store.read() as session:
        assert tasks.too_far(session, limits, dates.text(now), dates.text(now)) == []


def test_what_is_late_is_shown(make_world: type[World]) -> None:
    world = make_world(metrics="127.0.0.1")  # type: ignore[call-arg]
    registered(world, Work(), every=60.0).run_due()
    world.clock.move(seconds=60 + 59)
    assert 'kalends_tasks_late{kind="test"} 0.0' in world.client.get("/metrics").text
    world.clock.move(seconds=2)
    assert 'kalends_tasks_late{kind="test"} 1.0' in world.client.get("/metrics").text
    page = AdminClient(world, "administrator").get("/admin/settings/background").text
    assert '<td data-label="Late"><span' in page
