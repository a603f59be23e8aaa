"""How many bytes a month takes: a phone on a slow line waits for them."""

import pytest
from tests.conftest import World

MOST_BYTES = 60_000


@pytest.fixture
def month(world: World) -> None:
    """25 events as a town has them: with a place, somebody who organizes them, a category, a text and a price."""
    for number in range(25):
        day = 1 + number
        world.make(
            "events",
            title=f"Harbour orchestra, part {number}",
            description="<p>Songs of the sea, and what the ferry crew remembers of them. Bring a coat.</p>" * 2,
            start_date=f"2027-03-{day:02} 19:30",
            end_date=f"2027-03-{day:02} 21:00",
            cost="€12 – €18",
            venue={"venue": f"Hall {number % 6}", "address": "17 Ropewalk", "city": "Merrowhaven", "zip": "P00 R017"},
            organizer={"organizer": f"Society {number % 5}", "email": "hello@example.org"},
            categories=[f"Category {number % 8}"],
            tags=[f"Tag {number % 6}"],
        )


def test_a_month_of_25_events_is_at_most_60_000_bytes_of_html(month: None, world: World) -> None:
    found = world.get("http://calendar.test/events/month/2027-03/").content
    assert len(found) <= MOST_BYTES, len(found)
