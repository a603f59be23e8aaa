"""Waiting for the writer of another process: not for ever, unless one is patient, as a migration is."""

import math
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import World

from kalends.bootstrap import make_store
from kalends.store.engine import sqlite
from kalends.store.engine.migrating import is_current, migrate
from kalends.store.engine.store import Store, StoreUnavailable
from kalends.store.rows import site

# Writes until it is told to end.
HOLDER = """
import sys
from pathlib import Path
from kalends.bootstrap import make_store
from kalends.settings import load
with make_store(load(Path(sys.argv[1]), {}, {})).write() as session:
    print("writing", flush=True)
    sys.stdin.read()
    session.run("INSERT INTO site (key, value) VALUES ('order', 'first')")
"""


class Holder:
    """Another process in the middle of a write."""

    def __init__(self, data: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "writing\n"

    def finish(self) -> None:
        self._process.communicate(timeout=30)


@pytest.fixture
def store(world: World, store_kind: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store that gives up soon."""
    settings = world.calendar.settings
    if store_kind == "sqlite":
        monkeypatch.setattr(sqlite, "PATIENCE", 0.2)
        made = make_store(settings)
    else:
        from kalends.store.engine.postgresql import PostgresStore

        made = PostgresStore(settings.database, timeout=0.2)
    yield made
    made.close()


@pytest.fixture
def holder(world: World) -> Iterator[Holder]:
    made = Holder(world.calendar.settings.data)
    yield made
    made.finish()


def write_second(store: Store, *, patient: bool) -> None:
    with store.write(patience=math.inf if patient else None) as session:
        assert site.read(session, "order") == "first"
        site.write(session, "order", "second")


def test_a_writer_with_infinite_patience_waits_without_a_timeout(store: Store, holder: Holder) -> None:
    done: list[bool] = []
    waiting = threading.Thread(target=lambda: (write_second(store, patient=True), done.append(True)), daemon=True)
    waiting.start()
    # Another of the same process gives up while the patient one goes on waiting.
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            write_second(store, patient=False)
    assert waiting.is_alive()
    holder.finish()
    waiting.join(30)
    assert done == [True]
    with store.read() as session:
        assert site.read(session, "order") == "second"


def test_a_process_that_starts_waits_for_the_migration_of_another(store: Store, holder: Holder) -> None:
    applied: list[list[str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kalends.store.engine.migrating.is_current", lambda store: False)
        starting = threading.Thread(target=lambda: applied.append(migrate(store, "2026-11-15 12:00:00")), daemon=True)
        starting.start()
        starting.join(0.7)  # longer than an impatient writer waits
        assert starting.is_alive()
        holder.finish()
        starting.join(30)
    assert applied == [[]]
    assert is_current(store)
