"""Pages of changes, sentence by sentence (contract §14)."""

import time
from typing import Any

import pytest
from tests.conftest import World
from tests.features.changes.mirror import Mirror, difference, everything
from tests.features.importing.conftest import administrator

from kalends.calendar import site_settings
from kalends.calendar.posts import merging
from kalends.contract.kinds import VENUE
from kalends.features.changes import pages

pytestmark = pytest.mark.both_stores

Change = dict[str, Any]


def page(world: World, who: str = "anonymous", since: str = "", **parameters: object) -> dict[str, Any]:
    named = {"since": since} if since else {}
    answer = world.get("/changes", who, params={**named, **parameters})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def token(world: World, who: str = "anonymous") -> str:
    found = page(world, who, limit=1000)
    assert not found["more"]
    return str(found["next"])


def told(world: World, since: str, who: str = "anonymous", **parameters: object) -> list[tuple[str, str, int]]:
    found = page(world, who, since, **parameters)["changes"]
    return [(change["change"], change["kind"], change["id"]) for change in found]


def test_without_since_everything_that_one_can_read_by_the_order_of_changes(world: World) -> None:
    venue = world.make("venues", venue="Hall")
    event = world.make("events", title="Choir", venue=venue["id"])
    world.make("events", title="Draft", status="draft")
    tag = world.make("tags", name="Music")
    world.put(f"/venues/{venue['id']}", json={"venue": "Great hall"})
    found = page(world)
    assert [(change["kind"], change["id"]) for change in found["changes"]] == [
        ("event", event["id"]),
        ("tag", tag["id"]),
        ("venue", venue["id"]),
    ]
    assert found["more"] is False
    assert {change["change"] for change in found["changes"]} == {"changed"}
    first = found["changes"][0]
    assert set(first) == {"rev", "kind", "id", "change", "at", "slug", "source", "external_id"}
    assert (first["rev"], first["slug"], first["at"]) == (event["rev"], "choir", "2026-11-15 12:00:00")


def test_pages_go_on_where_the_last_ended(world: World) -> None:
    ids = [world.make("tags", name=f"Tag {number}")["id"] for number in range(7)]
    found, since = [], ""
    for _ in range(4):
        read = page(world, since=since, limit=2)
        found += [change["id"] for change in read["changes"]]
        since = read["next"]
    assert found == ids
    assert read["more"] is False
    assert page(world, since=since) == {"changes": [], "next": since, "more": False}


@pytest.mark.parametrize("withdrawn", ["trash", "draft", "private", "deleted"])
def test_what_is_withdrawn_is_gone_for_who_could_read_it_and_told_once(world: World, withdrawn: str) -> None:
    event = world.make("events", title="Choir", source="town hall", external_id="17")
    anonymous, editor = token(world), token(world, "editor")
    if withdrawn == "deleted":
        world.delete(f"/events/{event['id']}?force=true")
    else:
        world.put(f"/events/{event['id']}", json={"status": withdrawn, "slug": "secret", "external_id": "18"})
    [change] = page(world, since=anonymous)["changes"]
    assert (change["change"], change["id"], change["slug"]) == ("gone", event["id"], "choir")
    assert (change["source"], change["external_id"]) == ("town hall", "17")
    assert "record" not in change
    is_there = "gone" if withdrawn == "deleted" else "changed"
    assert told(world, editor, "editor") == [(is_there, "event", event["id"])]
    later = token(world)
    if withdrawn != "deleted":
        world.put(f"/events/{event['id']}", json={"title": "Nobody knows"})
        world.delete(f"/events/{event['id']}?force=true")
        assert told(world, later) == []
        assert told(world, anonymous) == [("gone", "event", event["id"])]
        assert page(world, since=anonymous)["changes"] == [change]


def test_what_one_never_could_read_is_not_there(world: World) -> None:
    before = token(world)
    draft = world.make("events", title="Draft", status="draft", venue={"venue": "Waiting hall"})
    world.put(f"/events/{draft['id']}", json={"title": "Another"})
    world.delete(f"/events/{draft['id']}?force=true")
    answer = world.get("/changes", params={"since": before, "expand": "events", "include": "records"})
    assert answer.json()["changes"] == []
    assert told(world, before, "author") == []


