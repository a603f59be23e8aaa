"""A PostgreSQL server that hangs without dying: every wait for it ends, and the next host is asked."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
import pytest
from tests.clusters import Cluster
from tests.effort import effort
from tests.postgresql_programs import missing
from tests.waiting import until

from kalends.store.engine import servers as servers_module
from kalends.store.engine.postgresql import PostgresStore
from kalends.store.engine.servers import QUICKEST_CONNECT
from kalends.store.engine.store import Session, StoreUnavailable

TIMEOUT = 0.5
COUNT = "SELECT count(*) FROM numbers"
LONGEST = TIMEOUT + QUICKEST_CONNECT + 2.0  # seconds of a loaded machine


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Cluster, Cluster]]:
    """A primary and a standby."""
    if why := missing():
        pytest.skip(why)
    first = Cluster().start()
    first.execute("CREATE DATABASE numbers")
    first.execute(
        "CREATE TABLE numbers (n BIGINT); CREATE TABLE journal (rev BIGINT);"
        "CREATE TABLE epoch (server TEXT); INSERT INTO epoch VALUES ('')",
        "numbers",
    )
    second = Cluster(copy_of=first, settings="hot_standby = on\n").start()
    yield first, second
    second.remove()
    first.remove()


@contextmanager
def frozen(server: Cluster) -> Iterator[None]:
    server.freeze()
    try:
        yield
    finally:
        server.thaw()


@contextmanager
def ends_soon() -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < LONGEST


def store_of(server: Cluster, **how: Any) -> Any:
    return closing(PostgresStore(server.url("numbers"), size=4, timeout=TIMEOUT, **how))


def count(store: PostgresStore, since: Any = None) -> int:
    with store.read(since) as session:
        return int(session.value(COUNT))


def write(store: PostgresStore) -> None:
    with store.write() as session:
        session.run("INSERT INTO numbers VALUES (1)")


def fill(store: PostgresStore) -> None:
    with store.write() as session:
        session.fill("numbers", ["n"], [(1,)])


@pytest.fixture(autouse=True)
def short_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers_module, "PAUSE", 0.3)


def at_once(*jobs: Callable[[], object]) -> list[float]:
    """Runs jobs that the store refuses, at the same time; how many seconds each took."""
    took: list[float] = []

    def run(job: Callable[[], object]) -> None:
        began = time.monotonic()
        with pytest.raises(StoreUnavailable):
            job()
        took.append(time.monotonic() - began)

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(took) == len(jobs)
    return took


def test_whoever_has_a_connection_to_it_is_told_in_time(servers: tuple[Cluster, Cluster]) -> None:
    with store_of(servers[0]) as store:
        store.changes()
        with store.read() as one, store.read() as other:  # so there are two connections
            before = one.value(COUNT), other.value(COUNT)
        jobs = [store.changes, lambda: count(store), lambda: write(store)]
        with frozen(servers[0]):
            assert max(at_once(*jobs)) < LONGEST
            assert max(at_once(*jobs)) < 0.5  # it is known, and nobody waits again at once
        time.sleep(0.3)
        store.changes()
        assert count(store) == before[0]
        write(store)


STEPS: dict[str, Callable[[Session], object]] = {
    "copy": lambda session: session.fill("numbers", ["n"], [(1,)] * 1000),
    "query": lambda session: session.value("SELECT 1"),
    "script": lambda session: session.run_script("SELECT 1"),
    "many": lambda session: session.run_many("INSERT INTO numbers VALUES (?)", [(1,)] * 10_000),
}


@pytest.mark.parametrize("step", effort(["copy"], list(STEPS)))
@pytest.mark.parametrize("patience", effort([math.inf], [None, math.inf]))
def test_it_hangs_in_the_middle_of_a_write(
    servers: tuple[Cluster, Cluster], step: str, patience: float | None
) -> None:
    def write_while_frozen(store: PostgresStore) -> None:
        with store.write(patience=patience) as session:
            session.run("INSERT INTO numbers VALUES (1)")
            with frozen(servers[0]):
                STEPS[step](session)

    with store_of(servers[0]) as store:
        before = count(store)
        assert at_once(lambda: write_while_frozen(store))[0] < LONGEST
        time.sleep(0.3)
        assert count(store) == before


def test_a_server_that_is_only_busy_is_waited_for(servers: tuple[Cluster, Cluster]) -> None:
    with store_of(servers[0]) as store:
        with store.read() as session:
            assert session.value("SELECT 1 FROM pg_sleep(?)", (3 * TIMEOUT,)) == 1
        with store.write() as session:
            session.run_script(f"SELECT pg_sleep({3 * TIMEOUT})")


def test_a_hanging_replica_is_left_out(servers: tuple[Cluster, Cluster]) -> None:
    first, second = servers
    with store_of(first, replicas=[second.url("numbers")]) as store:
        with store.write() as session:  # names the primary, by which replicas are known to follow it
            session.run("UPDATE epoch SET server = ?", (store.server_of(store.changes()),))
        until(lambda: replica_is_used(store))
        with frozen(second):
            with ends_soon():
                assert count(store, store.changes()) >= 0
            began = time.monotonic()
            assert count(store, store.changes()) >= 0
            assert time.monotonic() - began < 0.5
            assert store.figures()["replica_1_used"] == 0
        until(lambda: replica_is_used(store))


def replica_is_used(store: PostgresStore) -> bool:
    with store.read(store.changes()) as session:
        return bool(session.value("SELECT pg_is_in_recovery()"))


def test_only_one_thread_waits_for_a_server_that_hangs(servers: tuple[Cluster, Cluster]) -> None:
    with store_of(servers[0]) as store, frozen(servers[0]):
        with pytest.raises(StoreUnavailable):
            store.changes()
        time.sleep(0.4)
        took = at_once(*[store.changes] * 8)
        assert len([seconds for seconds in took if seconds > 1]) == 1


def test_the_promoted_standby_is_used_while_the_old_primary_hangs_and_afterwards(
    servers: tuple[Cluster, Cluster],
) -> None:
    first, second = servers
    both = f"postgresql://kalends@127.0.0.1:{first.port},127.0.0.1:{second.port}/numbers"
    with closing(PostgresStore(both, size=4, timeout=TIMEOUT)) as store:
        write(store)
        old = store.server_of(store.changes())
        first.freeze()
        try:
            with ends_soon(), pytest.raises(StoreUnavailable):
                write(store)
            second.promote()
            time.sleep(0.3)
            with ends_soon():
                write(store)
            new = store.server_of(store.changes())
            assert new != old
            for _ in range(5):  # every connection goes there at once
                began = time.monotonic()
                write(store)
                assert count(store) > 0
                assert time.monotonic() - began < 0.5
        finally:
            first.thaw()
        for _ in range(5):
            write(store)
            assert store.server_of(store.changes()) == new


def test_a_primary_that_takes_no_writes_answers_reads(servers: tuple[Cluster, Cluster]) -> None:
    first, _ = servers  # the other one follows it no more, and so does not get this setting
    first.execute("ALTER DATABASE numbers SET default_transaction_read_only = on")
    try:
        with store_of(first) as store:
            assert count(store) >= 0
            store.changes()
            with pytest.raises(StoreUnavailable):
                write(store)
            assert count(store) >= 0
    finally:
        with psycopg.connect(first.url("postgres"), autocommit=True) as connection:
            connection.execute("ALTER DATABASE numbers RESET default_transaction_read_only")
