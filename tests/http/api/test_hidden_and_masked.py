"""Hidden from listings is not secret, and a masked event matches no filter on what it hides."""

import pytest
from tests.store_checks import check

FIND = {"start_date": "2027-01-01", "end_date": "2028-01-01"}


def ids(response, plural: str = "events") -> list[int]:
    assert response.status_code == 200, response.text
    found = [record["id"] for record in response.json()[plural]]
    assert response.json()["total"] == len(found)
    return found


@pytest.fixture
def hidden(world, refs):
    """A published event that is hidden from listings, linked to everything; its categories and tags have no other."""
    above = world.make("categories", name="Above")["id"]
    below = world.make("categories", name="Below", parent=above)["id"]
    event = world.make(
        "events",
        title="Hidden",
        hide_from_listings=True,
        categories=[below],
        tags=[refs["tag"][0]],
        venue=refs["venue"][0],
        organizer=refs["organizer"][0],
    )
    return event | {"above": above, "below": below, "tag": refs["tag"][0]}


@pytest.mark.parametrize("who", ["anonymous", "subscriber", "author", "editor"])
def test_a_hidden_event_counts_for_everybody(world, hidden, refs, who):
    assert hidden["id"] not in ids(world.get("/events", who, params=FIND))
    assert world.read("categories", hidden["below"], who)["count"] == 1
    assert world.read("categories", hidden["above"], who)["count"] == 0
    assert world.read("tags", hidden["tag"], who)["count"] == 1
    assert ids(world.get("/categories", who), "categories") == [hidden["above"], hidden["below"]]
    assert ids(world.get("/tags", who), "tags") == [hidden["tag"]]
    by_count = world.get("/tags", who, params={"orderby": "count", "order": "desc", "hide_empty": "0"}).json()["tags"]
    assert by_count[0]["id"] == hidden["tag"]
    for plural in ("venues", "organizers"):
        kind = plural[:-1]
        assert ids(world.get(f"/{plural}", who, params={"has_events": "true"}), plural) == [refs[kind][0]]
        assert ids(world.get(f"/{plural}", who, params={"has_events": "false"}), plural) == [refs[kind][1]]
    check(world.calendar.store)


@pytest.mark.parametrize("name", ["event", "post"])
def test_the_terms_of_a_hidden_event_are_found_by_it(world, hidden, name):
    assert ids(world.get("/categories", params={name: hidden["id"]}), "categories") == [hidden["below"]]
    assert ids(world.get("/tags", params={name: hidden["id"]}), "tags") == [hidden["tag"]]


@pytest.mark.parametrize(
    "change",
    [
        {"status": "draft"},
        {"status": "trash"},
        {"post_password": "x"},
        {"status": "private"},
    ],
)
def test_a_hidden_event_counts_only_while_it_is_public(world, hidden, refs, change):
    world.put(f"/events/{hidden['id']}", json=change)
    assert world.read("tags", hidden["tag"], "anonymous")["count"] == 0
    assert ids(world.get("/categories"), "categories") == []
    assert ids(world.get("/venues", params={"has_events": "true"}), "venues") == []
    check(world.calendar.store)
    world.put(f"/events/{hidden['id']}", json={"status": "publish", "post_password": "", "hide_from_listings": False})
    assert world.read("tags", hidden["tag"], "anonymous")["count"] == 1
    check(world.calendar.store)


def test_the_counts_follow_when_categories_move_and_records_go(world, hidden, refs):
    other = world.make("categories", name="Other")["id"]
    world.put(f"/categories/{hidden['below']}", json={"parent": other})
    assert ids(world.get("/categories"), "categories") == [hidden["below"], other]
    check(world.calendar.store)
    world.delete(f"/categories/{hidden['below']}")
    assert ids(world.get("/categories"), "categories") == []
    world.delete(f"/venues/{refs['venue'][0]}?force=true")
    check(world.calendar.store)
    world.delete(f"/events/{hidden['id']}?force=true")
    assert ids(world.get("/tags"), "tags") == []
    check(world.calendar.store)


@pytest.fixture
def masked(world, refs):
    """A published event with a password and everything that a filter could look at."""
    hall = world.make("venues", venue="Hall with a place", geo_lat=48.0, geo_lng=2.0)["id"]
    event = world.make(
        "events",
        title="Masked",
        description="confidential",
        excerpt="secretive",
        featured=True,
        post_password="open",
        tickets=[{"name": "Seat"}],
        categories=[refs["category"][0]],
        tags=[refs["tag"][0]],
        venue=hall,
        organizer=refs["organizer"][0],
    )
    return event | {"hall": hall}


def filters(refs, masked) -> dict[str, dict]:
    return {
        "category": {"categories": refs["category"][0]},
        "tag": {"tags": "linked-a"},
        "venue": {"venue": masked["hall"]},
        "organizer": {"organizer": refs["organizer"][0]},
        "featured": {"featured": "true"},
        "ticketed": {"ticketed": "true"},
        "geoloc": {"geoloc": "true"},
        "near": {"geoloc_lat": 48, "geoloc_lng": 2},
        "description": {"search": "confidential"},
        "excerpt": {"search": "secretive"},
    }


def test_a_masked_event_matches_no_filter_on_what_it_hides(world, refs, masked):
    assert ids(world.get("/events", params=FIND | {"search": "Masked"})) == [masked["id"]]
    for name, asked in filters(refs, masked).items():
        assert ids(world.get("/events", params=FIND | asked)) == [], name
    for asked in ({"featured": "false"}, {"ticketed": "false"}, {"geoloc": "false"}):
        assert masked["id"] not in ids(world.get("/events", params=FIND | asked | {"include": masked["id"]})), asked


def test_with_its_password_it_matches(world, refs, masked):
    for name, asked in filters(refs, masked).items():
        assert ids(world.get("/events", params=FIND | asked | {"password": "open"})) == [masked["id"]], name
    for asked in ({"featured": "false"}, {"ticketed": "false"}, {"geoloc": "false"}):
        assert ids(world.get("/events", params=asked | {"include": masked["id"], "password": "open"})) == [], asked


def test_no_count_shows_a_masked_event_through_what_it_hides(world, refs, masked):
    assert world.read("categories", refs["category"][0], "anonymous")["count"] == 0
    assert ids(world.get("/tags"), "tags") == []
    assert ids(world.get("/categories", params={"event": masked["id"], "hide_empty": "0"}), "categories") == []
    assert ids(world.get("/venues", params={"event": masked["id"]}), "venues") == []
    assert ids(world.get("/venues", params={"has_events": "true"}), "venues") == []
    assert ids(world.get("/organizers", params={"only_with_upcoming": "true"}), "organizers") == []
    assert world.read("categories", refs["category"][0], "editor")["count"] == 1
