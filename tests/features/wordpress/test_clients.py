"""Clients of The Events Calendar, each in its own order of requests: only the host is another.

Patterns of clients that only read lists of the interface are in tests/calendar/lists/test_clients.py.
"""

import re
from base64 import b64encode
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import httpx
import icalendar
import pytest
from tests.conftest import BASE_URL, COMPAT_NS, PASSWORD

TEC = f"{BASE_URL}/wp-json/tec/v1"
EVENTS = 60


@pytest.fixture(scope="module")
def site(build_world: Any) -> Any:
    """Sixty events to come, three of which begin together, one that is over, and a draft."""
    world = build_world()
    for number in range(EVENTS):
        day = f"2027-{number // 21 + 1:02}-{number // 3 % 7 + 1:02}"
        world.make("events", title=f"Event {number}", start_date=f"{day} 10:00", end_date=f"{day} 11:00")
    world.make("events", title="Over", start_date="2020-01-01", end_date="2020-01-01")
    world.make("events", title="Draft", status="draft")
    return world


EXPECTED = {f"Event {number}" for number in range(EVENTS)}


def test_a_client_that_pages_until_it_is_refused(site: Any) -> None:
    seen, page = list[str](), 1
    while (answer := site.get(f"{COMPAT_NS}/events/?per_page=25&page={page}")).status_code < 400:
        seen += [event["title"] for event in answer.json()["events"]]
        page += 1
    assert (set(seen), len(seen), page) == (EXPECTED, EVENTS, 4)
    assert answer.json()["code"] == "event-archive-page-not-found"


def test_a_client_that_steps_from_start_to_start(site: Any) -> None:
    """It never asks for a second page: it asks again from the last start that it saw, until nothing is new."""
    seen, start = dict[int, str](), "2026-11-15 00:00:00"
    while True:
        answer = site.get(f"{COMPAT_NS}/events", params={"per_page": 50, "start_date": start})
        found = {event["id"]: event for event in answer.json()["events"]}
        if not found.keys() - seen.keys():
            break
        seen |= {id: event["title"] for id, event in found.items()}
        start = max(event["start_date"] for event in found.values())
    assert set(seen.values()) == EXPECTED


def test_a_client_that_has_no_pretty_addresses(site: Any) -> None:
    seen, url = list[str](), f"{BASE_URL}/?rest_route=/tribe/events/v1/events&per_page=40"
    while url:
        answer = site.get(url).json()
        seen += [event["title"] for event in answer["events"]]
        url = answer.get("next_rest_url")
    assert set(seen) == EXPECTED


def test_a_scraper_that_falls_back_to_the_calendar_file(site: Any) -> None:
    """It looks for the interface under a name that some sites have, and takes the file where there is none."""
    assert site.get(f"{BASE_URL}/kalender/wp-json/tribe/events/v1/events").status_code == 404
    calendar = icalendar.Calendar.from_ical(site.get(f"{BASE_URL}/events/list/?ical=1").content)
    entries = calendar.walk("VEVENT")
    assert {str(entry["summary"]) for entry in entries} == EXPECTED
    first = min(entries, key=lambda entry: entry["dtstart"].dt)
    assert first["dtstart"].dt == datetime(2027, 1, 1, 15, tzinfo=UTC)
    assert site.get(str(first["url"])).status_code == 200


def test_a_reader_that_takes_the_id_from_the_guid(site: Any) -> None:
    feed = ElementTree.fromstring(site.get(f"{BASE_URL}/events/feed/").content)  # noqa: S314 - our own
    for item in feed.iter("item"):
        guid = item.findtext("guid", "")
        (id,) = parse_qs(urlsplit(guid).query)["p"]
        event = site.get(f"{COMPAT_NS}/events/{id}").json()
        assert event["title"] == item.findtext("title")
        assert site.get(guid).headers["Location"] == event["url"] == item.findtext("link")


