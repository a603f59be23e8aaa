"""Migration 0004 gives events that had no search row id within their day a place in it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conftest import Clock, World, settings_for
from tests.lists.consistency import check
from tests.moving.old_schemas import build, rows_of
from tests.stores import Template

from kalends.bootstrap import make_store, open_calendar
from kalends.calendar.service import Calendar
from kalends.store.rows import row_ids
from kalends.store.search import word_index

BEFORE_WORD_FORMAT = 3
BEHIND_ALL_DAYS = 1_000_000_000_000  # where schema 3 put events of a day that had no row id left
DAYS = ("2027-03-10", "2027-03-11", "2027-03-10", "2027-03-12")


@pytest.fixture
def ids(world: World) -> list[int]:
    """Events of today's calendar, by the order of DAYS."""
    return [
        world.make("events", title="concert", start_date=f"{day} 10:00:00", end_date=f"{day} 11:00:00")["id"]
        for day in DAYS
    ]


@pytest.fixture
def upgraded(
    world: World, ids: list[int], empty_database: Callable[[], dict[str, str]], template: Template, tmp_path: Path
) -> Iterator[World]:
    """The same calendar as schema 3 left it, all but the first event behind all days; opened by this version."""
    data = tmp_path / "before"
    data.mkdir()
    settings = settings_for(data, cache_size="0", **empty_database())
    rows = rows_of(world.calendar.store)
    for table, key in (("event", "id"), ("event_text", "rowid")):
        for row in rows[table]:
            if row[key] in ids[1:]:
                row["search_row"] = BEHIND_ALL_DAYS + row[key]
    store = make_store(settings)
    build(store, BEFORE_WORD_FORMAT, rows)
    store.close()
    opened, clock = open_calendar(settings), Clock()
    yield World(Calendar(opened.store, opened.files, settings, clock), clock, template.tokens, template.ids)
    opened.store.close()


def test_events_behind_all_days_get_a_row_id_within_their_day(upgraded: World, ids: list[int]) -> None:
    store = upgraded.calendar.store
    for _ in range(2):  # before and after the index is rebuilt
        found = upgraded.get("/events?search=oncer&start_date=2027-03-10&end_date=2027-03-11").json()
        assert [event["id"] for event in found["events"]] == [ids[0], ids[2], ids[1]]
        sum(word_index.rebuild(store))
    check(store)
    with store.read() as session:
        numbers = dict(session.all("SELECT id, search_row FROM event"))
    assert [numbers[id] for id in ids] == [
        row_ids.nth(20270310, 1),
        row_ids.nth(20270311, 10_000),
        row_ids.nth(20270310, 10_000),
        row_ids.nth(20270312, 10_000),
    ]
