"""Dates as clients of WordPress read them."""

from collections.abc import Callable

import pytest
from tests.conftest import World


@pytest.mark.parametrize("zone", ["America/New_York", "UTC", "Asia/Tokyo"])
def test_the_last_second_of_all_is_shown_as_it_was_sent(make_world: Callable[..., World], zone: str) -> None:
    world = make_world(timezone=zone)
    made = world.make("events", date="9999-12-31 23:59:59")
    wp = world.get(f"http://calendar.test/wp-json/wp/v2/tribe_events/{made['id']}", "administrator").json()
    assert wp["date"] == "9999-12-31T23:59:59"
