"""What `test_sample_feature.py` runs in a copy of the sources that has two more features: what these add to records,
from tables of their own, wherever records are shown."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from kalends.features.shown_sample import rows, showing
from tests import store_checks
from tests.admin.admin_client import AdminClient
from tests.admin.test_editor_merging import opened, path_of
from tests.calendar.lists.test_prerendered import Changes, compare, is_all_prerendered
from tests.calendar.lists.test_prerendered import live as live
from tests.conftest import BASE_URL, NS, World
from tests.features.webhooks.receivers import receiving
from tests.features.webhooks.test_delivering import hook, run

from kalends.calendar.access import SERVICE
from kalends.calendar.storing.shown_otherwise import shown_otherwise
from kalends.contract.kinds import CATEGORY, EVENT, VENUE, Kind
from kalends.store.engine.store import Session
from kalends.store.rows import history

pytestmark = pytest.mark.both_stores

CHEERED = "X-CHEERS:2\\; all of them\\, really"


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    return make_world()


def cheer(world: World, record: int, kind: Kind = EVENT, text: str = "Louder") -> None:
    world.calendar.write(SERVICE, showing.add, kind, record, text)


def cheered(world: World, **more: Any) -> dict[str, Any]:
    """An event with two cheers."""
    event = world.make("events", **{"title": "Fair"} | more)
    cheer(world, event["id"])
    cheer(world, event["id"])
    return event


def close_at(world: World, event: int, closes: str) -> None:
    world.calendar.write(SERVICE, showing.close_at, event, closes)


def test_its_keys_are_wherever_an_event_is_shown(world: World) -> None:
    since = world.get("/changes").json()["next"]
    event = cheered(world)
    id, found = event["id"], []
    for who in ("anonymous", "administrator"):
        found += [
            world.get(f"/events/{id}", who).json(),
            world.get(f"/events/by-slug/{event['slug']}", who).json(),
            world.get("/events", who).json()["events"][0],
            world.get("/events?_fields=id,cheers,greeting", who).json()["events"][0],
            world.get(f"/events/{id}?_fields=cheers,greeting", who).json(),
            world.get("/changes", who, params={"since": since, "include": "records"}).json()["changes"][-1]["record"],
        ]
    written = world.put(f"/events/{id}", json={"cost": "5"})
    batch = world.post("/batch", json={"requests": [{"method": "PUT", "path": f"/events/{id}", "body": {}}]}).json()
    found += [written.json(), batch["responses"][0]["body"]]
    assert [(one["cheers"], one["greeting"]) for one in found] == [(2, "Hello")] * len(found)
    assert [event["cheers"], event["greeting"], event["cheering"]] == [0, "", ""]
    assert [*found[0]].index("cheers") + 1 == [*found[0]].index("cheering")


def test_what_is_sent_of_its_keys_changes_nothing(world: World) -> None:
    event = cheered(world)
    shown = world.read("events", event["id"])
    assert world.put(f"/events/{event['id']}", json={"cheers": 7}).json() == without_json_ld(shown)


def without_json_ld(json: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in json.items() if name != "json_ld"}


def test_a_venue_shows_it_alone_and_in_lists_but_not_within_an_event(world: World) -> None:
    event = world.make("events", venue={"venue": "Hall"})
    venue = event["venue"]["id"]
    cheer(world, venue, VENUE)
    for who in ("anonymous", "administrator"):
        shown = world.get(f"/venues/{venue}", who).json()
        assert (shown["cheers"], shown["json_ld"]["interactionCount"]) == (1, 1)
        assert world.get("/venues", who).json()["venues"][0]["cheers"] == 1
        shown = world.get(f"/events/{event['id']}", who).json()
        assert "cheers" not in shown["venue"]
        assert "interactionCount" not in shown["json_ld"]["location"]


def test_fragments_and_records_give_the_same_bytes(make_world: Any, live: Any) -> None:
    world: World = make_world(cache_size="0")
    Changes(world, 1).fill(15)
    with world.calendar.store.read() as session:
        events, venues = (session.column(f"SELECT id FROM {kind} ORDER BY id") for kind in ("event", "venue"))
    assert len(events) > 5
    assert venues
    for id in events[::2]:
        cheer(world, id)
    for id in events[::3]:
        close_at(world, id, "2026-11-20 00:00:00")
    for id in venues[::2]:
        cheer(world, id, VENUE)
    assert is_all_prerendered(world.calendar)
    compare(world, live)


def test_both_features_add_to_json_ld_and_neither_takes_the_tickets_away(world: World) -> None:
    tickets = [{"name": "Entry", "price": "5", "currency": "EUR"}]
    event = cheered(world, tickets=tickets)
    for shown in (world.read("events", event["id"]), world.get(f"/events/{event['id']}").json()):
        about = shown["json_ld"]
        assert about["interactionCount"] == 2
        assert [one["price"] for one in about["offers"]] == ["5", "0", "1"]
        assert about["offers"][1]["url"] == f"{BASE_URL}/cheers/{event['id']}/"
    page = world.client.get(f"{BASE_URL}/event/{event['slug']}/").text
    assert f'"url":"{BASE_URL}/cheers/{event["id"]}/"' in page
    for view in ("list", "month"):
        listed = world.client.get(f"{BASE_URL}/events/{view}/2027-03-10/").text
        assert '"interactionCount":2' in listed, view


@pytest.mark.parametrize("path", ["/events.ics", "/event/{slug}.ics", f"{NS.removeprefix(BASE_URL)}/events.ics"])
def test_its_lines_are_in_entries(world: World, path: str) -> None:
    event = cheered(world)
    for who in ("anonymous", "administrator"):
        entry = world.get(BASE_URL + path.format(slug=event["slug"]), who).text.replace("\r\n ", "")
        assert CHEERED in entry.splitlines()
        assert f"X-CHEERS-AT:{BASE_URL}/cheers/{event['id']}/" in entry.splitlines()
        assert "X-GREETING:Hello" in entry.splitlines()


def test_a_date_of_a_series_that_differs_has_an_entry_of_its_own(world: World) -> None:
    event = world.make("events", recurrence="FREQ=DAILY;COUNT=3")
    entries = world.get(f"{BASE_URL}/events.ics").text.split("BEGIN:VEVENT")
    assert len(entries) == 2
    cheer(world, world.get("/events").json()["events"][1]["id"])
    entries = world.get(f"{BASE_URL}/events.ics").text.split("BEGIN:VEVENT")
    assert [("RECURRENCE-ID" in entry, "X-CHEERS" in entry) for entry in entries[1:]] == [
        (False, False),
        (True, True),
    ]
    assert event["series"]


def test_a_protected_event_shows_what_the_rows_say(world: World) -> None:
    event = cheered(world, post_password="open sesame")
    close_at(world, event["id"], "2026-11-20 00:00:00")
    masked = [
        world.get("/events").json()["events"][0],
        world.get("/events", "subscriber").json()["events"][0],
        world.get("/changes?include=records").json()["changes"][-1]["record"],
    ]
    assert [(one["cheers"], one["greeting"], one["cheering"]) for one in masked] == [(None, "", "open")] * 3
    opened = world.get(f"/events/{event['id']}?password=open%20sesame").json()
    assert (opened["cheers"], opened["greeting"], opened["cheering"]) == (2, "Hello", "open")
    for path in ("/events.ics", "/events/list/2027-03-10/"):
        assert not re.search("X-CHEERS|Hello|interactionCount", world.get(BASE_URL + path).text), path
    assert world.get(f"{BASE_URL}/wp-json/tec/v1/events").json()[0]["cheers"] is None


def test_wordpress_shows_it_beside_its_own(world: World) -> None:
    event = cheered(world)
    wp = f"{BASE_URL}/wp-json/wp/v2/tribe_events/{event['id']}"
    assert world.get(wp).json()["meta"]["_EventCheers"] == 2
    assert world.get(f"{BASE_URL}/wp-json/tec/v1/events/{event['id']}").json()["cheers"] == 2


def test_webhooks_tell_it(make_world: Any) -> None:
    world: World = make_world(base_url=BASE_URL, webhooks_allow_private="true")
    event = world.make("events")
    with receiving() as receiver:
        hook(world, receiver, include="records")
        cheer(world, event["id"])
        run(world)
        (message,) = receiver.messages
    assert [change["record"]["cheers"] for change in message.changes] == [1]


def test_the_document_describes_what_is_answered(world: World) -> None:
    event = cheered(world)
    document = world.get("/doc").json()
    properties = document["components"]["schemas"]["Event"]["properties"]
    assert properties["cheers"]["type"] == ["integer", "null"]
    assert {"cheers", "cheering", "greeting"} <= {*document["components"]["schemas"]["Event"]["required"]}
    schema = {"$ref": "#/components/schemas/Event", "components": document["components"]}
    Draft202012Validator(schema).validate(world.get(f"/events/{event['id']}").json())


def test_its_block_is_read_in_the_snapshot_of_the_page(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    event, counts = cheered(world), rows.counts

    def counted(session: Session, kind: str, ids: Sequence[int]) -> dict[int, int]:
        """After the first answer somebody else adds a cheer."""
        found = counts(session, kind, ids)
        monkeypatch.setattr(rows, "counts", counts)
        cheer(world, event["id"])
        return found

    monkeypatch.setattr(rows, "counts", counted)
    path = f"{BASE_URL}/event/{event['slug']}/"
    assert "Cheers: 2 and 2" in world.client.get(path).text
    assert "Cheers: 3 and 3" in world.client.get(path).text


def test_its_block_is_on_a_page_that_is_not_saved_yet(world: World) -> None:
    event = cheered(world)
    admin = AdminClient(world, "administrator")
    page = admin.post(f"{path_of(event)}/preview", opened(admin, event) | {"title": ["Market"]}, status=200).text
    assert "Cheers for Market" in page
    assert "Cheers: 2 and 2" in page


# What makes kept answers stale, and what does not.


def kept(world: World, event: dict[str, Any]) -> list[str]:
    """Addresses whose answers are kept."""
    return [
        *(f"{NS}/events", f"{NS}/events/{event['id']}", f"{BASE_URL}/events/list/2027-03-10/"),
        *(f"{BASE_URL}/event/{event['slug']}/", f"{BASE_URL}/wp-json/tec/v1/events/{event['id']}"),
        *(f"{BASE_URL}/events.ics", f"{BASE_URL}/feed/"),
    ]


def test_a_change_that_everybody_sees_makes_kept_answers_stale(world: World) -> None:
    event = cheered(world)
    before, paths = world.read("events", event["id"]), kept(world, event)
    etags = {path: world.client.get(path).headers["etag"] for path in paths if "/feed/" not in path}
    modified = world.client.get(paths[1]).headers["last-modified"]
    since = world.get("/changes").json()["next"]
    world.clock.move(seconds=10)
    cheer(world, event["id"])
    after = world.read("events", event["id"])
    assert after["cheers"] == 3
    assert after["rev"] > before["rev"]
    assert after["modified_utc"] > before["modified_utc"]
    for path, etag in etags.items():
        assert world.client.get(path, headers={"If-None-Match": etag}).status_code == 200, path
    assert world.client.get(paths[1], headers={"If-Modified-Since": modified}).status_code == 200
    changes = world.get("/changes", params={"since": since}).json()["changes"]
    assert [(change["kind"], change["id"]) for change in changes] == [("event", event["id"])]
    assert world.get(f"/events?modified_after={before['modified_utc'].replace(' ', 'T')}Z").json()["total"] == 1
    # A client that has read the event before does not overwrite what it has not seen.
    etag = etags[f"{NS}/events/{event['id']}"]
    assert world.put(f"/events/{event['id']}", json={"cost": "5"}, headers={"If-Match": etag}).status_code == 412


def test_a_change_that_nobody_sees_moves_nothing(world: World) -> None:
    event = cheered(world)
    before, paths = world.count(), kept(world, event)
    answers = {path: world.client.get(path) for path in paths}
    hits = world.cache.hits
    since = world.get("/changes").json()["next"]
    world.calendar.write(SERVICE, showing.reword, "Quieter")
    assert world.count() == before
    assert world.get("/changes", params={"since": since}).json()["changes"] == []
    for path, answer in answers.items():
        again = world.client.get(path)
        assert (again.content, again.headers.get("etag")) == (answer.content, answer.headers.get("etag")), path
    assert world.cache.hits > hits


def test_it_is_no_version_of_the_event(world: World) -> None:
    """Nor does it come between people who edit the event at the same time."""
    event = world.make("events", title="Fair")
    first, second = AdminClient(world, "administrator"), AdminClient(world, "editor")
    one, two = opened(first, event), opened(second, event)
    cheer(world, event["id"])
    first.post(path_of(event), one | {"title": ["Market"]})
    cheer(world, event["id"])
    second.post(path_of(event), two | {"cost": ["15"]})
    found = world.read("events", event["id"])
    assert (found["title"], found["cost"], found["cheers"]) == ("Market", "$15", 2)
    with world.calendar.store.read() as session:
        assert [version.data["name"] for version in history.versions(session, "event", event["id"], 9)] == [
            "Market",
            "Fair",
        ]


def test_a_venue_and_a_category_are_shown_otherwise_too(world: World) -> None:
    venue, category = world.make("venues", venue="Hall"), world.make("categories", name="Choir")
    since = world.get("/changes").json()["next"]
    world.calendar.write(SERVICE, shown_otherwise, VENUE, [venue["id"]])
    world.calendar.write(SERVICE, shown_otherwise, CATEGORY, [category["id"]])
    changes = world.get("/changes", params={"since": since}).json()["changes"]
    assert [(change["kind"], change["id"]) for change in changes] == [
        ("venue", venue["id"]),
        ("category", category["id"]),
    ]
    assert world.get(f"/venues/{venue['id']}").json()["rev"] > venue["rev"]
    assert world.get(f"/categories/{category['id']}").json()["rev"] > category["rev"]


def test_many_are_shown_otherwise_together(world: World) -> None:
    """More than are rendered in one transaction, and what is computed of them agrees."""
    series = world.make("events", recurrence="FREQ=DAILY;COUNT=25")
    listed = world.get("/events?per_page=50").json()["events"]
    ids = [one["id"] for one in listed]
    since = world.get("/changes").json()["next"]
    world.calendar.write(SERVICE, shown_otherwise, EVENT, ids)
    changes = world.get("/changes", params={"since": since}).json()["changes"]
    assert [change["id"] for change in changes] == ids
    after = world.get("/events?per_page=50").json()["events"]
    assert min(one["rev"] for one in after) > max(one["rev"] for one in listed)
    store_checks.check(world.calendar.store, world.calendar.settings)
    assert series["series"]


# What the clock alone changes.


def test_the_clock_changes_answers_that_are_kept(world: World) -> None:
    event = cheered(world)
    close_at(world, event["id"], "2026-11-15 13:00:00")
    world.clock.move(minutes=1)
    paths = kept(world, event)[:5]
    before = {path: world.client.get(path) for path in paths}
    assert before[paths[1]].json()["cheering"] == "open"
    feed = f"{BASE_URL}/events.ics"
    mark = world.client.get(feed).headers["etag"]
    count = world.count()
    world.clock.move(minutes=58, seconds=59)
    assert world.get(f"/events/{event['id']}").json()["cheering"] == "open"
    world.clock.move(seconds=1)
    for path in (f"{NS}/events/{event['id']}", f"{NS}/events"):
        answered = world.client.get(
            path,
            headers={
                "If-Modified-Since": before[path].headers["last-modified"],
            },
        )
        assert answered.status_code == 200, path
        assert "closed" in answered.text
        etag = before[path].headers["etag"]
        assert world.client.get(path, headers={"If-None-Match": etag}).status_code == 200, path
    assert world.client.get(feed, headers={"If-None-Match": mark}).status_code == 200
    assert world.neighbour().get(paths[1]).json()["cheering"] == "closed"
    assert world.count() == count
    # From now on it is kept again.
    world.client.get(paths[1])
    hits = world.cache.hits
    assert world.client.get(paths[1]).json()["cheering"] == "closed"
    assert world.cache.hits == hits + 1


def test_a_clock_that_was_ahead_shows_nothing_of_it(world: World) -> None:
    event = cheered(world)
    close_at(world, event["id"], "2026-11-15 13:00:00")
    path = f"{NS}/events/{event['id']}"
    world.clock.move(hours=2)
    assert world.client.get(path).json()["cheering"] == "closed"
    world.clock.move(hours=-2)
    assert world.client.get(path).json()["cheering"] == "open"


# Filters.


def test_a_list_is_filtered_by_its_table(world: World) -> None:
    cheered(world, title="Cheered", categories=["Choir"])
    world.make("events", title="Unlike", categories=["Choir"])
    hidden = cheered(world, title="Hidden", post_password="open sesame")
    found = [
        (world.get("/events?cheered=true"), ["Cheered"]),
        (world.get("/events?cheered=false"), ["Unlike"]),
        (world.get("/events?cheered=true&categories=choir&search=cheer&per_page=1"), ["Cheered"]),
        (world.get("/events?cheered=true", "administrator"), ["Cheered", "Hidden"]),
    ]
    for answer, titles in found:
        listed = answer.json()
        assert ([one["title"] for one in listed["events"]], listed["total"]) == (titles, len(titles))
        assert "cheered=" in listed["rest_url"]
    for path in (f"{NS}/events.ics?cheered=true", f"{BASE_URL}/events.ics?cheered=true"):
        feed = world.get(path).text
        assert ("SUMMARY:Cheered" in feed, "SUMMARY:Unlike" in feed, "SUMMARY:Hidden" in feed) == (True, False, False)
    for path in (
        "/events/list/2027-03-10/?cheered=true",
        "/events/month/2027-03-10/?cheered=true",
        "/feed/?cheered=true",
    ):
        page = world.get(BASE_URL + path).text
        assert ("Cheered" in page, "Unlike" in page) == (True, False), path
    assert hidden["id"]
