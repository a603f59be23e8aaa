"""Work for later: what is due runs once, on one process, whatever happens to processes."""

import threading
from contextlib import suppress
from datetime import timedelta

import pytest
from tests.conftest import World
from tests.stores import careless_store
from tests.waiting import until

from kalends.calendar.admission import WORKER, WRITE
from kalends.calendar.background.background import LEASE, Background
from kalends.calendar.background.task_kinds import Again, Done, Failed, LeaseLost, Outcome, Run, TaskKind
from kalends.calendar.service import Calendar
from kalends.store.engine.store import Session
from kalends.store.rows import site, tasks
from kalends.store.rows.tasks import NEVER, Task
from kalends.values import dates

pytestmark = pytest.mark.both_stores


@pytest.fixture
def world(world: World) -> World:
    """A calendar that has no other work."""
    world.calendar.background = Background(world.calendar)
    return world


class Recording:
    """A kind of work that remembers what ran."""

    def __init__(self, *outcomes: Outcome | Exception) -> None:
        self.ran: list[Task] = []
        self._outcomes = list(outcomes)

    def __call__(self, run: Run) -> Outcome:
        self.ran.append(run.task)
        outcome = self._outcomes.pop(0) if self._outcomes else Done()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def kind(self, **more: object) -> TaskKind:
        return TaskKind("test", "Tests", self, **more)  # type: ignore[arg-type]


def add(world: World, key: str = "one", seconds: float = 0, payload: str = "", rev: int | None = None) -> None:
    with world.calendar.store.write() as session:
        tasks.add(session, "test", key, dates.text(world.clock() + timedelta(seconds=seconds)), payload, rev)


def find(world: World, key: str = "one") -> Task | None:
    with world.calendar.store.read() as session:
        return tasks.find(session, "test", key)


def background(world: World, work: Recording, **more: object) -> Background:
    world.calendar.background.register(work.kind(**more))
    return world.calendar.background


def neighbour(world: World, work: Recording, **more: object) -> Background:
    """Another process with the same store."""
    calendar = world.calendar
    other = Calendar(careless_store(calendar.settings), calendar.files, calendar.settings, world.clock)
    world.neighbours.append(other)
    other.background.register(work.kind(**more))
    return other.background


def test_a_task_runs_when_it_is_due_and_is_gone(world: World) -> None:
    work = Recording()
    add(world, seconds=60, payload="a letter")
    assert background(world, work).run_due() == 0
    world.clock.move(seconds=60)
    assert background(world, work).run_due() == 1
    assert [(task.key, task.payload) for task in work.ran] == [("one", "a letter")]
    assert find(world) is None
    assert background(world, work).run_due() == 0


def test_a_task_of_a_transaction_that_failed_was_never_asked_for(world: World) -> None:
    with suppress(ZeroDivisionError), world.calendar.store.write() as session:
        tasks.add(session, "test", "one", dates.text(world.clock()))
        raise ZeroDivisionError
    assert background(world, Recording()).run_due() == 0


def test_one_task_for_each_key_as_it_was_asked_for_last(world: World) -> None:
    work = Recording()
    add(world, payload="first")
    add(world, payload="second", seconds=5)
    add(world, key="other")
    assert background(world, work).run_due() == 1
    world.clock.move(seconds=5)
    background(world, work).run_due()
    assert [(task.key, task.payload) for task in work.ran] == [("other", ""), ("one", "second")]


def test_a_task_says_when_it_is_due_again(world: World) -> None:
    work = Recording(Again(world.clock() + timedelta(hours=1), payload="next"))
    add(world, payload="first")
    assert background(world, work).run_due() == 1
    world.clock.move(hours=1)
    assert background(world, work).run_due() == 1
    assert [task.payload for task in work.ran] == ["first", "next"]


def test_a_task_can_wait_for_a_change_of_the_calendar(world: World) -> None:
    world.make("events")
    work = Recording(Again(after=world.count()))
    add(world)
    assert background(world, work).run_due() == 1
    world.clock.move(days=1)
    assert background(world, work).run_due() == 0
    world.make("events")
    assert background(world, work).run_due() == 1


def test_what_it_changes_is_stored_with_its_end(world: World) -> None:
    def note(session: Session) -> None:
        site.write(session, "noted", "yes")

    work = Recording(Done(also=note))
    add(world)
    background(world, work).run_due()
    with world.calendar.store.read() as session:
        assert site.read(session, "noted") == "yes"


