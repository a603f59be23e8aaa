"""Many events that are written together: their fragments are left to readers and to the background, and nobody is
shown anything else than the records say."""

import threading
from typing import Any

import pytest
from tests import store_checks
from tests.calendar.lists.test_prerendered import Changes, compare, live
from tests.conftest import BASE_URL, World

from kalends.calendar.background.background import LEASE
from kalends.calendar.storing import prerender_task, rendering
from kalends.calendar.storing.prerender_task import Prerenderer
from kalends.http.cache.prerender_worker import PrerenderWorker
from kalends.store.rows import fragments, tasks
from kalends.values import dates

__all__ = ["live"]  # a fixture

pytestmark = pytest.mark.both_stores

MANY = rendering.MOST_TOGETHER + 5
ALL = "/events?start_date=2027-01-01&end_date=2029-01-01&per_page=100"
SHOWN = (ALL, f"{BASE_URL}/events.ics", f"{BASE_URL}/events/month/2027-05/")


@pytest.fixture
def world(make_world: Any) -> World:
    world: World = make_world(cache_size="0")
    world.calendar.background.register(*PrerenderWorker(world.calendar).kinds())
    return world


def deferred(world: World) -> list[int]:
    with world.calendar.store.read() as session:
        return fragments.pending(session, 0, 1000)


def is_asked(world: World) -> bool:
    """Whether the background is to render them at once."""
    with world.calendar.store.read() as session:
        task = tasks.find(session, rendering.PENDING, "")
    return task is not None and task.due_utc <= dates.text(world.clock())


def batch(world: World, count: int, **more: Any) -> list[int]:
    """New events, written together."""
    event = {"title": "Concert", "start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 11:00:00"} | more
    requests = [{"method": "POST", "path": "/events", "body": event | {"slug": f"c-{n}"}} for n in range(count)]
    answer = world.post("/batch", json={"requests": requests})
    assert answer.status_code == 207, answer.text
    return [one["body"]["id"] for one in answer.json()["responses"]]


def change(world: World, ids: list[int], **values: Any) -> None:
    """Changes events together."""
    requests = [{"method": "PUT", "path": f"/events/{id}", "body": values} for id in ids]
    answer = world.post("/batch", json={"requests": requests, "atomic": True})
    assert answer.status_code == 207, answer.text
    assert {one["status"] for one in answer.json()["responses"]} == {200}


def shown(client: Any, ns: str, since: str) -> list[bytes]:
    """What anonymous readers get of them."""
    found = []
    for path in (*SHOWN, f"/changes?include=records&expand=events&since={since}"):
        answer = client.get(path if path.startswith("http") else ns + path)
        assert answer.status_code == 200, answer.text
        found.append(answer.content)
    return found


def test_few_are_rendered_with_the_write_and_many_after_it(world: World) -> None:
    batch(world, rendering.MOST_TOGETHER)
    assert not deferred(world)
    assert not is_asked(world)
    ids = batch(world, MANY)
    assert deferred(world) == ids
    assert is_asked(world)
    world.calendar.background.run_due()
    assert not deferred(world)
    assert not is_asked(world)


def test_what_readers_get_is_the_same_before_and_after_it(world: World) -> None:
    since = world.get("/changes").json()["next"]
    ids = batch(world, MANY, venue={"venue": "Hall"}, categories=["Music"], description="<p>100 %</p>")
    repeated = {"rule": f"FREQ=DAILY;COUNT={MANY}"}
    first = world.make("events", title="Choir", recurrence=repeated, start_date="2027-05-01", end_date="2027-05-01")
    assert len(deferred(world)) == len(ids) + MANY
    store_checks.check(world.calendar.store, world.calendar.settings)
    before = shown(world.client, world.ns, since)
    assert before == shown(world.neighbour(), world.ns, since)
    assert deferred(world)
    world.calendar.background.run_due()
    assert not deferred(world)
    store_checks.check(world.calendar.store, world.calendar.settings)
    assert shown(world.client, world.ns, since) == before
    world.put(f"/events/{first['id']}?scope=all", json={"title": "Songs"})
    for client in (world.client, world.neighbour()):
        for content in shown(client, world.ns, since):
            assert b"Choir" not in content
            assert b"Songs" in content


def test_a_change_of_many_is_seen_at_once_and_later_ones_too(world: World) -> None:
    ids = batch(world, MANY)
    world.calendar.background.run_due()
    other = world.neighbour()
    other.get(world.ns + ALL)
    change(world, ids, title="Recital")
    assert deferred(world)
    assert {one["title"] for one in other.get(world.ns + ALL).json()["events"]} == {"Recital"}
    world.put(f"/events/{ids[-1]}", json={"title": "Solo"})
    assert ids[-1] not in deferred(world)
    assert [one["title"] for one in other.get(world.ns + ALL).json()["events"]].count("Solo") == 1
    assert other.get(f"{world.ns}/events/{ids[-2]}").json()["title"] == "Recital"
    world.calendar.background.run_due()
    assert other.get(f"{world.ns}/events/{ids[-1]}").json()["title"] == "Solo"


