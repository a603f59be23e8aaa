"""What is due is public at that second for every reader, also while somebody else holds the writers' lock; when its
status is stored at last, nothing else changes."""

import re
from typing import Any

import pytest
from tests.both_stores import KINDS
from tests.effort import crossed, dealt
from tests.http.test_read_path import wait_until_stored

BASE = "http://calendar.test"
YEAR = "start_date=2027-01-01&end_date=2027-12-31"
EVERYWHERE = (
    "/events",
    f"/events?{YEAR}",
    f"/events?{YEAR}&status=publish",
    f"/events?{YEAR}&search=lantern",
    f"/events?{YEAR}&search=lantern&orderby=title",
    f"/events?{YEAR}&collapse=series",
    f"/events?{YEAR}&orderby=modified&order=desc",
    f"/events?{YEAR}&per_page=2&page=2",
    f"/events?{YEAR}&order=desc",
    "/events?ends_after=2027-03-01",
    "/events?venue={venue}",
    f"/events?{YEAR}&categories={{category}}",
    f"/events?{YEAR}&categories={{parent}}&featured=true",
    f"/events?{YEAR}&tags={{tag}}&organizer={{organizer}}",
    "/events/{event}",
    "/events/by-slug/lantern-walk",
    "/events/{protected}",
    "/events/{hidden}",
    "/events?include={event},{hidden},{later}",
    "/venues",
    "/venues?event={event}",
    "/venues?has_events=true",
    "/venues?only_with_upcoming=true",
    "/venues/{venue}",
    "/organizers",
    "/organizers?has_events=false",
    "/organizers/{organizer}",
    "/categories",
    "/categories?hide_empty=true",
    "/categories?orderby=count&order=desc",
    "/categories/{category}",
    "/tags?hide_empty=true",
    "/tags/{tag}",
    f"{BASE}/events/",
    f"{BASE}/events/list/",
    f"{BASE}/events/month/2027-03/",
    f"{BASE}/events/day/2027-03-10/",
    f"{BASE}/events/week/2027-03-10/",
    f"{BASE}/events/list/?search=lantern",
    f"{BASE}/event/lantern-walk/",
    f"{BASE}/event/hidden/",
    f"{BASE}/event/anchor/",
    f"{BASE}/venue/pier/",
    f"{BASE}/organizer/keepers/",
    f"{BASE}/venues/",
    f"{BASE}/events/category/walks/",
    f"{BASE}/tag/night/",
    f"{BASE}/events.ics",
    f"{BASE}/events.rss",
    f"{BASE}/sitemap.xml",
    f"{BASE}/sitemap-event-0.xml",
    f"{BASE}/sitemap-category-0.xml",
)
SIGNED_IN = (
    f"/events?{YEAR}",
    f"/events?{YEAR}&status=future",
    f"/events?{YEAR}&status=publish",
    f"/events?{YEAR}&status=publish,future,draft&search=lantern",
    "/events/{event}",
    "/categories",
    "/categories?orderby=count",
    "/venues",
    f"/events?{YEAR}&collapse=series",
)
WHO = ("contributor", "author", "editor")
# What only storing gives to a record: the number of its last change; and its time, if it came with an event.
CHANGES = re.compile(
    rb'"rev": ?\d+|"modified(?:_utc|_gmt|_utc_details|_details)?": ?(?:"[^"]*"|\{[^}]*\})'
    rb"|SEQUENCE:\d+|<lastmod>[^<]*"
)


def fill(world: Any) -> dict[str, Any]:
    world.make("events", title="Anchor", tags=["Day"], venue={"venue": "Old town"})
    parent = world.make("categories", name="Outdoors")
    category = world.make("categories", name="Walks", parent=parent["id"])
    world.make("events", title="Lantern by day", start_date="2027-03-09 09:00:00", categories=[category["id"]])
    tag = world.make("tags", name="Night")
    at = {"date": "+1 hour", "categories": [category["id"]], "tags": [tag["id"]]}
    event = world.make(
        "events",
        "contributor",
        title="Lantern walk",
        featured=True,
        venue={"venue": "Pier"},
        organizer={"organizer": "Keepers"},
        **at,
    )
    world.ask("POST", f"/events/{event['id']}", "editor", json={"status": "publish"})
    assert world.read("events", event["id"])["status"] == "future"
    assert world.read("venues", event["venue"]["id"])["status"] == "draft"
    world.make(
        "events",
        title="Lantern course",
        start_date="2027-04-01 18:00:00",
        end_date="2027-04-01 19:00:00",
        recurrence="RRULE:FREQ=WEEKLY;COUNT=4",
        **at,
    )
    return {
        "event": event["id"],
        "venue": event["venue"]["id"],
        "organizer": event["organizer"][0]["id"],
        "category": category["id"],
        "parent": parent["id"],
        "tag": tag["id"],
        "protected": world.make("events", title="Lantern secret", password="s", **at)["id"],
        "hidden": world.make("events", title="Hidden", hide_from_listings=True, **at)["id"],
        "later": world.make("events", title="Lantern later", date="+2 hours")["id"],
    }


def seen(world: Any, path: str, ids: dict[str, Any], who: str) -> tuple[int, str]:
    response = world.get(path.format(**ids), who, headers={"Accept": "*/*"})
    return response.status_code, CHANGES.sub(b"", response.content).decode()


@pytest.mark.both_stores
def test_readers_see_what_is_due_while_another_writer_keeps_it_from_being_stored(
    world: Any, writing: Any, store_kind: str
) -> None:
    anonymous = [(path, "anonymous") for path in dealt(EVERYWHERE, store_kind, KINDS)]
    sees_what_is_due(world, writing, anonymous + crossed(SIGNED_IN, WHO))


def sees_what_is_due(world: Any, writing: Any, asked: list[tuple[str, str]]) -> None:
    ids = fill(world)

    def look() -> dict[tuple[str, str], tuple[int, str]]:
        return {(path, who): seen(world, path, ids, who) for path, who in asked}

    assert seen(world, "/events/{event}", ids, "anonymous")[0] == 403
    assert seen(world, f"{BASE}/event/lantern-walk/", ids, "anonymous")[0] == 404
    look()  # what is kept from now on is from before
    world.clock.move(hours=1)
    with writing():
        blocked = look()
        again = look()  # from the response cache, where it may be kept
    wait_until_stored(world)
    stored = look()
    assert [one for one in asked if stored[one][0] != 200] == []
    assert [one for one in asked if not blocked[one] == again[one] == stored[one]] == []


@pytest.mark.both_stores
def test_a_client_that_has_the_list_from_before_gets_the_one_with_what_is_due(world: Any, writing: Any) -> None:
    world.make("events", title="Public")
    world.make("events", title="Due", date="+1 hour")
    world.clock.move(minutes=30)
    paths = ("/events", f"{BASE}/events.ics", f"{BASE}/events/list/")
    had = {path: world.get(path).headers for path in paths}
    world.clock.move(minutes=30)
    with writing():
        for path, headers in had.items():
            conditions = {"If-None-Match": "ETag", "If-Modified-Since": "Last-Modified"}
            for condition, header in conditions.items():
                if header in headers:
                    assert world.get(path, headers={condition: headers[header]}).status_code == 200, (path, header)
            assert "Due" in world.get(path).text
            assert "Due" in world.neighbour().get(world.ns + path if path.startswith("/") else path).text
    wait_until_stored(world)
