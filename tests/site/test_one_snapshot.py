"""A public page is one moment of the calendar: it is read in one transaction, by few queries."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.conftest import BASE_URL, World

from kalends.store.engine import sqlite
from kalends.store.engine.sqlite import SqliteStore

# Pages, and how many queries each may take. A page of a directory asks for the events of each of its entries.
PAGES = {
    "/event/fair/": 20,
    "/event/part/": 22,
    "/event/weekly-2027-03-10/": 24,
    "/venue/hall/": 16,
    "/venue/hall/?events=past": 16,
    "/organizer/club/": 16,
    "/events/category/jazz/": 19,
    "/events/tag/open-air/": 16,
    "/events/": 12,
    "/events/month/2027-03/": 15,
    "/events/month/2027-02/": 12,
    "/events/week/2027-03-08/": 15,
    "/events/day/2027-03-10/": 15,
    "/events/list/": 16,
    "/events/list/?search=fair": 54,  # names of venues and so on are looked for too
    "/events/list/?collapse=series": 16,
    "/events/list/?venue=1&past=1": 20,
    "/venues/": 14,
    "/organizers/": 14,
    "/categories/": 18,
}


@pytest.fixture
def town(make_world: Any) -> World:
    world: World = make_world(cache_size="0")
    venue = world.make("venues", venue="Hall", city="Town")["id"]
    organizer = world.make("organizers", organizer="Club")["id"]
    music = world.make("categories", name="Music")["id"]
    world.make("categories", name="Jazz", parent=music)
    shown = {"venue": venue, "organizer": organizer, "categories": ["Jazz"], "tags": ["Open air"]}
    fair = world.make("events", title="Fair", **shown)["id"]
    world.make("events", title="Part", post_parent=fair, **shown)
    world.make("events", title="Weekly", recurrence="FREQ=WEEKLY;COUNT=8", **shown)
    past = {"start_date": "2026-03-10 09:00:00", "end_date": "2026-03-10 11:00:00"}
    world.make("events", title="Fair of last year", **past, **shown)
    for number in range(5):
        world.make("events", title=f"Other {number}", **shown)
    return world


@contextmanager
def statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every statement of the reads that begin meanwhile."""
    seen: list[str] = []
    take, give_back = SqliteStore._acquire, SqliteStore._give_back

    def traced(store: SqliteStore) -> Any:
        connection = take(store)
        connection.set_trace_callback(seen.append)
        return connection

    def untraced(store: SqliteStore, connection: Any) -> None:
        connection.set_trace_callback(None)
        give_back(store, connection)

    with monkeypatch.context() as patch:
        patch.setattr(sqlite.SqliteStore, "_acquire", traced)
        patch.setattr(sqlite.SqliteStore, "_give_back", untraced)
        yield seen


def test_every_page_is_read_in_one_transaction(town: World, monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, tuple[int, int]] = {}
    town.get(f"{BASE_URL}/events/")  # what changed is known
    for path in PAGES:
        with statements(monkeypatch) as seen:
            answer = town.get(f"{BASE_URL}{path}")
        assert answer.status_code == 200, path
        assert "fair" in answer.text.lower(), path
        transactions = seen.count("BEGIN")
        found[path] = transactions, len([one for one in seen if one.startswith(("SELECT", "WITH"))])
    assert {path: transactions for path, (transactions, _) in found.items()} == dict.fromkeys(PAGES, 1)
    assert {path: queries for path, (_, queries) in found.items() if queries > PAGES[path]} == {}
