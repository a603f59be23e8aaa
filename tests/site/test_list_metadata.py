"""Lists of events describe themselves: JSON-LD of their events, a description, and Open Graph tags."""

import json
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.calendar.pictures import drawn, encoded
from tests.conftest import BASE_URL
from tests.site.calendar_html import Element, Reader

LISTS = [
    "/events/month/2027-03/",
    "/events/week/2027-W10/",
    "/events/day/2027-03-10/",
    "/events/list/",
    "/venue/the-barn/",
    "/organizer/folk-club/",
    "/events/category/music/",
    "/events/tag/outdoors/",
]


@pytest.fixture(scope="module")
def club(build_world: Any) -> Any:
    world = build_world()
    linked = {
        "venue": world.make("venues", venue="The Barn")["id"],
        "organizer": world.make("organizers", organizer="Folk club")["id"],
        "categories": [world.make("categories", name="Music")["id"]],
        "tags": ["outdoors"],
    }
    world.make("events", title="Fiddles <3 & co", description="<p>Loud</p>", **linked)
    world.make("events", title="Protected", description="<p>hushed</p>", post_password="s3cret", **linked)
    world.make("events", title="Chess", **linked)
    world.make("events", title="Not public", status="draft", **linked)
    return world


def page_at(world: Any, path: str) -> Element:
    response = world.get(BASE_URL + path)
    assert response.status_code == 200, response.text
    assert "hushed" not in response.text
    assert "Not public" not in response.text
    return Reader(response.text).page


def data_of(page: Element) -> list[Any]:
    found = [script for script in page.all("script") if script.attributes.get("type") == "application/ld+json"]
    return [json.loads(script.text) for script in found]


def tags_of(page: Element) -> dict[str, str]:
    tags = (meta.attributes for meta in page.all("meta"))
    return {tag.get("property") or tag.get("name", ""): tag.get("content", "") for tag in tags}


@pytest.mark.parametrize("path", LISTS)
def test_a_list_has_the_json_ld_of_its_open_events(club: Any, path: str) -> None:
    events = data_of(page_at(club, path))[-1]
    assert [event["name"] for event in events] == ["Fiddles <3 & co", "Chess"]
    first = events[0]
    assert (first["@context"], first["@type"]) == ("https://schema.org", "Event")
    assert first.get("description") == (None if "/month/" in path else "Loud"), "a month is short"
    assert first["startDate"] == "2027-03-10T09:00:00-05:00"
    assert (first["location"]["name"], first["organizer"]["name"]) == ("The Barn", "Folk club")


@pytest.mark.parametrize("path", LISTS)
def test_a_list_has_a_description_and_open_graph_tags(club: Any, path: str) -> None:
    page = page_at(club, path)
    tags = tags_of(page)
    assert tags["og:url"] == BASE_URL + path
    assert tags["og:site_name"] == "Test calendar"
    assert tags["og:title"].split() == page.one("h1").text.split()
    # A masked event matches no filter on what it hides.
    shown = ["Fiddles <3 & co", *(["Protected"] if path in LISTS[:4] else []), "Chess"]
    assert tags["description"] == tags["og:description"] == " · ".join(shown)


def test_a_list_without_events_has_no_json_ld(club: Any) -> None:
    page = page_at(club, "/events/month/2031-01/")
    assert data_of(page) == []
    assert tags_of(page)["description"] == "January 2031 · Test calendar"