@pytest.mark.parametrize("hidden", [{"post_password": "sesame"}, {"status": "draft"}, {"status": "trash"}])
def test_nobody_reads_what_is_not_public_any_more(world: World, hidden: dict[str, str]) -> None:
    since = world.get("/changes").json()["next"]
    ids = batch(world, MANY, description="the secret place")
    for is_rendered in (True, False):
        if is_rendered:
            world.calendar.background.run_due()
        change(world, ids, **hidden)
        for content in shown(world.client, world.ns, since):
            assert b"the secret place" not in content
        for id in (ids[0], ids[-1]):
            assert "the secret place" not in world.get(f"/events/{id}").text
        assert bool(deferred(world)) == ("post_password" in hidden)
        change(world, ids, post_password="", status="publish")
        assert b"the secret place" in shown(world.client, world.ns, since)[0]


def test_deleted_ones_are_not_waited_for(world: World) -> None:
    ids = batch(world, MANY)
    for id in ids:
        assert world.delete(f"/events/{id}?force=true").status_code == 200
    assert not deferred(world)
    world.calendar.background.run_due()
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_readers_who_meet_them_do_not_ask_for_a_look_at_the_whole_calendar(world: World) -> None:
    worker = PrerenderWorker(world.calendar)
    worker.sweep(outdated=True)
    ids = batch(world, MANY)
    world.get(ALL)
    world.get(f"/events/{ids[0]}")
    worker.go_on()
    assert not deferred(world)
    assert not worker.has_work()


def test_after_a_kill_another_process_goes_on(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prerender_task, "RENDERED_AT_ONCE", 10)
    world.calendar.background.run_due()
    ids = batch(world, MANY)
    store, now = world.calendar.store, dates.text(world.clock())
    with store.write() as session:
        task = tasks.find(session, rendering.PENDING, "")
        assert task is not None
        assert tasks.claim(session, task, "killed", now, dates.text(world.clock() + LEASE))
    assert next(Prerenderer(store, world.calendar.settings).render_deferred()) == 10
    world.calendar.background.run_due()
    assert deferred(world) == ids[10:]
    world.clock.move(seconds=LEASE.total_seconds() + 1)
    world.calendar.background.run_due()
    assert not deferred(world)


def test_what_is_written_while_it_runs_is_rendered_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    batch(world, MANY)
    inner = Prerenderer.render_deferred

    def beside(self: Prerenderer) -> Any:
        yield from inner(self)
        monkeypatch.setattr(Prerenderer, "render_deferred", inner)
        batch(world, MANY)

    monkeypatch.setattr(Prerenderer, "render_deferred", beside)
    world.calendar.background.run_due()
    assert not deferred(world)


def test_one_that_cannot_be_rendered_does_not_hold_up_the_others(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = batch(world, MANY)
    inner = rendering.rendered_events

    def failing(session: Any, settings: Any, events: Any, *targets: Any) -> Any:
        if any(event.id == ids[0] for event in events):
            raise ValueError("odd")
        return inner(session, settings, events, *targets)

    monkeypatch.setattr(rendering, "rendered_events", failing)
    world.calendar.background.run_due()
    assert deferred(world) == ids[:1]
    assert "Concert" in world.get(f"/events/{ids[0]}").text
    assert world.get(ALL).json()["total"] == MANY


def test_several_readers_at_once_get_the_same(world: World) -> None:
    batch(world, MANY, venue={"venue": "Hall"})
    found: list[bytes] = []
    readers = [threading.Thread(target=lambda: found.append(world.get(ALL).content)) for _ in range(6)]
    for one in readers:
        one.start()
    for one in readers:
        one.join()
    world.calendar.background.run_due()
    assert set(found) == {world.get(ALL).content}
    assert len(found) == len(readers)


def test_any_changes_of_a_calendar_of_which_nothing_is_rendered(
    world: World, live: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if every change was one of many events."""
    monkeypatch.setattr(rendering, "MOST_TOGETHER", 0)
    changes = Changes(world, 4).fill(10)
    for _ in range(20):
        changes.something_changes()
        world.clock.move(seconds=5)
    world.get("/events")  # whatever is due becomes public
    assert deferred(world)
    ways = ("deferred", "rendered")
    compare(world, live, "deferred", ways)
    world.calendar.background.run_due()
    assert not deferred(world)
    compare(world, live, "rendered", ways)
