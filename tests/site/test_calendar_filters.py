"""Filters of the calendar pages, and invalid dates."""

import re
from typing import Any

import pytest
from tests.site.calendar_html import Element, Visit, World, cell, event, fetch, link, titles

from kalends.calendar.lists import filter_choices


def test_filters_apply_in_every_view(world: World, visit: Visit, chosen: dict[str, Any]) -> None:
    for query in (
        "categories=music",
        "categories=folk",
        "tags=outdoors",
        f"venue={chosen['barn']['id']}",
        f"organizer={chosen['club']['id']}",
        "featured=true",
        "search=fiddle",
        "geoloc_lat=52.01&geoloc_lng=5.01&geoloc_radius=20",
    ):
        month = visit(f"/events/month/2027-03/?{query}")
        assert [li.one("bdi").text for li in cell(month, 10).all("li")] == ["Fiddles"], query
        for path in ("week/2027-W10", "day/2027-03-10", "list"):
            assert titles(visit(f"/events/{path}/?{query}")) == ["Fiddles"], query


def test_links_keep_the_filters_and_each_can_be_removed(world: World, visit: Visit, chosen: dict[str, Any]) -> None:
    query = f"search=fiddle&categories=music&venue={chosen['barn']['id']}&featured=true"
    page = visit(f"/events/month/2027-03/?{query}&lang=de")
    kept = f"{query}&lang=de"
    assert link(page, "next") == f"/events/month/2027-04/?{kept}"
    views = [a.attributes["href"] for a in page.one("nav", "views").all("a")]
    assert views == [
        f"/events/{path}?{kept}"
        for path in ("month/2027-03/", "week/2027-W09/", "day/2027-03-01/", "list/2027-03-01/")
    ]
    removing = page.one("div", "active").all("a")
    assert ["The Barn" in a.text for a in removing] == [False, False, True, False, False]
    assert (
        removing[2].attributes["href"]
        == "/events/month/2027-03/?search=fiddle&categories=music&featured=true&lang=de"
    )
    assert removing[-1].attributes["href"] == "/events/month/2027-03/?lang=de"
    assert page.one("footer").all("a")[0].attributes["href"] == f"/subscribe?{kept}"
    offered = [a.attributes.get("href", "") for a in visit(f"/subscribe?{kept}").all("a")]
    assert any(f"/events.ics?{query}" in href for href in offered)


def test_the_feed_of_a_selection_has_the_same_events(world: World, chosen: dict[str, Any]) -> None:
    feed = fetch(world, "/events.ics?categories=music&featured=true")
    assert feed.status_code == 200
    assert re.findall(r"SUMMARY:(.*?)\r", feed.text) == ["Fiddles"]
    assert len(re.findall("SUMMARY:", fetch(world, "/events.ics").text)) == 2


def test_the_filter_form_offers_terms_with_events_as_a_tree(
    world: World, visit: Visit, chosen: dict[str, Any]
) -> None:
    world.make("categories", name="Empty")
    draft = world.make("venues", venue="Secret cellar", status="draft")
    event(world, "Hidden place", "2027-03-11 10:00", venue=draft["id"])
    page = visit("/events/month/2027-03/?categories=folk&date=")
    panel = page.one("details", "filters")
    categories, _, venues, _ = panel.all("fieldset")
    boxes = [(box.attributes["value"], "checked" in box.attributes) for box in categories.all("input")]
    assert boxes == [("music", False), ("folk", True)]
    assert [li.attributes.get("class", "") for li in categories.all("li")] == ["", "below-1"]
    assert "Secret cellar" not in page.text
    assert [label.text for label in venues.all("label")] == ["The Barn 1"]