def test_when_that_cannot_be_stored_the_task_has_failed(world: World, caplog: pytest.LogCaptureFixture) -> None:
    def refuse(session: Session) -> None:
        site.write(session, "noted", "yes")
        raise ValueError("no")

    work = Recording(Done(also=refuse))
    add(world)
    background(world, work).run_due()
    with world.calendar.store.read() as session:
        assert site.read(session, "noted") is None
    found = find(world)
    assert found is not None
    assert found.tries == 1
    assert "no" in found.error


def test_failures_are_tried_again_later_and_given_up_at_last(world: World) -> None:
    given_up: list[str] = []
    work = Recording(Failed("away"), Failed("still\naway"), Failed("gone"))
    runner = background(world, work, retries=(5, 60), gave_up=lambda session, task: given_up.append(task.error))
    add(world, payload="kept")
    assert runner.run_due() == 1
    world.clock.move(seconds=4)
    assert runner.run_due() == 0
    world.clock.move(seconds=1)
    assert runner.run_due() == 1
    found = find(world)
    assert found is not None
    assert (found.tries, found.error) == (2, "still away")
    world.clock.move(seconds=60)
    assert not given_up
    assert runner.run_due() == 1
    assert given_up == ["gone"]
    found = find(world)
    assert found is not None
    assert found.due_utc == NEVER
    assert found.payload == "kept"
    world.clock.move(days=100)
    assert runner.run_due() == 0
    add(world)
    assert runner.run_due() == 1
    assert find(world) is None


def test_a_failure_may_say_when_to_come_back(world: World) -> None:
    work = Recording(Failed("busy", seconds=120))
    add(world)
    background(world, work).run_due()
    world.clock.move(seconds=119)
    assert background(world, work).run_due() == 0
    world.clock.move(seconds=1)
    assert background(world, work).run_due() == 1


def test_a_defect_is_a_failure_too(world: World, caplog: pytest.LogCaptureFixture) -> None:
    work = Recording(ZeroDivisionError("never divide"))
    add(world)
    background(world, work).run_due()
    found = find(world)
    assert found is not None
    assert found.error == "ZeroDivisionError: never divide"


def test_regular_work_is_never_given_up(world: World) -> None:
    work = Recording(Failed("a"), Failed("b"), Failed("c"))
    runner = background(world, work, every=3600, retries=(5,))
    for seconds, expected in ((0, 1), (5, 1), (3599, 0), (1, 1), (3600, 1), (3600, 1), (3599, 0)):
        world.clock.move(seconds=seconds)
        assert runner.run_due() == expected
    assert len(work.ran) == 5


def test_what_is_asked_for_while_it_runs_runs_once_more(world: World) -> None:
    work = Recording()

    def run(run: Run) -> Outcome:
        if not work.ran:
            add(world, payload="again", seconds=60)
        return work(run)

    world.calendar.background.register(TaskKind("test", "Tests", run))
    add(world, payload="first")
    assert world.calendar.background.run_due() == 2
    assert [task.payload for task in work.ran] == ["first", "again"]
    assert find(world) is None


def test_a_process_that_was_killed_holds_its_task_for_some_seconds(world: World) -> None:
    work = Recording()
    killed = neighbour(world, work)
    add(world)
    assert len(killed._claim(1)) == 1  # and then it is killed
    assert background(world, work).run_due() == 0
    world.clock.move(seconds=LEASE.total_seconds())
    assert background(world, work).run_due() == 1


def test_who_was_away_too_long_changes_nothing(world: World) -> None:
    work, late = Recording(), Recording(Done(also=lambda session: site.write(session, "noted", "late")))
    slow = neighbour(world, late)
    add(world)
    (run,) = slow._claim(1)
    world.clock.move(seconds=LEASE.total_seconds())
    assert background(world, work).run_due() == 1
    add(world, payload="another")
    slow._work(run)
    with world.calendar.store.read() as session:
        assert site.read(session, "noted") is None
    assert find(world) is not None
    run.is_lost = True
    with pytest.raises(LeaseLost):
        run.pause()


