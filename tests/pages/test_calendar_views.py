"""The pages of the calendar: months, weeks, days and lists, as they are sent."""

import json
import re
from collections.abc import Callable
from datetime import datetime
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from kalends.languages import LANGUAGES, RIGHT_TO_LEFT, tag
from kalends.pages import calendar_days, times

BASE_URL = "http://calendar.test"
NS = f"{BASE_URL}/api/calendar/events/v1"
World = Any  # the fixture's
VOID = frozenset({"meta", "link", "input", "br", "hr", "img"})


class Element:
    """A part of a page: its name, attributes, parts and text."""

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.parts: list[Element] = []
        self.words: list[str] = []

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.words)).strip()

    def all(self, name: str, word: str = "") -> "list[Element]":
        """The parts of a name, and of a class when one is given."""
        found = []
        for part in self.parts:
            if part.name == name and (not word or word in part.attributes.get("class", "").split()):
                found.append(part)
            found += part.all(name, word)
        return found

    def one(self, name: str, word: str = "") -> "Element":
        (found,) = self.all(name, word)
        return found


class Reader(HTMLParser):
    """Reads a page and holds it to closing what it opens."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.page = Element("page", {})
        self._open = [self.page]
        self.feed(html)
        assert self._open == [self.page]

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        made = Element(name, {key: value or "" for key, value in attributes})
        self._open[-1].parts.append(made)
        if name not in VOID:
            self._open.append(made)

    def handle_endtag(self, name: str) -> None:
        assert self._open.pop().name == name

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.words.append(data)


Visit = Callable[..., Element]


@pytest.fixture
def visit(world: World) -> Visit:
    def open_page(path: str, status: int = 200, **headers: str) -> Element:
        response = fetch(world, path, **headers)
        assert response.status_code == status, response.text
        assert response.headers["Content-Type"] == "text/html; charset=UTF-8"
        return Reader(response.text).page

    return open_page


def fetch(world: World, path: str, **headers: str) -> httpx.Response:
    return world.get(BASE_URL + path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def event(world: World, title: str, start: str, end: str = "", **more: Any) -> dict[str, Any]:
    return world.make("events", title=title, start_date=start, end_date=end or start, **more)


def cell(page: Element, day: int) -> Element:
    """The cell of a day of the month that the page shows."""
    inside = [td for td in page.all("td") if "outside" not in td.attributes.get("class", "")]
    return inside[day - 1]


def titles(page: Element) -> list[str]:
    return [name.one("bdi").text for name in page.one("main").all("a", "name")]


def link(page: Element, way: str) -> str:
    return next(a.attributes["href"] for a in page.one("main").all("a") if way in a.attributes.get("rel", "").split())


# Months


def test_the_calendar_opens_with_this_month(visit: Visit) -> None:
    page = visit("/events/")
    assert page.one("h1").text == "November 2026"
    assert page.one("title").text == "November 2026 · Test calendar"
    assert [th.one("span", "unseen").text for th in page.all("th")][:2] == ["Sunday", "Monday"]
    today = page.one("td", "today")
    assert today.one("a", "number").attributes["aria-current"] == "date"
    assert "15" in today.text
    assert "Today" in today.text


def test_the_front_door_leads_to_the_calendar(world: World) -> None:
    response = fetch(world, "/")
    assert (response.status_code, response.headers["Location"]) == (302, f"{BASE_URL}/events/")
    assert fetch(world, "/?lang=de").headers["Location"] == f"{BASE_URL}/events/?lang=de"


def test_today_is_by_the_clock_of_the_site(world: World, visit: Visit) -> None:
    world.clock.now = datetime(2026, 12, 1, 4, 59)  # still November in New York
    assert visit("/events/").one("h1").text == "November 2026"
    assert visit("/events/day/").one("h1").text == "Monday, November 30, 2026"
    world.clock.move(minutes=2)
    assert visit("/events/").one("h1").text == "December 2026"
    assert visit("/events/day/").one("h1").text == "Tuesday, December 1, 2026"


def test_events_stand_on_their_days_with_their_time(world: World, visit: Visit) -> None:
    event(world, "Breakfast", "2027-03-10 09:00", "2027-03-10 11:00")
    page = visit("/events/month/2027-03/")
    chip = cell(page, 10).one("li", "chip")
    assert chip.one("bdi").text == "Breakfast"
    assert chip.one("time").text == "9:00 AM"
    assert chip.one("time").attributes["datetime"] == "2027-03-10T09:00:00-05:00"
    assert chip.one("a").attributes["href"] == "/event/breakfast/"
    assert not cell(page, 11).all("li")


def test_times_are_on_the_event_s_own_clock(world: World, visit: Visit) -> None:
    event(world, "Elsewhere", "2027-03-10 23:30", "2027-03-10 23:50", timezone="Asia/Tokyo")
    page = visit("/events/month/2027-03/")
    assert cell(page, 10).one("time").text == "11:30 PM JST"
    assert visit("/events/day/2027-03-10/").one("time").text == "11:30 – 11:50 PM JST"
    assert titles(visit("/events/day/2027-03-09/")) == []


def test_what_takes_days_spans_them_week_by_week(world: World, visit: Visit) -> None:
    event(world, "Festival", "2027-03-11 10:00", "2027-03-16 18:00")
    page = visit("/events/month/2027-03/")
    first = cell(page, 11).one("li", "bar")
    assert first.attributes["class"].split() == ["bar", "days-3", "on"]
    assert "continues" in cell(page, 13).one("li", "gap").text
    assert cell(page, 14).one("li", "bar").attributes["class"].split() == ["bar", "days-3", "before"]
    assert cell(page, 16).one("li", "gap")
    assert not cell(page, 17).all("li")


def test_bars_keep_their_lanes(world: World, visit: Visit) -> None:
    event(world, "Short", "2027-03-09", "2027-03-10", all_day=True)
    event(world, "Long", "2027-03-09", "2027-03-12", all_day=True)
    event(world, "Later", "2027-03-11", "2027-03-13", all_day=True)
    page = visit("/events/month/2027-03/")
    assert [li.text for li in cell(page, 9).all("li")] == ["Long, Mar 9 – 12", "Short, Mar 9 – 10"]
    # The lane that Short left is Later's; Long stays on top although its title is on another day.
    lanes = cell(page, 11).all("li")
    assert "Long, continues" in lanes[0].text
    assert lanes[1].one("bdi").text == "Later"
    assert [li.attributes["class"] for li in cell(page, 13).all("li")] == ["gap", "gap"]


def test_long_events_show_in_the_months_between(world: World, visit: Visit) -> None:
    event(world, "Exhibition", "2026-01-05 10:00", "2028-02-01 18:00")
    page = visit("/events/month/2027-03/")
    bars = page.all("li", "bar")
    assert [bar.attributes["class"].split()[1:] for bar in bars] == [["days-7", "before", "on"]] * 5


def test_an_evening_until_midnight_or_later_is_one_line(world: World, visit: Visit) -> None:
    event(world, "Until midnight", "2027-03-10 20:00", "2027-03-11 00:00")
    event(world, "Into the night", "2027-03-12 22:00", "2027-03-13 02:00")
    page = visit("/events/month/2027-03/")
    assert cell(page, 10).one("li", "chip").one("bdi").text == "Until midnight"
    assert not cell(page, 11).all("li")
    assert cell(page, 12).one("li", "chip").one("bdi").text == "Into the night"
    # The night itself belongs to both days.
    assert titles(visit("/events/day/2027-03-11/")) == []
    night = visit("/events/day/2027-03-13/")
    assert titles(night) == ["Into the night"]
    assert night.one("time").text == "until 2:00 AM"


def test_what_does_not_fit_is_folded(world: World, visit: Visit) -> None:
    for hour in range(10, 17):
        event(world, f"At {hour}", f"2027-03-10 {hour}:00", f"2027-03-10 {hour}:30")
    page = visit("/events/month/2027-03/?lang=en")
    full = cell(page, 10)
    assert [chip.one("bdi").text for chip in full.all("li", "chip")] == ["At 10", "At 11", "At 12", "At 13"]
    more = full.one("li", "more").one("a")
    assert more.text.startswith("+3 more")
    assert more.attributes["href"] == "/events/day/2027-03-10/?lang=en"
    assert len(titles(visit("/events/day/2027-03-10/"))) == 7


def test_bars_beyond_the_room_are_counted_on_each_of_their_days(world: World, visit: Visit) -> None:
    for number in range(6):
        event(world, f"Bar {number}", "2027-03-09", "2027-03-11", all_day=True)
    page = visit("/events/month/2027-03/")
    for day in (9, 10, 11):
        assert cell(page, day).one("li", "more").text.startswith("+2 more")


def test_pages_lead_through_months_and_years(visit: Visit) -> None:
    page = visit("/events/month/2026-12/")
    assert link(page, "next") == "/events/month/2027-01/"
    assert link(visit("/events/month/2027-01/"), "prev") == "/events/month/2026-12/"
    assert link(visit("/events/day/2026-12-31/"), "next") == "/events/day/2027-01-01/"
    assert link(visit("/events/week/2026-W53/"), "next") == "/events/week/2027-W01/"
    path = "/events/month/2023-11/"
    for _ in range(30):
        path = link(visit(path), "next")
    assert path == "/events/month/2026-05/"


def test_the_calendar_has_a_first_and_a_last_page(visit: Visit) -> None:
    for view, first, last in (
        ("month", "1900-01", "9998-12"),
        ("day", "1900-01-01", "9998-12-31"),
        ("week", "1900-W01", "9998-W53"),
    ):
        before = [a.attributes.get("rel", "").partition(" ")[0] for a in visit(f"/events/{view}/{first}/").all("a")]
        assert "prev" not in before
        assert "next" in before
        after = [a.attributes.get("rel", "").partition(" ")[0] for a in visit(f"/events/{view}/{last}/").all("a")]
        assert "next" not in after
        assert "prev" in after


# Weeks, days and lists


def test_a_week_has_seven_days_from_where_the_reader_s_begin(world: World, visit: Visit) -> None:
    event(world, "On Sunday", "2027-03-07 10:00", "2027-03-07 11:00")
    page = visit("/events/week/2027-W10/")
    assert page.one("h1").text == "Mar 7 – 13, 2027"
    assert [day.one("span", "numeral").text for day in page.all("section", "day")] == list(map(str, range(7, 14)))
    assert titles(page) == ["On Sunday"]
    german = visit("/events/week/2027-W10/?lang=de")
    assert german.all("section", "day")[0].one("span", "numeral").text == "8"
    assert titles(german) == []
    assert titles(visit("/events/week/2027-W09/?lang=de")) == ["On Sunday"]
    assert visit("/events/week/2027-03-10/").one("h1").text == "Mar 7 – 13, 2027"


def test_a_week_names_what_takes_days_on_each(world: World, visit: Visit) -> None:
    venue = world.make("venues", venue="The Barn")
    event(world, "Fair", "2027-03-08 10:00", "2027-03-10 18:00", venue=venue["id"])
    lines = visit("/events/week/2027-W10/").all("li", "line")
    assert [one.one("time").text for one in lines] == ["10:00 AM", "All day", "until 6:00 PM"]
    assert ["The Barn" in one.text for one in lines] == [True, False, False]


def test_a_day_says_where_what_and_how_much(world: World, visit: Visit) -> None:
    venue = world.make("venues", venue="The Barn")
    event(world, "Dance", "2027-03-10 19:30", "2027-03-10 22:00", venue=venue["id"], categories=["Folk"], cost="12")
    page = visit("/events/day/2027-03-10/")
    assert page.one("p", "about").text == "The Barn · Folk · $12"
    assert page.one("time").text == "7:30 – 10:00 PM"


def test_a_list_goes_by_months_and_days_in_pages_of_twenty(world: World, visit: Visit) -> None:
    for number in range(25):
        event(world, f"Event {number:02}", f"2027-{3 + number // 13:02}-{number % 13 + 1:02} 10:00")
    page = visit("/events/list/")
    assert page.one("h1").text == "Upcoming events"
    assert [h2.text for h2 in page.all("h2", "month")] == ["March 2027", "April 2027"]
    assert titles(page) == [f"Event {number:02}" for number in range(20)]
    assert "Page 1 of 2" in page.one("nav", "paging").text
    assert link(page, "next") == "/events/list/?page=2"
    second = visit("/events/list/?page=2")
    assert titles(second) == [f"Event {number:02}" for number in range(20, 25)]
    assert link(second, "prev") == "/events/list/"
    visit("/events/list/?page=3", 404)


def test_a_list_starts_today_or_where_asked_and_goes_back_too(world: World, visit: Visit) -> None:
    event(world, "Last week", "2026-11-08 10:00")
    event(world, "This morning", "2026-11-15 01:00")
    event(world, "Since long", "2026-01-01 10:00", "2026-12-31 10:00")
    event(world, "Next year", "2027-03-10 10:00")
    assert titles(visit("/events/list/")) == ["Since long", "This morning", "Next year"]
    assert titles(visit("/events/list/2027-01-01/")) == ["Next year"]
    past = visit("/events/list/?past=1")
    assert past.one("h1").text == "Past events"
    assert titles(past) == ["Last week"]


def test_empty_pages_are_kind(world: World, visit: Visit) -> None:
    assert "Nothing is planned for this month yet." in visit("/events/month/2031-03/").one("main").text
    event(world, "Soon", "2026-11-20 10:00")
    for path in ("/events/month/2031-03/", "/events/week/2031-W10/", "/events/day/2031-03-10/"):
        nothing = visit(path).one("div", "nothing")
        assert "The next event: Soon, Friday, November 20, 2026" in nothing.text
    nothing = visit("/events/list/?search=nowhere").one("div", "nothing")
    assert "There are no such events." in nothing.text
    assert [a.attributes["href"] for a in nothing.all("a")] == ["/events/list/", "/event/soon/"]


# Filters


@pytest.fixture
def chosen(world: World) -> dict[str, Any]:
    music = world.make("categories", name="Music")
    folk = world.make("categories", name="Folk", parent=music["id"])
    barn = world.make("venues", venue="The Barn", geo_lat=52.0, geo_lng=5.0)
    club = world.make("organizers", organizer="Folk club")
    event(
        world,
        "Fiddles",
        "2027-03-10 19:00",
        categories=[folk["id"]],
        tags=["outdoors"],
        venue=barn["id"],
        organizer=club["id"],
        featured=True,
    )
    event(world, "Chess", "2027-03-10 20:00")
    return {"music": music, "barn": barn, "club": club}


def test_filters_choose_events_in_every_view(world: World, visit: Visit, chosen: dict[str, Any]) -> None:
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


def test_filters_stay_on_the_way_and_can_be_removed(world: World, visit: Visit, chosen: dict[str, Any]) -> None:
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
    feeds = [a.attributes["href"] for a in page.one("footer").all("a")]
    assert feeds[0] == f"/events.ics?{query}"


def test_the_feed_of_a_selection_has_the_same_events(world: World, chosen: dict[str, Any]) -> None:
    feed = fetch(world, "/events.ics?categories=music&featured=true")
    assert feed.status_code == 200
    assert re.findall(r"SUMMARY:(.*?)\r", feed.text) == ["Fiddles"]
    assert len(re.findall("SUMMARY:", fetch(world, "/events.ics").text)) == 2


def test_the_form_offers_what_has_events_as_a_tree(world: World, visit: Visit, chosen: dict[str, Any]) -> None:
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


def test_empty_fields_of_a_form_ask_for_nothing(visit: Visit, chosen: dict[str, Any]) -> None:
    page = visit(
        "/events/month/2027-03/?categories=&tags=&venue=&organizer=&geoloc_radius=20&geoloc_lat=&geoloc_lng=&search="
    )
    assert len(cell(page, 10).all("li")) == 2
    assert not page.all("div", "active")


def test_a_filter_that_names_nothing_is_not_found(visit: Visit) -> None:
    for query in ("categories=nowhere", "venue=999", "venue=abc", "featured=perhaps", "geoloc_lat=99&geoloc_lng=5"):
        page = visit(f"/events/month/2027-03/?{query}", 404)
        assert page.one("main").one("a").attributes["href"] == "/events/"


def test_a_date_from_the_form_leads_to_its_page(world: World, visit: Visit) -> None:
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
def test_impossible_dates_are_not_found_and_show_the_way_back(visit: Visit, path: str) -> None:
    page = visit(f"/events/{path}/", 404)
    assert page.one("h1").text == "This page is not in the calendar."
    assert page.one("main").one("a").attributes["href"] == "/events/"
    assert not [a for a in page.all("link") if a.attributes.get("rel") == "canonical"]


# Who sees what


def test_only_what_strangers_may_see_is_shown_whoever_asks(world: World) -> None:
    for status in ("draft", "pending", "private"):
        event(world, f"A {status} event", "2027-03-10 10:00", status=status)
    event(world, "A hidden event", "2027-03-10 10:00", hide_from_listings=True)
    event(world, "A trashed event", "2027-03-10 10:00")
    trashed = world.get("/events/by-slug/a-trashed-event").json()
    world.delete(f"/events/{trashed['id']}")
    event(world, "A public event", "2027-03-10 11:00")
    for path in ("month/2027-03", "week/2027-W10", "day/2027-03-10", "list"):
        for who in ("anonymous", "administrator"):
            text = world.get(f"{BASE_URL}/events/{path}/", who).text
            assert "A public event" in text
            for word in ("draft", "pending", "private", "hidden", "trashed"):
                assert f"A {word} event" not in text


def test_a_masked_event_shows_its_title_and_time_alone(world: World, visit: Visit) -> None:
    venue = world.make("venues", venue="The Vault")
    event(
        world,
        "Closed circle",
        "2027-03-10",
        all_day=True,
        post_password="sesame",
        featured=True,
        venue=venue["id"],
        categories=["Rites"],
        cost="99",
        description="<p>whisper</p>",
    )
    for path in ("month/2027-03", "week/2027-W10", "day/2027-03-10", "list"):
        page = visit(f"/events/{path}/")
        assert "Closed circle" in page.text
        assert not page.one("main").all("li", "featured")
        for word in ("The Vault", "Rites", "99", "whisper"):
            assert word not in page.text
    assert titles(visit("/events/list/?search=whisper")) == []
    assert titles(visit("/events/list/?featured=true")) == []


def test_script_in_any_text_shows_as_text(world: World, visit: Visit) -> None:
    title = 'a < b & "c" <b>d'
    made = event(world, title, "2027-03-10 10:00", categories=["<x> & y"])
    page = visit("/events/month/2027-03/?search=" + "%3Cscript%3Ealert(1)%3C/script%3E%22")
    assert not [script for script in page.all("script") if "src" not in script.attributes]
    assert "<script>alert(1)</script>" in page.text
    page = visit("/events/month/2027-03/")
    assert cell(page, 10).one("bdi").text == made["title"]


# Languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_own_words_for_dates(world: World, visit: Visit, language: str) -> None:
    event(world, "Concert", "2027-03-10 19:30", "2027-03-10 21:00")
    pages = {
        view: visit(f"/events/{view}/?lang={tag(language)}") for view in ("month/2027-03", "day/2027-03-10", "list")
    }
    for page in pages.values():
        root = page.one("html").attributes
        assert root["lang"] == tag(language)
        assert root["dir"] == ("rtl" if language in RIGHT_TO_LEFT else "ltr")
        inner = [a.attributes["href"] for a in page.one("main").all("a")]
        assert all(f"lang={tag(language)}" in href for href in inner)
    month = times.month(datetime(2027, 3, 1), language)
    assert pages["month/2027-03"].one("h1").text == month
    assert pages["list"].one("h2", "month").text == month
    assert pages["day/2027-03-10"].one("h1").text == times.day(datetime(2027, 3, 10), language)


def test_weeks_begin_where_the_language_has_them() -> None:
    begin = {language: calendar_days.first_weekday(language) for language in LANGUAGES}
    assert begin == {"en": 6, "de": 0, "es": 0, "fr": 0, "it": 0, "nl": 0, "pt_BR": 6, "ja": 6, "ar": 5}


def test_the_browser_s_language_counts_when_none_is_named(visit: Visit) -> None:
    page = visit("/events/month/2027-03/", Accept_Language="de-AT, en;q=0.5")
    assert page.one("h1").text == "März 2027"
    assert link(page, "next") == "/events/month/2027-04/"
    assert visit("/events/month/2027-03/", Accept_Language="fr").one("h1").text == "Mars 2027"


# What is sent with a page


def test_a_page_tells_where_the_interface_is(world: World) -> None:
    response = fetch(world, "/events/month/2027-03/?lang=de&search=a")
    assert response.headers["X-TEC-API-VERSION"] == "v1"
    assert response.headers["X-TEC-API-ROOT"] == f"{NS}/"
    assert response.headers["X-TEC-API-ORIGIN"] == BASE_URL
    assert response.headers["Content-Language"] == "de"
    assert "Accept-Language" in response.headers["Vary"]
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    links = [one.attributes for one in Reader(response.text).page.all("link")]
    assert {"rel": "canonical", "href": f"{BASE_URL}/events/month/2027-03/?search=a"} in links
    assert {"rel": "https://theeventscalendar.com/", "href": f"{NS}/"} in links
    assert {one["hreflang"] for one in links if "hreflang" in one} == {tag(language) for language in LANGUAGES}


def test_one_page_has_one_address(world: World) -> None:
    for path, canonical in (
        ("/events/", "/events/"),
        ("/events/week/2027-03-10/", "/events/week/2027-W10/"),
        ("/events/month/2027-03-10/", "/events/month/2027-03/"),
        ("/events/month/2027-03?foo=bar&featured=", "/events/month/2027-03/"),
    ):
        links = [one.attributes for one in Reader(fetch(world, path).text).page.all("link")]
        assert [one["href"] for one in links if one["rel"] == "canonical"] == [BASE_URL + canonical]


def test_search_engines_stay_out_of_empty_and_chosen_pages(world: World, visit: Visit) -> None:
    event(world, "Concert", "2027-03-10 10:00")

    def robots(path: str) -> list[str]:
        return [m.attributes["content"] for m in visit(path).all("meta") if m.attributes.get("name") == "robots"]

    assert robots("/events/month/2027-03/") == []
    assert robots("/events/month/2027-03/?search=concert") == ["noindex"]
    assert robots("/events/month/2031-03/") == ["noindex"]
    assert "nofollow" in next(a for a in visit("/events/month/2031-03/").all("a", "step")).attributes["rel"]


def test_nothing_comes_from_another_host(world: World, visit: Visit, chosen: dict[str, Any]) -> None:
    for path in ("month/2027-03", "week/2027-W10", "day/2027-03-10", "list", "month/2031-03"):
        page = visit(f"/events/{path}/")
        for name in ("href", "src", "action"):
            for element in page.all("a") + page.all("link") + page.all("script") + page.all("form"):
                host = urlsplit(element.attributes.get(name, "")).netloc
                assert host in ("", urlsplit(BASE_URL).netloc)
        assert not [e for e in page.all("a") + page.all("li") + page.all("td") if "style" in e.attributes]
        assert "onclick" not in page.text


def test_pages_are_kept_ready_until_something_touches_them(world: World) -> None:
    path = "/events/month/2027-03/"
    first = fetch(world, path)
    assert first.headers["Cache-Control"].startswith("public, max-age=")
    assert fetch(world, path, If_None_Match=first.headers["ETag"]).status_code == 304
    event(world, "In April", "2027-04-20 10:00")
    event(world, "In March", "2027-03-20 10:00")
    second = fetch(world, path)
    assert "In March" in second.text
    hits = world.cache.hits
    event(world, "In June", "2027-06-20 10:00")
    assert fetch(world, path).text == second.text
    assert world.cache.hits == hits + 1
    world.clock.move(days=1)
    assert fetch(world, path).status_code == 200
    assert world.cache.hits == hits + 1


def test_a_page_without_events_changes_with_any(world: World) -> None:
    assert "The next event" not in fetch(world, "/events/day/2031-03-10/").text
    event(world, "Far away from it", "2027-03-10 10:00")
    assert "Far away from it" in fetch(world, "/events/day/2031-03-10/").text


def test_head_works_and_post_does_not(world: World) -> None:
    head = world.ask("HEAD", f"{BASE_URL}/events/")
    assert (head.status_code, head.content) == (200, b"")
    assert world.post(f"{BASE_URL}/events/", json={}).status_code == 405


def test_a_full_month_takes_few_queries(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        event(world, f"Event {number}", f"2027-03-{number % 28 + 1:02} 10:00", categories=["Music"])
    asked: list[str] = []
    with world.calendar.store.read() as session:
        speaking = type(session)
    for name in ("all", "one"):
        ask = getattr(speaking, name)
        monkeypatch.setattr(
            speaking, name, lambda self, sql, *given, ask=ask: asked.append(sql) or ask(self, sql, *given)
        )
    fetch(world, "/events/month/2027-03/")
    assert len(asked) < 25, json.dumps(asked)
