"""The response cache: never older than the last acknowledged write."""

import gzip
from collections.abc import Sequence
from datetime import timedelta
from secrets import token_hex
from typing import Any

import pytest
import zstandard
from falcon.testing import create_environ
from tests.conftest import BASE_URL

from kalends import __version__


class Counting:
    """Sends requests and counts those that reach the framework."""

    def __init__(self, world: Any) -> None:
        self.world = world

    def reaches_framework(self, path: str) -> bool:
        before = self.world.cache.misses
        assert self.world.get(path).status_code == 200
        return bool(self.world.cache.misses > before)


@pytest.fixture
def asked(world: Any) -> Counting:
    return Counting(world)


def test_a_repeated_request_does_not_reach_the_framework(asked: Counting) -> None:
    asked.world.make("events")
    assert asked.reaches_framework("/events")
    assert not asked.reaches_framework("/events")


CHANGES = [
    ("a new event", "/events", lambda world, ids: world.make("events", title="Second")),
    (
        "a changed title",
        "/events/{event}",
        lambda world, ids: world.put(f"/events/{ids['event']}", json={"title": "New"}),
    ),
    (
        "a renamed venue",
        "/events/{event}",
        lambda world, ids: world.put(f"/venues/{ids['venue']}", json={"venue": "New"}),
    ),
    (
        "a renamed venue, in a list",
        "/events",
        lambda world, ids: world.put(f"/venues/{ids['venue']}", json={"venue": "New"}),
    ),
    (
        "a renamed category",
        "/events",
        lambda world, ids: world.put(f"/categories/{ids['category']}", json={"name": "New"}),
    ),
    ("an event in the trash", "/events", lambda world, ids: world.delete(f"/events/{ids['event']}")),
    ("a count", "/categories", lambda world, ids: world.make("events", categories=[ids["category"]])),
    (
        "a venue out of sight",
        "/events/{event}",
        lambda world, ids: world.put(f"/venues/{ids['venue']}", json={"status": "draft"}),
    ),
    ("a new venue", "/venues", lambda world, ids: world.make("venues", venue="Second")),
    (
        "a venue with its first event",
        "/venues?has_events=true",
        lambda world, ids: world.make("events", venue={"venue": "Third"}),
    ),
]


@pytest.mark.parametrize(("what", "path", "change"), CHANGES, ids=[case[0] for case in CHANGES])
def test_an_acknowledged_change_shows_in_the_next_response_everywhere(
    world: Any, what: str, path: str, change: Any
) -> None:
    event = world.make("events", title="First", venue={"venue": "Hall"}, categories=["Music"])
    ids = {"event": event["id"], "venue": event["venue"]["id"], "category": event["categories"][0]["id"]}
    url = world.ns + path.format(**ids)
    with world.neighbour() as other:
        before = world.get(url).json(), other.get(url).json()
        assert before[0] == before[1]
        change(world, ids)
        after = world.get(url).json(), other.get(url).json()
        assert after[0] == after[1]
        assert after[0] != before[0]


def test_a_draft_makes_no_response_stale(asked: Counting) -> None:
    draft = asked.world.make("events", status="draft")
    asked.reaches_framework("/events")
    asked.world.put(f"/events/{draft['id']}", json={"title": "Still a draft"})
    assert not asked.reaches_framework("/events")


def test_any_public_change_makes_every_kept_response_stale(asked: Counting) -> None:
    first = asked.world.make("events", title="First", venue={"venue": "Hall"})
    second = asked.world.make("events", title="Second", venue={"venue": "Barn"})
    paths = (f"/events/{first['id']}", "/events?start_date=2029-01-01&end_date=2029-12-31", "/tags")
    for path in paths:
        asked.reaches_framework(path)
    asked.world.put(f"/venues/{second['venue']['id']}", json={"venue": "New barn"})
    assert [asked.reaches_framework(path) for path in paths] == [True, True, True]
    assert [asked.reaches_framework(path) for path in paths] == [False, False, False]


def test_the_default_list_is_another_one_tomorrow(world: Any) -> None:
    world.make("events", start_date="today 8am", end_date="today 9am")
    assert world.get("/events").json()["total"] == 1
    world.clock.move(days=1)
    assert world.get("/events").json()["total"] == 0


def test_a_scheduled_event_appears_at_its_time(world: Any) -> None:
    world.make("events", date="+1 hours")
    assert world.get("/events").json()["total"] == 0
    world.clock.move(hours=1)
    assert world.get("/events").json()["total"] == 1


