"""Every address at which a calendar tells something, among them those that a client has to guess."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from tests.conftest import BASE_URL, COMPAT_NS
from tests.feature_parts import feature_parts

from kalends.contract.kinds import CATEGORY, EVENT, KINDS, ORGANIZER, POSTS, TAG, VENUE, Kind

ALL_TIME = "start_date=1950-01-01&end_date=2060-01-01&per_page=100"
FILTER_OF = {CATEGORY: "categories", TAG: "tags"}
MONTHS = ("2026-11", "2027-03", "2027-05", "2028-05")


def ways_out(world: Any, words: list[str]) -> Iterator[str]:
    """Lists, records by their number and their slug, feeds, pages, the sitemap; searches for some words."""
    with world.calendar.store.read() as session:
        known = {kind: session.all(f"SELECT id, slug FROM {kind.name}") for kind in KINDS}
        pictures, series = session.column("SELECT id FROM media"), session.column("SELECT id FROM series")
    parts = feature_parts("ways_out")
    yield from _lists(words)
    for part in parts:
        yield from part.lists(words)
    yield from _feeds()
    yield from _pages(words)
    yield from (f"/media/{id}" for id in pictures)
    for id in series:
        yield from (f"/events?{ALL_TIME}&series={id}", f"{BASE_URL}/series/{id}.ics")
    for kind, rows in known.items():
        for id, slug in rows:
            yield from _record(kind, id)
            for part in parts:
                yield from part.of_record(kind, id)
            yield f"{BASE_URL}/{kind.page}/{quote(slug)}/"
            yield f"{BASE_URL}/{kind.page}/{quote(slug)}.ics"
            if kind in POSTS:
                yield f"/{kind.plural}/by-slug/{quote(slug)}"
    for part in world.get(f"{BASE_URL}/sitemap.xml").text.split("<loc>")[1:]:
        yield part.partition("</loc>")[0]


def _lists(words: list[str]) -> Iterator[str]:
    for kind in KINDS:
        wide = ALL_TIME if kind is EVENT else "per_page=100"
        yield f"/{kind.plural}?{wide}"
        yield f"{COMPAT_NS}/{kind.plural}?{wide}"
        for word in words:
            yield f"/{kind.plural}?{wide}&search={word}"
    yield f"/events?{ALL_TIME}&collapse=series"


def _record(kind: Kind, id: int) -> Iterator[str]:
    """A record, and what can be asked about it. Terms themselves are no secret."""
    if kind in POSTS:
        yield f"/{kind.plural}/{id}"
    if kind is EVENT:
        yield f"/events?include={id}"
        yield from (f"/{plural}?event={id}" for plural in ("categories", "tags", "venues", "organizers"))
        yield f"/events?{ALL_TIME}&post_parent={id}"
    else:
        yield f"/events?{ALL_TIME}&{FILTER_OF.get(kind, kind.name)}={id}"


def _feeds() -> Iterator[str]:
    yield from (f"{BASE_URL}/events.{form}" for form in ("ics", "rss", "json"))
    yield f"/events.ics?{ALL_TIME}"


def _pages(words: list[str]) -> Iterator[str]:
    yield from (f"{BASE_URL}{path}" for path in ("/", "/events/", "/events/list/", "/subscribe/", "/submit"))
    yield from (f"{BASE_URL}/events/month/{month}/" for month in MONTHS)
    yield from (f"{BASE_URL}/{kind.plural}/" for kind in (VENUE, ORGANIZER, CATEGORY, TAG))
    for word in words:
        yield f"{BASE_URL}/events/list/?search={word}"
        yield from (f"{BASE_URL}/{kind.plural}/?search={word}" for kind in (VENUE, ORGANIZER))
