"""`source` and `external_id`: read and written on the five kinds, unique together, and a way to address a record."""

from typing import Any

import pytest
from tests.conftest import World
from tests.service.test_every_operation import RECORDS

EXTERNAL = {"source": "town.example", "external_id": "17"}
KINDS = list(RECORDS)


@pytest.mark.parametrize("plural", KINDS)
def test_they_are_written_and_read(world: World, plural: str) -> None:
    name = next(iter(RECORDS[plural]))
    own = EXTERNAL | {name: f"Written and read {plural}", "external_id": f"a/{plural}"}
    made = world.make(plural, **RECORDS[plural] | own)
    assert (made["source"], made["external_id"]) == ("town.example", f"a/{plural}")
    read = world.get(f"/{plural}/{made['id']}").json()
    assert (read["source"], read["external_id"]) == ("town.example", f"a/{plural}")
    cleared = world.put(f"/{plural}/{made['id']}", json={"source": "", "external_id": None}).json()
    assert (cleared.get("source", ""), cleared.get("external_id", "")) == ("", "")
    world.delete(f"/{plural}/{made['id']}?force=true")


def test_no_two_records_of_a_kind_have_the_same(world: World) -> None:
    world.make("events", **EXTERNAL)
    again = world.post("/events", json=RECORDS["events"] | EXTERNAL)
    assert again.status_code == 400
    assert again.json()["data"]["details"]["external_id"]["code"] == "rest_already_taken"
    other = world.make("events", source="another.example", external_id="17")
    moved = world.put(f"/events/{other['id']}", json={"source": "town.example"})
    assert moved.status_code == 400
    assert world.make("venues", venue="Hall", **EXTERNAL)["external_id"] == "17"
    assert world.make("tags", name="One tag", **EXTERNAL)["external_id"] == "17"
    taken = world.post("/tags", json={"name": "Another tag"} | EXTERNAL)
    assert (taken.status_code, taken.json()["code"]) == (400, "rest_invalid_param")


def test_a_source_is_one_part_of_an_address(world: World) -> None:
    response = world.post("/events", json=RECORDS["events"] | {"source": "a/b", "external_id": "1"})
    assert list(response.json()["data"]["params"]) == ["source"]


@pytest.mark.both_stores
@pytest.mark.parametrize("plural", KINDS)
def test_put_creates_and_then_updates(world: World, plural: str) -> None:
    path = f"/{plural}/by-external/feed.example/day%2F1@{plural}"
    body = RECORDS[plural] | {"slug": f"from-a-feed-{plural}"}
    name = next(iter(body))
    created = world.put(path, json=body | {name: f"First {plural}", "external_id": "of the body"})
    assert created.status_code == 201, created.text
    record = created.json()
    assert (record["source"], record["external_id"]) == ("feed.example", f"day/1@{plural}")
    assert created.headers["Location"].endswith(f"/{plural}/{record['id']}")
    updated = world.put(path, json={"description": "Changed"})
    assert updated.status_code == 200
    assert (updated.json()["id"], updated.json()["rev"] > record["rev"]) == (record["id"], True)
    again = world.put(path, json={"description": "Changed"})
    assert again.json()["rev"] == updated.json()["rev"]


def test_put_says_what_is_missing_for_a_new_record(world: World) -> None:
    response = world.put("/events/by-external/feed.example/2", json={"title": "No dates"})
    assert response.status_code == 400
    assert response.json()["data"]["params"] == ["start_date", "end_date"]
    blank = world.put("/events/by-external/feed.example/%20", json=RECORDS["events"])
    assert list(blank.json()["data"]["params"]) == ["external_id"]


@pytest.mark.parametrize(("who", "status"), [("anonymous", 401), ("subscriber", 403), ("other_author", 403)])
def test_put_needs_the_rights_of_a_write(world: World, who: str, status: int) -> None:
    path = "/events/by-external/rights.example/1"
    assert world.put(path, "editor", json=RECORDS["events"] | {"title": "Mine"}).is_success
    assert world.put(path, who, json={"title": "Yours"}).status_code == status