def test_a_filter_takes_several_values(world: World, visit: Visit, chosen: dict[str, Any]) -> None:
    games = world.make("categories", name="Games")
    world.make("events", title="Chess again", categories=[games["id"]])
    for query in (
        "categories=folk&categories=games",
        "categories=folk,games",
        "categories[]=folk&categories[]=games",
    ):
        page = visit(f"/events/day/2027-03-10/?{query}")
        assert sorted(titles(page)) == ["Chess again", "Fiddles"]
        removing = [a.attributes["href"] for a in page.one("div", "active").all("a")]
        assert removing[:2] == [f"/events/day/2027-03-10/?categories={left}" for left in ("games", "folk")]
        ticked = [box.attributes["value"] for box in page.all("input") if "checked" in box.attributes]
        assert ticked == ["games", "folk"]


def counts(page: Element) -> dict[str, int]:
    """The numbers beside the choices of the panel of filters."""
    labels = [label for label in page.one("details", "filters").all("label") if label.all("span", "count")]
    return {label.one("bdi").text: int(label.one("span", "count").text) for label in labels}


@pytest.mark.both_stores
def test_choices_count_the_public_events_of_the_days_shown(world: World, visit: Visit) -> None:
    music = world.make("categories", name="Music")["id"]
    folk = world.make("categories", name="Folk", parent=music)["id"]
    hall = world.make("venues", venue="Hall")["id"]
    linked = {"categories": [folk], "venue": hall}
    event(world, "Until midnight", "2027-02-28 20:00", "2027-03-01 00:00", **linked)
    event(world, "Into March", "2027-02-28 20:00", "2027-03-01 01:00", **linked)
    event(world, "In March", "2027-03-31 23:00", "2027-04-02 01:00", categories=[music], tags=["late"])
    event(world, "A draft", "2027-03-02 10:00", status="draft", **linked)
    event(world, "A secret", "2027-03-02 10:00", post_password="word", **linked)
    event(world, "Hidden", "2027-03-02 10:00", hide_from_listings=True, **linked)
    event(world, "Long ago", "2020-03-02 10:00", tags=["late"], **linked)
    assert counts(visit("/events/month/2027-03/")) == {"Music": 2, "Folk": 1, "late": 1, "Hall": 1}
    assert counts(visit("/events/month/2027-02/")) == {"Music": 2, "Folk": 2, "late": 0, "Hall": 2}
    assert counts(visit("/events/day/2027-04-01/")) == {"Music": 1, "Folk": 0, "late": 1, "Hall": 0}
    # Those of lists are to come, or over.
    assert counts(visit("/events/list/?categories=folk"))["Music"] == 3
    assert counts(visit("/events/list/?past=1")) == {"Music": 1, "Folk": 1, "late": 1, "Hall": 1}
    event(world, "One more", "2027-05-02 10:00", **linked)
    assert counts(visit("/events/list/"))["Folk"] == 3


@pytest.mark.both_stores
def test_a_choice_is_counted_with_the_other_filters(world: World, visit: Visit, monkeypatch: Any) -> None:
    hall, barn = (world.make("venues", venue=name)["id"] for name in ("Hall", "Barn"))
    for number, (venue, category, tag) in enumerate(
        [(hall, "Music", "free"), (hall, "Music", "late"), (hall, "Games", "late"), (barn, "Music", "late")]
    ):
        event(world, f"Event {number}", f"2027-03-1{number} 19:00", venue=venue, categories=[category], tags=[tag])
    event(world, "A secret", "2027-03-12 10:00", venue=hall, categories=["Music"], post_password="word")
    event(world, "Over", "2020-03-12 10:00", venue=hall, categories=["Music"])
    for path in ("month/2027-03", "list", "list/2027-03-01"):
        found = counts(visit(f"/events/{path}/?venue={hall}"))
        assert found == {"Games": 1, "Music": 2, "free": 1, "late": 2, "Barn": 1, "Hall": 3}
        found = counts(visit(f"/events/{path}/?venue={hall}&categories=music"))
        assert found == {"Games": 1, "Music": 2, "free": 1, "late": 1, "Barn": 1, "Hall": 2}
        found = counts(visit(f"/events/{path}/?search=Event+3&tags=late"))
        assert found == {"Games": 0, "Music": 1, "free": 0, "late": 1, "Barn": 1, "Hall": 0}
    # A list that has no end may be too long for it; the days of a month are few.
    monkeypatch.setattr(filter_choices, "MOST_COUNTED", 2)
    event(world, "Another", "2027-03-19 19:00")
    assert counts(visit(f"/events/list/?venue={hall}")) == {"Barn": 1, "Hall": 3}
    assert counts(visit(f"/events/list/?venue={barn}"))["Music"] == 1
    assert counts(visit(f"/events/month/2027-03/?venue={hall}"))["Music"] == 2
    without = visit("/events/list/?search=Event")
    assert counts(without) == {}
    assert "The numbers count" not in without.one("main").text


