"""Addresses of the calendar on a WordPress site have the same events here, and 404 where it shows all of them."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import icalendar
import pytest
from tests.conftest import BASE_URL
from tests.features.wordpress import reference_calendar
from tests.site.calendar_html import Reader, titles

from kalends.calendar import site_settings

RECORDED = json.loads((Path(__file__).parent / "recorded_lists" / "calendar-addresses.json").read_text())
EVENT_MODULE = "{http://purl.org/rss/1.0/modules/event/}"
UPCOMING = 17


@pytest.fixture(scope="module")
def site(build_world: Any) -> Any:
    world = build_world()
    world.made = reference_calendar.fill(world)
    return world


def listed(response: httpx.Response) -> list[str]:
    """The titles in a calendar or feed."""
    assert response.status_code == 200, response.text
    if response.headers["Content-Type"].startswith("text/calendar"):
        calendar = icalendar.Calendar.from_ical(response.content)
        return [str(entry["summary"]) for entry in calendar.walk("VEVENT")]
    assert response.headers["Content-Type"] == "application/rss+xml; charset=UTF-8"
    return [item.findtext("title", "") for item in parse_xml(response.content).iter("item")]


def parse_xml(text: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 - our own


def events_at(world: Any, address: str) -> list[str]:
    return listed(world.get(BASE_URL + address))


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: recorded["case"])
def test_an_address_has_the_events_that_it_has_on_wordpress(site: Any, recorded: dict[str, Any]) -> None:
    found = events_at(site, f"{recorded['path']}?{recorded['query']}")
    assert len(found) == recorded["count"]
    assert set(recorded["titles"]) <= set(found)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/event/autumn-gala-concert/?ical=1", ["Autumn Gala Concert"]),
        ("/event/autumn-gala-concert/ical/", ["Autumn Gala Concert"]),
        ("/event/harvest-supper?outlook-ical=1", ["Harvest Supper"]),
        ("/venue/lakeside-hall/?ical=1&tribe-bar-date=2027-01-01", ["Puppet Theatre", "Symphony No. 5"]),
        ("/organizer/lake-music-society/?ical=1&eventDisplay=past", ["First Concert"]),
        ("/?post_type=tribe_events&ical=1&tribe_events_cat=jazz", ["Jazz Jam", "Bebop Night"]),
        ("/?post_type=tribe_events&ical=1&tribe_events_cat=bebop,kids&tribe-bar-date=2027-01-02", ["Puppet Theatre"]),
        ("/events/?ical=1&tribe_events_cat=music/jazz", ["Jazz Jam", "Bebop Night"]),
        ("/?post_type=tribe_events&ical=1&tag=outdoor&tribe_events_cat=kids", ["Winter Market"]),
        ("/tag/outdoor/?ical=1&tribe-bar-date=2027-02-01", ["Spring Festival", "Summer Picnic"]),
        ("/events/category/music/?ical=1&tribe-bar-search=gala", ["Autumn Gala Concert"]),
        ("/events/category/kids/month/?ical=1&tribe-bar-date=2026-12", ["Winter Market"]),
        ("/events/2027-01/?ical=1&tribe-bar-search=walk", ["New Year Walk"]),
        ("/events/list/?ical=1&tribe-bar-date=March+1%2C+2028", ["Far Away Conference"]),
        ("/events/list/?ical=1&tribe-bar-date=3/1/2028&tribe-bar-search=", ["Far Away Conference"]),
        ("/events/category/empty-shelf/?ical=1", []),
        ("/events/month/2030-01/?ical=1", []),
        ("/events/2027-01-16/?ical=1", []),
        ("/events/list/page/99/?ical=1", []),
        ("/events/list/feed/?tribe-bar-search=walk", ["New Year Walk"]),
        ("/events/feed/?eventDisplay=past", ["Harvest Supper", "Summer Jazz", "Old Fair", "First Concert"]),
    ],
)  # fmt: skip
def test_it_never_has_more_than_was_asked_for(site: Any, address: str, expected: list[str]) -> None:
    assert events_at(site, address) == expected


def test_named_events(site: Any) -> None:
    named = [site.made["Old Fair"], site.made["Board Meeting"], site.made["Jazz Jam"], 99999]
    found = events_at(site, f"/events/?ical=1&event_ids={','.join(map(str, named))}")
    assert found == ["Old Fair", "Jazz Jam"]


@pytest.mark.parametrize("query", ["ical=1", "feed=rss2", ""])
@pytest.mark.parametrize(
    "path",
    [
        "/event/no-such-event/",
        "/event/board-meeting/",
        "/event/draft-evening/",
        "/venue/no-such/",
        "/events/category/no-such/",
        "/events/category/music/no-such/",
        "/events/tag/no-such/list/",
        "/events/no-such/",
        "/events/2027-02-31/",
        "/events/2027-13/",
        "/events/list/page/x/",
    ],
)
def test_what_does_not_exist_or_is_not_public_is_not_found(site: Any, path: str, query: str) -> None:
    response = site.get(f"{BASE_URL}{path}?{query}")
    assert response.status_code == 404
    assert "VEVENT" not in response.text
    assert "<item>" not in response.text


@pytest.mark.parametrize(
    "address",
    [
        "/?post_type=tribe_events&ical=1&tribe_events_cat=no-such",
        "/?post_type=tribe_events&ical=1&tribe_events_cat=jazz,no-such",
        "/events/?ical=1&tribe-bar-date=nonsense",
        "/events/list/?tribe-bar-date=2027-02-31",
        "/event/jazz-jam/?feed=rss2",
        "/event/jazz-jam/feed/",
        "/events/category/no-such/feed/",
        "/events/month/nonsense/?ical=1",
    ],
)
def test_a_filter_that_means_nothing_is_not_found(site: Any, address: str) -> None:
    assert site.get(BASE_URL + address).status_code == 404


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/events/today/", ["Running Exhibition"]),
        ("/events/2027-01-15/", ["Puppet Theatre"]),
        ("/events/list/?tribe-bar-search=walk", ["New Year Walk"]),
        ("/events/?tribe-bar-date=2027-07-01", ["Summer Picnic", "Far Away Conference"]),
        ("/events/list/?eventDisplay=past", ["Harvest Supper", "Summer Jazz", "Old Fair", "First Concert"]),
        ("/events/month/?eventDisplay=past", ["Harvest Supper", "Summer Jazz", "Old Fair", "First Concert"]),
        ("/events/?eventDisplay=day&eventDate=2027-01-15", ["Puppet Theatre"]),
        ("/events/featured/", ["Autumn Gala Concert"]),
        ("/events/category/music/?tribe-bar-search=jazz", ["Jazz Jam", "Bebop Night", "Summer Jazz"]),
        ("/events/category/kids/2027-01-15/", ["Puppet Theatre"]),
        ("/?s=jazz&post_type=tribe_events", ["Jazz Jam", "Bebop Night", "Summer Jazz"]),
    ],
)
def test_pages_of_days_searches_and_filters(site: Any, address: str, expected: list[str]) -> None:
    response = site.get(BASE_URL + address)
    assert response.status_code == 200, response.text
    assert titles(Reader(response.text).page) == expected


@pytest.mark.parametrize(
    ("address", "canonical"),
    [
        ("/events/category/music/jazz/", "/events/category/jazz/"),
        ("/events/category/music/list/?eventDisplay=past", "/events/category/music/?events=past"),
        ("/events/tag/outdoor/page/1/", "/events/tag/outdoor/"),
        ("/events/2027-01/", "/events/month/2027-01/"),
        ("/events/month/?tribe-bar-date=2027-01-09", "/events/month/2027-01/"),
        ("/events/list/?tribe_paged=1", "/events/list/"),
        ("/events/category/kids/month/", "/events/month/?categories=kids"),
    ],
)
def test_a_page_names_its_own_address(site: Any, address: str, canonical: str) -> None:
    page = Reader(site.get(BASE_URL + address).text).page
    found = [link.attributes["href"] for link in page.all("link") if link.attributes["rel"] == "canonical"]
    assert found == [BASE_URL + canonical]


def test_an_entry_says_where_the_calendar_is_found_again(site: Any) -> None:
    text = site.get(f"{BASE_URL}/events/list/?ical=1&tribe-bar-search=walk").content
    source = icalendar.Calendar.from_ical(text)["source"]
    assert source == f"{BASE_URL}/events/list/?ical=1&tribe-bar-search=walk"


def test_a_calendar_is_304_until_it_changes(make_world: Any) -> None:
    world = make_world()
    made = world.make("events", title="One")
    address = f"{BASE_URL}/events/?ical=1"
    etag = world.get(address).headers["ETag"]
    world.clock.move(minutes=1)
    assert world.get(address, headers={"If-None-Match": etag}).status_code == 304
    world.delete(f"/events/{made['id']}")
    answer = world.get(address, headers={"If-None-Match": etag})
    assert listed(answer) == []  # without the cancelled entry that our own feeds have


def test_the_day_is_that_of_the_zone_which_the_site_has_now(make_world: Any) -> None:
    world = make_world(timezone=None)
    world.make("events", title="Yesterday", start_date="2026-11-14 18:00:00", end_date="2026-11-14 19:00:00")
    world.clock.now = datetime(2026, 11, 15, 3)  # in New York it is still the day before
    address = "/events/list/?ical=1"
    assert events_at(world, address) == []
    with world.calendar.store.write() as session:
        site_settings.save(session, {"timezone": "America/New_York"}, world.clock())
    assert events_at(world, address) == ["Yesterday"]


def test_a_calendar_has_no_cap(make_world: Any) -> None:
    world = make_world()
    for number in range(35):
        world.make("events", title=f"Event {number}")
    every = events_at(world, "/?post_type=tribe_events&ical=1&eventDisplay=list")
    assert len(every) == 35
    assert events_at(world, "/events/list/page/2/?ical=1") == every[10:]
    for address in ("/events/list/page/2/", "/events/list/?tribe_paged=2"):
        assert titles(Reader(world.get(BASE_URL + address).text).page) == every[20:]
    assert events_at(world, "/events/feed/?paged=2") == every[10:20]


def test_a_calendar_has_an_entry_for_each_date_of_a_series_and_whole_lines(make_world: Any) -> None:
    """As the Pro plugin writes it: most readers know neither rules nor folded lines."""
    world = make_world()
    club = world.make(
        "events",
        title="Ein Abend für alle, die gerne lesen und darüber reden " * 3,
        description="Çok uzun " * 40,
        venue={"venue": "Stadtbücherei"},
        start_date="2027-03-10 19:00:00",
        end_date="2027-03-10 21:00:00",
        recurrence="FREQ=WEEKLY;COUNT=5",
    )
    world.post(f"/events/{club['id']}?scope=this", json={"title": "Lesung"})
    for path in (
        "/events/?ical=1",
        "/events/list/?ical=1",
        "/?post_type=tribe_events&ical=1",
        "/venue/stadtbucherei/?ical=1",
    ):
        calendar = world.get(BASE_URL + path).text
        assert calendar.count("BEGIN:VEVENT") == 5, path
        assert not {"RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"} & {
            line.partition(":")[0] for line in calendar.partition("BEGIN:VEVENT")[2].split("\r\n")
        }
        assert "\r\n " not in calendar
        entries = icalendar.Calendar.from_ical(calendar).walk("VEVENT")
        assert len({str(entry["uid"]) for entry in entries}) == 5
        assert sorted(str(entry["summary"]) == "Lesung" for entry in entries) == [False] * 4 + [True]
    assert events_at(world, "/events/month/2027-03/?ical=1").count("Lesung") == 1
    assert len(events_at(world, "/events/month/2027-03/?ical=1")) == 4
    assert len(events_at(world, "/event/" + club["slug"] + "/?ical=1")) == 1
    own = world.get(f"{BASE_URL}/events.ics").text
    assert own.count("RRULE:FREQ=WEEKLY") == 1
    assert "\r\n " in own


def test_a_category_whose_slug_is_a_number(make_world: Any) -> None:
    world = make_world()
    world.make("events", title="In it", categories=[world.make("categories", name="2027")["id"]])
    world.make("events", title="Not in it")
    for address in ("/events/category/2027/?ical=1", "/events/category/2027/feed/"):
        assert events_at(world, address) == ["In it"]


@pytest.mark.parametrize(("term", "query"), [("category/music", "categories=music"), ("tag/outdoor", "tags=outdoor")])
def test_every_page_of_a_term_names_its_events_in_the_api(site: Any, term: str, query: str) -> None:
    for view in ("", "list/", "month/", "today/", "2026-11/", "2026-11-20/"):
        page = site.get(f"{BASE_URL}/events/{term}/{view}")
        expected = f"{site.ns}/events/?{query}"
        assert page.headers["X-TEC-API-ROOT"] == expected, view
        assert f'<link rel="https://theeventscalendar.com/" href="{expected}">' in page.text


def test_a_feed_tells_when_it_was_published_and_when_it_takes_place(site: Any) -> None:
    text = site.get(f"{BASE_URL}/events/category/jazz/feed/").content
    item = next(parse_xml(text).iter("item"))
    guid = item.find("guid")
    assert guid is not None
    assert guid.text == f"{BASE_URL}/?post_type=tribe_events&p={site.made['Jazz Jam']}"
    assert guid.attrib == {"isPermaLink": "false"}
    assert item.findtext("pubDate") == "Sun, 15 Nov 2026 12:00:00 GMT"
    assert item.findtext(f"{EVENT_MODULE}startdate") == "2026-11-21T01:00:00Z"
    assert item.findtext(f"{EVENT_MODULE}enddate") == "2026-11-21T06:00:00Z"
    assert item.findtext("link") == f"{BASE_URL}/event/jazz-jam/"


@pytest.mark.parametrize(
    "query", ["p={}", "p={}&post_type=tribe_events", "tribe_events=jazz-jam", "tribe_events=JAZZ-jam"]
)
def test_the_name_of_an_event_leads_to_its_page(site: Any, query: str) -> None:
    for path in ("/", "/index.php"):
        answer = site.get(f"{BASE_URL}{path}?{query.format(site.made['Jazz Jam'])}")
        assert (answer.status_code, answer.headers["Location"]) == (301, f"{BASE_URL}/event/jazz-jam/")


def test_the_name_of_a_venue_or_protected_event_too(site: Any) -> None:
    venue = site.get("/venues").json()["venues"][0]["id"]
    found = {
        f"p={venue}": "/venue/lakeside-hall/",
        "tribe_venue=lakeside-hall": "/venue/lakeside-hall/",
        "tribe_organizer=lake-music-society": "/organizer/lake-music-society/",
        f"p={site.made['Secret Party']}": "/event/secret-party/",
        f"p={site.made['Jazz Jam']}&ical=1": "/event/jazz-jam/?ical=1",
    }
    for query, page in found.items():
        assert site.get(f"{BASE_URL}/?{query}").headers["Location"] == BASE_URL + page


def test_nothing_is_told_about_other_names(site: Any) -> None:
    made, venue = site.made, site.get("/venues").json()["venues"][0]["id"]
    hidden = [f"p={made['Board Meeting']}", f"p={made['Draft Evening']}", "tribe_events=board-meeting"]
    unknown = [
        "p=99999",
        "p=x",
        "p=-1",
        "p=1e3",
        f"p={'9' * 40}",
        "tribe_events=no-such",
        "p[]=1",
        "tribe_events[]=x",
    ]
    unknown += [
        f"post_type=tribe_venue&p={made['Jazz Jam']}",
        f"post_type=tribe_events&p={venue}",
        "post_type=page&p=1",
    ]
    pages = {
        (answer.status_code, answer.text)
        for query in hidden + unknown
        if (answer := site.get(f"{BASE_URL}/?{query}"))
    }
    assert [status for status, _ in pages] == [404]


@pytest.mark.parametrize("slug", ["//evil.test/", "https://evil.test", "\\\\evil.test", "..%2f..%2f", "@evil.test"])
def test_a_redirect_never_leads_elsewhere(site: Any, slug: str) -> None:
    answer = site.get(f"{BASE_URL}/?tribe_events={slug}&p=")
    assert answer.status_code == 404
    assert "Location" not in answer.headers


def test_pages_in_other_languages_stay_in_them(site: Any) -> None:
    answer = site.get(f"{BASE_URL}/?p={site.made['Jazz Jam']}&lang=de")
    assert answer.headers["Location"] == f"{BASE_URL}/event/jazz-jam/?lang=de"
    assert site.get(f"{BASE_URL}/events/today/?lang=de").headers["Content-Language"] == "de"


def test_head_has_the_headers_alone(site: Any) -> None:
    answer = site.ask("HEAD", f"{BASE_URL}/events/list/?ical=1")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Content-Type"] == "text/calendar; charset=UTF-8"


def test_credentials_change_nothing(site: Any) -> None:
    assert len(listed(site.get(f"{BASE_URL}/events/list/?ical=1", "administrator"))) == UPCOMING


def test_all_of_it_is_off_with_compat(make_world: Any) -> None:
    world = make_world(compat="false")
    event = world.make("events", title="Jam", start_date="2026-11-20", end_date="2026-11-20")
    for address in ("/events/feed/", "/events/today/", "/events/2026-11/", "/index.php"):
        assert world.get(BASE_URL + address).status_code == 404
    for address in ("/events/?ical=1", "/event/jam/?ical=1"):
        assert world.get(BASE_URL + address).headers["Content-Type"] == "text/html; charset=UTF-8"
    assert world.get(f"{BASE_URL}/?p={event['id']}").headers["Location"] == "/events/"