def test_a_lease_is_renewed_while_the_task_runs(world: World) -> None:
    work, begun, may_end = Recording(), threading.Event(), threading.Event()

    def run(run: Run) -> Outcome:
        begun.set()
        assert may_end.wait(10)
        return work(run)

    slow = neighbour(world, work)
    slow.register(TaskKind("test", "Tests", run))
    add(world)
    slow.start()
    assert begun.wait(10)
    world.clock.move(seconds=LEASE.total_seconds() - 1)
    slow._renewed = 0.0
    until(lambda: (find(world) or Task("", "", "")).due_utc > dates.text(world.clock() + LEASE / 2))
    world.clock.move(seconds=LEASE.total_seconds() - 1)
    assert background(world, Recording()).run_due() == 0
    may_end.set()
    until(lambda: find(world) is None)
    slow.stop()
    assert len(work.ran) == 1


def test_a_process_that_ends_gives_back_what_it_has(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalends.calendar.background.background.LAST_WAIT", 0.05)
    work = Recording()
    ending = neighbour(world, work)
    add(world)
    assert len(ending._claim(1)) == 1
    ending.stop()
    assert background(world, work).run_due() == 1


def test_many_processes_run_each_task_once(world: World) -> None:
    work = Recording()
    runners = [neighbour(world, work, at_once=3) for _ in range(4)]
    for runner in runners:
        runner.start()
    for number in range(30):
        add(world, key=str(number))

    def is_empty() -> bool:
        with world.calendar.store.read() as session:
            return session.value("SELECT count(*) FROM task") == 0

    until(is_empty)
    for runner in runners:
        runner.stop()
    assert sorted(int(task.key) for task in work.ran) == [*range(30)]


def test_what_failed_before_leaves_places_to_others(world: World) -> None:
    waiting, may_end, done = Recording(), threading.Event(), Recording()

    def run(run: Run) -> Outcome:
        if run.task.key.startswith("dead"):
            waiting(run)
            assert may_end.wait(10)
            raise Failed("no answer")
        return done(run)

    for number in range(6):
        add(world, key=f"dead {number}")
    with world.calendar.store.write() as session:
        session.run("UPDATE task SET tries = 1")
    runner = neighbour(world, done)
    runner.register(TaskKind("test", "Tests", run, at_once=4))
    runner.start()
    until(lambda: len(waiting.ran) == 2)
    add(world, key="alive")
    until(lambda: done.ran)
    assert len(waiting.ran) == 2
    may_end.set()
    runner.stop()


def test_a_process_that_is_never_without_requests_works_too(world: World) -> None:
    work, turn = Recording(), WORKER.enter(WRITE, "a client")
    runner = neighbour(world, work)
    try:
        assert WORKER.is_in_use
        runner.start()
        for number in range(3):
            add(world, key=str(number))
        until(lambda: len(work.ran) == 3)
    finally:
        runner.stop()
        WORKER.leave(turn)


def test_what_only_one_process_can_do(world: World) -> None:
    def told(run: Run) -> Outcome:
        return Done(also=lambda session: site.write(session, "noted", "interrupted"))

    def here(run: Run) -> Outcome:
        return Done(also=lambda session: site.write(session, "noted", "done"))

    def noted() -> str | None:
        with world.calendar.store.read() as session:
            return site.read(session, "noted")

    own, other = neighbour(world, Recording()), world.calendar.background
    other.register(TaskKind("test", "Tests", told))
    store = world.calendar.store
    with store.write() as session:
        assert own.hold(session, "test", "one")
    with store.write() as session:
        assert not own.hold(session, "test", "one"), "it is under way already"
    assert other.run_due() == 0
    own.begin("test", "one", here)
    until(lambda: noted() == "done")
    killed = neighbour(world, Recording())  # before it began
    with store.write() as session:
        assert killed.hold(session, "test", "one")
    world.clock.move(seconds=LEASE.total_seconds())
    assert other.run_due() == 1
    assert noted() == "interrupted"


def test_tasks_of_kinds_that_a_process_does_not_know_are_left_alone(world: World) -> None:
    add(world)
    world.calendar.background.register(TaskKind("another", "Others", Recording()))
    assert world.calendar.background.run_due() == 0
    assert find(world) is not None


def test_an_idle_process_asks_an_embedded_store_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    if not world.calendar.store.sees_every_commit:
        pytest.skip("here it asks with every look")
    runner = background(world, Recording())
    runner._look()
    runner._look()
    monkeypatch.setattr(world.calendar.store, "read", lambda *_: pytest.fail("a query"))
    runner._look()
