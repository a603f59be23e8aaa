"""A commit is seen at once, whoever made it."""

import sqlite3
import subprocess
import sys
from collections.abc import Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

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


def test_every_commit_of_another_process_is_seen(store: SqliteStore) -> None:
    command = [sys.executable, "-c", WRITER, str(store.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        before = store.changes()
        for number in range(200):
            writer.stdin.write(f"INSERT INTO number VALUES ({number})\n")
            writer.stdin.flush()
            assert writer.stdout.readline() == "done\n"
            after = store.changes()
            assert after != before
            before = after
        # When a checkpoint has emptied the log, it starts anew.
        for statement in ("PRAGMA wal_checkpoint(TRUNCATE)", "INSERT INTO number VALUES (0)"):
            writer.stdin.write(f"{statement}\n")
            writer.stdin.flush()
            assert writer.stdout.readline() == "done\n"
        assert store.changes() != before


def test_an_own_commit_is_a_change_and_a_read_is_not(store: SqliteStore) -> None:
    before = store.changes()
    with store.read() as session:
        session.all("SELECT * FROM number")
    assert store.changes() == before
    with store.write() as session:
        session.run("INSERT INTO number VALUES (1)")
    assert store.changes() != before


def test_a_new_thread_is_never_mistaken_for_an_ended_one(store: SqliteStore) -> None:
    """The system gives the numbers of threads again, and a new connection counts from the beginning."""

    def ask() -> Hashable:
        with ThreadPoolExecutor(1) as threads:
            return threads.submit(store.changes).result()

    for number in range(10):
        before = ask()
        with store.write() as session:
            session.run("INSERT INTO number VALUES (?)", (number,))
        assert ask() != before


def test_a_connection_that_comes_and_goes_is_seen_too(store: SqliteStore) -> None:
    store.changes()
    for number in range(3):
        before = store.changes()
        connection = sqlite3.connect(store.path)
        connection.execute("INSERT INTO number VALUES (?)", (number,))
        connection.commit()
        connection.close()
        assert store.changes() != before


def test_a_closed_store_opens_again(store: SqliteStore) -> None:
    before = store.changes()
    store.close()
    with store.write() as session:
        session.run("INSERT INTO number VALUES (1)")
    assert store.changes() == store.changes() != before


def test_a_store_is_closed_while_others_ask_it(store: SqliteStore) -> None:
    """Which would end the process if a connection were closed while it is in use."""
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(lambda: [store.changes() for _ in range(2000)]) for _ in range(4)]
        while not all(one.done() for one in asked):
            store.close()
    assert all(len(one.result()) == 2000 for one in asked)


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