@pytest.mark.both_stores
@pytest.mark.parametrize("plural", ["events", "venues", "organizers"])
def test_put_with_wrong_values_does_not_tell_whether_a_hidden_record_exists(world: World, plural: str) -> None:
    hidden = f"/{plural}/by-external/hidden.example/1"
    assert world.put(hidden, json=RECORDS[plural] | {"status": "draft"}).status_code == 201
    for who in ("anonymous", "subscriber", "contributor", "other_author"):
        for headers in ({}, {"If-Match": '"x"'}):
            answers = [
                world.put(path, who, json={}, headers=headers)
                for path in (hidden, f"/{plural}/by-external/hidden.example/2")
            ]
            assert answers[0].status_code >= 400
            assert [(a.status_code, a.text) for a in answers[:1]] == [(a.status_code, a.text) for a in answers[1:]]
    assert world.put(hidden, json={"description": "Still ours"}).status_code == 200


def test_a_protected_event_hides_where_it_comes_from(world: World) -> None:
    world.make("events", title="Sealed", post_password="sesame", source="secret.example", external_id="99")
    masked: dict[str, Any] = world.get("/events?search=sealed").json()["events"][0]
    assert (masked["source"], masked["external_id"]) == ("", "")


def test_put_applies_to_the_version_that_the_client_has_read(world: World) -> None:
    path = "/events/by-external/match.example/1"
    missing = world.put(path, json=RECORDS["events"], headers={"If-Match": "*"})
    assert missing.status_code == 412
    made = world.put(path, json=RECORDS["events"] | {"title": "First"}).json()
    tag = world.get(f"/events/{made['id']}", "administrator").headers["ETag"]
    assert world.put(path, json={"title": "Second"}, headers={"If-Match": tag}).status_code == 200
    assert world.put(path, json={"title": "Third"}, headers={"If-Match": tag}).status_code == 412


@pytest.mark.parametrize("plural", KINDS)
@pytest.mark.parametrize("who", ["contributor", "author"])
def test_only_who_edits_the_records_of_others_says_where_a_record_comes_from(
    world: World, plural: str, who: str
) -> None:
    """Else a contributor could keep out what an import will bring."""
    taken = {"source": "import.example", "external_id": f"{plural} {who}"}
    record = {name: value for name, value in RECORDS[plural].items() if name not in ("categories", "tags")}
    assert world.post(f"/{plural}", who, json=record | taken).status_code == 403
    path = f"/{plural}/by-external/import.example/{plural}%20{who}"
    assert world.put(path, who, json=record).status_code == 403
    if plural in ("events", "venues", "organizers"):
        name = next(iter(record))
        own = world.make(plural, who, **record | {name: f"Own of {who}"})
        assert world.put(f"/{plural}/{own['id']}", who, json=taken).status_code == 403
        assert world.put(f"/{plural}/{own['id']}", "editor", json=taken).status_code == 200
        world.put(f"/{plural}/{own['id']}", "editor", json={"status": "draft", "author": world.ids[who]})
        back = world.put(f"/{plural}/{own['id']}", who, json=taken | {"description": "As it was read."})
        assert back.status_code == 200, "what was read can be sent back"
        assert world.put(f"/{plural}/{own['id']}", who, json={"external_id": ""}).status_code == 403
        world.delete(f"/{plural}/{own['id']}?force=true")


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_nor_does_a_nested_record_take_an_identity(world: World, field: str) -> None:
    nested = {field: "Taken", "source": "import.example", "external_id": f"nested {field}"}
    sent = RECORDS["events"] | {field: nested}
    assert world.post("/events", "author", json=sent).status_code == 403
    assert world.get(f"/{field}s?search=taken", "administrator").json()["total"] == 0
