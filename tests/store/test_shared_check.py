"""Freshness checks that callers share: few of them, and no result older than the call that got it."""

import itertools
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from types import SimpleNamespace

import pytest
from tests.clusters import Cluster
from tests.waiting import until

from kalends.store.engine import last_rev
from kalends.store.engine.last_rev import PrimaryChange, SharedCheck
from kalends.store.engine.postgresql import PostgresStore
from kalends.store.engine.store import StoreUnavailable

WAIT = 30  # seconds after which something is stuck


class SlowCheck:
    """A check that begins at once and ends when the test lets it; its result is the value at its beginning."""

    def __init__(self) -> None:
        self.value = 0
        self.begun = threading.Semaphore(0)
        self.may_end = threading.Semaphore(0)
        self.count = 0
        self.running = 0
        self.most_running = 0

    def __call__(self) -> int:
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        self.count += 1
        value = self.value
        self.begun.release()
        assert self.may_end.acquire(timeout=WAIT)
        self.running -= 1
        return value

    def await_begin(self) -> None:
        assert self.begun.acquire(timeout=WAIT)


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(20) as pool:
        yield pool


def test_a_call_during_a_check_waits_for_the_next_one(threads: ThreadPoolExecutor) -> None:
    check = SlowCheck()
    shared = SharedCheck(check)
    first = threads.submit(shared)
    check.await_begin()
    check.value = 1  # a write that is acknowledged while the first check is under way
    late = threads.submit(shared)
    check.may_end.release()
    check.await_begin()
    check.may_end.release()
    assert (first.result(WAIT), late.result(WAIT)) == (0, 1)


def test_one_check_serves_all_waiting_callers(threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    arrived = threading.Semaphore(0)

    def monotonic() -> float:
        arrived.release()
        return time.monotonic()

    monkeypatch.setattr(last_rev, "time", SimpleNamespace(monotonic=monotonic))
    check = SlowCheck()
    shared = SharedCheck(check)
    first = threads.submit(shared)
    check.await_begin()
    waiting = [threads.submit(shared) for _ in range(12)]
    for _ in range(2 + 12):  # the first looked at the clock again when its check began
        assert arrived.acquire(timeout=WAIT)
    check.value = 1
    check.may_end.release(2)
    assert first.result(WAIT) == 0
    assert {call.result(WAIT) for call in waiting} == {1}
    assert (check.count, check.most_running) == (2, 1)


def test_a_result_serves_the_calls_of_some_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now, counted = [100.0], itertools.count()
    monkeypatch.setattr(last_rev, "time", SimpleNamespace(monotonic=lambda: now[0]))
    shared = SharedCheck(lambda: next(counted), seconds=2.0)
    assert [shared(), shared()] == [0, 0]
    now[0] += 2
    assert shared() == 0
    now[0] += 0.1
    assert [shared(), shared()] == [1, 1]


def test_a_failure_reaches_only_the_callers_that_waited_for_it(threads: ThreadPoolExecutor) -> None:
    check = SlowCheck()
    fails = True

    def failing() -> int:
        value = check()
        if fails:
            raise StoreUnavailable("gone")
        return value

    shared = SharedCheck(failing)
    first = threads.submit(shared)
    check.await_begin()
    waiting = [threads.submit(shared) for _ in range(3)]
    check.may_end.release(100)
    for call in [first, *waiting]:
        assert isinstance(call.exception(WAIT), StoreUnavailable)
    fails = False
    assert shared() == 0


def journal_in(cluster: Cluster, name: str) -> str:
    cluster.execute(f"CREATE DATABASE {name}")
    cluster.execute("CREATE TABLE journal (rev INTEGER PRIMARY KEY)", name)
    cluster.execute("CREATE TABLE epoch (id TEXT, server TEXT)", name)
    return cluster.url(name)


def rev_of(store: PostgresStore) -> int:
    found = store.changes()
    assert isinstance(found, PrimaryChange)
    return found.rev


def test_no_thread_sees_less_than_what_was_committed_before_it_asked(cluster: Cluster) -> None:
    store = PostgresStore(journal_in(cluster, "shared_checks"))
    committed, over, seen, stale = 0, threading.Event(), [0] * 8, list[tuple[int, int]]()

    def read(number: int) -> None:
        while not over.is_set():
            before = committed
            found = store.changes()
            assert isinstance(found, PrimaryChange)
            seen[number] = found.rev
            if found.rev < before:
                stale.append((before, found.rev))

    threads = [threading.Thread(target=read, args=(number,)) for number in range(len(seen))]
    for thread in threads:
        thread.start()
    for rev in range(1, 101):
        with store.write() as session:
            session.run("INSERT INTO journal VALUES (?)", (rev,))
        committed = rev
    until(lambda: min(seen) == 100)
    over.set()
    for thread in threads:
        thread.join()
    store.close()
    assert stale == []


def test_a_write_on_one_node_is_seen_at_once_on_another(cluster: Cluster) -> None:
    address = journal_in(cluster, "two_nodes")
    with closing(PostgresStore(address)) as one, closing(PostgresStore(address)) as other:
        seen = []
        for rev in range(1, 101):
            with one.write() as session:
                session.run("INSERT INTO journal VALUES (?)", (rev,))
                other.changes()  # so recent that it is still shared, unless the write is acknowledged later
            seen.append(rev_of(other))
    assert seen == list(range(1, 101))


def test_a_check_survives_the_loss_of_its_connection(cluster: Cluster) -> None:
    address = journal_in(cluster, "lost_connections")
    with closing(PostgresStore(address)) as store:
        assert rev_of(store) == 0
        cluster.execute("INSERT INTO journal VALUES (7)", "lost_connections")
        cluster.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'lost_connections'")
        until(lambda: rev_of(store) == 7)
        cluster.execute("DROP DATABASE lost_connections WITH (FORCE)")
        with pytest.raises(StoreUnavailable, match="lost_connections"):
            until(lambda: rev_of(store) != 7)
