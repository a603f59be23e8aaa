"""The list of events as a feed of the interface: the same filters, errors and visibility, without pages."""

from typing import Any

import icalendar
import pytest
from tests.conftest import BASE_URL, COMPAT_NS, NS

HALL = {"venue": "Town Hall", "geo_lat": 43.7, "geo_lng": 7.26}
LOUD = {
    "title": "Loud concert",
    "description": "trumpets",
    "featured": True,
    "categories": ["Music"],
    "tags": ["outdoor"],
    "venue": HALL,
    "organizer": {"organizer": "Olga"},
    "tickets": [{"name": "Seat"}],
}
# Each finds the loud concert and not the quiet one.
FILTERS = (
    "search=trumpets",
    "search=loud",
    "search=-quiet",
    "featured=true",
    "categories=music",
    "tags=outdoor",
    "venue={venue}",
    "organizer={organizer}",
    "ticketed=true",
    "geoloc=true",
    "geoloc_lat=43.7&geoloc_lng=7.3&geoloc_radius=20",
    "exclude={quiet}",
    "include={loud}",
    "post_parent={parent}&starts_after=2020-01-01",
    "starts_after=2027-03-10&categories=music&featured=true&search=concert",
    "status=publish&featured=1",
)


def entries(world: Any, path: str, who: str = "anonymous") -> dict[str, str]:
    """The status of each entry by its title; of a cancelled one by its UID, which is all it has."""
    response = world.get(path, who)
    assert response.status_code == 200, response.text
    assert response.headers["Content-Type"] == "text/calendar; charset=UTF-8"
    found = icalendar.Calendar.from_ical(response.content).walk("VEVENT")
    return {str(entry.get("summary", entry["uid"])): str(entry["status"]) for entry in found}


@pytest.fixture
def concerts(world: Any) -> dict[str, int]:
    """Two events, and the records that the first leads to."""
    parent = world.make("events", title="Season", start_date="2019-01-01", end_date="2019-01-02")["id"]
    day = {"start_date": "2027-03-12 20:00", "end_date": "2027-03-12 22:00"}
    loud = world.make("events", **LOUD, **day, post_parent=parent)
    quiet = world.make("events", title="Quiet evening", venue={"venue": "Library"})["id"]
    venue, organizer = loud["venue"]["id"], loud["organizer"][0]["id"]
    return {"loud": loud["id"], "quiet": quiet, "parent": parent, "venue": venue, "organizer": organizer}


@pytest.mark.both_stores
@pytest.mark.parametrize("query", FILTERS)
def test_a_filter_finds_the_events_of_the_list_and_cancels_trashed_ones(
    world: Any, concerts: dict[str, int], query: str
) -> None:
    asked = query.format(**concerts)
    listed = [event["title"] for event in world.get(f"/events?{asked}").json()["events"]]
    assert listed == ["Loud concert"]
    assert entries(world, f"/events.ics?{asked}") == {"Loud concert": "CONFIRMED"}
    world.delete(f"/events/{concerts['loud']}")
    [(uid, status)] = entries(world, f"/events.ics?{asked}").items()
    assert uid.startswith(f"event-{concerts['loud']}@")
    assert status == "CANCELLED"


@pytest.mark.parametrize(
    "query", ["search=quiet", "featured=false", "categories=jazz", "geoloc=false", "status=draft"]
)
def test_a_feed_does_not_cancel_what_was_never_in_it(world: Any, concerts: dict[str, int], query: str) -> None:
    world.make("categories", name="Jazz")
    world.delete(f"/events/{concerts['loud']}")
    assert "CANCELLED" not in entries(world, f"/events.ics?{query}", "editor").values()


def test_the_feeds_of_pages_cancel_events_too(world: Any, concerts: dict[str, int]) -> None:
    paths = ("/events.ics?featured=1&search=loud", "/venue/town-hall.ics", "/organizer/olga.ics")
    paths += ("/events/category/music.ics", "/events/tag/outdoor.ics", "/events.ics?geoloc_lat=43.7&geoloc_lng=7.3")
    for path in paths:
        assert entries(world, BASE_URL + path) == {"Loud concert": "CONFIRMED"}
    world.delete(f"/events/{concerts['loud']}")
    for path in paths:
        assert list(entries(world, BASE_URL + path).values()) == ["CANCELLED"], path


def test_what_was_not_public_is_not_cancelled(world: Any) -> None:
    draft = world.make("events", title="Draft", status="draft")["id"]
    private = world.make("events", title="Private", status="private")["id"]
    hidden = world.make("events", title="Hidden", hide_from_listings=True)["id"]
    changed = world.make("events", title="Public once")["id"]
    for id in (draft, private, hidden, changed):
        world.delete(f"/events/{id}")
    # Changes made in the trash show nowhere, neither by times nor by words.
    world.put(f"/events/{changed}", json={"title": "A secret", "featured": True})
    for path in ("/events.ics", "/events.ics?search=secret", "/events.ics?featured=true", f"{BASE_URL}/events.ics"):
        assert entries(world, path) == {}, path


