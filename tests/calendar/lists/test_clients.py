"""Clients that exist, each in the shape of its requests: they change the host and nothing else."""

from datetime import datetime

import pytest
from tests.pictures import png

COMPAT = "http://calendar.test/wp-json/tribe/events/v1"


@pytest.fixture(scope="module")
def calendar(shared_world):
    """A hundred and thirty events to come, one that is over, and a few that nobody outside may see."""
    world = shared_world
    for number in range(130):
        day = f"2027-{number // 28 + 1:02}-{number % 28 + 1:02}"
        world.make("events", title=f"event {number}", start_date=f"{day} 10:00:00", end_date=f"{day} 11:00:00")
    world.make("events", title="over", start_date="2020-01-01 10:00:00", end_date="2020-01-01 11:00:00")
    world.make("events", title="draft", status="draft")
    world.make("events", title="hidden", hide_from_listings=True)
    return world


EXPECTED = [f"event {number}" for number in range(130)]


def titles(response):
    assert response.status_code == 200, response.text
    return [event["title"] for event in response.json()["events"]]


def test_importer_that_counts_pages_up_to_total_pages(calendar):
    visibility, page, pages = [], 1, 1
    while page <= pages:
        response = calendar.get(f"{COMPAT}/events?per_page=50&page={page}")
        visibility += titles(response)
        pages = response.json()["total_pages"]
        page += 1
    assert (visibility, pages) == (EXPECTED, 3)


def test_client_that_follows_next_rest_url_until_it_is_absent(calendar):
    visibility, url = [], f"{COMPAT}/events"
    while url:
        response = calendar.get(url)
        visibility += titles(response)
        url = response.json().get("next_rest_url")
        assert url is None or url.startswith(COMPAT)
    assert visibility == EXPECTED


def test_client_that_stops_when_page_times_per_page_reaches_the_total(calendar):
    visibility, page = [], 1
    while True:
        response = calendar.get(f"{COMPAT}/events/?page={page}&per_page=100")
        visibility += titles(response)
        if page * 100 >= response.json()["total"]:
            break
        page += 1
    assert (visibility, page) == (EXPECTED, 2)


def test_client_that_reads_the_totals_from_the_headers(calendar):
    response = calendar.ask("HEAD", f"{COMPAT}/events?per_page=100")
    assert response.content == b""
    assert (response.headers["X-TEC-Total"], response.headers["X-TEC-TotalPages"]) == ("130", "2")


def test_client_that_sends_dates_as_iso_with_z(calendar):
    query = "start_date=2027-01-01T00:00:00Z&end_date=2027-01-03T23:59:59.000Z&per_page=100"
    # The first is still the last evening of December in New York, the second its evening of the third.
    assert titles(calendar.get(f"{COMPAT}/events?{query}")) == EXPECTED[:3]


def test_client_without_any_parameter(calendar):
    assert titles(calendar.get(f"{COMPAT}/events")) == EXPECTED[:12]


@pytest.mark.parametrize("path", ["/events", "/venues", "/organizers", "/categories", "/tags", "/doc", ""])
def test_client_that_ends_every_path_with_a_slash(world, path):
    world.make("venues", venue="Hall")
    with_slash, without = world.get(f"{COMPAT}{path}/"), world.get(f"{COMPAT}{path}")
    assert (with_slash.status_code, with_slash.content) == (200, without.content)


def test_client_that_asks_for_published_events(calendar):
    response = calendar.get(f"{COMPAT}/events?status=publish&per_page=100&page=2")
    assert titles(response) == EXPECTED[100:]
    assert {event["status"] for event in response.json()["events"]} == {"publish"}


def test_client_that_searches_and_then_reads_by_id(world):
    world.make("events", title="Choir rehearsal", description="Bring your scores")
    world.make("events", title="Chess")
    found = world.get(f"{COMPAT}/events?search=scores").json()["events"]
    assert [event["title"] for event in found] == ["Choir rehearsal"]
    read = world.get(f"{COMPAT}/events/{found[0]['id']}")
    assert read.status_code == 200
    assert {key: value for key, value in read.json().items() if key in found[0]} == found[0]
    assert world.get(found[0]["rest_url"]).json() == read.json()


def test_client_that_splits_dates_on_a_space(world):
    world.make("events", start_date="2027-03-10 09:00:00", end_date="2027-03-10 11:30:00", timezone="Europe/Paris")
    event = world.get(f"{COMPAT}/events").json()["events"][0]
    for name, expected in (
        ("start_date", ("2027-03-10", "09:00:00")),
        ("end_date", ("2027-03-10", "11:30:00")),
        ("utc_start_date", ("2027-03-10", "08:00:00")),
        ("utc_end_date", ("2027-03-10", "10:30:00")),
        ("date", ("2026-11-15", "07:00:00")),
        ("modified_utc", ("2026-11-15", "12:00:00")),
    ):
        assert tuple(event[name].split(" ")) == expected, name
        assert datetime.strptime(event[name], "%Y-%m-%d %H:%M:%S")
    details = event["start_date_details"]
    assert "{year}-{month}-{day} {hour}:{minutes}:{seconds}".format(**details) == event["start_date"]


def test_client_that_tells_an_empty_venue_list_from_a_venue(world):
    hall, yard = (world.make("venues", venue=name, city="Nice")["id"] for name in ("Hall", "Yard"))
    for title, venue in (("none", []), ("one", [hall]), ("two", [yard, hall])):
        world.make("events", title=title, venue=venue)
    none, one, two = (event["venue"] for event in world.get(f"{COMPAT}/events").json()["events"])
    assert none == []
    assert (one["venue"], one["city"]) == ("Hall", "Nice")
    assert [venue["venue"] for venue in two] == ["Yard", "Hall"]


def test_client_that_shows_organizers_and_terms_of_each_event(world):
    band = world.make("organizers", organizer="Band", email="band@example.org")["id"]
    world.make("events", organizer=band, categories=["Music"], tags=["loud"])
    event = world.get(f"{COMPAT}/events").json()["events"][0]
    assert [organizer["email"] for organizer in event["organizer"]] == ["band@example.org"]
    assert [(term["name"], term["slug"]) for term in event["categories"]] == [("Music", "music")]
    assert [term["urls"]["self"].startswith(COMPAT) for term in event["tags"]] == [True]


def test_client_that_takes_an_image_or_false(world):
    stored = world.upload(png(400, 350))
    world.make("events", title="plain")
    world.make("events", title="pictured", image=stored["id"])
    plain, pictured = (event["image"] for event in world.get(f"{COMPAT}/events").json()["events"])
    assert plain is False
    assert pictured["url"] == stored["url"]
    assert set(pictured["sizes"]) == {"medium", "thumbnail"}
    assert pictured["sizes"]["medium"]["width"] == 300
    assert world.get(pictured["sizes"]["thumbnail"]["url"]).headers["Content-Type"] == "image/png"
