"""Deleting moves to the trash; again 410; force for good; an update with another status brings it back."""

import pytest

from kalends.contract.kinds import EVENT, POSTS

KINDS = pytest.mark.parametrize("kind", POSTS, ids=lambda kind: kind.name)
WAYS = pytest.mark.parametrize("way", ["id", "slug"])


def make(world, kind, who="administrator", **body):
    return world.make(kind.plural, who, **{kind.name_field: "Trash me"}, **body)


@KINDS
@WAYS
def test_a_second_delete_is_410(world, at, kind, way):
    made = make(world, kind)
    assert world.delete(at(kind, made, way)).json()["status"] == "trash"
    count = world.count()
    response = world.delete(at(kind, made, way))
    assert (response.status_code, response.json()["code"]) == (410, f"{kind.name}-is-in-trash")
    assert world.count() == count


@KINDS
@WAYS
@pytest.mark.parametrize("trashed", [False, True])
def test_force_deletes_for_good(world, at, kind, way, trashed):
    made = make(world, kind)
    if trashed:
        world.delete(at(kind, made, way))
    response = world.delete(at(kind, made, way), params={"force": "1"})
    assert response.status_code == 200
    assert response.json()["id"] == made["id"]
    for method in ("GET", "PUT", "DELETE"):
        for path in (at(kind, made, "id"), at(kind, made, "slug")):
            gone = world.ask(method, path, "administrator", json={})
            assert (gone.status_code, gone.json()["code"]) == (404, f"rest-{kind.name}-not-found")
    assert make(world, kind)["slug"] == "trash-me"


@KINDS
@WAYS
def test_a_record_keeps_its_slug_in_the_trash(world, at, kind, way):
    made = make(world, kind)
    assert world.delete(at(kind, made, way)).json()["slug"] == "trash-me"
    assert make(world, kind)["slug"] == "trash-me-2"


@KINDS
@WAYS
@pytest.mark.parametrize("status", ["publish", "draft", "private"])
def test_another_status_brings_it_back(world, at, kind, way, status):
    made = make(world, kind, description="Stays")
    world.delete(at(kind, made, way))
    back = world.put(at(kind, made, way), json={"status": status})
    assert back.status_code == 200
    changed = {"status": status, "rev": back.json()["rev"]}
    assert back.json() == made | changed


@KINDS
def test_an_update_without_a_status_leaves_it_in_the_trash(world, at, kind):
    made = make(world, kind)
    world.delete(at(kind, made, "id"))
    assert world.put(at(kind, made, "id"), json={"excerpt": "New"}).json()["status"] == "trash"
    assert world.delete(at(kind, made, "id")).status_code == 410


@KINDS
def test_a_status_of_trash_is_a_delete(world, at, kind):
    made = make(world, kind)
    assert world.put(at(kind, made, "id"), json={"status": "trash"}).json()["status"] == "trash"
    assert world.delete(at(kind, made, "id")).status_code == 410


def test_an_event_comes_back_with_its_links(world, refs):
    made = make(world, EVENT, venue=refs["venue"][0], organizer=refs["organizer"], categories=refs["category"],
                tags=refs["tag"], image=refs["image"][0], post_password="s3cret")  # fmt: skip
    path = f"/events/{made['id']}"
    trashed = world.delete(path).json()
    assert {k: v for k, v in trashed.items() if k not in ("status", "rev")} == {
        k: v for k, v in made.items() if k not in ("status", "rev")
    }
    back = world.put(path, json={"status": "publish"}).json()
    assert back == made | {"rev": back["rev"]}
    assert world.get(path).json()["code"] == "event-password-protected"


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_a_venue_or_organizer_that_comes_back_is_in_its_events_again(world, refs, kind):
    event = world.make("events", **{kind: refs[kind]})
    path = f"/{kind}s/{refs[kind][0]}"
    world.delete(path)
    for who in ("anonymous", "author"):
        left = world.get(f"/events/{event['id']}", who).json()[kind]
        assert [record["id"] for record in (left if isinstance(left, list) else [left])] == [refs[kind][1]]
    world.put(path, json={"status": "publish"})
    back = world.get(f"/events/{event['id']}").json()[kind]
    assert [record["id"] for record in back] == refs[kind]


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_what_is_deleted_for_good_leaves_its_events(world, refs, kind):
    event = world.make("events", **{kind: refs[kind][0]})
    world.delete(f"/{kind}s/{refs[kind][0]}?force=true")
    assert world.read("events", event["id"])[kind] == []


@KINDS
def test_who_may_edit_a_trashed_record_reads_it(world, at, kind):
    made = make(world, kind, "author")
    world.delete(at(kind, made, "id"), "author")
    for who in ("author", "editor"):
        for way in ("id", "slug"):
            assert world.get(at(kind, made, way), who).json()["status"] == "trash"
    code = "event-no-longer-available" if kind is EVENT else f"{kind.name}-not-accessible"
    for who in ("anonymous", "other_author"):
        by_id = world.get(at(kind, made, "id"), who)
        assert (by_id.status_code, by_id.json()["code"]) == (403, code)
        assert world.get(at(kind, made, "slug"), who).status_code == 404
        refused = world.put(at(kind, made, "id"), who, json={"status": "publish"})
        assert refused.status_code == (401 if who == "anonymous" else 403)


def test_a_contributor_cannot_bring_back_what_was_published(world):
    event = world.make("events", author=world.ids["contributor"])
    world.delete(f"/events/{event['id']}")
    back = world.put(f"/events/{event['id']}", "contributor", json={"status": "draft"})
    assert (back.status_code, back.json()["code"]) == (403, "rest_forbidden")


def test_a_scheduled_event_in_the_trash_is_not_published_by_the_clock(world):
    event = world.make("events", date="2026-11-16")
    world.delete(f"/events/{event['id']}")
    world.clock.move(days=2)
    assert world.get(f"/events/{event['id']}").status_code == 403
    assert world.put(f"/events/{event['id']}", json={"status": "future"}).json()["status"] == "publish"