NEVER_PUBLIC: list[tuple[dict[str, Any], str]] = [
    ({"title": "A secret"}, "search=secret"),
    ({"description": "handshake"}, "search=handshake"),
    ({"featured": True}, "featured=true"),
    ({"post_password": ""}, "search=sesame"),
    ({"venue": {"venue": "Hideout"}}, "venue={venue}"),
    ({"tags": ["covert"]}, "tags=covert"),
    ({"start_date": "2028-01-01 10:00:00", "end_date": "2028-01-01 11:00:00"}, "start_date=2027-12-30"),
]


@pytest.mark.both_stores
@pytest.mark.parametrize(("sent", "query"), NEVER_PUBLIC)
@pytest.mark.parametrize("scope", ["", "?scope=all"])
def test_what_was_sent_together_with_the_trash_finds_nothing(
    world: Any, sent: dict[str, Any], query: str, scope: str
) -> None:
    made = {"description": "sesame", "post_password": "sesame"} if "post_password" in sent else {}
    rule = {"recurrence": "FREQ=DAILY;COUNT=2"} if scope else {}
    id = world.make("events", **made, **rule)["id"]
    hideout = world.make("venues", venue="Hideout")["id"]
    world.make("events", title="Other", tags=["covert"], status="draft")
    assert world.put(f"/events/{id}{scope}", json={**sent, "status": "trash"}).status_code == 200
    assert entries(world, f"/events.ics?{query.format(venue=hideout)}") == {}
    assert world.get("/events").json()["events"] == []  # and everybody's lists know that it is gone


@pytest.mark.parametrize("sent", [{}, {"title": "An event", "featured": False}])
def test_an_update_that_only_throws_it_away_cancels_it(world: Any, sent: dict[str, Any]) -> None:
    id = world.make("events")["id"]
    world.put(f"/events/{id}", json={**sent, "status": "trash"})
    assert list(entries(world, "/events.ics").values()) == ["CANCELLED"]


def test_a_protected_event_is_cancelled_in_the_feeds_that_had_it(world: Any) -> None:
    sent = {"title": "Closed circle", "description": "handshake", "featured": True, "post_password": "sesame"}
    id = world.make("events", **sent)["id"]
    world.delete(f"/events/{id}")
    assert list(entries(world, "/events.ics").values()) == ["CANCELLED"]
    assert list(entries(world, "/events.ics?search=circle").values()) == ["CANCELLED"]
    assert entries(world, "/events.ics?search=handshake") == {}
    assert entries(world, "/events.ics?featured=true") == {}


def test_a_cancellation_is_told_for_ninety_days(world: Any) -> None:
    world.delete(f"/events/{world.make('events', start_date='2028-01-01', end_date='2028-01-02')['id']}")
    world.clock.move(days=89)
    assert list(entries(world, "/events.ics").values()) == ["CANCELLED"]
    world.clock.move(days=2)
    assert entries(world, "/events.ics") == {}


@pytest.mark.parametrize(
    "query",
    ["start_date=soon", "categories=nothing", "venue=999", "status=draft", "geoloc_lat=1", "search=",
     "featured=maybe", "include=x", "post_parent=999", "end_date=2027-02-30&modified_after=never"],
)  # fmt: skip
def test_bad_filters_are_the_errors_of_the_list(world: Any, query: str) -> None:
    feed, listed = world.get(f"/events.ics?{query}"), world.get(f"/events?{query}")
    assert (feed.status_code, feed.json()) == (400, listed.json())
    assert feed.headers["Content-Type"] == listed.headers["Content-Type"] == "application/json; charset=UTF-8"


def test_the_window_is_that_of_the_list(world: Any) -> None:
    for year in (2020, 2027, 2040):
        world.make("events", title=str(year), start_date=f"{year}-03-10", end_date=f"{year}-03-11")
    assert list(entries(world, "/events.ics")) == ["2027"]
    assert list(entries(world, "/events.ics?starts_after=1900-01-01")) == ["2020", "2027", "2040"]
    assert list(entries(world, "/events.ics?start_date=2020-01-01&end_date=2021-01-01")) == ["2020"]


def test_there_are_no_pages_and_no_order(world: Any) -> None:
    for number in range(14):
        world.make("events", title=f"Event {number}")
    query = "page=99&per_page=1&orderby=nothing&order=sideways"
    assert len(entries(world, f"/events.ics?{query}")) == 14


def test_both_prefixes_have_it_and_link_to_it(world: Any) -> None:
    world.make("events", title="A", categories=["Music"])
    for ns in (NS, COMPAT_NS):
        response = world.get(f"{ns}/events.ics?categories=music&password=sesame")
        calendar = icalendar.Calendar.from_ical(response.content)
        assert calendar["source"] == f"{ns}/events.ics?categories=music"
        assert b"sesame" not in response.content