def test_a_spider_that_obeys_robots_txt(site: Any) -> None:
    robots = RobotFileParser()
    robots.parse(site.get(f"{BASE_URL}/robots.txt").text.splitlines())
    pages = ("/events/", "/events/list/?ical=1", "/event/event-1/", "/wp-json/tribe/events/v1/events?page=2")
    assert all(robots.can_fetch("Scrapy", BASE_URL + page) for page in pages)
    # It follows the links from page to page, and reads what they say about their events.
    page, seen = f"{BASE_URL}/events/list/", set[str]()
    while page:
        html = site.get(page).text
        seen |= set(re.findall(r'"@type":"Event","name":"([^"]*)"', html))
        links = re.findall(r'<link rel="next" href="([^"]*)">', html)
        page = BASE_URL + links[0].replace("&amp;", "&") if links else ""
    assert seen == EXPECTED


def test_a_client_that_writes_dates_as_go_does(make_world: Any) -> None:
    world = make_world()
    for title, start in (("Before", "2026-11-15 14:00"), ("Then", "2026-11-16 14:45")):
        world.make("events", title=title, start_date=start, end_date="2026-11-17")
    query = {"start_date": "2026/11/15T14:45", "end_date": "2026/11/20T00:00", "strict_dates": "true"}
    found = world.get(f"{COMPAT_NS}/events", params=query).json()["events"]
    assert [event["title"] for event in found] == ["Then"]


class McpServer:
    """What the vendor's MCP server sends: Basic with an application password, JSON, and its own header."""

    def __init__(self, world: Any) -> None:
        secret = b64encode(f"editor:{PASSWORD}".encode()).decode()
        acknowledged = "I understand that this endpoint is experimental."
        headers = {"Authorization": f"Basic {secret}", "Content-Type": "application/json", "X-TEC-EEA": acknowledged}
        self.client, self.headers = world.client, headers

    def ask(self, method: str, address: str, body: Any = None) -> Any:
        answer: httpx.Response = self.client.request(method, address, json=body, headers=self.headers)
        assert answer.is_success, answer.text
        return answer.json()


def test_the_vendors_mcp_server(make_world: Any) -> None:
    world = make_world()
    mcp = McpServer(world)
    # It looks at the site and at itself; only administrators may see the settings, and it goes on without them.
    site = mcp.ask("GET", f"{BASE_URL}/wp-json/")
    assert {"tribe/events/v1", "tec/v1", "wp/v2"} <= set(site["namespaces"])
    assert site["timezone_string"] == "America/New_York"
    assert mcp.ask("GET", f"{BASE_URL}/wp-json/wp/v2/users/me")["name"] == "editor"
    assert world.get(f"{BASE_URL}/wp-json/wp/v2/settings", "administrator").json()["timezone"] == "America/New_York"
    assert world.get(f"{BASE_URL}/wp-json/wp/v2/settings", "editor").status_code == 403

    made: dict[str, int] = {}
    for plural, body in (
        (
            "venues",
            {"title": "Center", "venue": "Center", "address": "1 Main St", "city": "Nice"},
        ),
        ("organizers", {"title": "John Doe", "organizer": "John Doe", "email": "john@example.com"}),
    ):
        made[plural] = mcp.ask("POST", f"{TEC}/{plural}", body | {"status": "publish"})["id"]
    event = {
        "title": "Conference",
        "start_date": "next monday 9am",
        "end_date": "next monday 5pm",
        "cost": "$10-$50",
        "venues": [made["venues"]],
        "organizers": [made["organizers"]],
    }
    made["events"] = mcp.ask("POST", f"{TEC}/events", event)["id"]
    found = mcp.ask("GET", f"{TEC}/events?search=conference&start_date=2026-11-01&venue={made['venues']}")
    assert [(one["id"], one["start_date"]) for one in found] == [(made["events"], "2026-11-16 09:00:00")]
    for plural, id in made.items():
        address = f"{TEC}/{plural}/{id}"
        read = mcp.ask("GET", address)
        assert [one["id"] for one in mcp.ask("GET", f"{TEC}/{plural}?per_page=10&order=asc")] == [id]
        changed = mcp.ask("PUT", address, {"title": f"New {read['title']['rendered']}"})
        assert changed["title"]["rendered"].startswith("New ")
    for plural, id in reversed(made.items()):
        assert mcp.ask("DELETE", f"{TEC}/{plural}/{id}") == []
        assert mcp.ask("GET", f"{TEC}/{plural}") == []
