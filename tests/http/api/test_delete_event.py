"""DELETE of one event, by id and by slug. The life in the trash is in test_trash."""

import pytest

WAYS = ("id", "slug")


def path(event, way="id"):
    return f"/events/{event['id']}" if way == "id" else f"/events/by-slug/{event['slug']}"


@pytest.mark.parametrize("way", WAYS)
def test_delete_answers_the_record_as_it_then_is(world, way):
    event = world.make("events", title="Gone", venue={"venue": "Hall"}, tags=["loud"])
    world.clock.move(minutes=1)
    response = world.delete(path(event, way))
    assert response.status_code == 200
    changed = {"status": "trash", "modified": "2026-11-15 07:01:00", "modified_utc": "2026-11-15 12:01:00"}
    assert response.json() == event | changed | {"rev": response.json()["rev"]}
    assert world.get(path(event)).json()["code"] == "event-no-longer-available"


# Who, whose record, its status → by id, by slug.
RIGHTS = [
    ("anonymous", "author", "publish", 401, 401), ("subscriber", "author", "publish", 403, 403),
    ("contributor", "contributor", "draft", 200, 200), ("contributor", "contributor", "publish", 403, 403),
    ("contributor", "other_contributor", "draft", 403, 404), ("author", "author", "publish", 200, 200),
    ("author", "other_author", "publish", 403, 403), ("author", "other_author", "private", 403, 404),
    ("editor", "author", "private", 200, 200), ("administrator", "author", "publish", 200, 200),
]  # fmt: skip


@pytest.mark.parametrize("force", ["false", "true"])
@pytest.mark.parametrize(("who", "owner", "status", "by_id", "by_slug"), RIGHTS)
def test_who_may_delete_what(world, who, owner, status, by_id, by_slug, force):
    for way, expected in (("id", by_id), ("slug", by_slug)):
        event = world.make("events", author=world.ids[owner], status=status)
        count = world.count()
        response = world.delete(path(event, way), who, params={"force": force})
        assert response.status_code == expected
        assert (world.count() == count) == (expected != 200)


@pytest.mark.parametrize("path", ["/events/999", f"/events/{'9' * 40}", "/events/by-slug/nothing"])
def test_an_unknown_event_is_404(world, path):
    response = world.delete(path)
    assert (response.status_code, response.json()["code"]) == (404, "rest-event-not-found")


def test_an_id_of_another_kind_is_not_found(world, refs):
    for kind in ("venue", "organizer", "image"):
        assert world.delete(f"/events/{refs[kind][0]}").status_code == 404
    assert world.read("venues", refs["venue"][0])["status"] == "publish"


def test_a_force_that_is_no_boolean_is_400(world):
    event = world.make("events")
    response = world.delete(path(event), params={"force": "perhaps"})
    assert response.status_code == 400
    assert list(response.json()["data"]["params"]) == ["force"]
    assert world.read("events", event["id"])["status"] == "publish"


def test_children_of_an_event_deleted_for_good_stand_alone(world):
    parent = world.make("events")
    child = world.make("events", post_parent=parent["id"])
    world.delete(path(parent))
    assert world.read("events", child["id"])["post_parent"] == parent["id"]
    world.delete(path(parent), params={"force": "true"})
    assert world.read("events", child["id"])["post_parent"] == 0


def test_a_deleted_event_leaves_its_venue_and_terms(world, refs):
    event = world.make("events", venue=refs["venue"][0], categories=[refs["category"][0]])
    assert world.read("categories", refs["category"][0])["count"] == 1
    world.delete(path(event))
    assert world.read("categories", refs["category"][0])["count"] == 0
    assert world.read("venues", refs["venue"][0])["status"] == "publish"
