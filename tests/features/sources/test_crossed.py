"""Sources beside everything else: series that are held, merges, custom fields, people who go, backups, changes."""

import pytest
from tests.conftest import World
from tests.features.sources.calendars import Elsewhere, add, counts, entry, events, read, titles

pytestmark = pytest.mark.both_stores
SINGLE = entry("9@town", "20270501T190000", "Fair")


def live(world: World) -> list[tuple[str, str]]:
    """Whatever is not in the trash, with its status."""
    query = {"status": "publish,pending,draft"}
    return [(one["title"], one["status"]) for one in events(world, **query)]


@pytest.mark.parametrize("publish", ["at_once", "review"])
@pytest.mark.parametrize("date", [0, 1])
def test_a_series_that_is_gone_takes_all_its_dates_along(
    world: World, told: Elsewhere, publish: str, date: int
) -> None:
    """Also those that wait for review, and when a person has moved its first date to the trash."""
    told.show(entry("1@town", "20270310T190000", "Choir", RRULE="FREQ=WEEKLY;COUNT=3"), SINGLE)
    made = add(world, told, publish=publish)
    read(world, made)
    dates = [one for one in events(world, status="publish,pending") if one["title"] == "Choir"]
    assert len(dates) == 3
    world.delete(f"/events/{dates[date]['id']}")
    told.show(SINGLE)
    assert read(world, made)["gone"] == 1
    assert live(world) == [("Fair", "publish" if publish == "at_once" else "pending")]
    assert read(world, made)["gone"] == 0