def test_an_author_is_told_of_own_drafts_alone(world: World) -> None:
    before = token(world, "author")
    mine = world.make("events", "author", title="Mine", status="draft")
    world.make("events", "editor", title="Not mine", status="draft")
    assert told(world, before, "author") == [("changed", "event", mine["id"])]
    after = token(world, "author")
    world.delete(f"/events/{mine['id']}?force=true", "author")
    assert told(world, after, "author") == [("gone", "event", mine["id"])]
    assert told(world, before, "other_author") == []


def test_what_goes_to_another_author_is_gone_for_the_first(world: World) -> None:
    mine = world.make("events", "author", title="Mine", status="draft")
    before = {who: token(world, who) for who in ("author", "other_author", "anonymous")}
    world.put(f"/events/{mine['id']}", json={"author": world.ids["other_author"]})
    assert told(world, before["author"], "author") == [("gone", "event", mine["id"])]
    assert told(world, before["other_author"], "other_author") == [("changed", "event", mine["id"])]
    assert told(world, before["anonymous"]) == []


def test_a_role_that_changes_begins_a_new_copy(world: World) -> None:
    before = token(world, "contributor")
    assert world.put(f"/users/{world.ids['contributor']}", json={"role": "editor"}).status_code == 200
    assert world.get("/changes", "contributor", params={"since": before}).status_code == 410
    after = token(world, "contributor")
    assert told(world, after, "contributor") == []


def test_a_masked_event_is_changed_and_masked(world: World) -> None:
    before = token(world)
    body = {"title": "Rehearsal", "post_password": "sesame", "description": "<p>Secret</p>", "source": "choir"}
    event = world.make("events", **body, external_id="1", venue={"venue": "Cellar"})
    answer = world.get("/changes", params={"since": before, "include": "records", "expand": "events"})
    assert "Secret" not in answer.text
    assert "Cellar" not in answer.text
    [change] = answer.json()["changes"]
    assert (change["id"], change["source"], change["external_id"]) == (event["id"], "", "")
    assert change["record"] == world.get("/events").json()["events"][0]
    middle = token(world)
    world.put(f"/venues/{event['venue']['id']}", json={"venue": "Deep cellar", "status": "publish"})
    assert told(world, middle, expand="events") == [("changed", "venue", event["venue"]["id"])]
    world.delete(f"/events/{event['id']}")
    [change] = page(world, since=middle, kinds="event")["changes"]
    assert (change["change"], change["source"], change["external_id"]) == ("gone", "", "")


def test_records_are_what_their_own_addresses_answer(world: World) -> None:
    category = world.make("categories", name="Music")
    venue = world.make("venues", venue="Hall")
    organizer = world.make("organizers", organizer="Guild")
    made = {"categories": [category["id"]], "venue": venue["id"], "organizer": [organizer["id"]]}
    world.make("events", **made)
    world.make("events", "author", title="Mine", status="draft", recurrence="FREQ=WEEKLY;COUNT=3")
    for who in ("anonymous", "author", "editor"):
        for change in page(world, who, include="records")["changes"]:
            assert change["record"] == world.get(_path(change), who).json(), (who, change)


def _path(change: Change) -> str:
    plural = "categories" if change["kind"] == "category" else f"{change['kind']}s"
    return f"/{plural}/{change['id']}"


