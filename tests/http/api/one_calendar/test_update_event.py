"""POST, PUT and PATCH of one event, by id and by slug."""

import pytest
from tests.http.api.conftest import make_refs

WAYS = ("id", "slug")


def path(event, way="id"):
    return f"/events/{event['id']}" if way == "id" else f"/events/by-slug/{event['slug']}"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_the_three_methods_are_the_same_operation(world, method, way):
    event = world.make("events", title="Before", cost="5", description="Stays")
    response = world.ask(method, path(event, way), "administrator", json={"title": "After"})
    assert response.status_code == 200
    assert (response.json()["title"], response.json()["description"]) == ("After", "<p>Stays</p>")
    assert world.read("events", event["id"])["title"] == "After"
    assert "json_ld" not in response.json()


@pytest.mark.parametrize("way", WAYS)
def test_the_path_names_the_record_whatever_id_the_body_has(world, way):
    event, other = world.make("events", title="One"), world.make("events", title="Two")
    changed = world.put(path(event, way), json={"id": other["id"], "title": "Changed"}, params={"id": other["id"]})
    assert changed.json()["id"] == event["id"]
    assert world.read("events", other["id"])["title"] == "Two"


@pytest.mark.parametrize("way", WAYS)
def test_a_slug_in_the_body_renames_the_event(make_world, way):
    world = make_world()
    event = world.make("events", title="Old name")
    changed = world.put(path(event, way), json={"slug": "New Name"}).json()
    assert changed["slug"] == "new-name"
    assert changed["url"] == "http://calendar.test/event/new-name/"
    assert world.get("/events/by-slug/new-name").json()["id"] == event["id"]
    assert world.get("/events/by-slug/old-name").status_code == 404


def test_a_later_title_keeps_the_slug(make_world):
    world = make_world()
    event = world.make("events", title="Old name")
    assert world.put(path(event), json={"title": "Another"}).json()["slug"] == "old-name"


@pytest.mark.parametrize("empty", ["", None, "!!!"])
def test_an_empty_slug_asks_for_a_fresh_one_from_the_title(make_world, empty):
    world = make_world()
    event = world.make("events", title="Old name")
    assert world.put(path(event), json={"title": "New name", "slug": empty}).json()["slug"] == "new-name"


def test_a_slug_that_is_taken_gets_a_number_and_ones_own_stays(make_world):
    world = make_world()
    first, second = world.make("events", title="Jazz"), world.make("events", title="Blues")
    assert world.put(path(second), json={"slug": "jazz"}).json()["slug"] == "jazz-2"
    assert world.put(path(first), json={"slug": "jazz"}).json()["slug"] == "jazz"
    assert world.put(path(first), json={"slug": "Jazz"}).json()["slug"] == "jazz"


