"""The store on PostgreSQL: one snapshot a read, all or nothing a write, connections that survive errors."""

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import psycopg
import pytest
from tests.clusters import Cluster
from tests.postgresql_programs import missing

from kalends.store.engine.pipeline import MOST_STATEMENTS
from kalends.store.engine.postgresql import LOCK, PostgresStore
from kalends.store.engine.postgresql_sessions import compiled
from kalends.store.engine.store import Ids, StoreUnavailable

NUMBERS = "SELECT n FROM numbers ORDER BY n"


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    if why := missing():
        pytest.skip(why)
    made = Cluster(careful=True).start()
    made.execute("CREATE DATABASE numbers")
    made.execute("CREATE TABLE numbers (n BIGINT, t TEXT, b BYTEA); CREATE TABLE journal (rev BIGINT)", "numbers")
    yield made
    made.remove()


@pytest.fixture
def store(server: Cluster) -> Iterator[PostgresStore]:
    with closing(PostgresStore(server.url("numbers"), size=3, timeout=1)) as store:
        with store.write() as session:
            session.run("DELETE FROM numbers")
            session.run("INSERT INTO numbers (n) VALUES (1)")
        yield store


def add(store: PostgresStore, number: int) -> None:
    with store.write() as session:
        session.run("INSERT INTO numbers (n) VALUES (?)", (number,))


def test_a_read_sees_one_snapshot_and_the_next_one_sees_what_came_meanwhile(store: PostgresStore) -> None:
    with store.read() as session:
        assert session.column(NUMBERS) == [1]
        add(store, 2)
        assert session.column(NUMBERS) == [1]
        assert session.all_of((NUMBERS, ()), ("SELECT count(*) FROM numbers", ())) == [[(1,)], [(1,)]]
    with store.read() as session:
        assert session.column(NUMBERS) == [1, 2]


def test_reads_and_writes_take_turns_on_one_connection(server: Cluster) -> None:
    with closing(PostgresStore(server.url("numbers"), size=2, timeout=1)) as store:
        with store.write() as session:
            session.run("DELETE FROM numbers")
        for number in range(20):
            add(store, number)
            with store.read() as session:
                assert session.value("SELECT max(n) FROM numbers") == number
                assert session.value("SELECT count(*) FROM numbers WHERE n >= ?", (0,)) == number + 1
        assert store.figures()["pool_idle"] == 1


def test_values_come_back_as_they_went_in(store: PostgresStore) -> None:
    row = (2**62, "naïve ' ? $1 %s", b"\x00\xff")
    with store.write() as session:
        session.run("INSERT INTO numbers VALUES (?, ?, ?)", row)
        assert session.all("SELECT n, t, b FROM numbers WHERE n > ?", (1,)) == [row]
    with store.read() as session:
        assert session.all("SELECT n, t, b FROM numbers WHERE n > ? AND t <> '?'", (1,)) == [row]
        assert session.one("SELECT t, b FROM numbers WHERE n = ?", (1,)) == (None, None)
        assert session.one(NUMBERS + " LIMIT 0") is None


def test_more_statements_than_are_kept_prepared(store: PostgresStore) -> None:
    for _ in range(2):
        for number in range(MOST_STATEMENTS + 20):
            with store.read() as session:
                assert session.value(f"SELECT {number} + ?", (1,)) == number + 1
    with store.read() as session:
        kept = "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'kalends%'"
        assert session.value(kept) <= MOST_STATEMENTS + 1  # this one, too


def test_a_query_that_fails_does_not_spoil_the_next_read(store: PostgresStore) -> None:
    for _ in range(3):
        with pytest.raises(psycopg.errors.DivisionByZero), store.read() as session:
            session.all_of((NUMBERS, ()), ("SELECT 1 / 0", ()), (NUMBERS, ()))
        with store.read() as session:
            assert session.column(NUMBERS) == [1]


def test_an_error_of_the_caller_ends_the_read(store: PostgresStore) -> None:
    with suppress(LookupError), store.read() as session:
        assert session.column(NUMBERS) == [1]
        raise LookupError
    add(store, 2)
    with store.read() as session:
        assert session.column(NUMBERS) == [1, 2]
    assert store.figures()["pool_in_use"] == 0


def test_a_write_that_is_given_up_leaves_nothing(store: PostgresStore) -> None:
    with suppress(LookupError), store.write() as session:
        session.run("INSERT INTO numbers (n) VALUES (2)")
        raise LookupError
    with suppress(psycopg.errors.DivisionByZero), store.write() as session:
        session.run("INSERT INTO numbers (n) VALUES (3)")
        session.value("SELECT 1 / 0")
    with suppress(psycopg.errors.SyntaxError), store.write() as session:
        session.run_script("INSERT INTO numbers (n) VALUES (4)")
        session.run_script("no SQL")
    add(store, 5)
    with store.read() as session:
        assert session.column(NUMBERS) == [1, 5]