def test_events_that_show_what_changed(world: World) -> None:
    venue = world.make("venues", venue="Hall")
    tag = world.make("tags", name="Music")
    first = world.make("events", venue=venue["id"], tags=[tag["id"]])
    second = world.make("events", venue=venue["id"])
    world.make("events", venue=venue["id"], status="draft")
    before = token(world)
    world.put(f"/venues/{venue['id']}", json={"venue": "Great hall"})
    changes = page(world, since=before, expand="events", include="records")["changes"]
    assert [(change["kind"], change["id"]) for change in changes] == [
        ("venue", venue["id"]),
        ("event", first["id"]),
        ("event", second["id"]),
    ]
    assert changes[1]["because"] == {"kind": "venue", "id": venue["id"]}
    assert {change["rev"] for change in changes} == {changes[0]["rev"]}
    assert changes[1]["record"]["venue"]["venue"] == "Great hall"
    assert told(world, before) == [("changed", "venue", venue["id"])]
    events_alone = told(world, before, kinds="event", expand="events")
    assert events_alone == [("changed", "event", first["id"]), ("changed", "event", second["id"])]
    # One that also changed itself, or shows something that changed later, is told once, with the newer number.
    world.put(f"/tags/{tag['id']}", json={"name": "Song"})
    world.put(f"/events/{second['id']}", json={"title": "Another"})
    changes = page(world, since=before, expand="events")["changes"]
    events = {change["id"]: change.get("because") for change in changes if change["kind"] == "event"}
    assert events == {first["id"]: {"kind": "tag", "id": tag["id"]}, second["id"]: None}
    assert len(changes) == 4


@pytest.mark.parametrize("plural", ["venues", "organizers", "categories", "tags"])
def test_events_that_showed_what_was_deleted(world: World, plural: str) -> None:
    name = {"venues": "venue", "organizers": "organizer"}.get(plural, "name")
    made = world.make(plural, **{name: "Old"})
    field = name if name != "name" else plural
    event = world.make("events", **{field: [made["id"]]})
    mirror = Mirror(world)
    mirror.follow()
    if plural in ("venues", "organizers"):
        world.delete(f"/{plural}/{made['id']}")
    world.delete(f"/{plural}/{made['id']}?force=true")
    copy = mirror.follow()
    assert not difference(copy, everything(world))
    assert mirror.told[-1]["id"] == event["id"]
    assert mirror.told[-1]["because"] == {"kind": mirror.told[0]["kind"], "id": made["id"]}


def test_the_rule_of_a_series_changes_all_its_dates(world: World) -> None:
    first = world.make("events", title="Choir", recurrence="FREQ=WEEKLY;COUNT=4")
    mirror = Mirror(world)
    mirror.follow()
    ids = [id for kind, id in mirror.records if kind == "event"]
    world.delete(f"/events/{ids[2]}?scope=this")
    copy = mirror.follow()
    assert not difference(copy, everything(world))
    because = [change["because"] for change in mirror.told if "because" in change]
    assert because == [{"kind": "series", "id": first["series"]}] * 3


def test_a_series_that_ends_earlier_changes_the_dates_that_stay(world: World) -> None:
    world.make("events", title="Choir", recurrence="FREQ=WEEKLY;COUNT=4")
    mirror = Mirror(world)
    ids = [id for kind, id in mirror.follow() if kind == "event"]
    world.delete(f"/events/{ids[2]}?scope=following&force=true")
    assert not difference(mirror.follow(), everything(world))


def test_an_event_whose_parent_cannot_be_read_any_more(world: World) -> None:
    parent, draft = world.make("events", title="Festival"), world.make("events", title="Plan", status="draft")
    world.make("events", title="Concert", post_parent=parent["id"])
    world.make("events", title="Talk", post_parent=draft["id"])
    mirror = Mirror(world)
    for change in ({"status": "draft"}, {"status": "publish"}, {"title": "Fair"}, {"status": "trash"}):
        mirror.follow()
        world.put(f"/events/{parent['id']}", json=change)
        world.put(f"/events/{draft['id']}", json={"title": f"Plan {change}"})
        assert not difference(mirror.follow(), everything(world))
        because = [entry["because"]["id"] for entry in mirror.told if "because" in entry]
        assert draft["id"] not in because
    world.delete(f"/events/{parent['id']}?force=true")
    assert not difference(mirror.follow(), everything(world))