FULL = {
    "description": "D", "excerpt": "E", "website": "https://a.test/", "cost": "$5", "tickets": [{"name": "T"}],
    "categories": ["C"], "tags": ["T"], "venue": {"venue": "V"}, "organizer": {"organizer": "O"},
    "timezone": "Europe/Paris", "show_map": False, "show_map_link": False, "all_day": True,
    "hide_from_listings": True, "sticky": True, "featured": True,
}  # fmt: skip
CLEARED = [
    ("description", ("", None), ""), ("excerpt", ("", None), ""), ("website", ("", None), ""),
    ("cost", ("", None, []), ""),
    ("tickets", ("", None, []), []), ("categories", ("", None, [], 0, [""], [None]), []),
    ("tags", ("", None, []), []),
    ("venue", ("", None, [], 0, "0", [0], False), []), ("organizer", ("", None, [], 0, [""], [None]), []),
    ("image", ("", None, 0, "0", False), False), ("post_parent", ("", None, 0, "0"), 0),
    ("timezone", ("", None), "America/New_York"), ("show_map", (None,), True), ("show_map_link", (None,), True),
    ("all_day", (None,), False), ("hide_from_listings", (None,), False), ("sticky", (None,), False),
    ("featured", (None,), False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [(name, value, shown) for name, values, shown in CLEARED for value in values],
    ids=lambda value: repr(value)[:30],
)
def test_empty_and_null_clear_an_optional_field(world, refs, name, value, shown):
    event = world.make("events", image=refs["image"][0], post_parent=refs["event"][0], **FULL)
    assert event[name] != shown
    response = world.put(path(event), json={name: value})
    assert response.status_code == 200, response.text
    assert response.json()[name] == shown
    assert world.read("events", event["id"])[name] == shown


@pytest.mark.parametrize("value", ["", None])
@pytest.mark.parametrize("name", ["title", "status", "start_date", "end_date", "author", "date"])
def test_what_cannot_be_empty_is_400(world, name, value):
    event = world.make("events")
    count = world.count()
    response = world.put(path(event), json={name: value})
    assert response.status_code == 400
    assert list(response.json()["data"]["params"]) == [name]
    assert world.count() == count


def test_a_null_date_utc_changes_nothing(world):
    event = world.make("events", date="2026-01-01 10:00:00")
    assert world.put(path(event), json={"date_utc": None}).json()["date"] == "2026-01-01 10:00:00"


# Who, whose record, its status → by id, by slug.
RIGHTS = [
    ("anonymous", "author", "publish", 401, 401), ("anonymous", "author", "draft", 401, 401),
    ("subscriber", "author", "publish", 403, 403), ("subscriber", "author", "draft", 403, 403),
    ("contributor", "contributor", "draft", 200, 200), ("contributor", "contributor", "pending", 200, 200),
    ("contributor", "contributor", "publish", 403, 403), ("contributor", "contributor", "future", 403, 403),
    ("contributor", "author", "publish", 403, 403), ("contributor", "author", "draft", 403, 404),
    ("contributor", "other_contributor", "draft", 403, 404),
    ("author", "author", "publish", 200, 200), ("author", "author", "private", 200, 200),
    ("author", "other_author", "publish", 403, 403), ("author", "other_author", "draft", 403, 404),
    ("editor", "author", "draft", 200, 200), ("editor", "contributor", "publish", 200, 200),
    ("administrator", "contributor", "private", 200, 200),
]  # fmt: skip


@pytest.mark.parametrize(("who", "owner", "status", "by_id", "by_slug"), RIGHTS)
def test_who_may_update_what(world, who, owner, status, by_id, by_slug):
    body = {"date": "2027-01-01", "status": "publish"} if status == "future" else {"status": status}
    event = world.make("events", "administrator", author=world.ids[owner], **body)
    assert event["status"] == status
    for way, expected in (("id", by_id), ("slug", by_slug)):
        count = world.count()
        response = world.put(path(event, way), who, json={"title": f"By {way}"})
        assert response.status_code == expected
        if expected != 200:
            code = "rest-event-not-found" if expected == 404 else "rest_forbidden"
            assert response.json()["code"] == code
            assert world.count() == count


@pytest.mark.parametrize(
    ("who", "before", "asked", "after"),
    [
        ("contributor", "draft", "publish", "pending"), ("contributor", "pending", "draft", "draft"),
        ("contributor", "draft", "private", "pending"), ("contributor", "draft", "trash", "trash"),
        ("author", "publish", "draft", "draft"), ("author", "draft", "publish", "publish"),
        ("author", "draft", "future", "publish"), ("editor", "private", "pending", "pending"),
        ("editor", "publish", "trash", "trash"),
    ],
)  # fmt: skip
def test_the_moves_between_statuses(world, who, before, asked, after):
    event = world.make("events", "administrator", author=world.ids[who], status=before)
    assert world.put(path(event), who, json={"status": asked}).json()["status"] == after


def test_an_author_cannot_give_the_event_away_and_an_editor_can(world):
    event = world.make("events", "author")
    given = {"author": world.ids["other_author"]}
    assert world.put(path(event), "author", json=given).status_code == 403
    assert world.put(path(event), "author", json={"author": world.ids["author"]}).status_code == 200
    assert world.put(path(event), "editor", json=given).json()["author"] == str(given["author"])


def test_parameters_are_checked_before_the_record_and_the_record_before_its_right(world):
    foreign = world.make("events", "editor")
    assert world.put("/events/999", "author", json={"website": "nope"}).status_code == 400
    assert world.put(path(foreign), "author", json={"website": "nope"}).status_code == 400
    assert world.put("/events/999", "author", json={"website": ""}).status_code == 404
    assert world.put(path(foreign), "author", json={"website": ""}).status_code == 403
    assert world.put("/events/999", "anonymous", json={"website": "nope"}).status_code == 401


@pytest.mark.parametrize("path", ["/events/999", f"/events/{'9' * 40}", "/events/by-slug/nothing"])
def test_an_unknown_event_is_404(world, path):
    response = world.put(path, json={"title": "X"})
    assert (response.status_code, response.json()["code"]) == (404, "rest-event-not-found")


def test_an_event_may_not_be_above_itself(world):
    top = world.make("events")
    middle = world.make("events", post_parent=top["id"])
    bottom = world.make("events", post_parent=middle["id"])
    for parent in (top, middle, bottom):
        response = world.put(path(top), json={"post_parent": parent["id"]})
        assert response.status_code == 400
        assert list(response.json()["data"]["params"]) == ["post_parent"]
    assert world.put(path(bottom), json={"post_parent": top["id"]}).json()["post_parent"] == top["id"]


def test_an_update_moves_modified_and_rev_and_leaves_date(make_world):
    world = make_world()
    event = world.make("events")
    world.clock.move(hours=1)
    changed = world.put(path(event), json={"title": "Later"}).json()
    assert changed["modified_utc"] == "2026-11-15 13:00:00"
    assert changed["date"] == event["date"]
    assert changed["rev"] > event["rev"]


def test_what_was_renamed_shows_in_its_events_at_once(make_world):
    world = make_world()
    refs = make_refs(world)
    event = world.make("events", venue=refs["venue"][0], categories=[refs["category"][0]])
    world.put(f"/venues/{refs['venue'][0]}", json={"venue": "Renamed hall"})
    world.put(f"/categories/{refs['category'][0]}", json={"name": "Renamed category"})
    read = world.get(path(event)).json()
    assert (read["venue"]["venue"], read["categories"][0]["name"]) == ("Renamed hall", "Renamed category")
