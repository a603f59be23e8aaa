"""A calendar of the first release is opened by this version: the same records, lists and searches."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Clock, World, settings_for
from tests.lists.list_requests import found
from tests.lists.random_calendar import RandomCalendar
from tests.moving.old_schemas import SEQUENCE_SINCE, TABLE_SINCE, build, rows_of
from tests.moving.test_move import command, world_of
from tests.stores import Template, contents

from kalends.bootstrap import make_store, media_files, open_calendar
from kalends.calendar.service import Calendar
from kalends.server.cache.prerender_worker import PrerenderWorker
from kalends.settings import Settings
from kalends.store.copies.archive import write_archive
from kalends.store.copies.copying import TABLES
from kalends.store.engine.migrating import is_current, migrate
from kalends.store.engine.store import Store
from kalends.store.search import word_index

FIRST_RELEASE = 1  # its schema
VERSIONS_HAD_NO_AUTHOR = 20
LATER_SEQUENCES = tuple(SEQUENCE_SINCE)  # that it did not have
LATER_TABLES = tuple(TABLE_SINCE)

EVENTS = {
    "Jazz evening": {"description": "A <b>trio</b> plays standards.", "start_date": "2027-05-01 20:00:00"},
    "Straße": {"description": "Die Maße der GROẞEN Halle", "start_date": "2028-01-31 10:00:00"},
    "東京の夏祭り": {"description": "花火と屋台", "start_date": "2026-12-31 23:00:00"},
    "Sealed": {"description": "a secret trio", "post_password": "sesame", "start_date": "2027-01-01 09:00:00"},
}
SEARCHES = {
    "JAZZ": {"Jazz evening"},
    "tandar": {"Jazz evening"},
    "z": {"Jazz evening"},
    '"trio plays"': {"Jazz evening"},
    '"plays trio"': set(),
    "trio -jazz": set(),
    "strasse maße": {"Straße"},
    "祭": {"東京の夏祭り"},
    "ealed": {"Sealed"},
    "secret": set(),
}
LISTS = (
    "/events?start_date=1900-01-02&end_date=9999-12-31&per_page=100",
    "/events?search=a&start_date=1900-01-02&end_date=9999-12-31&per_page=100",
    "/events?page=2&per_page=5&order=desc",
    "/venues?per_page=100",
    "/organizers?per_page=100",
    "/categories?hide_empty=false&per_page=100",
    "/tags?hide_empty=false&per_page=100",
)


@pytest.fixture
def known(world: World) -> World:
    """A calendar of this version, without what the first release did not write down: who changed what."""
    _fill(world)
    with world.calendar.store.write() as session:
        session.run("UPDATE journal SET actor = 0")
        for table in ("version", "redirect"):
            session.run(f"DELETE FROM {table}")
    return world


def _fill(world: World) -> None:
    """A calendar of today, with a little of everything."""
    RandomCalendar(world, 4).fill(12)
    for title, event in EVENTS.items():
        world.make("events", title=title, venue={"venue": "Hall"}, end_date=event["start_date"], **event)


@pytest.fixture
def before(
    known: World, empty_database: Callable[[], dict[str, str]], tmp_path: Path
) -> Iterator[tuple[Settings, Store]]:
    """The same calendar as the first release would have left it."""
    data = tmp_path / "before"
    data.mkdir()
    settings = settings_for(data, **empty_database())
    store = make_store(settings)
    build(store, FIRST_RELEASE, rows_of(known.calendar.store))
    assert not is_current(store)
    yield settings, store
    store.close()


@pytest.fixture
def upgraded(before: tuple[Settings, Store], template: Template) -> Iterator[World]:
    """The calendar of the first release, opened by this version."""
    settings, store = before
    store.close()
    opened = open_calendar(settings)
    assert is_current(opened.store)
    clock = Clock()
    yield World(Calendar(opened.store, opened.files, settings, clock), clock, template.tokens, template.ids)
    opened.store.close()


def without_fragments(world: World) -> dict[str, list[tuple[Any, ...]]]:
    """After what is made anew in the background."""
    sum(word_index.rebuild(world.calendar.store))
    kept = contents(world.calendar.store, [table for table in TABLES if table not in LATER_TABLES])
    return kept | {"sequence": [row for row in kept["sequence"] if row[0] not in LATER_SEQUENCES]}


def test_every_row_is_what_this_version_would_have_written(known: World, upgraded: World) -> None:
    assert without_fragments(upgraded) == without_fragments(known)


def test_versions_know_whose_record_it_was(
    world: World, empty_database: Callable[[], dict[str, str]], tmp_path: Path
) -> None:
    made = world.make("events", who="author", title="First", status="draft")
    world.post(f"/events/{made['id']}", json={"title": "Second"})
    tag = world.make("tags", name="First")["id"]
    world.post(f"/tags/{tag}", json={"name": "Second"})
    (tmp_path / "before").mkdir()
    store = make_store(settings_for(tmp_path / "before", **empty_database()))
    build(store, VERSIONS_HAD_NO_AUTHOR, rows_of(world.calendar.store))
    migrate(store, "2026-01-01 00:00:00")
    assert contents(store, ["version"]) == contents(world.calendar.store, ["version"])
    with store.read() as session:
        assert dict(session.all("SELECT kind, author FROM version")) == {"event": world.ids["author"], "tag": 0}
    store.close()


def test_search_finds_what_was_there_before(upgraded: World) -> None:
    assert {text: found(upgraded, "events", text) & EVENTS.keys() for text in SEARCHES} == SEARCHES
    assert "Hall" in found(upgraded, "venues", "all")


def test_search_follows_changes_of_what_was_there_before(upgraded: World) -> None:
    [id] = [event["id"] for event in upgraded.get("/events?search=standards").json()["events"]]
    moved = {"title": "Blues", "description": "", "start_date": "2028-05-01", "end_date": "2028-05-02"}
    assert upgraded.put(f"/events/{id}", json=moved).status_code == 200
    assert (found(upgraded, "events", "standards"), found(upgraded, "events", "lues")) == (set(), {"Blues"})
    upgraded.delete(f"/events/{id}?force=true")
    assert found(upgraded, "events", "lues") == set()


def test_lists_are_the_same_before_and_after_prerendering(known: World, upgraded: World) -> None:
    expected = [known.get(path).json() for path in LISTS]
    assert [upgraded.get(path).json() for path in LISTS] == expected
    worker = PrerenderWorker(upgraded.calendar)
    assert worker.has_work()
    assert worker.sweep(outdated=True) > len(EVENTS)
    assert not worker.has_work()
    assert contents(upgraded.calendar.store, LATER_TABLES) == contents(known.calendar.store, LATER_TABLES)
    assert [upgraded.get(path).json() for path in LISTS] == expected
    assert not upgraded.calendar.requested


def test_a_backup_of_the_first_release_can_be_restored(
    known: World, before: tuple[Settings, Store], template: Template, tmp_path: Path
) -> None:
    settings, store = before
    if store.dialect != "sqlite":
        pytest.skip("every backup is a SQLite file")
    file = tmp_path / "kalends.tar"
    write_archive(file, store, media_files(settings), tmp_path)
    command("restore", file, "--data", tmp_path / "new")
    restored = world_of(tmp_path / "new", template.tokens, template.ids)
    assert without_fragments(restored) == without_fragments(known)
    assert [restored.get(path).json() for path in LISTS] == [known.get(path).json() for path in LISTS]
    restored.calendar.store.close()
