"""Feeds: what calendar programs and feed readers get, parsed back by parsers that are not ours."""

from datetime import UTC, date, datetime
from typing import Any
from xml.etree import ElementTree

import icalendar
import pytest

from kalends.http.messages import long_responses
from kalends.present import ical

SITE = "http://calendar.test"
HALL = {"venue": "Town Hall", "address": "1 Main St", "city": "Nice", "geo_lat": 43.7, "geo_lng": 7.26}


def events_in(world: Any, path: str) -> dict[str, icalendar.Event]:
    """The entries of a feed by their title; cancelled ones by their UID."""
    response = world.get(SITE + path)
    assert response.status_code == 200, response.text
    assert response.headers["Content-Type"] == "text/calendar; charset=UTF-8"
    calendar = icalendar.Calendar.from_ical(response.content)
    return {str(entry.get("summary", entry["uid"])): entry for entry in calendar.walk("VEVENT")}


def test_an_entry_has_every_property(world: Any) -> None:
    made = world.make(
        "events",
        title="Concert, loud; long",
        description="<p>First</p><p>Second</p>",
        venue=HALL,
        organizer={"organizer": "Olga", "email": "olga@example.org"},
        categories=["Music"],
        tags=["outdoor"],
    )
    entry = events_in(world, "/events.ics")["Concert, loud; long"]
    assert entry["dtstart"].dt == datetime(2027, 3, 10, 14, tzinfo=UTC)
    assert entry["dtend"].dt == datetime(2027, 3, 10, 16, tzinfo=UTC)
    assert entry["dtstart"].params["TZID"] == "America/New_York"
    assert entry["location"] == "Town Hall, 1 Main St, Nice"
    assert (entry["geo"].latitude, entry["geo"].longitude) == (43.7, 7.26)
    assert "First" in entry["description"]
    assert "<" not in entry["description"]
    assert entry["url"] == made["url"]
    assert entry["organizer"] == "mailto:olga@example.org"
    assert [str(word) for word in entry["categories"].cats] == ["Music", "outdoor"]
    assert entry["status"] == "CONFIRMED"


def test_all_day_events_are_days(world: Any) -> None:
    world.make("events", title="Fair", all_day=True, start_date="2027-03-10", end_date="2027-03-12")
    entry = events_in(world, "/events.ics")["Fair"]
    assert (entry["dtstart"].dt, entry["dtend"].dt) == (date(2027, 3, 10), date(2027, 3, 13))


@pytest.mark.parametrize(
    ("zone", "start", "utc"),
    [
        ("America/New_York", "2027-03-14 03:30", datetime(2027, 3, 14, 7, 30, tzinfo=UTC)),
        ("America/New_York", "2027-11-07 01:30", datetime(2027, 11, 7, 5, 30, tzinfo=UTC)),
        ("Europe/Paris", "2027-03-28 03:30", datetime(2027, 3, 28, 1, 30, tzinfo=UTC)),
        ("UTC+2", "2027-06-01 10:00", datetime(2027, 6, 1, 8, 0, tzinfo=UTC)),
        ("Asia/Tokyo", "2060-06-01 10:00", datetime(2060, 6, 1, 1, 0, tzinfo=UTC)),
    ],
)
def test_an_entry_is_at_the_true_instant(world: Any, zone: str, start: str, utc: datetime) -> None:
    world.make("events", title="When", timezone=zone, start_date=start, end_date=start[:10] + " 23:00")
    assert events_in(world, "/events.ics")["When"]["dtstart"].dt.astimezone(UTC) == utc


def test_a_protected_event_shows_its_title_and_times_only(world: Any) -> None:
    world.make("events", title="Gig", description="hidden words", post_password="s3cret", venue=HALL)
    entry = events_in(world, "/events.ics")["Gig"]
    assert "description" not in entry
    assert "location" not in entry
    assert world.get(f"{SITE}/event/gig.ics").status_code == 403
    assert "hidden words" not in world.get(f"{SITE}/events.rss").text + world.get(f"{SITE}/events.json").text


def test_a_trashed_event_is_cancelled_without_its_texts(world: Any) -> None:
    made = world.make("events", title="Called off")
    uid = events_in(world, "/events.ics")["Called off"]["uid"]
    draft = world.make("events", title="Never public", status="draft")
    for id in (made["id"], draft["id"]):
        world.delete(f"/events/{id}")
    found = events_in(world, "/events.ics")
    assert {entry["status"] for entry in found.values()} == {"CANCELLED"}
    assert list(found) == [uid]
    assert "Called off" not in world.get(f"{SITE}/events.ics").text


