"""Filters of the calendar pages, and invalid dates."""

import re
from typing import Any

import pytest
from tests.pages.calendar_html import BASE_URL, Visit, World, cell, event, fetch, link, titles


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
    selects = {select.attributes["name"]: select for select in page.all("select")}
    options = [
        (o.attributes["value"], "".join(o.words), "selected" in o.attributes)
        for o in selects["categories"].all("option")
    ]
    assert options == [("", "All", False), ("music", "Music", False), ("folk", "\u2003Folk", True)]
    assert "Secret cellar" not in page.text
    assert [o.text for o in selects["venue"].all("option")] == ["All", "The Barn"]


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
        assert response.headers["Location"] == f"{BASE_URL}/events/{path}?search=a%26b&lang=de"
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
