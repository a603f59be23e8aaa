"""The front view: large pictures, today, this weekend and what comes next, with each series once."""

from typing import Any

import pytest
from tests.calendar.pictures import drawn, encoded
from tests.conftest import BASE_URL
from tests.site.calendar_html import Element, Reader

pytestmark = pytest.mark.both_stores


@pytest.fixture
def town(make_world: Any) -> Any:
    """The tests begin on a Sunday, 2026-11-15."""
    world = make_world(home_view="front")
    picture = world.upload(encoded(drawn(8, 8), "PNG"))["id"]

    def make(title: str, start: str, **more: Any) -> None:
        world.make("events", title=title, start_date=f"{start} 19:00", end_date=f"{start} 21:00", **more)

    make("Gala", "2026-12-24", featured=True, image=picture)
    make("Featured, without a picture", "2026-12-01", featured=True)
    make("Secret", "2026-11-15", featured=True, image=picture, post_password="sesame")
    make("Concert", "2026-11-17", image=picture, categories=["Music"])
    make("Tonight", "2026-11-15")
    make("Choir", "2026-11-15", recurrence="FREQ=WEEKLY;COUNT=9")
    make("Walk", "2026-11-18", cost="Donation")
    make("Past", "2026-11-01", image=picture)
    make("Draft", "2026-11-15", status="draft", image=picture)
    return world


def page_at(world: Any, path: str) -> Element:
    response = world.get(BASE_URL + path)
    assert response.status_code == 200, response.text
    return Reader(response.text).page


def names(part: Element) -> list[str]:
    return [name.text.removeprefix("★Featured: ") for name in part.all("a", "name")]


def test_it_has_large_pictures_today_and_what_comes_next_each_series_once(town: Any) -> None:
    page = page_at(town, "/events/")
    assert page.one("h1").text == "What’s on"
    assert names(page.one("ul", "large")) == ["Gala", "Concert"], "those that have one and are open"
    sections = {section.one("h2").text.strip(): names(section) for section in page.all("section", "front")}
    assert list(sections) == ["Today", "Coming up"], "Sunday is this weekend, and in it already"
    assert sorted(sections["Today"]) == ["Choir", "Secret", "Tonight"]
    assert sections["Coming up"] == ["Walk", "Featured, without a picture"]


def test_what_is_over_makes_room_and_what_is_cancelled_is_not_large(town: Any) -> None:
    picture = town.upload(encoded(drawn(8, 8), "PNG"))["id"]
    day = {"start_date": "2026-12-20", "all_day": True, "featured": True, "image": picture}
    town.make("events", title="No gala", event_status="cancelled", **day)
    town.make("events", title="Breakfast", start_date="2026-11-15 05:00", end_date="2026-11-15 06:00")
    weekly = {"start_date": "2026-11-15 05:00", "end_date": "2026-11-15 06:00", "recurrence": "FREQ=WEEKLY;COUNT=9"}
    town.make("events", title="Early run", **weekly)
    page = page_at(town, "/events/")  # at seven in the morning
    assert names(page.one("ul", "large")) == ["Gala", "Concert"]
    today, coming = [names(section) for section in page.all("section", "front")]
    assert sorted(today) == ["Choir", "Secret", "Tonight"]
    assert "Early run" in coming, "its next date"
    town.clock.move(hours=15)
    page = page_at(town, "/events/")
    assert [section.one("h2").text.strip() for section in page.all("section", "front")] == ["Coming up"]


def test_the_other_views_are_where_they_were(town: Any) -> None:
    page = page_at(town, "/events/")
    assert [link.text for link in page.one("nav", "views").all("a")] == ["Highlights", "Month", "Week", "Day", "List"]
    assert page_at(town, "/events/month/").one("a", "today").attributes["href"] == "/events/month/"
    german = page_at(town, "/events/?lang=de")
    assert [section.one("h2").text.strip() for section in german.all("section", "front")] == ["Heute", "Demnächst"]


def test_what_is_filtered_is_a_list(town: Any) -> None:
    page = page_at(town, "/events/?categories=music")
    assert page.one("h1").text == "Upcoming events"
    assert names(page.one("main")) == ["Concert"]
    assert page.one("title").text == "Upcoming events · Music · Test calendar"


def test_free_is_what_costs_nothing(make_world: Any) -> None:
    world = make_world()
    costs = ("0", "Free", "Free entry", "Donation", "Eintritt frei", "12", "Free – 12", "")
    for number, cost in enumerate(costs):
        world.make("events", title=f"E{number}", cost=cost)
    found = world.get("/events", params={"free": "true", "per_page": 20}).json()["events"]
    assert sorted(event["title"] for event in found) == ["E0", "E1", "E2", "E3", "E4"]


def test_an_empty_calendar_and_empty_filters_have_their_own_words(make_world: Any) -> None:
    world = make_world(home_view="front")
    for path in ("/events/", "/events/month/", "/events/list/"):
        assert page_at(world, path).one("p", "words").text == "There are no events in this calendar yet."
    world.make("events", title="A", start_date="2030-01-01 10:00", end_date="2030-01-01 11:00", categories=["Music"])
    assert "Nothing is planned for this month" in page_at(world, "/events/month/").one("p", "words").text
    assert page_at(world, "/events/list/?free=true").one("p", "words").text == "No events match these filters."


def test_a_list_from_a_day_says_so_and_begins_there(make_world: Any) -> None:
    world = make_world()
    for day in ("2026-11-20", "2026-12-03"):
        world.make("events", title=day, start_date=f"{day} 10:00", end_date=f"{day} 11:00")
    page = page_at(world, "/events/list/2026-12-01/")
    assert page.one("h1").text == "From Tuesday, December 1, 2026 on"
    assert names(page.one("main")) == ["2026-12-03"]
    assert page.text.count("Today") == 1
