"""The way back to an earlier version, where what the version named is gone, taken or hidden by now."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.pictures import png

pytestmark = pytest.mark.both_stores

WEEKLY = {"start_date": "2027-03-02 19:00:00", "end_date": "2027-03-02 21:00:00"}
NAME_FIELD = {"events": "title", "venues": "venue", "organizers": "organizer", "categories": "name", "tags": "name"}


def revs(page: str) -> list[str]:
    return re.findall(r'name="rev" value="(\d+)"', page)


def restore(world: World, path: str, who: str = "editor", number: int = 0) -> str:
    """Restores the version before the newest change, or one further back; what the next page says."""
    admin = AdminClient(world, who)
    page = admin.get(f"/admin{path}/history").text
    answer = admin.post(f"/admin{path}/history", {"rev": revs(page)[number]})
    assert not answer.headers["location"].endswith("/history"), admin.message()
    return admin.message()


def image(world: World) -> int:
    return int(world.upload(png(500, 400, colour="teal"), name="boats.png")["id"])


def delete_image(world: World, id: int) -> None:
    AdminClient(world, "editor").post(f"/admin/media/{id}/delete")


@pytest.mark.parametrize("plural", ["events", "venues", "organizers"])
def test_a_version_comes_back_without_its_deleted_picture(world: World, plural: str) -> None:
    picture, name = image(world), NAME_FIELD[plural]
    path = f"/{plural}/{world.make(plural, **{name: 'Old', 'image': picture})['id']}"
    world.post(path, json={name: "New", "image": ""})
    delete_image(world, picture)
    said = restore(world, path)
    assert world.get(path).json()[name] == "Old"
    assert not world.get(path).json().get("image")
    assert "Picture" in said


def test_a_version_comes_back_without_records_that_are_gone(world: World) -> None:
    named = {
        "venue": world.make("venues", venue="Hall")["id"],
        "organizer": world.make("organizers", organizer="Club")["id"],
        "categories": world.make("categories", name="Music")["id"],
        "tags": world.make("tags", name="loud")["id"],
    }
    kept = world.make("venues", venue="Barn")["id"]
    sent: dict[str, Any] = {field: [id] for field, id in named.items()} | {"venue": [named["venue"], kept]}
    path = f"/events/{world.make('events', title='Old', **sent)['id']}"
    world.post(path, json={"title": "New", **{field: [] for field in named}})
    for field, plural in (
        ("venue", "venues"),
        ("organizer", "organizers"),
        ("categories", "categories"),
        ("tags", "tags"),
    ):
        assert world.delete(f"/{plural}/{named[field]}?force=true").status_code == 200
    said = restore(world, path)
    event = world.get(path).json()
    assert event["title"] == "Old"
    assert event["venue"]["venue"] == "Barn"
    assert all(label in said for label in ("Venue", "Organizer", "Categories", "Tags"))


def test_a_link_to_what_is_in_the_trash_comes_back_and_is_said_not_to_show(world: World) -> None:
    hall = world.make("venues", venue="Hall")["id"]
    path = f"/events/{world.make('events', venue=[hall])['id']}"
    world.post(path, json={"venue": []})
    world.delete(f"/venues/{hall}")
    assert "In the trash, and shown again once restored: Venue." in restore(world, path)
    assert world.get(path).json()["venue"] == []
    world.post(f"/venues/{hall}", json={"status": "publish"})
    assert world.get(path).json()["venue"]["id"] == hall


def test_nothing_is_said_to_be_missing_when_everything_comes_back(world: World) -> None:
    path = f"/events/{world.make('events', title='Old', tags=['loud'], image=image(world))['id']}"
    world.post(path, json={"title": "New", "image": "", "tags": []})
    assert restore(world, path) == "The earlier version was restored."


def test_a_version_comes_back_without_a_parent_that_is_gone(world: World) -> None:
    festival = world.make("events", title="Festival")["id"]
    path = f"/events/{world.make('events', title='Old', post_parent=festival)['id']}"
    world.post(path, json={"title": "New", "post_parent": 0})
    world.delete(f"/events/{festival}?force=true")
    assert "Part of" in restore(world, path)
    assert (world.get(path).json()["title"], world.get(path).json()["post_parent"]) == ("Old", 0)


def test_a_category_comes_back_without_a_parent_that_is_gone(world: World) -> None:
    arts = world.make("categories", name="Arts")["id"]
    path = f"/categories/{world.make('categories', name='Old', parent=arts)['id']}"
    world.post(path, json={"name": "New"})
    world.delete(f"/categories/{arts}")
    assert "Belongs to" in restore(world, path, number=1)
    assert (world.get(path).json()["name"], world.get(path).json()["parent"]) == ("Old", 0)


def test_what_cannot_be_as_it_was_stays_as_it_is(world: World) -> None:
    upper, lower = (world.make("categories", name=name)["id"] for name in ("Upper", "Lower"))
    path = f"/categories/{lower}"
    world.post(path, json={"parent": upper, "description": "Old"})
    world.post(path, json={"parent": 0, "description": "New"})
    world.post(f"/categories/{upper}", json={"parent": lower})
    said = restore(world, path)  # its parent then is below it now
    assert (world.get(path).json()["description"], world.get(path).json()["parent"]) == ("Old", 0)
    assert "Belongs to" in said


def test_a_name_an_address_and_an_identity_that_are_taken_stay_as_they_are(world: World) -> None:
    tag = world.make("tags", name="Old", description="Of old")["id"]
    world.post(f"/tags/{tag}", json={"name": "New", "slug": "new", "description": "Of late"})
    world.make("tags", name="Old")
    said = restore(world, f"/tags/{tag}")
    found = world.get(f"/tags/{tag}").json()
    assert found["name"] == "New"
    assert "Of old" in found["description"]
    assert "Name" in said
    hall = world.make("venues", venue="Hall", source="town", external_id="7")["id"]
    world.post(f"/venues/{hall}", json={"source": "city", "external_id": "8", "venue": "Renamed", "slug": "renamed"})
    world.make("venues", venue="Hall", source="town", external_id="7")
    said = restore(world, f"/venues/{hall}")
    venue = world.get(f"/venues/{hall}").json()
    assert (venue["venue"], venue["source"], venue["external_id"]) == ("Hall", "city", "8")
    assert "Address of its page" in said


def test_who_may_not_say_where_a_record_comes_from_restores_the_rest(world: World) -> None:
    path = f"/events/{world.make('events', who='author', title='Old')['id']}"
    world.post(path, json={"title": "New", "source": "town", "external_id": "7"})
    said = restore(world, path, "author")
    found = world.get(path).json()
    assert (found["title"], found["external_id"]) == ("Old", "7")
    assert "Number at the source" in said


def test_a_date_of_a_series_comes_back_after_the_first_was_trashed(world: World) -> None:
    made = world.make("events", title="Choir", recurrence="FREQ=WEEKLY;COUNT=3", **WEEKLY)
    events = world.get(f"/events?series={made['series']}&start_date=2027-01-01").json()["events"]
    path = f"/events/{events[1]['id']}"
    world.post(path, json={"title": "Songs"})
    world.delete(f"/events/{events[0]['id']}")
    assert world.get(path).json()["post_parent"] == 0
    said = restore(world, path, number=1)
    assert world.get(path).json()["title"] == "Choir"
    assert said == "The earlier version was restored."


def test_a_date_that_was_part_of_a_series_comes_back_as_the_single_event_that_it_is(world: World) -> None:
    made = world.make("events", title="Choir", recurrence="FREQ=WEEKLY;COUNT=2", **WEEKLY)
    events = world.get(f"/events?series={made['series']}&start_date=2027-01-01").json()["events"]
    path = f"/events/{events[1]['id']}"
    world.post(f"/events/{made['id']}?scope=all", json={"recurrence": "", "title": "Songs"})
    said = restore(world, path)
    found = world.get(path).json()
    assert (found["title"], found["series"], found["post_parent"]) == ("Choir", None, 0)
    assert "Repeats" in said


@pytest.mark.parametrize("plural", ["venues", "organizers", "categories", "tags"])
def test_a_version_from_before_a_merge_gets_the_record_that_stays(world: World, plural: str) -> None:
    field = {"venues": "venue", "organizers": "organizer"}.get(plural, plural)
    old, new = (world.make(plural, **{NAME_FIELD[plural]: name})["id"] for name in ("Old", "New"))
    path = f"/events/{world.make('events', title='Fair', **{field: [old]})['id']}"
    world.post(path, json={"title": "Market", field: []})
    AdminClient(world, "editor").post(f"/admin/{plural}/merge", {"id": str(old), "into": str(new)})
    assert restore(world, path) == "The earlier version was restored."
    found = world.get(path).json()[field]
    assert [one["id"] for one in (found if isinstance(found, list) else [found])] == [new]


def test_a_version_with_both_merged_records_gets_one(world: World) -> None:
    old, new = (world.make("venues", venue=name)["id"] for name in ("Old", "New"))
    path = f"/events/{world.make('events', venue=[old, new])['id']}"
    world.post(path, json={"venue": []})
    AdminClient(world, "editor").post("/admin/venues/merge", {"id": str(old), "into": str(new)})
    assert restore(world, path) == "The earlier version was restored."
    assert world.get(path).json()["venue"]["id"] == new


def test_a_category_below_a_merged_one_goes_below_the_one_that_stays(world: World) -> None:
    old, new = (world.make("categories", name=name)["id"] for name in ("Old", "New"))
    path = f"/categories/{world.make('categories', name='Jazz', parent=old)['id']}"
    world.post(path, json={"parent": 0})
    AdminClient(world, "editor").post("/admin/categories/merge", {"id": str(old), "into": str(new)})
    assert restore(world, path) == "The earlier version was restored."
    assert world.get(path).json()["parent"] == new


def test_a_merged_record_that_came_back_from_the_trash_is_itself_again(world: World) -> None:
    old, new = (world.make("venues", venue=name)["id"] for name in ("Old", "New"))
    path = f"/events/{world.make('events', venue=[old])['id']}"
    world.post(path, json={"venue": []})
    AdminClient(world, "editor").post("/admin/venues/merge", {"id": str(old), "into": str(new)})
    world.post(f"/venues/{old}", json={"status": "publish"})
    restore(world, path)
    assert world.get(path).json()["venue"]["id"] == old


@pytest.mark.parametrize("plural", ["events", "venues", "organizers"])
def test_what_was_trashed_comes_back_and_the_page_says_that_it_is_public(world: World, plural: str) -> None:
    path = f"/{plural}/{world.make(plural, **{NAME_FIELD[plural]: 'Fair'})['id']}"
    world.delete(path)
    said = restore(world, path)
    assert world.get(path).json()["status"] == "publish"
    assert "Published" in said


def test_a_date_of_a_series_that_was_trashed_comes_back_into_the_series(world: World) -> None:
    made = world.make("events", title="Choir", recurrence="FREQ=WEEKLY;COUNT=3", **WEEKLY)
    events = world.get(f"/events?series={made['series']}&start_date=2027-01-01").json()["events"]
    path = f"/events/{events[0]['id']}"
    world.delete(path)
    assert len(world.get(f"/events?series={made['series']}&start_date=2027-01-01").json()["events"]) == 2
    assert "Published" in restore(world, path)
    found = world.get(f"/events?series={made['series']}&start_date=2027-01-01").json()["events"]
    assert [event["id"] for event in found] == [event["id"] for event in events]
    assert not found[0]["recurrence"]["exceptions"]


def test_a_version_that_was_public_is_said_to_be_public_again(world: World) -> None:
    made = world.make("events", who="author", title="Fair")
    path = f"/events/{made['id']}"
    world.post(path, who="editor", json={"status": "private", "title": "Hidden fair"})
    assert "Published" in restore(world, path, "author")
    world.post(path, who="editor", json={"title": "Market"})
    assert restore(world, path, "author") == "The earlier version was restored."


def test_a_contributor_publishes_nothing_by_restoring(world: World) -> None:
    made = world.make("events", who="contributor", title="Fair")
    path = f"/events/{made['id']}"
    world.post(path, json={"status": "publish"})
    world.post(path, json={"status": "draft", "title": "Sent back"})
    said = restore(world, path, "contributor")
    assert world.get(path, "contributor").json()["status"] == "pending"
    assert "Waiting for review" in said


def test_a_record_that_is_hidden_by_now_stays_away_and_is_not_named(world: World) -> None:
    hall = world.make("venues", venue="Secret hall")["id"]
    path = f"/events/{world.make('events', who='author', title='Old', venue=[hall])['id']}"
    world.post(path, who="author", json={"title": "New", "venue": []})
    world.post(f"/venues/{hall}", json={"status": "private"})
    admin = AdminClient(world, "author")
    assert "Secret hall" not in admin.get(f"/admin{path}/history").text
    said = restore(world, path, "author")
    assert world.get(path).json()["title"] == "Old"
    assert "Venue" in said
    assert "Secret hall" not in said


def test_a_password_that_the_version_had_is_said_to_be_missing(world: World) -> None:
    path = f"/events/{world.make('events', title='Old', post_password='sesame')['id']}"
    world.post(path, json={"title": "New", "post_password": ""})
    assert "Password" in restore(world, path)
    assert world.get(path).json()["title"] == "Old"


FULL: Sequence[tuple[str, dict[str, Any], dict[str, Any]]] = (
    (
        "events",
        {
            "start_date": "2026-11-01T01:30:00-05:00",  # the second of two hours
            "end_date": "2026-11-01 04:00:00",
            "tickets": [{"name": "Seat", "price": "5", "starts": "2026-10-01 09:00:00"}],
            "cost": ["5", "10"],
            "all_day": False,
            "website": "https://example.org/",
            "sticky": True,
        },
        {"start_date": "2027-01-01 10:00", "end_date": "2027-01-01", "all_day": True, "tickets": [], "cost": ""},
    ),
    ("venues", {"geo_lat": 52.5, "geo_lng": 13.4, "stateprovince": "Ohio"}, {"geo_lat": 50, "geo_lng": 13.4}),
    ("venues", {"geo_lat": None, "geo_lng": None}, {"geo_lat": 50, "geo_lng": 13.4, "stateprovince": "Utah"}),
    ("organizers", {"email": "a@example.org", "phone": "1"}, {"email": "", "phone": ""}),
    ("categories", {"color": "#123456", "slug": "first"}, {"color": "", "slug": "second"}),
)


@pytest.mark.parametrize(("plural", "before", "after"), FULL)
def test_every_field_comes_back(world: World, plural: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    path = f"/{plural}/{world.make(plural, **{NAME_FIELD[plural]: 'Fair'}, **before)['id']}"
    first = world.get(path).json()
    assert world.post(path, json=after).status_code == 200
    assert restore(world, path) == "The earlier version was restored."
    changing = {"modified", "modified_utc", "modified_utc_details", "rev", "json_ld"}
    found = world.get(path).json()
    assert {key: value for key, value in found.items() if key not in changing} == {
        key: value for key, value in first.items() if key not in changing
    }