def test_many_events_of_a_venue_are_told_in_pages(world: World) -> None:
    venue = world.make("venues", venue="Hall")
    ids = [world.make("events", title=f"Event {number}", venue=venue["id"])["id"] for number in range(7)]
    since = token(world)
    world.put(f"/venues/{venue['id']}", json={"venue": "Great hall"})
    found = []
    for number in range(4):
        read = page(world, since=since, expand="events", limit=2)
        found += [change["id"] for change in read["changes"]]
        since = read["next"]
        if number == 1:  # one that changes meanwhile is told with its own change
            world.put(f"/events/{ids[5]}", json={"title": "Changed"})
    assert found == [venue["id"], *ids[:5], ids[6], ids[5]]
    assert read["more"] is False
    assert since.count(".") == 1


def test_scheduled_publication_is_told_at_its_second(world: World) -> None:
    body = {"title": "Later", "status": "publish", "date_utc": "2026-11-15 13:00:00", "venue": {"venue": "Hall"}}
    event = world.make("events", **body)
    before = token(world)
    assert told(world, before) == []
    world.clock.move(hours=1)
    kinds = {(change, kind) for change, kind, _ in told(world, before)}
    assert kinds == {("changed", "event"), ("changed", "venue")}
    assert ("changed", "event", event["id"]) in told(world, before)


def test_what_is_overdue_is_told_before_its_status_can_be_stored(world: World, writing: Any) -> None:
    """While somebody else holds the writers' lock it is public by the clock: the copy has it, and again when it is
    stored, once."""
    event = world.make("events", title="Later", status="publish", date_utc="2026-11-15 13:00:00")
    mirror = Mirror(world)
    mirror.follow()
    assert ("event", event["id"]) not in mirror.records
    world.clock.move(hours=1)
    with writing():
        mirror.follow()
        assert world.get(f"/events/{event['id']}").status_code == 200
        assert mirror.records["event", event["id"]]["title"] == "Later"
        assert page(world, since=mirror.token)["more"] is False
    until_stored(world, event["id"])
    mirror.follow()
    assert [(change["kind"], change["id"]) for change in mirror.told] == [("event", event["id"])]
    assert not difference(mirror.records, everything(world))
    mirror.follow()
    assert mirror.told == []


def until_stored(world: World, id: int) -> None:
    """The publisher goes on when the lock is free."""
    for _ in range(500):
        world.get("/events")
        with world.calendar.store.read() as session:
            if session.value("SELECT status FROM event WHERE id = ?", (id,)) == "publish":
                return
        time.sleep(0.02)
    raise TimeoutError


def test_merged_records_are_gone_and_their_events_changed(world: World) -> None:
    old, new = world.make("venues", venue="Hall"), world.make("venues", venue="The hall")
    event = world.make("events", venue=old["id"])
    before = token(world)
    merging.merge_in_parts(world.calendar, administrator(world), VENUE, old["id"], new["id"])
    found = told(world, before)
    assert ("gone", "venue", old["id"]) in found
    assert ("changed", "event", event["id"]) in found


def test_wordpress_addresses_write_into_the_same_journal(world: World) -> None:
    before = token(world)
    body = {
        "title": "By the core",
        "status": "publish",
        "start_date": "2027-01-01 10:00",
        "end_date": "2027-01-01 11:00",
    }
    made = world.post("http://calendar.test/wp-json/tec/v1/events", json=body)
    assert made.status_code == 201, made.text
    term = world.post("http://calendar.test/wp-json/wp/v2/tribe_events_cat", json={"name": "By the core"})
    assert term.status_code == 201, term.text
    assert told(world, before) == [
        ("changed", "event", made.json()["id"]),
        ("changed", "category", term.json()["id"]),
    ]


@pytest.mark.parametrize(
    "garbled",
    ["", "nonsense", "12", ".5", "{epoch}.", "{epoch}.-5", "{epoch}.5.5", "{epoch}.1e3",
     "{epoch}.9223372036854775808", "{epoch} .5", "{epoch}.٣", "{epoch}-x5.3", "{epoch}." + "1" * 19, "a" * 2000],
)  # fmt: skip
def test_a_garbled_token_is_refused(world: World, garbled: str) -> None:
    epoch = token(world).partition(".")[0]
    answer = world.get("/changes", params={"since": garbled.format(epoch=epoch)})
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] == "rest_invalid_param"


