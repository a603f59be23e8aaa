"""GET /events: who sees hidden, unpublished and protected events."""

import pytest
from tests.calendar.lists.list_requests import ask, names, refused

# Who sees what


def test_hidden_events_are_listed_only_by_include_or_for_their_editors(world):
    hidden = world.make("events", "author", title="hidden", hide_from_listings=True)["id"]
    world.make("events", title="shown")
    both, shown = ["hidden", "shown"], ["shown"]
    table = {
        ("anonymous", ""): shown,
        ("editor", ""): shown,
        ("author", ""): shown,
        ("anonymous", "?show_hidden=true"): shown,
        ("subscriber", "?show_hidden=true"): shown,
        ("contributor", "?show_hidden=true"): shown,
        ("other_author", "?show_hidden=true"): shown,
        ("author", "?show_hidden=true"): both,
        ("editor", "?show_hidden=true"): both,
        ("editor", "?show_hidden=false"): shown,
        ("anonymous", f"?include={hidden}"): ["hidden"],
        ("anonymous", "?search=hidden"): [],
    }
    assert {(who, query): names(world, f"/events{query}", who) for who, query in table} == table
    for (who, query), titles in table.items():
        assert ask(world, f"/events{query}", who)["total"] == len(titles)


@pytest.fixture
def statuses(world):
    for status in ("publish", "draft", "pending", "private", "future", "trash"):
        date = {"date": "2030-01-01"} if status == "future" else {}
        made = world.make("events", "author", title=status, status="draft" if status == "trash" else status, **date)
        if status == "trash":
            world.delete(f"/events/{made['id']}", "author")
    return world


def test_a_list_without_status_has_everything_readable_except_trash(statuses):
    everything = ["publish", "draft", "pending", "private", "future"]
    for who, expected in (
        ("anonymous", ["publish"]),
        ("subscriber", ["publish"]),
        ("contributor", ["publish"]),
        ("other_author", ["publish"]),
        ("author", everything),
        ("editor", everything),
        ("administrator", everything),
    ):
        assert names(statuses, "/events", who) == expected, who
        assert ask(statuses, "/events", who)["total"] == len(expected), who


def test_status_filters_limit_what_is_readable(statuses):
    for who, query, expected in (
        ("editor", "status=draft", ["draft"]),
        ("editor", "status=trash", ["trash"]),
        ("editor", "status=draft,future", ["draft", "future"]),
        ("editor", "status[]=private&status[]=publish", ["publish", "private"]),
        ("author", "status=trash,pending", ["pending", "trash"]),
        ("other_author", "status=draft,publish", ["publish"]),
        ("contributor", "status=draft", []),
        ("anonymous", "status=publish", ["publish"]),
        ("subscriber", "status=publish,publish", ["publish"]),
    ):
        answer = ask(statuses, f"/events?{query}", who)
        assert [event["title"] for event in answer["events"]] == expected, (who, query)
        assert answer["total"] == len(expected), (who, query)


def test_readers_without_edit_rights_can_filter_by_publish_only(statuses):
    for who in ("anonymous", "subscriber"):
        for status in ("draft", "future", "publish,draft", "trash", "any", ""):
            assert refused(statuses, f"/events?status={status}", who) == ["status"], (who, status)
    assert refused(statuses, "/events?status=any", "editor") == ["status"]
    assert refused(statuses, "/events?status=", "editor") == ["status"]


def test_a_future_event_is_listed_from_its_second_on(world):
    world.make("events", title="soon", date_utc="2026-11-15T12:00:10Z")
    assert ask(world, "/events")["total"] == 0
    world.clock.move(seconds=9)
    assert ask(world, "/events")["total"] == 0
    world.clock.move(seconds=1)
    assert (names(world, "/events"), ask(world, "/events")["total"]) == (["soon"], 1)


# Protected events


@pytest.fixture
def protected(world):
    """One event that everybody may read and one of the same kind behind a password."""
    place = world.make("venues", venue="Hall", geo_lat=1, geo_lng=1)["id"]
    more = {
        "venue": [place],
        "organizer": [world.make("organizers", organizer="Band")["id"]],
        "categories": [world.make("categories", name="Music")["id"]],
        "tags": [world.make("tags", name=name)["id"] for name in ("loud", "online")],
        "cost": "0",
        "description": "a secret word",
        "excerpt": "another whisper",
        "featured": True,
        "tickets": [{"name": "Seat"}],
    }
    world.make("events", "author", title="open concert", **more)
    world.make("events", "author", title="closed concert", post_password="sesame", **more)
    world.filters = {
        f"venue={place}",
        f"organizer={more['organizer'][0]}",
        "categories=music",
        "tags=loud",
        "featured=true",
        "ticketed=true",
        "free=true",
        "online=true",
        "geoloc=true",
        "geoloc_lat=1&geoloc_lng=1",
        "search=secret",
        "search=whisper",
        "search=closed+whisper",
    }
    return world


def test_a_protected_event_matches_no_filter_on_what_it_hides(protected):
    for query in protected.filters:
        expected = [] if "closed" in query else ["open concert"]
        for who in ("anonymous", "subscriber", "contributor", "other_author"):
            answer = ask(protected, f"/events?{query}", who)
            assert [event["title"] for event in answer["events"]] == expected, (query, who)
            assert answer["total"] == len(expected), (query, who)


def test_a_protected_event_matches_no_negated_filter_either(protected):
    for query in ("featured=false", "ticketed=false", "geoloc=false", "free=false", "online=false"):
        assert ask(protected, f"/events?{query}")["total"] == 0, query
    # A word in the hidden text neither finds nor excludes.
    assert names(protected, "/events?search=concert+-secret") == ["closed concert"]


def test_filters_match_a_protected_event_for_editors_and_with_the_password(protected):
    for query in protected.filters:
        expected = ["closed concert"] if "closed" in query else ["open concert", "closed concert"]
        for who, more in (("author", ""), ("editor", ""), ("anonymous", "&password=sesame")):
            answer = ask(protected, f"/events?{query}{more}", who)
            assert [event["title"] for event in answer["events"]] == expected, (query, who)
            assert answer["total"] == len(expected), (query, who)


def test_a_protected_event_stays_in_the_list_masked_until_its_password_comes(protected):
    masked = ask(protected, "/events?search=closed")["events"][0]
    assert masked["title"] == "closed concert"
    assert (masked["description"], masked["venue"], masked["featured"]) == ("", [], None)
    wrong = ask(protected, "/events?search=closed&password=Sesame")["events"][0]
    assert wrong == masked
    response = protected.get("/events?password=sesame")
    assert [event["excerpt"] for event in response.json()["events"]] == ["<p>another whisper</p>"] * 2
    assert "sesame" not in response.text
    assert response.headers["Cache-Control"] == "private, no-store"
