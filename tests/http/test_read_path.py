"""Reads never write and never wait for a writer; what they say of themselves is true while they are kept."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests import parts
from tests.stores import careless_store

from kalends.calendar.lists import page_views
from kalends.calendar.storing import batches
from kalends.http.cache import response_cache
from kalends.http.middleware.rate_limit import Quotas
from kalends.store.rows import journal

BASE = "http://calendar.test"


@contextmanager
def another_writer(world: Any) -> Iterator[None]:
    """Somebody else holds the writer's lock for as long as this lasts."""
    begun, over = threading.Event(), threading.Event()

    def hold() -> None:
        store = careless_store(world.calendar.settings)
        with store.write():
            begun.set()
            over.wait(30)
        store.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert begun.wait(10)
    try:
        yield
    finally:
        over.set()
        thread.join(30)


def wait_until_stored(world: Any) -> None:
    """The status of what is due follows when the lock is free."""
    for _ in range(200):
        if not world.calendar.revisions.current().is_overdue:
            return
        threading.Event().wait(0.02)
    raise AssertionError("the status of what is due is not stored")


def test_a_read_does_not_wait_for_a_writer_and_shows_what_is_due(world: Any) -> None:
    world.make("events", title="Public")
    world.make("events", title="Due", date="+1 hour")
    world.clock.move(hours=1)
    with another_writer(world):
        for _ in range(3):
            response = world.get("/events")
            assert (response.status_code, response.json()["total"]) == (200, 2)
        assert world.get(f"{BASE}/events/list/").status_code == 200
        assert world.get(f"{BASE}/events.ics").status_code == 200
    wait_until_stored(world)
    assert world.get("/events").json()["total"] == 2


