"""The work that SQLite does for a list: steps of its virtual machine and statements, never seconds."""

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from kalends.store.engine.sqlite import SqliteStore

EVENTS = 40
STEPS = 100  # of the virtual machine, in which work is counted


@pytest.fixture
def connection(world: Any) -> sqlite3.Connection:
    """The one that the next reads use."""
    if not isinstance(world.calendar.store, SqliteStore):
        pytest.skip("the work of SQLite is counted")
    hall = world.make("venues", venue="Hall")["id"]
    for number in range(EVENTS):
        world.make("events", title=f"Concert {number}", venue=hall, categories=["Music"])
    world.get("/events?search=concert&per_page=1")
    (found,) = world.calendar.store._idle
    return found


def steps(connection: sqlite3.Connection, read: Callable[[], Any]) -> int:
    counted = 0

    def count() -> int:
        nonlocal counted
        counted += 1
        return 0

    connection.set_progress_handler(count, STEPS)
    response = read()
    connection.set_progress_handler(None, 0)
    assert response.json()["total"] == EVENTS
    return counted


def test_a_search_with_other_filters_looks_at_each_event_once(world: Any, connection: sqlite3.Connection) -> None:
    """Not each one that has the words together with each one that another filter finds."""
    ids = ",".join(str(event["id"]) for event in world.get("/events?per_page=100").json()["events"])
    alone = steps(connection, lambda: world.get("/events?search=concert&per_page=100"))
    for filters in ("categories=music", "venue=1&categories=music", f"include={ids}"):
        both = steps(connection, lambda filters=filters: world.get(f"/events?search=concert&per_page=100&{filters}"))
        assert both < 3 * alone + EVENTS


def test_an_empty_list_leaves_what_events_show_in_memory(world: Any, connection: sqlite3.Connection) -> None:
    statements: list[str] = []
    assert world.get("/events?per_page=2").json()["total"] == EVENTS
    assert world.get("/events?start_date=1999-01-01&end_date=1999-01-02").json()["total"] == 0
    connection.set_trace_callback(statements.append)
    assert world.get("/events?per_page=3").json()["events"][0]["venue"]["venue"] == "Hall"
    connection.set_trace_callback(None)
    assert len([one for one in statements if "fragment" in one]) == 1


def test_a_page_with_many_values_of_a_filter_takes_as_many_statements_as_with_one(
    world: Any, connection: sqlite3.Connection
) -> None:
    venues = [world.make("venues", venue=f"Venue {number}")["id"] for number in range(30)]
    found = []
    for wanted in (venues[:1], venues):
        statements: list[str] = []
        connection.set_trace_callback(statements.append)
        page = world.get(f"http://calendar.test/events/list/?categories=music&venue={','.join(map(str, wanted))}")
        connection.set_trace_callback(None)
        assert page.status_code == 200
        found.append(len(statements))
    assert found[1] < found[0] + 10
