"""Feeds at the addresses of WordPress."""

from typing import Any

from tests.site.feeds.test_feeds import SITE, events_in


def test_the_old_address_gives_what_comes_next(world: Any) -> None:
    world.make("events", title="Past", start_date="2020-01-01 10:00", end_date="2020-01-01 11:00")
    world.make("events", title="To come")
    path = "/?post_type=tribe_events&ical=1&eventDisplay=list"
    assert list(events_in(world, path)) == ["To come"]
    etag = world.get(SITE + path).headers["ETag"]
    assert world.get(SITE + path, headers={"If-None-Match": etag}).status_code == 304
