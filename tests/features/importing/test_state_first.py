"""An import of a feed that tells the states of events before their titles (tests/site/feeds/test_state_first.py)."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import BASE_URL, NOW, World
from tests.features.importing.conftest import import_into
from tests.site.feeds.test_state_first import MOVED, STATES

from kalends.contract.statuses import MOVED_ONLINE, SCHEDULED
from kalends.features.importing.sources.ics import IcsFile


def test_an_import_of_such_a_feed_has_the_titles_and_states(world: World, make_world: Any, tmp_path: Path) -> None:
    for state in STATES:
        world.make("events", title=f"Fair {state}", event_status=state)
    world.make("events", title="Cancelled: as typed")
    feed = tmp_path / "feed.ics"
    feed.write_bytes(world.get(f"{BASE_URL}/events.ics", headers={"Accept-Language": "de"}).content)
    other = make_world()
    import_into(other, IcsFile(feed, "UTC", NOW, NOW + timedelta(days=400)))
    found = {one["title"]: one["event_status"] for one in other.get("/events").json()["events"]}
    assert found == {f"Fair {state}": state for state in STATES} | {"Cancelled: as typed": SCHEDULED}


@pytest.mark.parametrize("state", [MOVED_ONLINE, SCHEDULED])
def test_a_calendar_that_imports_the_feed_takes_no_foot_for_text(
    world: World, make_world: Any, tmp_path: Path, state: str
) -> None:
    world.make("events", **(MOVED | {"event_status": state}), cost="$5")
    file = tmp_path / "feed.ics"
    file.write_bytes(world.get(f"{BASE_URL}/events.ics", headers={"Accept-Language": "fr"}).content)
    other = make_world()
    import_into(other, IcsFile(file, "UTC", NOW, NOW + timedelta(days=400)))
    (event,) = other.get("/events").json()["events"]
    assert "Songs, and more" in event["description"]
    assert "http" not in event["description"]
    assert (event["website"], event["slug"], event["event_status"]) == (MOVED["website"], "fair", state)
    assert (event["venue"] or {}).get("venue") == (None if state == MOVED_ONLINE else "Hall")
