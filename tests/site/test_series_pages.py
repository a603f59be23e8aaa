"""Pages of events that repeat: the rule in words, further dates, a feed, and lists that show a series once."""

import json
import re
from typing import Any

import pytest
from tests.conftest import BASE_URL, World

CHOIR = {
    "title": "Choir",
    "start_date": "2026-11-17 19:00:00",
    "end_date": "2026-11-17 21:00:00",
    "timezone": "Europe/Berlin",
    "recurrence": "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630",
}


def page(world: World, path: str) -> str:
    response = world.get(BASE_URL + path)
    assert response.status_code == 200, response.text
    return response.text


def section(html: str, heading: str) -> str:
    """The section with an id as its heading."""
    found = re.search(rf'<section aria-labelledby="{heading}">.*?</section>', html, re.S)
    return found[0] if found else ""


def about(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', html, re.S)
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    return read


def test_the_page_says_how_an_event_repeats_and_when_next(world: World) -> None:
    made = world.make("events", **CHOIR)
    html = page(world, f"/event/{made['slug']}/")
    assert "Every second Tuesday until June 30, 2027" in html
    british = world.get(f"{BASE_URL}/event/{made['slug']}/", headers={"Accept-Language": "en-GB"}).text
    assert "Every second Tuesday until 30 June 2027" in british
    dates = section(html, "dates")
    assert re.findall(r'datetime="([0-9-]{10})', dates) == [
        "2026-12-01", "2026-12-15", "2026-12-29", "2027-01-12", "2027-01-26",
    ]  # fmt: skip
    assert f'href="/series/{made["series"]}.ics"' in dates
    assert f'href="/events/list/1900-01-01/?series={made["series"]}"' in dates
    assert "All dates</a>" in dates or "All dates (17)" in dates
    # The other occurrences are no programme, and the first is no whole that this is a part of.
    assert not section(html, "parts")
    assert "Part of" not in html
    assert "Jeden zweiten Dienstag bis zum 30. Juni 2027" in page(world, f"/event/{made['slug']}/?lang=de")


def test_a_later_date_leads_to_those_before_it(world: World) -> None:
    made = world.make("events", **CHOIR)
    html = page(world, "/event/choir-2026-12-01/")
    assert "Part of" not in html
    assert re.findall(r'datetime="([0-9-]{10})', section(html, "dates"))[0] == made["start_date"][:10]


def test_a_single_event_has_none_of_it(world: World) -> None:
    html = page(world, f"/event/{world.make('events', title='Fair')['slug']}/")
    assert not section(html, "dates")
    assert 'class="repeats"' not in html
    assert "superEvent" not in html


def test_other_dates_are_not_called_related(world: World) -> None:
    mill = world.make("venues", venue="Mill")["id"]
    made = world.make("events", **CHOIR, venue=mill)
    second = world.make("events", **CHOIR | {"title": "Yoga"}, venue=mill)
    world.put("/events/by-slug/choir-2026-12-01", json={"title": "Choir with guests"})
    world.put("/events/by-slug/yoga-2026-12-01", json={"title": "Yoga outdoors"})
    found = re.search(r'<section class="related".*?</section>', page(world, f"/event/{made['slug']}/"), re.S)
    assert found is not None
    assert re.findall(r'href="/event/([^/]*)/"', found[0]) == [second["slug"]]


def test_all_dates_of_a_series(world: World) -> None:
    made = world.make("events", **CHOIR)
    world.make("events", title="Fair", start_date="2026-11-18 10:00", end_date="2026-11-18 11:00")
    html = page(world, f"/events/list/?series={made['series']}")
    assert html.count('class="name"') == 17
    assert "Fair" not in html
    assert world.get(f"{BASE_URL}/events/list/?series=99999").status_code == 404


def test_a_list_can_show_each_series_once(world: World) -> None:
    world.make("events", **CHOIR)
    world.make("events", title="Fair", start_date="2026-11-18 10:00", end_date="2026-11-18 11:00")
    html = page(world, "/events/list/")
    assert html.count('class="name"') == 18
    assert 'href="/events/list/?collapse=series"' in html
    folded = page(world, "/events/list/?collapse=series")
    assert folded.count('class="name"') == 2
    assert "17 dates" in folded
    assert '<link rel="canonical" href="http://calendar.test/events/list/?collapse=series">' in folded
    assert "Show every date</a>" in folded


def test_a_list_without_series_offers_nothing_to_fold(world: World) -> None:
    world.make("events", title="Fair")
    assert "collapse" not in page(world, "/events/list/")


@pytest.mark.parametrize(
    ("recurrence", "schedule"),
    [
        (
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630\nEXDATE:20261201",
            {"repeatFrequency": "P2W", "endDate": "2027-06-30", "exceptDate": ["2026-12-01T19:00:00"]},
        ),
        ("FREQ=MONTHLY;BYDAY=3TU;COUNT=5", {"repeatFrequency": "P1M", "byDay": ["3TU"], "repeatCount": 5}),
        ("FREQ=WEEKLY;BYDAY=TU", {"repeatFrequency": "P1W", "byDay": ["https://schema.org/Tuesday"]}),
        ("FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=17", {"repeatFrequency": "P1Y", "byMonth": [11], "byMonthDay": [17]}),
    ],
)
def test_search_engines_learn_of_the_series(world: World, recurrence: str, schedule: dict[str, Any]) -> None:
    made = world.make("events", **CHOIR | {"recurrence": recurrence})
    series = about(page(world, f"/event/{made['slug']}/"))["superEvent"]
    assert (series["@type"], series["name"]) == ("EventSeries", "Choir")
    assert series["eventSchedule"] == schedule | {
        "@type": "Schedule",
        "startDate": "2026-11-17",
        "startTime": "19:00:00",
        "endTime": "21:00:00",
        "scheduleTimezone": "Europe/Berlin",
    }


def test_a_rule_without_words_in_schema_org_is_left_out(world: World) -> None:
    made = world.make("events", **CHOIR | {"recurrence": "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=3"})
    series = about(page(world, f"/event/{made['slug']}/"))["superEvent"]
    assert "eventSchedule" not in series
