"""A store from before the first release is refused, with a sentence that says how its records come along."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.conftest import Clock, World, settings_for

from kalends.bootstrap import media_files, open_calendar
from kalends.store.copies.archive import write_archive
from kalends.store.copies.restoring import restore
from kalends.store.engine.migrating import OlderSchema, is_current, migrate
from kalends.store.engine.store import Store

WAY = ("kalends export json", "kalends import json")


OLDER = ((1, "0001_foundation", ""), (2, "0002_ready", ""), (41, "0041_word_merging", ""))


@contextmanager
def older(store: Store) -> Iterator[None]:
    """Gives it the list of migrations that versions before the first release had."""
    with store.write() as session:
        session.run("ALTER TABLE migration RENAME TO known_migration")
        session.run("CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL)")
        for migration in OLDER:
            session.run("INSERT INTO migration VALUES (?, ?, ?)", migration)
    yield
    with store.write() as session:  # another test may get the store
        session.run("DROP TABLE migration")
        session.run("ALTER TABLE known_migration RENAME TO migration")


@pytest.mark.both_stores
def test_it_is_not_opened_and_not_changed(world: World) -> None:
    world.make("events", title="Kept")
    with older(world.calendar.store):
        for open_it in (is_current, lambda store: migrate(store, "")):
            with pytest.raises(OlderSchema) as refused:
                open_it(world.calendar.store)
            assert all(command in str(refused.value) for command in WAY)
        with world.calendar.store.read() as session:
            assert session.value("SELECT name FROM event") == "Kept"
            assert session.value("SELECT max(number) FROM migration") == 41


def test_a_node_that_runs_on_one_is_not_ready(world: World) -> None:
    with older(world.calendar.store):
        answer = world.client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (503, False)
    assert all(command in answer.json()["reason"] for command in WAY)


def test_a_backup_of_one_is_not_restored(tmp_path: Path) -> None:
    calendar = open_calendar(settings_for(tmp_path / "older"), Clock())
    backup, data = tmp_path / "older.tar", tmp_path / "new"
    with older(calendar.store):
        write_archive(backup, calendar.store, calendar.files, tmp_path)
    calendar.store.close()
    settings = settings_for(data)
    with pytest.raises(OlderSchema) as refused:
        restore(backup, data, lambda: open_calendar(settings, Clock()).store, media_files(settings))
    assert all(command in str(refused.value) for command in WAY)
    assert not (data / "kalends.db").exists()
