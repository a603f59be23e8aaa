"""Entries of a feed that did not change are kept for the next one, and whatever changes is in it."""

from typing import Any

import pytest
from tests.conftest import BASE_URL, World
from tests.feature_parts import feature_parts

from kalends.http.messages import long_responses
from kalends.http.messages.long_responses import FeedCache
from kalends.present import ical_fragments
from kalends.present.ical_fragments import JoinedEntries

FEED = f"{BASE_URL}/events.ics"


@pytest.fixture
def world(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(FeedCache, "open", lambda self, mark, pieces: long_responses.written(pieces()).open())
    world: World = make_world(cache_size="0")
    world.ids["hall"] = world.make("venues", venue="Hall")["id"]
    for number in range(5):
        world.make("events", title=f"Concert {number}", venue=world.ids["hall"], cost="5")
    return world


def written(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of events whose entries are joined."""
    found: list[int] = []
    inner = JoinedEntries._written

    def counted(self: JoinedEntries, entry: Any) -> bytes:
        found.append(entry.id)
        return inner(self, entry)

    monkeypatch.setattr(JoinedEntries, "_written", counted)
    return found


def test_after_a_change_of_one_event_the_others_are_as_they_were(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = world.get(FEED).content
    joined = written(monkeypatch)
    assert world.get(FEED).content == first
    assert joined == []
    changed = world.get("/events").json()["events"][2]["id"]
    world.put(f"/events/{changed}", json={"title": "Recital"})
    second = world.get(FEED).content
    assert joined == [changed]
    assert b"SUMMARY:Recital" in second
    assert b"Concert 2" not in second
    assert world.neighbour().get(FEED).content == second


def test_what_events_show_changes_in_all_of_them(world: World) -> None:
    world.get(FEED)
    event = world.get("/events").json()["events"][0]["id"]
    for path, body, expected, times in (
        (f"/venues/{world.ids['hall']}", {"venue": "Barn"}, b"LOCATION:Barn", 5),
        (f"/events/{event}", {"venue": ""}, b"LOCATION:Barn", 4),
        (f"/events/{event}", {"categories": ["Music"]}, b"CATEGORIES:Music", 1),
        (f"/events/{event}", {"post_password": "sesame"}, b"CATEGORIES:Music", 0),
        (f"/events/{event}", {"status": "draft"}, b"BEGIN:VEVENT", 4),
    ):
        assert world.put(path, json=body).status_code == 200
        assert world.get(FEED).content.count(expected) == times


def test_each_language_and_form_has_its_own(world: World) -> None:
    of_features = [f"{BASE_URL}{path}" for part in feature_parts("ways_out") for path in part.FEEDS]
    ways = (f"{FEED}?lang=de", f"{FEED}?lang=fr", *of_features, FEED)
    first = [world.get(way).content for way in ways]
    assert len(set(first)) == len(ways)
    assert [world.get(way).content for way in ways] == first
    assert [world.neighbour().get(way).content for way in ways] == first


def test_what_is_kept_is_bounded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ical_fragments, "MOST_KEPT", 500)
    first = world.get(FEED).content
    joined = written(monkeypatch)
    assert world.get(FEED).content == first
    assert 0 < len(joined) < 5