def test_what_is_due_together_is_published_part_by_part_and_seen_at_once(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other writers do not wait for thousands of records."""
    parts.make_small(monkeypatch)
    world.make("events", title="Long", description=f"<p>{'words ' * 400}</p>", date="+1 hour")
    for number in range(4):
        world.make("events", title=f"Due {number}", date="+1 hour")
    world.make("events", title="Weekly", recurrence="FREQ=WEEKLY;COUNT=3", date="+1 hour")
    world.make("venues", venue="Hall", date="+1 hour")
    first = world.calendar.revisions.last_rev()
    world.clock.move(hours=1)
    sizes = []
    publish = batches.publish_due

    def counted(work: Any, next_due: str | None) -> bool:
        before = journal.last_rev(work.session)
        is_left = publish(work, next_due)
        sizes.append(journal.last_rev(work.session) - before)
        return is_left

    monkeypatch.setattr(batches, "publish_due", counted)
    assert world.get("/events").json()["total"] == 8
    assert world.get("/venues").json()["total"] == 1
    world.make("events", title="Another")
    assert world.get("/events").json()["total"] == 9
    wait_until_stored(world)
    assert max(sizes) == 2, "changes of one transaction"
    assert world.calendar.revisions.last_rev() == first + 10, "each once"
    assert {event["status"] for event in world.get("/events?per_page=50", "editor").json()["events"]} == {"publish"}


def test_a_read_goes_on_while_nothing_can_be_written(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from kalends.store.engine.store import StoreUnavailable

    world.make("events", title="Due", date="+1 hour")
    world.clock.move(hours=1)

    def full(**_: Any) -> Any:
        raise StoreUnavailable("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(world.calendar.store, "write", full)
        assert world.get("/events").json()["total"] == 1
        assert world.get("/events/by-slug/due").status_code == 200
    wait_until_stored(world)
    assert world.get("/events").json()["total"] == 1


@pytest.mark.parametrize("at_once", [True, False], ids=["before the request", "during the request"])
def test_an_outage_of_the_store_is_503_for_programs_and_a_page_for_people(
    world: Any, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    from kalends.store.engine.store import StoreUnavailable

    world.make("events", title="Kept elsewhere")

    def lost(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("the database is away")

    store = world.calendar.store
    monkeypatch.setattr(store, "read", lost)
    if at_once:
        monkeypatch.setattr(store, "changes", lost)
    page = world.get(f"{BASE}/events/list/", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["Content-Type"].partition(";")[0]) == (503, "text/html")
    assert page.headers["Retry-After"]
    for address in ("/events", "/tags", f"{BASE}/events.ics", f"{BASE}/events.rss"):
        response = world.get(address)
        assert (response.status_code, response.json()["code"]) == (503, "service_unavailable"), address


@pytest.mark.parametrize("path", ["/events/list/", "/offline"])
def test_an_outage_leaves_no_page_without_the_colours_of_categories(
    world: Any, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    from kalends.store.engine.store import StoreUnavailable

    music = world.make("categories", name="Music", color="#ff0000")
    world.make("events", title="Concert", categories=[music["id"]])
    reads, is_lost = world.calendar.store.read, [True]

    def read(*arguments: Any, **more: Any) -> Any:
        if is_lost:
            raise StoreUnavailable("all connections to the database are in use")
        return reads(*arguments, **more)

    known = page_views.colours

    def colours(work: Any) -> Any:
        """The outage ends with this question."""
        try:
            return known(work)
        finally:
            is_lost.clear()

    world.calendar.revision()
    monkeypatch.setattr(world.calendar.store, "read", read)
    monkeypatch.setattr("kalends.calendar.lists.page_views.colours", colours)
    world.get(BASE + path)
    is_lost.clear()
    page = world.get(BASE + path).text
    [sheet] = re.findall(r'href="(/look/[^"]*/site.css)"', page)
    assert sheet in world.get(f"{BASE}/events/month/").text


def test_an_export_goes_on_after_an_outage(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from kalends.calendar.lists import exports
    from kalends.store.engine.store import StoreUnavailable

    for number in range(5):
        world.make("events", title=f"Event {number}")
    monkeypatch.setattr(exports, "BATCH", 2)
    whole = world.get(f"{BASE}/events.ics").text
    world.make("tags", name="Other")  # so that the feed is made again
    read, left = exports.next_batch, [0, 1, 0, 2]  # outages before each batch

    def next_batch(*arguments: Any) -> Any:
        if left and left[0]:
            left[0] -= 1
            raise StoreUnavailable("the database is away")
        del left[:1]
        return read(*arguments)

    monkeypatch.setattr(exports, "next_batch", next_batch)
    assert world.get(f"{BASE}/events.ics").text == whole
    assert len(left) < 3


def test_a_scheduled_event_is_public_at_its_second(world: Any) -> None:
    event = world.make("events", title="Due", date="+1 minute")
    world.clock.move(seconds=59)
    assert world.get(f"/events/{event['id']}").status_code == 403
    world.clock.move(seconds=1)
    assert world.get(f"/events/{event['id']}").status_code == 200
    with world.neighbour() as other:
        assert other.get(f"{world.ns}/events/{event['id']}").status_code == 200


def test_a_month_page_offers_a_category_that_was_first_used_in_another_month(world: Any) -> None:
    world.make("events", start_date="2026-11-20", end_date="2026-11-20", categories=["Dance"])
    page = f"{BASE}/events/month/2026-11/"
    assert "Puppetry" not in world.get(page).text
    world.make("events", start_date="2027-08-20", end_date="2027-08-20", categories=["Puppetry"])
    assert "Puppetry" in world.get(page).text


@pytest.mark.parametrize("feed", ["/events.rss", "/events.json", "/events.ics"])
def test_the_etag_of_a_feed_changes_with_the_settings_that_show(make_world: Any, feed: str) -> None:
    first, second = make_world(site_name="Old name"), make_world(site_name="New name")
    etag = first.get(BASE + feed).headers["ETag"]
    known = {"If-None-Match": etag}
    assert first.get(BASE + feed, headers=known).status_code == 304
    assert second.get(BASE + feed, headers=known).status_code == 200


@pytest.mark.parametrize("kind", ["events", "venues", "tags"])
@pytest.mark.parametrize("who", ["anonymous", "administrator"])
def test_last_modified_never_hides_a_change_within_the_same_second(world: Any, kind: str, who: str) -> None:
    named = {"events": {}, "venues": {"venue": "Hall"}, "tags": {"name": "Free"}}[kind]

    def told() -> str:
        return str(world.get(path, who).headers["Last-Modified"])

    def status(since: str) -> int:
        return int(world.get(path, who, headers={"If-Modified-Since": since}).status_code)

    world.clock.move(seconds=5)
    path = f"/{kind}/{world.make(kind, **named)['id']}"
    first = told()
    assert (first[17:], status(first)) == ("12:00:05 GMT", 304)
    seen = [first]
    for text in ("second", "third"):
        world.put(path, json={"description": text})
        seen.append(told())
        assert [status(since) for since in seen] == [200] * len(seen)
    world.clock.move(seconds=3)
    assert [status(since) for since in seen] == [200] * 3
    assert (told()[17:], status(told())) == ("12:00:06 GMT", 304)


def test_a_list_tells_when_something_last_changed(world: Any) -> None:
    world.make("events", tags=["Free"])
    world.clock.move(seconds=10)
    told = {}
    for path in ("/events", "/events?starts_after=2027-01-01", "/venues", "/tags"):
        since = world.get(path).headers["Last-Modified"]
        told[path] = world.get(path, headers={"If-Modified-Since": since}).status_code
    # The first one is another list tomorrow, though nothing changes.
    assert list(told.values()) == [200, 304, 304, 304]
    world.make("events", title="Another")
    assert world.get("/events?starts_after=2027-01-01", headers={"If-Modified-Since": since}).status_code == 200


def test_the_body_of_a_head_request_is_closed(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[Any] = []
    monkeypatch.setattr(response_cache, "_close", closed.append)
    world.client.request("HEAD", f"{world.ns}/events/999")
    assert len(closed) == 1


class TestRateLimit:
    def test_kept_responses_and_compression_work_under_a_limit(self, make_world: Any) -> None:
        world = make_world(rate_limit="100")
        world.make("events")
        world.get("/events")
        hits = world.cache.hits
        packed = world.get("/events", headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert world.cache.hits == hits + 1

    def test_every_response_has_the_remaining_quota(self, make_world: Any) -> None:
        world = make_world(rate_limit="40")
        told = [world.get("/events").headers for _ in range(3)]
        assert [headers["RateLimit-Remaining"] for headers in told] == ["39", "38", "37"]
        assert {headers["RateLimit-Limit"] for headers in told} == {"40"}
        assert all(0 < int(headers["RateLimit-Reset"]) <= 60 for headers in told)

    def test_a_client_over_the_limit_gets_an_ordinary_error(self, make_world: Any) -> None:
        world = make_world(rate_limit="2")
        world.get("/events"), world.get("/events")
        refused = world.get("/events")
        assert (refused.status_code, refused.headers["RateLimit-Remaining"]) == (429, "0")
        assert refused.headers["Retry-After"] == refused.headers["RateLimit-Reset"]
        assert refused.json()["data"]["status"] == 429
        world.clock.move(minutes=1)
        assert world.get("/events").status_code == 200

    def test_health_checks_and_static_files_are_not_counted(self, make_world: Any) -> None:
        world = make_world(rate_limit="1")
        style = next(part for part in world.get(f"{BASE}/events/").text.split('"') if part.startswith("/static/"))
        for path in ("/healthz", "/readyz", style):
            assert [world.get(BASE + path).status_code for _ in range(3)] == [200, 200, 200]

    def test_reads_go_on_while_the_limit_cannot_be_counted(self, make_world: Any) -> None:
        world = make_world(rate_limit="20")
        with another_writer(world):
            assert [world.get("/events").status_code for _ in range(3)] == [200, 200, 200]

    def test_what_was_counted_in_the_last_minute_does_not_block_the_next(
        self, make_world: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world = make_world(rate_limit="1")
        quotas = Quotas(1, world.calendar.throttle)
        last = world.calendar.clock().replace(second=59)
        following = last + timedelta(seconds=1)
        assert quotas.consume("192.0.2.1", last).is_granted
        ask_store = quotas._ask_store

        def overtaken(address: str, minute: datetime, wanted: int) -> tuple[int, int]:
            monkeypatch.undo()
            assert quotas.consume("192.0.2.9", following).is_granted  # another request begins the next minute
            return ask_store(address, minute, wanted)

        monkeypatch.setattr(quotas, "_ask_store", overtaken)
        assert not quotas.consume("192.0.2.1", last).is_granted
        assert quotas.consume("192.0.2.1", following).is_granted
