"""`source` and `external_id`: read and written on the five kinds, unique together, and a way to address a record."""

from typing import Any

import pytest
from tests.conftest import BASE_URL, World
from tests.http.api.test_every_operation import RECORDS

EXTERNAL = {"source": "town.example", "external_id": "17"}
KINDS = list(RECORDS)
TERMS = ("categories", "tags")


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


@pytest.mark.both_stores
@pytest.mark.parametrize("plural", KINDS)
def test_a_record_is_read_and_deleted_by_its_id_at_its_source(world: World, plural: str) -> None:
    path = f"/{plural}/by-external/gone.example/day%2F1@{plural}"
    assert [world.get(path).status_code, world.delete(path).status_code] == [404, 404]
    made = world.put(path, json=RECORDS[plural] | {next(iter(RECORDS[plural])): f"To go {plural}"}).json()
    read = world.get(path)
    assert (read.status_code, read.json()) == (200, world.get(f"/{plural}/{made['id']}").json())
    assert world.ask("HEAD", path).status_code == 200
    assert "DELETE" in world.ask("OPTIONS", path).headers["Allow"]
    assert [world.delete(path, who).status_code for who in ("anonymous", "subscriber")] == [401, 403]
    assert world.delete(path, headers={"If-Match": '"x"'}).status_code == 412
    if plural in TERMS:
        assert world.delete(path).status_code == 200
    else:
        assert world.delete(path).json()["status"] == "trash"
        assert world.delete(path).status_code == 410
        assert world.get(path).status_code == 404, "for everybody it is not there"
        assert world.get(path, "editor").json()["status"] == "trash"
        assert world.delete(f"{path}?force=true").status_code == 200
    assert world.get(path, "editor").status_code == 404


@pytest.mark.parametrize("plural", ["events", "venues", "organizers"])
def test_what_one_cannot_read_is_not_there(world: World, plural: str) -> None:
    hidden, nothing = (f"/{plural}/by-external/unread.example/{id}" for id in (1, 2))
    world.put(hidden, json=RECORDS[plural] | {"status": "draft"})
    for method in ("GET", "DELETE"):
        for who in ("anonymous", "subscriber", "contributor", "other_author"):
            answers = [world.ask(method, path, who) for path in (hidden, nothing)]
            assert answers[0].status_code in (401, 403, 404)
            assert answers[0].status_code == answers[1].status_code
            assert answers[0].text == answers[1].text
    assert world.get(hidden, "editor").status_code == 200


def test_nor_is_what_is_masked(world: World) -> None:
    world.make("events", title="Locked", post_password="sesame", source="locked.example", external_id="1")
    path = "/events/by-external/locked.example/1"
    assert world.get(path).status_code == 404
    assert world.get(f"{path}?password=sesame").status_code == 404
    assert world.get(path, "editor").status_code == 200
    for query in ("source=locked.example", "external_id=1&source=locked.example"):
        assert world.get(f"/events?{query}").json()["total"] == 0
        assert world.get(f"/events?{query}", "editor").json()["total"] == 1


@pytest.mark.both_stores
@pytest.mark.parametrize("plural", KINDS)
def test_lists_are_filtered_by_source_and_id(world: World, plural: str) -> None:
    name = next(iter(RECORDS[plural]))
    for source, id in (("one.example", "1"), ("one.example", "2"), ("two.example", "1")):
        path = f"/{plural}/by-external/{source}/f{id}"
        assert world.put(path, json=RECORDS[plural] | {name: f"Filtered {plural} {source} {id}"}).is_success

    def found(query: str) -> list[str]:
        page = world.get(f"/{plural}?hide_empty=false&per_page=50&{query}").json()
        assert page["total"] == len(page[plural])
        return sorted(f"{one['source']} {one['external_id']}" for one in page[plural])

    assert found("source=one.example") == ["one.example f1", "one.example f2"]
    assert found("source=one.example,two.example") == ["one.example f1", "one.example f2", "two.example f1"]
    assert found("source[]=two.example&source[]=other.example") == ["two.example f1"]
    assert found("external_id=f1") == ["one.example f1", "two.example f1"]
    assert found("external_id=f1&source=one.example") == ["one.example f1"]
    assert found("source=nobody.example") == []
    assert world.get(f"/{plural}?source=").status_code == 400


def test_a_feed_of_one_source(world: World) -> None:
    world.make("events", title="In a feed", source="feeds.example", external_id="1")
    feed = world.get("/events.ics?source=feeds.example").text
    assert feed.count("BEGIN:VEVENT") == 1
    # On a page it tells whence a reader comes.
    assert "In a feed" in world.get(f"{BASE_URL}/events/list/?source=newsletter&tribe-bar-date=2027-03-01").text


@pytest.mark.both_stores
@pytest.mark.parametrize(("field", "plural"), [("venue", "venues"), ("organizer", "organizers")])
def test_an_event_names_a_venue_or_organizer_by_its_id_at_a_source(world: World, field: str, plural: str) -> None:
    named = {"source": "named.example", "external_id": f"{field}/1"}
    known = world.put(f"/{plural}/by-external/named.example/{field}/1", json={field: f"Named {field}"}).json()
    made = world.make("events", **{field: named})
    shown = made[field] if isinstance(made[field], dict) else made[field][0]
    assert shown["id"] == known["id"]
    form = {f"{field}[source]": "named.example", f"{field}[external_id]": f"{field}/1"}
    assert world.put(f"/events/{made['id']}", data=form).json()["rev"] == made["rev"], "it is no change"
    world.put(f"/{plural}/by-external/named.example/hidden", json={field: "Hidden", "status": "draft"})
    answers = []
    for id in ("hidden", "nowhere"):
        sent = RECORDS["events"] | {field: [named | {"external_id": id}]}
        answer = world.post("/events", "contributor", json=sent | {"categories": [], "tags": []})
        assert answer.status_code == 400
        problem = answer.json()["data"]["params"][field]
        assert f"{id} at named.example" in problem
        answers.append(problem.replace(id, ""))
    assert answers[0] == answers[1]
