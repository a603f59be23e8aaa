"""Clients of WordPress see what is due before it is stored (tests/http/test_due_by_the_clock.py)."""

from typing import Any

import pytest
from tests.conftest import BASE_URL
from tests.features.wordpress.wordpress_paths import WP
from tests.http.test_due_by_the_clock import YEAR, sees_what_is_due

TEC = f"{BASE_URL}/wp-json/tec/v1"
EVERYWHERE = (
    f"{BASE_URL}/events/?ical=1",
    f"{WP}/tribe_events?per_page=50",
    f"{WP}/tribe_events/{{event}}",
    f"{WP}/tribe_venue",
    f"{WP}/tribe_events_cat",
    f"{WP}/users",
    f"{WP}/search?search=lantern",
    f"{TEC}/events?{YEAR}",
    f"{TEC}/events/{{event}}",
    f"{TEC}/venues",
)


@pytest.mark.both_stores
def test_clients_see_what_is_due_while_another_writer_keeps_it_from_being_stored(world: Any, writing: Any) -> None:
    sees_what_is_due(world, writing, [(path, "anonymous") for path in EVERYWHERE])
