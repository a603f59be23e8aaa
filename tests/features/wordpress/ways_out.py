"""Every address at which clients of WordPress are told something (tests/calendar/access/ways_out.py)."""

from collections.abc import Iterator

from tests.conftest import BASE_URL
from tests.features.wordpress.wordpress_paths import ROUTES, WP

from kalends.contract.kinds import KINDS, POSTS, Kind

FEEDS = ("/events/?ical=1",)  # of the whole calendar
TEC = f"{BASE_URL}/wp-json/tec/v1"


def lists(words: list[str]) -> Iterator[str]:
    # Terms have no status: in these lists all of them are read.
    for kind in KINDS:
        if kind in POSTS:
            yield f"{WP}/{ROUTES[kind]}?per_page=100&_embed=1"
            yield f"{TEC}/{kind.plural}?per_page=100"
    yield f"{WP}/media?per_page=100"
    yield f"{WP}/users"
    yield from (f"{BASE_URL}/events/?ical=1", f"{BASE_URL}/events/feed/")
    for word in words:
        yield f"{WP}/search?search={word}"
        yield f"{BASE_URL}/events/list/?tribe-bar-search={word}&ical=1"


def of_record(kind: Kind, id: int) -> Iterator[str]:
    if kind in POSTS:
        yield from (f"{WP}/{ROUTES[kind]}/{id}", f"{TEC}/{kind.plural}/{id}", f"{BASE_URL}/?p={id}")