def test_a_write_mixes_statements_scripts_and_copies(store: PostgresStore) -> None:
    with store.write() as session:
        session.run_many("INSERT INTO numbers (n) VALUES (?)", [(number,) for number in range(2, 1202)])
        session.run_script("UPDATE numbers SET n = -n; UPDATE numbers SET t = 'x'")
        session.fill("numbers", ["n", "t"], [(1, "y"), (2, None)])
        assert session.run("DELETE FROM numbers WHERE n < ?", (-3,)) == 1198
        assert session.column(NUMBERS) == [-3, -2, -1, 1, 2]
    with store.read() as session:
        assert session.column(NUMBERS) == [-3, -2, -1, 1, 2]


def test_a_read_changes_nothing(store: PostgresStore) -> None:
    with store.read() as session, pytest.raises(TypeError):
        session.run("DELETE FROM numbers")


def test_idle_connections_that_died_are_replaced_without_an_error(store: PostgresStore, server: Cluster) -> None:
    with store.read() as one, store.read() as other:
        assert one.column(NUMBERS) == other.column(NUMBERS)
    server.stop(signal.SIGQUIT)
    with pytest.raises(StoreUnavailable), store.read() as session:
        session.column(NUMBERS)
    server.start()
    with store.read() as one, store.read() as other:
        one.column(NUMBERS), other.column(NUMBERS)
    end_all(server)
    with store.read() as session:
        assert session.column(NUMBERS) == [1]
    end_all(server)
    add(store, 2)
    end_all(server)
    store.changes()


def test_what_a_thread_still_uses_when_the_store_is_closed_is_closed_after_it(server: Cluster) -> None:
    store = PostgresStore(server.url("numbers"), size=2, timeout=1)
    with store.read() as session:
        store.close()
        assert session.column("SELECT 1") == [1]
        store.changes()
    left = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'numbers' AND pid <> pg_backend_pid()"
    with psycopg.connect(server.url("numbers")) as connection:
        for _ in range(200):  # a server needs a moment to notice
            if connection.execute(left).fetchone() == (0,):
                break
            connection.execute("SELECT pg_sleep(0.05), pg_stat_clear_snapshot()")
        assert connection.execute(left).fetchone() == (0,)


def end_all(server: Cluster) -> None:
    """Ends every other connection, as an administrator may."""
    server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'numbers'")


def test_a_patient_writer_waits_longer_than_the_timeout(store: PostgresStore, server: Cluster) -> None:
    with psycopg.connect(server.url("numbers")) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        with pytest.raises(StoreUnavailable), store.write():
            pass
        released = threading.Event()

        def release() -> None:
            released.set()
            other.rollback()

        timer = threading.Timer(2.5, release)  # more than twice the timeout
        timer.start()
        with store.write(patience=math.inf) as session:
            assert released.is_set()
            session.run("INSERT INTO numbers (n) VALUES (2)")
            assert session.value("SHOW statement_timeout") == session.value("SHOW lock_timeout") == "0"
        timer.join()
    with store.write() as session:
        assert session.value("SHOW lock_timeout") == "1s"
        assert session.column(NUMBERS) == [1, 2]


def test_a_patient_writer_waits_for_a_connection_too(server: Cluster) -> None:
    with closing(PostgresStore(server.url("numbers"), size=2, timeout=0.1)) as store:
        taken, done = threading.Event(), threading.Event()

        def hold() -> None:
            with store.read() as session:
                session.value("SELECT 1")
                taken.set()
                done.wait(30)

        holder = threading.Thread(target=hold)
        holder.start()
        assert taken.wait(30)
        with pytest.raises(StoreUnavailable, match="in use"), store.write():
            pass
        threading.Timer(0.5, done.set).start()
        with store.write(patience=math.inf):
            assert done.is_set()
        holder.join()


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("SELECT 1", "SELECT 1"),
        ("a = ? AND b = ?", "a = $1 AND b = $2"),
        ("a = '?' AND b = ? AND c = 'it''s ?' AND d = ?", "a = '?' AND b = $1 AND c = 'it''s ?' AND d = $2"),
    ],
)
def test_placeholders_outside_of_quotations(written: str, sent: str) -> None:
    assert compiled(written) == sent.encode()


def test_ids_beyond_any_record_are_no_error(store: PostgresStore) -> None:
    many: Any = Ids((1, 2**70, -(2**70)))
    with store.read() as session:
        assert session.column("SELECT n FROM numbers WHERE n = ANY(?::bigint[])", (many,)) == [1]