def test_a_search_shows_what_is_over_apart(world: World, visit: Visit) -> None:
    event(world, "Jazz to come", "2027-03-10 19:00")
    for year in range(2010, 2022):
        event(world, f"Jazz of {year}", f"{year}-03-10 19:00")
    page = visit("/events/list/?search=jazz")
    assert page.one("h1").text == "1 result for “jazz”"
    assert page.one("p", "from").text == "Upcoming events · Past events (12)"
    assert titles(page)[:2] == ["Jazz to come", "Jazz of 2021"]
    over = page.one("section", "past")
    assert over.one("h2").text == "Past events 12"
    assert len(over.all("a", "name")) == 10
    assert over.all("a")[-1].attributes["href"] == "/events/list/?search=jazz&past=1"
    past = visit("/events/list/?search=jazz&past=1")
    assert len(titles(past)) == 12
    assert past.one("h1").text == "12 results for “jazz”"
    nothing = visit("/events/list/?search=nothing")
    assert not nothing.all("section", "past")
    assert nothing.one("h1").text == "0 results for “nothing”"
    assert not visit("/events/list/").all("section", "past")


def test_empty_form_fields_are_ignored(visit: Visit, chosen: dict[str, Any]) -> None:
    page = visit(
        "/events/month/2027-03/?categories=&tags=&venue=&organizer=&geoloc_radius=20&geoloc_lat=&geoloc_lng=&search="
    )
    assert len(cell(page, 10).all("li")) == 2
    assert not page.all("div", "active")


def test_a_filter_with_an_unknown_value_is_404(visit: Visit) -> None:
    for query in ("categories=nowhere", "venue=999", "venue=abc", "featured=perhaps", "geoloc_lat=99&geoloc_lng=5"):
        page = visit(f"/events/month/2027-03/?{query}", 404)
        assert page.one("main").one("a").attributes["href"] == "/events/"


def test_the_date_form_redirects_to_its_page(world: World, visit: Visit) -> None:
    for view, path in (
        ("month", "month/2027-03/"),
        ("week", "week/2027-W10/"),
        ("day", "day/2027-03-10/"),
        ("list", "list/2027-03-10/"),
    ):
        response = fetch(world, f"/events/{view}/?date=2027-03-10&search=a%26b&lang=de")
        assert response.status_code == 302
        assert response.headers["Location"] == f"/events/{path}?search=a%26b&lang=de"
    visit("/events/month/?date=2027-02-30", 404)


@pytest.mark.parametrize(
    "path",
    [
        "month/2027-13",
        "month/2027-00",
        "month/1899-12",
        "month/9999-01",
        "month/27-3",
        "month/now",
        "month/٢٠٢٧-٠٣",
        "week/2027-W54",
        "week/2027-W00",
        "week/2027-10",
        "day/2027-02-30",
        "day/2027-3-1",
        "day/0000-00-00",
        "list/2027-02-29",
    ],
)
def test_invalid_dates_are_404_with_a_link_to_the_calendar(visit: Visit, path: str) -> None:
    page = visit(f"/events/{path}/", 404)
    assert page.one("h1").text == "Page not found"
    assert page.one("main").one("a").attributes["href"] == "/events/"
    assert not [a for a in page.all("link") if a.attributes.get("rel") == "canonical"]
