"""Who waits for changes: woken by what they can read, holding nothing meanwhile; and who is answered from memory."""

import threading
import time
from typing import Any

import httpx
import pytest
from tests.conftest import World
from tests.features.changes.test_pages import page, token, told
from tests.waiting import until

from kalends.calendar.admission import QUICK, SLOW, WAIT, WORKER
from kalends.calendar.background import forgetting
from kalends.features.changes import polling as waiting

WAITING = 20  # seconds, of which no test takes one


class Waiting:
    """A request in a thread of its own."""

    def __init__(self, world: World, since: str, who: str = "anonymous", seconds: int = WAITING) -> None:
        self.answer: httpx.Response | None = None
        parameters = {"since": since, "wait": seconds}

        def ask() -> None:
            self.answer = world.get("/changes", who, params=parameters)

        self.thread = threading.Thread(target=ask)
        self.thread.start()

    def result(self) -> list[tuple[str, int]]:
        self.thread.join(WAITING)
        assert self.answer is not None
        assert self.answer.status_code == 200, self.answer.text
        return [(change["kind"], change["id"]) for change in self.answer.json()["changes"]]


def running(name: str) -> int:
    return next(running for work, running, *_ in WORKER.figures() if work == name)


@pytest.mark.both_stores
def test_a_waiting_caller_is_woken_by_the_first_change_and_holds_no_turn(world: World) -> None:
    waiting_one = Waiting(world, token(world))
    until(lambda: running(WAIT.name) == 1)
    assert running(QUICK.name) == running(SLOW.name) == 0
    tag = world.make("tags", name="New")
    assert waiting_one.result() == [("tag", tag["id"])]
    assert running(WAIT.name) == 0


def test_only_what_one_can_read_wakes(world: World) -> None:
    anonymous, editor = Waiting(world, token(world)), Waiting(world, token(world, "editor"), "editor")
    until(lambda: running(WAIT.name) == 2)
    draft = world.make("events", title="Draft", status="draft")
    assert editor.result() == [("event", draft["id"])]
    time.sleep(3 * waiting.INTERVAL)
    assert running(WAIT.name) == 1
    world.put(f"/events/{draft['id']}", json={"status": "publish"})
    assert anonymous.result() == [("event", draft["id"])]


def test_publication_that_falls_due_wakes(world: World) -> None:
    event = world.make("events", status="publish", date_utc="2026-11-15 13:00:00")
    one = Waiting(world, token(world))
    until(lambda: running(WAIT.name) == 1)
    world.clock.move(hours=1)
    assert one.result() == [("event", event["id"])]


def test_the_wait_ends_with_its_time(world: World) -> None:
    since = token(world)
    began = time.monotonic()
    answer = world.get("/changes", params={"since": since, "wait": 1})
    assert 0.9 < time.monotonic() - began < 5
    assert answer.json() == {"changes": [], "next": since, "more": False}
    assert "no-store" in answer.headers["Cache-Control"]


def test_who_finds_no_place_to_wait_is_answered_at_once(world: World) -> None:
    since = token(world)
    held = [WORKER.enter(WAIT, f"client {number}") for number in range(WAIT.slots)]
    try:
        began = time.monotonic()
        assert world.get("/changes", params={"since": since, "wait": WAITING}).json()["changes"] == []
        assert time.monotonic() - began < 5
    finally:
        for turn in held:
            WORKER.leave(turn)


def test_a_page_without_changes_is_kept_until_something_public_changes(world: World) -> None:
    since = token(world)
    path = f"/changes?since={since}"
    first = world.get(path)
    hits = world.cache.hits
    second = world.get(path)
    assert second.content == first.content
    assert world.cache.hits == hits + 1
    assert world.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    world.make("events", status="draft")
    assert world.get(path).json()["changes"] == []
    tag = world.make("tags", name="New")
    assert told(world, since) == [("changed", "tag", tag["id"])]


@pytest.mark.parametrize("who", ["subscriber", "editor"])
def test_no_cache_keeps_what_a_known_caller_gets(world: World, who: str) -> None:
    assert "no-store" in world.get("/changes", who).headers["Cache-Control"]


@pytest.mark.both_stores
def test_what_is_old_is_forgotten(world: World) -> None:
    tag = world.make("tags", name="Old")
    before = token(world)
    world.delete(f"/tags/{tag['id']}")
    later = token(world)
    world.clock.move(days=60)
    world.make("tags", name="New")
    forgetting.forget_notes(world.calendar)
    assert _rows(world)
    world.clock.move(days=31)
    forgetting.forget_notes(world.calendar)
    assert _rows(world) == 0
    assert world.get("/changes", params={"since": before}).status_code == 410
    assert len(page(world, since=later)["changes"]) == 1


def _rows(world: World) -> Any:
    with world.calendar.store.read() as session:
        return session.value("SELECT count(*) FROM change_gone")