def test_a_response_that_depends_on_the_second_is_not_cached(asked: Counting) -> None:
    for path in ("/events?strict_dates=true", "/venues?only_with_upcoming=true", "/events?start_date=now"):
        asked.reaches_framework(path)
        assert asked.reaches_framework(path)


def test_a_response_belongs_to_the_requested_host_and_prefix(world: Any) -> None:
    event = world.make("events")
    for base in ("http://one.test/api/calendar/events/v1", "http://two.test/wp-json/tribe/events/v1"):
        assert world.get(f"{base}/events/{event['id']}").json()["rest_url"] == f"{base}/events/{event['id']}"


UNPACK = {"gzip": gzip.decompress, "zstd": lambda body: zstandard.ZstdDecompressor().decompress(body)}


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip", "gzip"),
        ("zstd", "zstd"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("GZIP;q=0.5, *;q=0", "gzip"),
        ("zstd;q=0, gzip", "gzip"),
    ],
)
def test_compressed_if_the_client_accepts_it(world: Any, accepted: str, coding: str) -> None:
    world.make("events")
    plain = world.get("/events", headers={"Accept-Encoding": "identity"})
    for _ in range(2):  # made, and kept
        with world.client.stream("GET", world.ns + "/events", headers={"Accept-Encoding": accepted}) as packed:
            raw = b"".join(packed.iter_raw())
        assert packed.headers["Content-Encoding"] == coding
        assert UNPACK[coding](raw) == plain.content
        assert len(raw) < len(plain.content) / 2
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert packed.headers["ETag"] != plain.headers["ETag"]
    for etag in (packed.headers["ETag"], plain.headers["ETag"]):
        assert world.get("/events", headers={"If-None-Match": etag}).status_code == 304


def test_the_etag_of_a_compressed_record_is_accepted_in_if_match(world: Any) -> None:
    path = f"/events/{world.make('events')['id']}"
    etag = world.get(path, headers={"Accept-Encoding": "zstd"}).headers["ETag"]
    assert etag.endswith('-zstd"')
    changed = world.put(path, json={"title": "New"}, headers={"If-Match": etag})
    assert changed.status_code == 200
    assert world.put(path, json={"title": "Newer"}, headers={"If-Match": etag}).status_code == 412


def test_requests_with_credentials_neither_use_nor_fill_the_cache(asked: Counting) -> None:
    asked.world.make("events", status="draft", title="Hidden word")
    assert asked.world.get("/events", "administrator").json()["total"] == 1
    assert asked.world.get("/events").json()["total"] == 0
    assert asked.world.get("/events", "administrator").json()["total"] == 1


def test_the_memory_is_bounded(make_world: Any) -> None:
    world = make_world(cache_size="100K")
    for number in range(60):
        world.make("events", title=f"Event {number}", description="x" * 2000)
        world.get(f"/events?search={number}")
    assert 0 < world.cache.size <= 100 * 1024


def test_a_cache_of_size_zero_keeps_nothing(make_world: Any) -> None:
    world = make_world(cache_size="0")
    world.make("events")
    assert [world.get("/events").json()["total"] for _ in range(2)] == [1, 1]
    assert world.cache.hits == 0
    packed = world.get("/events", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"  # which is another matter


def test_a_response_without_etag_is_sent_unchanged(world: Any) -> None:
    response = world.get("http://calendar.test/healthz")
    assert (response.status_code, response.text) == (200, f"ok\nkalends {__version__}\n")


@pytest.mark.parametrize("accepted", ["gzip;q=0", "br", "x-gzipped", "gzip; q=0.0", ""])
def test_not_compressed_if_the_client_refuses_it(world: Any, accepted: str) -> None:
    world.make("events")
    assert "Content-Encoding" not in world.get("/events", headers={"Accept-Encoding": accepted}).headers


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/events?per_page=1&x={long}", {}),
        ("/events?_fields=id&q={long}", {}),
        ("/events", {"Host": "{long}.example"}),
    ],
)
def test_responses_to_long_addresses_are_not_cached(world: Any, path: str, headers: dict[str, str]) -> None:
    """Otherwise clients could fill the memory."""
    world.make("events")
    long = "a" * 5000
    for _ in range(2):
        world.get(path.format(long=long), headers={name: value.format(long=long) for name, value in headers.items()})
    assert (len(world.cache), world.cache.hits) == (0, 0)