def test_a_month_describes_its_events_alike_with_and_without_what_is_prerendered(make_world: Any) -> None:
    """More events than the grid shows, with all that JSON-LD can say: a list is in short what an event is."""
    world = make_world(cache_size="0")
    places = [world.make("venues", venue=f"Hall {n}", city="Town", description="Much")["id"] for n in range(2)]
    people = [world.make("organizers", organizer=f"Club {n}", email="a@b.example")["id"] for n in range(2)]
    picture = world.upload(encoded(drawn(8, 8), "PNG"))["id"]
    world.make(
        "events",
        title="100 % <b> \u2028",
        description=f"<p>{'Long words. ' * 30}</p>",
        image=picture,
        cost="5-10",
        venue=places,
        organizer=people,
    )
    world.make("events", title="Nowhere", all_day=True, event_status="cancelled")
    world.make("events", title="Hidden", post_password="s3cret", venue=places[0])
    world.make("events", title="Weekly", recurrence="FREQ=WEEKLY;COUNT=3", venue=places[1])
    for number in range(8):
        world.make("events", title=f"Other {number}", venue=places[number % 2])
    month = "/events/month/2027-03/"
    prerendered = data_of(page_at(world, month))
    with world.calendar.store.write() as session:
        session.run("DELETE FROM fragment")
    assert data_of(page_at(world, month)) == prerendered
    (events,) = prerendered
    assert [event["name"] for event in events].count("Weekly") == 3
    assert len(events) == 2 + 3 + 8, "all but the masked one"
    first = next(event for event in events if event["name"].startswith("100 %"))
    assert first["location"] == [{"@type": "Place", "name": f"Hall {n}", **one} for n, one in enumerate(WHERE)]


WHERE = [
    {
        "url": f"{BASE_URL}/venue/hall-{n}/",
        "address": {"@type": "PostalAddress", "addressLocality": "Town"},
    }
    for n in range(2)
]


def test_a_venue_comes_before_its_events(club: Any) -> None:
    venue, events = data_of(page_at(club, "/venue/the-barn/"))
    assert (venue["@type"], len(events)) == ("Place", 2)


def test_the_picture_of_a_list_is_that_of_an_open_event(make_world: Any) -> None:
    world = make_world()
    pictures = [world.upload(encoded(drawn(width, 8), "PNG")) for width in (8, 9)]
    world.make("events", title="A", image=pictures[0]["id"], post_password="s3cret")
    world.make("events", title="B", image=pictures[1]["id"])
    assert tags_of(page_at(world, "/events/day/2027-03-10/"))["og:image"] == pictures[1]["url"]
    assert tags_of(page_at(world, "/events/month/2027-03/"))["og:image"] == pictures[1]["url"]


def test_every_page_has_a_whole_social_card(make_world: Any) -> None:
    """With a picture: that of the page, else the logo of the site, else its icon."""
    world = make_world()
    venue = world.make("venues", venue="The Barn", city="Merrow", phone="555 1234")
    world.make("events", title="Dance", venue=venue["id"])
    paths = ["/events/month/2027-03/", "/events/list/", "/event/dance/", "/venue/the-barn/", "/venues/"]
    for path in paths:
        tags = tags_of(page_at(world, path))
        wanted = {"og:type", "og:site_name", "og:title", "og:description", "og:url", "og:image", "og:image:alt"}
        assert all(tags.get(name) for name in (*wanted, "twitter:card")), path
        assert tags["og:image"].startswith(f"{BASE_URL}/static/")
        assert tags["og:image"].endswith("/icon-512.png")
    file = ("logo.png", encoded(drawn(8, 8), "PNG"), "image/png")
    AdminClient(world, "administrator").post("/admin/settings/look", {}, files={"logo": file})
    for path in paths:
        tags = tags_of(page_at(world, path))
        assert tags["og:image"] == tags["twitter:image"]
        assert tags["og:image"].startswith(f"{BASE_URL}/look/")
        assert world.get(tags["og:image"]).headers["Content-Type"] == "image/png"


def test_a_list_says_of_a_place_only_where_it_is(make_world: Any) -> None:
    world = make_world()
    venue = {"venue": "The Barn", "city": "Merrow", "phone": "555 1234", "description": "Old."}
    world.make("events", title="Dance", venue=venue)
    ((event,),) = data_of(page_at(world, "/events/month/2027-03/"))
    assert event["location"].keys() == {"@type", "name", "url", "address"}
    assert event["location"]["address"]["addressLocality"] == "Merrow"


def test_a_full_month_describes_its_own_days_first(make_world: Any) -> None:
    world = make_world()
    for number in range(110):
        world.make("events", title=f"E{number}", start_date="2027-03-31", end_date="2027-03-31")
    world.make("events", title="April", start_date="2027-04-05", end_date="2027-04-05")
    (events,) = data_of(page_at(world, "/events/month/2027-04/"))
    assert [event["name"] for event in events] == ["April"]
    (march,) = data_of(page_at(world, "/events/month/2027-03/"))
    assert len(march) == 100