def test_feeds_of_a_venue_organizer_category_tag_and_event(world: Any) -> None:
    world.make(
        "events", title="Here", venue=HALL, organizer={"organizer": "Olga"}, categories=["Jazz"], tags=["loud"]
    )
    world.make("events", title="Elsewhere")
    paths = ("/venue/town-hall", "/organizer/olga", "/events/category/jazz", "/events/tag/loud", "/event/here")
    for path in paths:
        assert list(events_in(world, f"{path}.ics")) == ["Here"]
    assert world.get(f"{SITE}/venue/nowhere.ics").status_code == 404


def test_a_feed_has_no_cap_and_needs_no_window(world: Any) -> None:
    for number in range(230):
        day = f"{2020 + number // 60}-0{1 + number % 9}-10"
        world.make("events", title=f"Event {number}", start_date=f"{day} 10:00", end_date=f"{day} 11:00")
    assert len(events_in(world, "/events.ics")) == 230


@pytest.mark.parametrize("path", ["/events.ics", "/events.rss", "/events.json"])
def test_a_feed_is_304_until_something_public_changes(world: Any, path: str) -> None:
    world.make("events")
    etag = world.get(SITE + path).headers["ETag"]
    assert world.get(SITE + path, headers={"If-None-Match": etag}).status_code == 304
    world.make("events", status="draft")
    assert world.get(SITE + path, headers={"If-None-Match": etag}).status_code == 304
    world.make("events", title="New")
    assert world.get(SITE + path, headers={"If-None-Match": etag}).status_code == 200


def test_feed_readers_get_the_newest_first(world: Any) -> None:
    for title in ("Older & wiser", "Newer <b>"):
        world.make("events", title=title, categories=["Music"], venue=HALL)
        world.clock.move(minutes=1)
    titles = ["Newer", "Older & wiser"]
    rss = world.get(f"{SITE}/events.rss").content
    channel = ElementTree.fromstring(rss).find("channel")  # noqa: S314  (our own answer)
    assert channel is not None
    assert [item.findtext("title") for item in channel.iter("item")] == titles
    feed = world.get(f"{SITE}/events.json").json()
    assert [item["title"] for item in feed["items"]] == titles
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["items"][0]["tags"] == ["Music"]


def test_a_text_that_looks_like_markup_stays_a_text_in_a_reader(world: Any) -> None:
    """Readers take the description of RSS and the content of a JSON feed as HTML."""
    written = "Write <img src=x onerror=alert(1)> & more"
    escaped = "Write &lt;img src=x onerror=alert(1)&gt; &amp; more"
    world.make("events", title="HTML for you", description=f"<p>{escaped}</p>", venue={"venue": "Bed & Breakfast"})
    rss = ElementTree.fromstring(world.get(f"{SITE}/events.rss").content)  # noqa: S314  (our own answer)
    (description,) = [item.findtext("description") or "" for item in rss.iter("item")]
    assert escaped in description
    assert "Bed &amp; Breakfast" in description
    assert "<" not in description
    (item,) = world.get(f"{SITE}/events.json").json()["items"]
    assert escaped in item["content_html"]
    assert "<img" not in item["content_html"]
    # Descriptions of calendar files are texts.
    (entry,) = events_in(world, "/events.ics").values()
    assert written in entry["description"]


def test_a_feed_is_rendered_once_until_something_public_changes(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []
    render = ical.feed

    def counted(name: str, *more: Any) -> Any:
        rendered.append(name)
        return render(name, *more)

    monkeypatch.setattr(ical, "feed", counted)
    monkeypatch.setattr(long_responses, "PIECE", 100)  # so that it is a long one
    world.make("events", title="Jazz")
    path = f"{SITE}/events.ics"
    world.ask("HEAD", path)
    assert rendered == []
    first = world.get(path).content
    assert b"SUMMARY:Jazz" in first
    made = world.make("events", title="Draft", status="draft")
    assert world.get(path).content == first
    assert len(rendered) == 1
    world.put(f"/events/{made['id']}", json={"status": "publish"})
    assert b"SUMMARY:Draft" in world.get(path).content
    assert len(rendered) == 2
