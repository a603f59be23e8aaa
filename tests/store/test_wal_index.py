"""A commit is seen at once, whoever made it, without asking the database."""

import sqlite3
import subprocess
import sys
from collections.abc import Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kalends.store.engine import wal_index
from kalends.store.engine.sqlite import LARGEST_WAL, SqliteStore

# Another process: writes once for every line that it gets, and tells when that is committed.
WRITER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for line in sys.stdin:
    connection.execute(line)
    print("done", flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "kalends.db")
    with store.write() as session:
        session.run("CREATE TABLE number (n INTEGER)")
    yield store
    store.close()


@pytest.fixture(params=["mapped", "asked"])
def either(request: pytest.FixtureRequest, store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> SqliteStore:
    """With the WAL index in memory, and as where that cannot be found."""
    if request.param == "asked":
        store.close()
        monkeypatch.setattr(wal_index, "MAPS", Path("/nowhere"))
    return store


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is mapped")
def test_the_wal_index_is_found_on_this_system(store: SqliteStore) -> None:
    assert isinstance(store.changes(), bytes)


def test_every_commit_of_another_process_is_seen(either: SqliteStore) -> None:
    command = [sys.executable, "-c", WRITER, str(either.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        before = either.changes()
        for number in range(200):
            writer.stdin.write(f"INSERT INTO number VALUES ({number})\n")
            writer.stdin.flush()
            assert writer.stdout.readline() == "done\n"
            after = either.changes()
            assert after != before
            before = after
        # When a checkpoint has emptied the log, it starts anew.
        for statement in ("PRAGMA wal_checkpoint(TRUNCATE)", "INSERT INTO number VALUES (0)"):
            writer.stdin.write(f"{statement}\n")
            writer.stdin.flush()
            assert writer.stdout.readline() == "done\n"
        assert either.changes() != before


def test_an_own_commit_is_a_change_and_a_read_is_not(either: SqliteStore) -> None:
    before = either.changes()
    with either.read() as session:
        session.all("SELECT * FROM number")
    assert either.changes() == before
    with either.write() as session:
        session.run("INSERT INTO number VALUES (1)")
    assert either.changes() != before


def test_a_new_thread_is_never_mistaken_for_an_ended_one(either: SqliteStore) -> None:
    """The system gives the numbers of threads again, and a new connection counts from the beginning."""

    def ask() -> Hashable:
        with ThreadPoolExecutor(1) as threads:
            return threads.submit(either.changes).result()

    for number in range(10):
        before = ask()
        with either.write() as session:
            session.run("INSERT INTO number VALUES (?)", (number,))
        assert ask() != before


def test_a_connection_that_comes_and_goes_leaves_the_index_in_place(either: SqliteStore) -> None:
    either.changes()
    for number in range(3):
        before = either.changes()
        connection = sqlite3.connect(either.path)
        connection.execute("INSERT INTO number VALUES (?)", (number,))
        connection.commit()
        connection.close()
        assert either.changes() != before


def test_a_closed_store_opens_again(store: SqliteStore) -> None:
    store.changes()
    store.close()
    with store.write() as session:
        session.run("INSERT INTO number VALUES (1)")
    assert store.changes() == store.changes()


def test_the_log_does_not_keep_its_largest_size(store: SqliteStore) -> None:
    log = Path(f"{store.path}-wal")
    with store.write() as session:
        session.run("CREATE TABLE large (bytes BLOB)")
        session.run_many("INSERT INTO large VALUES (zeroblob(1000000))", [()] * 20)
    assert log.stat().st_size > LARGEST_WAL
    for number in range(3):
        with store.write() as session:
            session.run("INSERT INTO number VALUES (?)", (number,))
    assert log.stat().st_size <= LARGEST_WAL
