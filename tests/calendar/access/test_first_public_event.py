"""A venue or an organizer that comes with an event is public with the first public event that shows it."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World

from kalends.calendar.access import Caller
from kalends.calendar.posts import merging
from kalends.calendar.series.filling import fill_all
from kalends.contract.kinds import KIND_OF
from kalends.contract.roles import Role
from kalends.store.rows import series

pytestmark = pytest.mark.both_stores

KINDS = pytest.mark.parametrize("kind", ["venue", "organizer"])
SECRET = {
    "venue": {"venue": "Zephyrhouse", "address": "7 Quiet Lane", "city": "Ghent", "phone": "0123-zephyr"},
    "organizer": {"organizer": "Zephyrhouse", "phone": "0123-zephyr", "email": "quiet@zephyr.example"},
}
HIDDEN: dict[str, dict[str, Any]] = {
    "draft": {"status": "draft"},
    "pending": {"status": "pending"},
    "private": {"status": "private"},
    "scheduled": {"status": "publish", "date_utc": "2026-12-01 10:00:00"},
    "protected": {"post_password": "opensesame"},
}
PUBLIC_PLACES = ("/venues", "/organizers", "/events")
PUBLIC_PAGES = ("/sitemap.xml", "/sitemap-venues.xml", "/venues/", "/organizers/", "/")


def make(world: World, kind: str, who: str = "administrator", **body: Any) -> dict[str, Any]:
    return world.make("events", who, **{kind: SECRET[kind]}, **body)


def id_of(world: World, kind: str, event: int, who: str = "administrator") -> int:
    found = world.read("events", event, who)[kind]
    return int((found if isinstance(found, list) else [found])[0]["id"])


def assert_hidden(world: World, kind: str, id: int) -> None:
    assert world.get(f"/{kind}s/{id}").status_code == 403
    assert world.get(f"/{kind}s/by-slug/zephyrhouse").status_code == 404
    for place in PUBLIC_PLACES:
        assert "ephyr" not in world.get(place).text, place
    assert world.get(f"/{kind}s?search=ephy").json()["total"] == 0
    for page in PUBLIC_PAGES:
        assert "ephyr" not in world.get(BASE_URL + page).text, page


def assert_public(world: World, kind: str, id: int, event: int | None = None) -> None:
    assert world.get(f"/{kind}s/{id}").json()[kind] == "Zephyrhouse"
    assert "Zephyrhouse" in world.get(f"/{kind}s").text
    if event is not None:
        assert "Zephyrhouse" in world.get(f"/events/{event}").text  # prerendered
        assert id_of(world, kind, event, "anonymous") == id


@KINDS
@pytest.mark.parametrize("hidden", HIDDEN)
def test_it_is_hidden_with_a_hidden_event_and_public_with_it(world: World, kind: str, hidden: str) -> None:
    event = make(world, kind, **HIDDEN[hidden])["id"]
    id = id_of(world, kind, event)
    assert_hidden(world, kind, id)
    shown = {"status": "publish", "post_password": "", "date_utc": "2026-11-01 10:00:00"}
    answer = world.put(f"/events/{event}", json=shown)
    assert "Zephyrhouse" in answer.text
    assert_public(world, kind, id, event)


@KINDS
def test_with_a_public_event_it_is_public_at_once_and_changed_once(world: World, kind: str) -> None:
    before = world.count()
    event = make(world, kind)["id"]
    assert world.count() == before + 2
    assert_public(world, kind, id_of(world, kind, event), event)


@KINDS
def test_a_scheduled_event_takes_it_along_at_its_second(world: World, kind: str) -> None:
    event = make(world, kind, date_utc="2026-11-15 13:00:00")["id"]
    id = id_of(world, kind, event)
    world.clock.move(minutes=59, seconds=59)
    assert_hidden(world, kind, id)
    world.clock.move(seconds=1)
    assert_public(world, kind, id, event)


@KINDS
def test_a_scheduled_event_that_was_taken_back_shows_nothing(world: World, kind: str) -> None:
    for changed in ({"status": "draft"}, {"status": "trash"}, {"date_utc": "2027-01-01 00:00:00"}, {kind: []}):
        event = make(world, kind, date_utc="2026-11-15 13:00:00")["id"]
        id = id_of(world, kind, event)
        assert world.put(f"/events/{event}", json=changed).status_code == 200
        world.clock.move(hours=2)
        assert world.get(f"/{kind}s/{id}").status_code == 403
        world.clock.move(hours=-2)


@KINDS
@pytest.mark.parametrize("status", ["draft", "pending", "private", "publish"])
def test_a_status_that_is_named_stands(world: World, kind: str, status: str) -> None:
    draft = world.make("events", status="draft", **{kind: SECRET[kind] | {"status": status}})["id"]
    id = id_of(world, kind, draft)
    world.put(f"/events/{draft}", json={"status": "publish"})
    assert world.read(f"{kind}s", id)["status"] == status
    assert (world.get(f"/{kind}s/{id}").status_code == 200) == (status == "publish")


@KINDS
def test_who_may_edit_it_reads_it_before_and_nobody_else(world: World, kind: str) -> None:
    id = id_of(world, kind, make(world, kind, "author", status="draft")["id"])
    for who, status in {"author": 200, "editor": 200, "other_author": 403, "contributor": 403}.items():
        assert world.get(f"/{kind}s/{id}", who).status_code == status


@KINDS
def test_another_public_event_that_shows_it_publishes_it(world: World, kind: str) -> None:
    id = id_of(world, kind, make(world, kind, status="draft")["id"])
    event = world.make("events", **{kind: id})["id"]
    assert_public(world, kind, id, event)
    for status in ("draft", "trash"):  # once public, it stays so
        world.put(f"/events/{event}", json={"status": status})
        assert_public(world, kind, id)


def by_interface(world: World, id: int) -> None:
    assert world.put(f"/events/{id}", "editor", json={"status": "publish"}).status_code == 200


def by_review(world: World, id: int) -> None:
    AdminClient(world, "editor").post("/admin/review", {"event": str(id), "action": "publish"})


def by_bulk(world: World, id: int) -> None:
    AdminClient(world, "editor").post("/admin/events", {"event": str(id), "action": "publish"})


def by_form(world: World, id: int) -> None:
    event = world.read("events", id)
    form = {"title": event["title"], "start_day": "2027-03-10", "start_time": "09:00", "do": "publish"}
    linked = {
        kind: str(found["id"])
        for kind in ("venue", "organizer")
        for found in [event[kind][0] if isinstance(event[kind], list) and event[kind] else event[kind]]
        if found
    }
    AdminClient(world, "editor").post(f"/admin/events/{id}", form | linked)


@KINDS
@pytest.mark.parametrize("publish", [by_interface, by_review, by_bulk, by_form])
def test_an_editor_publishes_a_contributors_event_with_its_own(
    world: World, kind: str, publish: Callable[[World, int], None]
) -> None:
    publishes_with_its_own(world, kind, publish)


def publishes_with_its_own(world: World, kind: str, publish: Callable[[World, int], None]) -> None:
    event = make(world, kind, "contributor", status="pending")["id"]
    id = id_of(world, kind, event)
    assert_hidden(world, kind, id)
    publish(world, event)
    assert world.get(f"/events/{event}").json()["status"] == "publish"
    assert_public(world, kind, id, event)


@KINDS
@pytest.mark.parametrize("approved", [HIDDEN["scheduled"], HIDDEN["protected"] | {"status": "publish"}])
def test_what_comes_with_an_approved_event_is_no_longer_the_contributors_to_change(
    world: World, kind: str, approved: dict[str, Any]
) -> None:
    event = make(world, kind, "contributor", status="pending")["id"]
    path = f"/{kind}s/{id_of(world, kind, event)}"
    assert world.put(path, "contributor", json={"phone": "1"}).status_code == 200
    assert world.put(f"/events/{event}", "editor", json=approved).status_code == 200
    assert world.put(path, "contributor", json={"phone": "Buy this"}).status_code == 403
    assert world.delete(path, "contributor").status_code == 403
    assert world.get(path, "contributor").json()["phone"] == "1"
    assert world.put(path, "editor", json={"phone": "2"}).status_code == 200
    assert world.put(f"/events/{event}", "editor", json={"status": "draft"}).status_code == 200
    assert world.put(path, "contributor", json={"phone": "3"}).status_code == 200


@KINDS
def test_what_a_contributor_made_beside_the_event_follows_too(world: World, kind: str) -> None:
    id = world.make(f"{kind}s", "contributor", **SECRET[kind])["id"]
    event = world.make("events", "contributor", status="pending", **{kind: id})["id"]
    by_interface(world, event)
    assert_public(world, kind, id, event)


@KINDS
def test_a_series_takes_it_along_and_filling_it_does(world: World, kind: str) -> None:
    event = make(world, kind, status="draft", recurrence="FREQ=WEEKLY;COUNT=3")["id"]
    id = id_of(world, kind, event)
    assert_hidden(world, kind, id)
    world.put(f"/events/{event}?scope=all", json={"status": "publish"})
    assert_public(world, kind, id, event)


@KINDS
def test_dates_that_are_added_to_a_public_series_show_it(world: World, kind: str) -> None:
    event = world.make("events", recurrence="FREQ=DAILY")["id"]
    other = make(world, kind, status="draft")["id"]
    id = id_of(world, kind, other)
    with world.calendar.store.write() as session:  # as though only the dates to come were to show it
        found = series.find(session, world.read("events", event)["series"])
        assert found is not None
        found.template.links[kind] = [id]
        series.update(session, found)
    world.clock.move(days=300)
    assert fill_all(world.calendar) > 0
    assert_public(world, kind, id)


@KINDS
def test_one_date_of_a_hidden_series_is_enough(world: World, kind: str) -> None:
    event = make(world, kind, status="draft", recurrence="FREQ=WEEKLY;COUNT=3")["id"]
    id = id_of(world, kind, event)
    world.put(f"/events/{event}", json={"status": "publish"})
    assert_public(world, kind, id, event)


@KINDS
def test_a_new_one_for_all_dates_of_a_public_series_is_public(world: World, kind: str) -> None:
    event = world.make("events", recurrence="FREQ=WEEKLY;COUNT=3")["id"]
    world.put(f"/events/{event}?scope=all", json={kind: SECRET[kind]})
    assert_public(world, kind, id_of(world, kind, event), event)


@KINDS
def test_a_merge_into_one_that_waits_publishes_it(world: World, kind: str) -> None:
    old = world.make(f"{kind}s", **{kind: "Old"})["id"]
    event = world.make("events", **{kind: old})["id"]
    id = id_of(world, kind, make(world, kind, status="draft")["id"])
    editor = Caller(world.ids["editor"], "editor", Role.EDITOR)
    merging.merge_in_parts(world.calendar, editor, KIND_OF[kind], old, id)
    assert_public(world, kind, id, event)


@KINDS
def test_its_fields_are_edited_while_it_waits_and_its_status_ends_that(world: World, kind: str) -> None:
    event = make(world, kind, "contributor", status="pending")["id"]
    id = id_of(world, kind, event)
    read = world.read(f"{kind}s", id, "contributor")
    assert world.put(f"/{kind}s/{id}", "contributor", json=read | {"phone": "77"}).status_code == 200
    assert_hidden(world, kind, id)
    world.put(f"/{kind}s/{id}", json={"status": "private"})
    by_interface(world, event)
    assert world.get(f"/{kind}s/{id}").status_code == 403
    assert world.get(f"/events/{event}").json()[kind] == []


@KINDS
def test_through_the_trash_it_still_waits(world: World, kind: str) -> None:
    event = make(world, kind, status="draft")["id"]
    id = id_of(world, kind, event)
    world.delete(f"/{kind}s/{id}")
    world.put(f"/events/{event}", json={"title": "Other"})
    assert world.read(f"{kind}s", id)["status"] == "trash"
    world.put(f"/{kind}s/{id}", json={"status": "draft"})
    world.put(f"/events/{event}", json={"status": "publish"})
    assert_public(world, kind, id, event)


@KINDS
def test_what_was_thrown_away_by_hand_stays_away(world: World, kind: str) -> None:
    event = make(world, kind, status="draft")["id"]
    id = id_of(world, kind, event)
    world.delete(f"/{kind}s/{id}")
    world.put(f"/events/{event}", json={"status": "publish"})
    assert world.read(f"{kind}s", id)["status"] == "trash"
    assert world.get(f"/events/{event}").json()[kind] == []
    world.put(f"/{kind}s/{id}", json={"status": "draft"})  # the person decides, since the event is public already
    world.put(f"/events/{event}", json={"title": "Other"})
    assert world.read(f"{kind}s", id)["status"] == "draft"


@KINDS
def test_a_taken_back_publication_leaves_no_trace(world: World, kind: str) -> None:
    """All or nothing: a refused change publishes nothing."""
    event = make(world, kind, status="draft")["id"]
    id = id_of(world, kind, event)
    before = world.count()
    refused = world.put(f"/events/{event}", json={"status": "publish", "end_date": "2001-01-01"})
    assert refused.status_code == 400
    assert world.count() == before
    assert_hidden(world, kind, id)


@KINDS
def test_a_public_record_is_reused_before_one_that_waits(world: World, kind: str) -> None:
    waiting = id_of(world, kind, make(world, kind, status="draft")["id"])
    public = world.make(f"{kind}s", **{kind: "Zephyrhouse"})["id"]
    for who in ("editor", "author", "contributor"):
        event = world.make("events", who, status="draft", **{kind: {kind: "Zephyrhouse"}})["id"]
        assert id_of(world, kind, event) == public
    assert world.get(f"/{kind}s/{waiting}").status_code == 403


@KINDS
def test_a_name_alone_does_not_publish_what_somebody_else_has_hidden_under_it(world: World, kind: str) -> None:
    hidden = id_of(world, kind, make(world, kind, "contributor", status="draft")["id"])
    event = world.make("events", "editor", **{kind: {kind: "Zephyrhouse"}})["id"]
    assert id_of(world, kind, event, "anonymous") != hidden
    assert "0123-zephyr" not in world.get(f"/events/{event}").text
    assert world.get(f"/{kind}s/{hidden}").status_code == 403
    # Who sends all of it knows what becomes public; so does who has made it.
    whole = world.make("events", "editor", **{kind: SECRET[kind]})["id"]
    assert id_of(world, kind, whole, "anonymous") == hidden
    own = world.make("events", "author", status="draft", **{kind: SECRET[kind] | {kind: "Ours"}})["id"]
    again = world.make("events", "author", **{kind: {kind: "Ours"}})["id"]
    assert id_of(world, kind, again, "anonymous") == id_of(world, kind, own)


@KINDS
def test_one_that_waits_is_not_reused_by_who_cannot_read_it(world: World, kind: str) -> None:
    waiting = id_of(world, kind, make(world, kind, "contributor", status="draft")["id"])
    event = world.make("events", "author", **{kind: {kind: "Zephyrhouse"}})["id"]
    assert id_of(world, kind, event) != waiting
    assert world.get(f"/{kind}s/{waiting}").status_code == 403


def test_a_date_that_was_sent_for_it_still_counts(world: World) -> None:
    """A date to come is a status that was named: it is scheduled by itself."""
    venue = SECRET["venue"] | {"date_utc": "2026-12-01 10:00:00"}
    draft = world.make("events", status="draft", venue=venue)["id"]
    id = id_of(world, "venue", draft)
    world.put(f"/events/{draft}", json={"status": "publish"})
    assert world.read("venues", id)["status"] == "future"
    assert_hidden(world, "venue", id)
    world.clock.move(days=30)
    assert_public(world, "venue", id, draft)


@KINDS
def test_who_has_the_password_of_an_event_sees_in_it_what_came_with_it(world: World, kind: str) -> None:
    event = make(world, kind, post_password="opensesame")["id"]
    id = id_of(world, kind, event)
    for path in (f"/events/{event}?password=opensesame", "/events?password=opensesame"):
        assert "Zephyrhouse" in world.get(path).text, path
    page = world.client.post(f"{BASE_URL}/event/an-event/", data={"password": "opensesame"})
    assert (page.status_code, "Zephyrhouse" in page.text) == (200, True)
    assert_hidden(world, kind, id)
    # A status that was named stands here, too.
    world.put(f"/{kind}s/{id}", json={"status": "private"})
    assert "ephyr" not in world.get(f"/events/{event}?password=opensesame").text
