"""Clients of WordPress get the titles of events without their state, and where they are."""

import icalendar
import pytest
from tests.conftest import BASE_URL, World
from tests.site.feeds.test_state_first import MOVED, PAGE, STATES, TITLE, lines


@pytest.mark.parametrize("state", STATES)
def test_titles_are_copied_and_so_have_no_state(world: World, state: str) -> None:
    world.make("events", title=TITLE, slug="fair", event_status=state)
    assert world.get(f"{BASE_URL}/wp-json/wp/v2/tribe_events").json()[0]["title"]["rendered"] == TITLE
    assert lines(world, f"{BASE_URL}/events/?ical=1", "SUMMARY") == [TITLE], "clients of the reference copy titles"


def test_one_that_moved_online_has_its_venue(world: World) -> None:
    world.make("events", **MOVED, cost="Free")
    (entry,) = icalendar.Calendar.from_ical(world.get(f"{BASE_URL}/events/?ical=1").content).walk("VEVENT")
    assert (entry["url"], entry["location"], entry["description"]) == (PAGE, "Hall", "Songs, and more")
