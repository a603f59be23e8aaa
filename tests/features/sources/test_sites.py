"""Sources that are sites: another Kalends, and The Events Calendar."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import World
from tests.features.importing.reference_site import ReferenceSite
from tests.features.importing.reference_site import served as serving
from tests.features.importing.test_between_calendars import served
from tests.features.sources.calendars import add, counts, events, read, titles

from kalends.calendar.site_settings import SITE_ID
from kalends.store.rows import site as site_rows

pytestmark = pytest.mark.both_stores


class Address:
    """Where a source is."""

    def __init__(self, url: str) -> None:
        self.url = url


@pytest.fixture
def there(make_world: Callable[..., World]) -> World:
    """Another calendar."""
    found = make_world()
    with found.calendar.store.write() as session:
        site_rows.write(session, SITE_ID, str(uuid.uuid4()))
    return found


def test_another_kalends(world: World, there: World) -> None:
    for day in (10, 11, 12):
        start, end = f"2027-03-{day} 09:00:00", f"2027-03-{day} 10:00:00"
        there.make("events", title=f"Day {day}", start_date=start, end_date=end, venue={"venue": "Town hall"})
    there.make("venues", venue="Unused")
    there.make("events", title="Far", start_date="2035-01-01 09:00:00", end_date="2035-01-01 10:00:00")
    with served(there) as url:
        made = add(world, Address(url))
        found = read(world, made)
        assert (found["error"], found["kind"], counts(found)) == ("", "site", (3, 0, 0, 0, 0))
        assert [one["venue"] for one in world.get("/venues").json()["venues"]] == ["Town hall"]
        before = world.count()
        assert counts(read(world, made)) == (0, 0, 3, 0, 0)
        assert world.count() == before
        ids = {one["title"]: one["id"] for one in events(there)}
        there.put(f"/events/{ids['Day 10']}", json={"title": "Day ten"})
        there.delete(f"/events/{ids['Day 11']}")
        found = read(world, made)
        assert (found["error"], counts(found)) == ("", (0, 1, 1, 1, 0))
        assert titles(world) == ["Day ten", "Day 12"]
        for title in ("Day 10", "Day 12"):
            there.delete(f"/events/{ids[title]}")
        found = read(world, made)
        assert "no events" in found["error"]
        assert titles(world) == ["Day ten", "Day 12"]


def test_the_events_calendar(world: World) -> None:
    with serving(ReferenceSite()) as site:
        for day in (10, 11):
            dates: dict[str, Any] = {"start_date": f"2027-03-{day} 09:00:00", "end_date": f"2027-03-{day} 10:00:00"}
            site.event(day, f"Day {day}", **dates)
        made = add(world, Address(site.url))
        found = read(world, made)
        assert (found["error"], found["kind"], counts(found)) == ("", "site", (2, 0, 0, 0, 0))
        asked = len(site.requests)
        assert counts(read(world, made)) == (0, 0, 2, 0, 0)
        assert len(site.requests) == asked + 1
        del site.records["events"][0]
        found = read(world, made)
        assert (found["error"], counts(found)) == ("", (0, 0, 1, 1, 0))
        assert titles(world) == ["Day 11"]


def test_a_site_of_several_pages_is_asked_for_them_and_no_more(world: World) -> None:
    """A change on any page is seen; what is as it was is not understood again."""
    with serving(ReferenceSite()) as site:
        for number in range(70):
            day = f"2027-{number // 28 + 1:02}-{number % 28 + 1:02}"
            site.event(number + 1, f"Day {number}", start_date=f"{day} 09:00:00", end_date=f"{day} 10:00:00")
        made = add(world, Address(site.url))
        assert counts(read(world, made)) == (70, 0, 0, 0, 0)
        asked = len(site.requests)
        before = world.count()
        assert counts(read(world, made)) == (0, 0, 70, 0, 0)
        assert (len(site.requests), world.count()) == (asked + 2, before)
        site.records["events"][60]["title"] = "On the second page"
        assert counts(read(world, made)) == (0, 1, 69, 0, 0)
