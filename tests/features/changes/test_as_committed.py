"""Changes tell what a transaction did as a whole: what was public only within it is told to nobody."""

from typing import Any

import pytest
from tests.conftest import World
from tests.features.changes.mirror import Mirror

pytestmark = pytest.mark.both_stores

READERS = ("anonymous", "subscriber", "author", "contributor")


def followers(world: World) -> dict[str, Mirror]:
    found = {who: Mirror(world, who) for who in READERS}
    for mirror in found.values():
        mirror.follow()
    return found


def batch(world: World, *requests: dict[str, Any], atomic: bool = True) -> list[dict[str, Any]]:
    answer = world.post("/batch", "editor", json={"requests": [*requests], "atomic": atomic})
    assert answer.status_code == 207, answer.text
    found: list[dict[str, Any]] = answer.json()["responses"]
    assert all(one["status"] < 300 for one in found), found
    return found


def put(path: str, **body: Any) -> dict[str, Any]:
    return {"method": "PUT", "path": path, "body": body}


def delete(path: str) -> dict[str, Any]:
    return {"method": "DELETE", "path": path}


def told(mirror: Mirror, kind: str, id: int) -> list[dict[str, Any]]:
    mirror.follow()
    return [one for one in mirror.told if (one["kind"], one["id"]) == (kind, id)]


def new_event(world: World, **more: Any) -> dict[str, Any]:
    body = {"title": "A", "start_date": "2027-01-01 10:00:00", "end_date": "2027-01-01 11:00:00", **more}
    answer = world.post("/events", "editor", json=body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def new_venue(world: World, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = world.post("/venues", "editor", json={"venue": "Hall", **more}).json()
    return found


@pytest.mark.parametrize("atomic", [True, False])
@pytest.mark.parametrize("end", ["draft", "trash", "deleted"])
@pytest.mark.parametrize("kind", ["event", "venue"])
def test_what_was_public_only_within_a_transaction_is_told_to_nobody(
    world: World, kind: str, end: str, atomic: bool
) -> None:
    make = new_event if kind == "event" else new_venue
    record = make(world, status="draft", slug="before", source="there", external_id="e1")
    mirrors, path = followers(world), f"/{kind}s/{record['id']}"
    last = {
        "draft": put(path, status="draft"),
        "trash": delete(path),
        "deleted": delete(f"{path}?force=true"),
    }[end]
    batch(world, put(path, status="publish", slug="secret", external_id="e2"), last, atomic=atomic)
    for who, mirror in mirrors.items():
        assert told(mirror, kind, record["id"]) == [], who


@pytest.mark.parametrize("end", ["draft", "trash", "deleted"])
def test_what_is_gone_has_the_address_that_was_public(world: World, end: str) -> None:
    event = new_event(world, slug="public", source="there", external_id="e1")
    mirrors, path = followers(world), f"/events/{event['id']}"
    last = {
        "draft": put(path, status="draft"),
        "trash": delete(path),
        "deleted": delete(f"{path}?force=true"),
    }[end]
    batch(world, put(path, title="Other"), put(path, slug="secret", source="elsewhere", external_id="e2"), last)
    for who, mirror in mirrors.items():
        (gone,) = told(mirror, "event", event["id"])
        assert gone["change"] == "gone", who
        assert (gone["slug"], gone["source"], gone["external_id"]) == ("public", "there", "e1"), who


def test_what_was_created_and_deleted_is_told_to_nobody(world: World) -> None:
    mirrors = followers(world) | {"editor": Mirror(world, "editor")}
    mirrors["editor"].follow()
    before = new_event(world)["id"]
    for mirror in mirrors.values():
        mirror.follow()
    created = {
        "method": "POST",
        "path": "/events",
        "body": {"title": "B", "start_date": "2027-01-01 10:00:00", "end_date": "2027-01-01 11:00:00"},
    }
    batch(world, created, delete(f"/events/{before + 1}?force=true"))
    for who, mirror in mirrors.items():
        mirror.follow()
        assert mirror.told == [], who


def test_what_was_gone_before_is_told_as_it_was_then(world: World) -> None:
    event = new_event(world, slug="first")
    mirrors, path = followers(world), f"/events/{event['id']}"
    batch(world, put(path, status="draft"))
    batch(world, put(path, status="publish", slug="second"), put(path, status="draft"))
    for who, mirror in mirrors.items():
        (gone,) = told(mirror, "event", event["id"])
        assert (gone["change"], gone["slug"]) == ("gone", "first"), who
    batch(world, put(path, status="publish", slug="second"), put(path, status="draft"))
    for who, mirror in mirrors.items():
        assert told(mirror, "event", event["id"]) == [], who
    batch(world, put(path, status="publish", slug="third"))
    for who, mirror in mirrors.items():
        (changed,) = told(mirror, "event", event["id"])
        assert (changed["change"], changed["slug"]) == ("changed", "third"), who


def test_who_was_its_author_only_within_a_transaction_is_told_nothing(world: World) -> None:
    event = new_event(world, status="draft")
    mirrors, path = followers(world), f"/events/{event['id']}"
    batch(
        world,
        put(path, author=world.ids["author"]),
        put(path, author=world.ids["editor"]),
    )
    for who, mirror in mirrors.items():
        assert told(mirror, "event", event["id"]) == [], who


def test_a_term_that_was_renamed_and_deleted_is_gone_by_its_public_name(world: World) -> None:
    category = world.post("/categories", "editor", json={"name": "Music", "slug": "music"}).json()["id"]
    mirrors = followers(world)
    batch(world, put(f"/categories/{category}", slug="secret"), delete(f"/categories/{category}"))
    for who, mirror in mirrors.items():
        (gone,) = told(mirror, "category", category)
        assert (gone["change"], gone["slug"]) == ("gone", "music"), who


def test_what_is_hidden_from_lists_is_told_to_who_may_change_it_and_asks(world: World) -> None:
    event = new_event(world, slug="shown")
    path = f"/events/{event['id']}"
    mirrors = {(who, asks): Mirror(world, who, show_hidden=asks) for who in (*READERS, "editor") for asks in (0, 1)}
    for mirror in mirrors.values():
        mirror.follow()
    world.put(path, "editor", json={"hide_from_listings": True})
    for who, mirror in mirrors.items():
        (change,) = told(mirror, "event", event["id"])
        assert (change["change"], change["slug"]) == ("changed" if who == ("editor", 1) else "gone", "shown"), who
    world.put(path, "editor", json={"slug": "secret"})
    for who, mirror in mirrors.items():
        assert len(told(mirror, "event", event["id"])) == (who == ("editor", 1)), who
    world.delete(f"{path}?force=true", "editor")
    for who, mirror in mirrors.items():
        assert len(told(mirror, "event", event["id"])) == (who == ("editor", 1)), who
    hidden = new_event(world, hide_from_listings=True)["id"]
    for who, mirror in mirrors.items():
        assert len(told(mirror, "event", hidden)) == (who == ("editor", 1)), who
    world.put(f"/events/{hidden}", "editor", json={"hide_from_listings": False})
    for who, mirror in mirrors.items():
        (change,) = told(mirror, "event", hidden)
        assert change["change"] == "changed", who


def test_nothing_is_left_of_an_event_that_was_deleted_for_good(world: World) -> None:
    event = new_event(world)["id"]
    world.delete(f"/events/{event}?force=true", "editor")
    with world.calendar.store.read() as session:
        assert session.column("SELECT key FROM fragment WHERE kind = 'event'") == []
        assert session.column("SELECT id FROM change_before") == []