def test_a_logged_in_caller_sees_what_the_list_shows_them(world: Any) -> None:
    world.make("events", title="Public")
    for status in ("draft", "pending", "private"):
        world.make("events", "author", title=status, status=status)
    world.make("events", title="Hidden", hide_from_listings=True)
    assert entries(world, "/events.ics") == entries(world, "/events.ics", "subscriber") == {"Public": "CONFIRMED"}
    expected = {"Public": "CONFIRMED", "draft": "TENTATIVE", "pending": "TENTATIVE", "private": "CONFIRMED"}
    assert entries(world, "/events.ics", "author") == entries(world, "/events.ics", "editor") == expected
    assert entries(world, "/events.ics", "other_author") == {"Public": "CONFIRMED"}
    assert "Hidden" in entries(world, "/events.ics?show_hidden=true", "editor")
    assert entries(world, "/events.ics?status=draft", "author") == {"draft": "TENTATIVE"}


def test_the_trash_is_a_list_too(world: Any) -> None:
    world.delete(f"/events/{world.make('events', title='Thrown away')['id']}")
    assert entries(world, "/events.ics?status=trash", "editor") == {"Thrown away": "CANCELLED"}
    assert entries(world, "/events.ics?status=publish,trash", "editor") == {"Thrown away": "CANCELLED"}


def test_a_password_unmasks_its_event(world: Any) -> None:
    world.make("events", title="Gig", description="handshake", post_password="sesame")
    masked, opened = world.get("/events.ics"), world.get("/events.ics?password=sesame")
    assert b"handshake" not in masked.content
    assert b"handshake" in opened.content
    assert opened.headers["Cache-Control"] == "private, no-store"
    assert masked.headers["Cache-Control"].startswith("public")


@pytest.mark.parametrize("who", ["anonymous", "subscriber", "author", "editor"])
def test_an_etag_holds_until_the_reader_could_notice_a_change(world: Any, who: str) -> None:
    world.make("events", title="First")
    first = world.get("/events.ics", who)
    known = {"If-None-Match": first.headers["ETag"]}
    again = world.get("/events.ics", who, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert world.get("/events.ics", who, headers={"If-None-Match": "*"}).status_code == 304
    assert world.get("/events.ics?featured=true", who, headers=known).status_code == 200
    world.make("events", title="Somebody's draft", status="draft")
    assert world.get("/events.ics", who, headers=known).status_code == (200 if who == "editor" else 304)
    world.make("events", title="Second")
    assert world.get("/events.ics", who, headers=known).status_code == 200
    assert (first.headers["Cache-Control"] == "private, no-store") == (who != "anonymous")
    assert ("Authorization" in first.headers.get("Vary", "")) == (who == "anonymous")


def test_an_etag_does_not_outlive_the_day_or_a_relative_time(world: Any) -> None:
    world.make("events", title="Today", start_date="2026-11-15 20:00", end_date="2026-11-15 21:00")
    for path, moved in (("/events.ics", {"hours": 17}), ("/events.ics?strict_dates=true", {"seconds": 1})):
        known = {"If-None-Match": world.get(path).headers["ETag"]}
        assert world.get(path, headers=known).status_code == 304
        world.clock.move(**moved)
        assert world.get(path, headers=known).status_code == 200


def test_callers_have_different_etags(world: Any) -> None:
    world.make("events", title="Only")
    tags = {who: world.get("/events.ics", who).headers["ETag"] for who in ("anonymous", "author", "editor")}
    assert len(set(tags.values())) == 3


def test_head_and_options(world: Any) -> None:
    world.make("events", title="A")
    head, got = world.ask("HEAD", "/events.ics"), world.get("/events.ics")
    assert (head.status_code, head.content) == (200, b"")
    for name in ("ETag", "Content-Type", "Cache-Control", "Content-Disposition"):
        assert head.headers[name] == got.headers[name]
    options = world.ask("OPTIONS", "/events.ics").json()
    assert options["methods"] == ["GET"]
    assert options["endpoints"][0]["args"]["start_date"]["default"] == "2026-11-15 07:00:00"
    assert world.post("/events.ics").status_code == 405


@pytest.mark.parametrize(
    "path", ["/events.ics", "/events.rss", "/events.json", "/venue/town-hall.ics", "/events/category/music.ics"]
)
def test_no_feed_has_what_anonymous_readers_cannot_see(world: Any, path: str) -> None:
    inside = {"description": "innermost", "venue": HALL, "categories": ["Music"]}
    world.make("events", title="Public", **inside | {"description": "open"})
    for status in ("draft", "pending", "private"):
        world.make("events", title="Secret", status=status, **inside)
    world.make("events", title="Secret", date="2031-01-01", **inside)
    world.make("events", title="Secret", hide_from_listings=True, **inside)
    world.make("events", title="Outside only", post_password="sesame", **inside)
    world.delete(f"/events/{world.make('events', title='Secret', **inside)['id']}")
    for who in ("anonymous", "administrator"):
        text = world.get(BASE_URL + path, who).text
        assert "Public" in text
        assert "Secret" not in text
        assert "innermost" not in text
        # A masked event is in lists by its title, and in none that its hidden part decides.
        assert ("Outside only" in text) == path.startswith("/events.")
