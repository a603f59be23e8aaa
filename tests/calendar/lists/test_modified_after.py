"""`modified_after` on lists of every kind: a mirror that asks all of them for what changed has everything right."""

from typing import Any

import pytest

BASE = "http://calendar.test"
LISTS = {
    "events": "/events?starts_after=1900-01-01&orderby=id",
    "venues": "/venues?",
    "organizers": "/organizers?",
    "categories": "/categories?hide_empty=0",
    "tags": "/tags?hide_empty=0",
}
NAMES = {"events": "title", "venues": "venue", "organizers": "organizer", "categories": "name", "tags": "name"}


@pytest.fixture
def linked(world: Any) -> dict[str, int]:
    """The ids of an event and of what it shows, beside others."""
    world.make("events", title="Other", venue={"venue": "Barn"}, organizer={"organizer": "Farm"}, tags=["Out"])
    event = world.make(
        "events", venue={"venue": "Hall"}, organizer={"organizer": "Club"}, categories=["Music"], tags=["Indoor"]
    )
    world.clock.move(minutes=1)
    return {
        "events": event["id"],
        "venues": event["venue"]["id"],
        "organizers": event["organizer"][0]["id"],
        "categories": event["categories"][0]["id"],
        "tags": event["tags"][0]["id"],
    }


@pytest.mark.both_stores
@pytest.mark.parametrize("plural", LISTS)
def test_a_list_has_what_changed_since(world: Any, linked: dict[str, int], plural: str) -> None:
    since = world.clock().isoformat()
    path = f"{LISTS[plural]}&modified_after={since}Z"
    assert world.get(path).json()[plural] == []
    world.clock.move(minutes=1)
    world.put(f"/{plural}/{linked[plural]}", json={NAMES[plural]: "Renamed"})
    answer = world.get(path).json()
    assert [(one["id"], one[NAMES[plural]]) for one in answer[plural]] == [(linked[plural], "Renamed")]
    assert answer["total"] == 1
    shown = world.get(f"{path}&per_page=1").json().get("filters") or {}
    assert shown.get("modified_after", f"{since}Z") == f"{since}Z"
    assert world.get(f"{LISTS[plural]}&modified_after=nonsense").status_code == 400
    for other in LISTS.keys() - {plural}:
        assert world.get(f"{LISTS[other]}&modified_after={since}Z").json()[other] == []


def test_a_mirror_made_as_the_docs_say_is_exact(world: Any, linked: dict[str, int]) -> None:
    mirror = {plural: {one["id"]: one for one in world.get(path).json()[plural]} for plural, path in LISTS.items()}
    since = world.clock().isoformat()
    world.clock.move(minutes=1)
    for plural, name in NAMES.items():
        world.put(f"/{plural}/{linked[plural]}", json={name: "Renamed"})
    for plural, path in LISTS.items():
        mirror[plural] |= {one["id"]: one for one in world.get(f"{path}&modified_after={since}Z").json()[plural]}
    shown = {plural: {id: one[NAMES[plural]] for id, one in mirror[plural].items()} for plural in LISTS}
    for event in world.get(LISTS["events"]).json()["events"]:
        assert shown["events"][event["id"]] == event["title"]
        assert shown["venues"][event["venue"]["id"]] == event["venue"]["venue"]
        for plural, key in {"organizers": "organizer", "categories": "categories", "tags": "tags"}.items():
            assert all(shown[plural][one["id"]] == one[NAMES[plural]] for one in event[key])
