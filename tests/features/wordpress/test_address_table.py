"""Every address in the table of docs/compatibility.md has the events of the address beside it, in every form."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import BASE_URL
from tests.features.wordpress import reference_calendar
from tests.features.wordpress.test_calendar_addresses import listed
from tests.site.calendar_html import Reader, titles

PAGE = Path(__file__).parents[3] / "docs" / "compatibility.md"
HEAD = "| Address | The same events as | |"
CODE = re.compile(r"`([^`]+)`")


def rows() -> list[tuple[str, str]]:
    """Addresses, each with the one that has the same events; empty where there are none."""
    lines = PAGE.read_text().partition(HEAD)[2].partition("\n\n")[0].strip().splitlines()[1:]
    found = []
    for line in lines:
        addresses, same, _ = line.strip("|").split(" | ")
        own = CODE.search(same)
        found += [(address, own[1] if own else "") for address in CODE.findall(addresses)]
    assert len(found) > 30
    return found


@pytest.fixture(scope="module")
def site(build_world: Any) -> Any:
    world = build_world()
    made = reference_calendar.fill(world)
    world.put(f"/venues/{made['Lakeside Hall']}", json={"city": "Geneva", "geo_lat": 46.2, "geo_lng": 6.14})
    world.put(f"/events/{made['Symphony No. 5']}", json={"cost": "$25"})
    club = world.make(
        "events",
        title="Club",
        start_date="2027-05-03 18:00",
        end_date="2027-05-03 19:00",
        recurrence="FREQ=WEEKLY;COUNT=3",
    )
    names = {"JAZZ": made["jazz"], "HALL": made["Lakeside Hall"], "ADA": made["Ada Brown"], "CLUB": club["series"]}
    world.names = {name: str(id) for name, id in names.items()}
    return world


def events_at(site: Any, address: str) -> list[str]:
    response = site.get(BASE_URL + re.sub("|".join(site.names), lambda name: site.names[name[0]], address))
    assert response.status_code == 200, address
    return titles(Reader(response.text).page)


def in_calendar(site: Any, address: str) -> list[str]:
    address = re.sub("|".join(site.names), lambda name: site.names[name[0]], address)
    return listed(site.get(f"{BASE_URL}{address}{'&' if '?' in address else '?'}ical=1"))


@pytest.mark.parametrize(("address", "same"), rows())
def test_an_address_has_the_events_of_ours(site: Any, address: str, same: str) -> None:
    if same.startswith("/event/"):
        assert site.get(BASE_URL + address).text.count("<h1") == 1
        assert in_calendar(site, address) == in_calendar(site, same)
        return
    found = events_at(site, address)
    assert found == (events_at(site, same) if same else [])
    assert bool(found) == bool(same)
    calendar = in_calendar(site, address)
    if "past" not in same:  # which our own feeds do not ask for
        assert sorted(calendar) == sorted(in_calendar(site, same) if same else [])
    if "week" not in same:  # a page of hours has bars of whole days, which have no titles
        assert set(calendar) == set(found)