def test_an_empty_if_modified_since_matches_nothing(world: Any) -> None:
    world.make("events")
    for _ in range(2):
        assert world.get("/events", headers={"If-Modified-Since": ""}).status_code == 200


def test_pages_are_cached_by_language_whatever_the_api_root(make_world: Any) -> None:
    world = make_world(api_root="/event")
    slug = world.client.post(
        "http://calendar.test/event/calendar/events/v1/events",
        headers={"Authorization": f"Bearer {world.tokens['administrator']}"},
        json={"title": "Feast", "start_date": "2026-11-20", "end_date": "2026-11-20"},
    ).json()["slug"]
    pages = [
        world.client.get(f"http://calendar.test/event/{slug}/", headers={"Accept-Language": language}).text
        for language in ("de", "en", "de")
    ]
    assert '<html lang="de"' in pages[0]
    assert '<html lang="en"' in pages[1]
    assert pages[2] == pages[0]


def test_compressed_bodies_count_against_the_size_of_the_cache(make_world: Any) -> None:
    world = make_world()
    paths = [f"/events/{world.make('events', description=token_hex(900))['id']}" for _ in range(20)]
    for path in paths:
        world.get(path)
    world.cache.capacity = world.cache.size
    for path in paths:
        world.get(path, headers={"Accept-Encoding": "gzip"})
        assert 0 < world.cache.size <= world.cache.capacity


def test_a_request_is_as_it_came_when_its_handler_fails(world: Any, monkeypatch: Any) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(world.front.cache, "app", fail)
    environ = create_environ("/api/calendar/events/v1/events", method="HEAD", headers={"If-None-Match": '"x"'})
    with pytest.raises(ZeroDivisionError):
        world.front(environ, None)
    assert (environ["REQUEST_METHOD"], environ["HTTP_IF_NONE_MATCH"]) == ("HEAD", '"x"')


@pytest.mark.parametrize(
    "path", ["/events.rss", "/events.json", "/events/", "/events/list/", "/qr.svg?path=/events/", "/sitemap.xml"]
)
def test_invented_parameters_of_pages_and_feeds_make_nothing_anew(world: Any, path: str) -> None:
    host = world.ns.partition("/api/")[0]
    join = "&" if "?" in path else "?"
    world.get(f"{host}{path}")
    before = len(world.front.cache.kept)
    plain = world.get(f"{host}{path}")
    assert "Warning" not in plain.headers
    for number in range(3):
        same = world.get(f"{host}{path}{join}invented={number}")
        assert same.content == plain.content
        assert "Unknown parameter: invented" in same.headers["Warning"]
        assert same.headers["ETag"] == plain.headers["ETag"]
    assert len(world.front.cache.kept) == before


def test_what_a_page_reads_of_its_query_is_kept_apart(world: Any) -> None:
    world.make("events", title="Concert", start_date="2026-11-20", end_date="2026-11-20")
    host = world.ns.partition("/api/")[0]
    assert "Concert" in world.get(f"{host}/events/list/?x=1").text
    assert "“nothing”" in world.get(f"{host}/events/list/?x=1&search=nothing").text
    german = world.get(f"{host}/events/list/?lang=de&x=1")
    assert german.headers["Content-Language"] == "de"
    assert "Unknown parameter: x." in german.headers["Warning"]


PATHS_OF_TIME = (
    *("/events/list/", "/events/month/", "/events/day/2026-11-15/", "/events.rss"),
    "/api/calendar/events/v1/events",
)


@pytest.mark.parametrize("ahead", [1, 400])
def test_what_was_kept_while_the_clock_was_ahead_goes_with_it(world: Any, ahead: int) -> None:
    follows_the_clock(world, ahead, PATHS_OF_TIME)


def follows_the_clock(world: Any, ahead: int, paths: Sequence[str]) -> None:
    for days in (-1, 0, 1, 5):
        day = (world.clock.now + timedelta(days=days)).date()
        world.make("events", title=f"Day {days}", start_date=f"{day} 18:00:00", end_date=f"{day} 19:00:00")

    def shown() -> dict[str, str]:
        found = {path: world.get(f"{BASE_URL}{path}", follow_redirects=True) for path in paths}
        assert {path for path, response in found.items() if response.status_code != 200} == set()
        return {path: response.text for path, response in found.items()}

    then = world.clock.now
    world.clock.move(days=ahead)
    shown()
    world.clock.now = then
    kept = shown()
    world.cache.put = lambda *_: None  # from here on every response is made anew
    world.cache.get = lambda *_: None
    assert shown() == kept