@pytest.mark.parametrize(
    "unknown", ["0123456789ab.1", "{epoch}.999999", "{epoch}.999999999999999999", "{epoch}-c9999.1"]
)
def test_a_token_of_another_store_or_of_the_future_has_expired(world: World, unknown: str) -> None:
    epoch = token(world).partition(".")[0]
    answer = world.get("/changes", params={"since": unknown.format(epoch=epoch)})
    assert answer.status_code == 410, answer.text
    assert answer.json()["code"] == "changes_expired"
    assert "without since" in answer.json()["message"]


@pytest.mark.parametrize(
    "wrong",
    ["limit=0", "limit=1001", "limit=x", "kinds=series", "kinds=", "wait=26", "wait=-1", "include=all", "expand=x"],
)
def test_bad_parameters_are_refused(world: World, wrong: str) -> None:
    assert world.get(f"/changes?{wrong}").status_code == 400


def test_an_old_token_expires_but_not_while_nothing_changed(world: World) -> None:
    world.make("tags", name="One")
    before = token(world)
    world.clock.move(days=91)
    assert told(world, before) == []
    world.make("tags", name="Two")
    assert len(told(world, before)) == 1
    world.clock.move(days=91)
    assert world.get("/changes", params={"since": before}).status_code == 410
    # A first copy reads older records, page by page.
    first = page(world, limit=1)
    assert first["more"]
    assert page(world, since=first["next"], limit=10)["more"] is False


def test_what_is_gone_during_a_first_copy_is_told(world: World) -> None:
    ids = [world.make("tags", name=f"Tag {number}")["id"] for number in range(4)]
    world.delete(f"/tags/{ids[3]}")
    mirror = Mirror(world, limit=2)
    assert mirror.read_page()
    world.delete(f"/tags/{ids[0]}")
    assert not difference(mirror.follow(), everything(world))
    assert [change["id"] for change in mirror.told if change["change"] == "gone"] == [ids[0]]


def test_settings_that_change_every_record_begin_another_epoch(world: World) -> None:
    before = token(world)
    with world.calendar.store.write() as session:
        site_settings.save(session, {"site_name": "Another"}, world.clock.now)
    assert told(world, before) == []
    with world.calendar.store.write() as session:
        site_settings.save(session, {"currency_symbol": "£"}, world.clock.now)
    assert world.get("/changes", params={"since": before}).status_code == 410


def test_custom_fields_are_part_of_records_and_of_the_epoch(world: World) -> None:
    made = world.post("/custom-fields", json={"label": "Doors", "type": "text"})
    assert made.status_code == 201, made.text
    key = made.json()["key"]
    world.make("events", custom_fields={key: "18:30"})
    mirror = Mirror(world)
    assert not difference(mirror.follow(), everything(world))
    [record] = mirror.records.values()
    assert record["custom_fields"] == {key: {"label": "Doors", "value": "18:30"}}
    assert world.put(f"/custom-fields/{key}", json={"label": "Doors open"}).status_code == 200
    assert world.get("/changes", params={"since": mirror.token}).status_code == 410


def test_very_large_records_end_a_page_and_nothing_is_left_out(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    venue = world.make("venues", venue="Hall")
    events = {world.make("events", title=f"Choir {number}", venue=venue["id"])["id"] for number in range(5)}
    since = token(world)
    tag = world.make("tags", name="Music")
    world.put(f"/venues/{venue['id']}", json={"venue": "Great hall"})
    monkeypatch.setattr(pages, "LARGEST", 1)
    told, more = [], True
    while more:
        read = page(world, since=since, include="records", expand="events")
        assert [change["record"]["id"] for change in read["changes"]] == [change["id"] for change in read["changes"]]
        told += [(change["kind"], change["id"]) for change in read["changes"]]
        since, more = read["next"], read["more"]
        assert len(read["changes"]) == 1
    assert told == [("tag", tag["id"]), ("venue", venue["id"]), *(("event", id) for id in sorted(events))]
