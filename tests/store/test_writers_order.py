"""Who writes next: within a process clients alternate, and none keeps another process out."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest
from tests.waiting import until

from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import StoreUnavailable, WritersOrder

WAIT = 60


def test_clients_write_in_turn_and_those_of_one_as_they_came() -> None:
    """Others come before what a client sent beside what it has just written, however much that is."""
    whose = threading.local()
    order = WritersOrder(lambda: str(whose.client))
    wrote: list[str] = []
    threads = []

    def write(name: str) -> None:
        whose.client = name.partition(" ")[0]
        assert order.acquire(WAIT)
        wrote.append(name)
        order.release()

    whose.client = "heavy"
    assert order.acquire(0)
    for name in ("heavy 1", "heavy 2", "heavy 3", "light 1", "other 1", "light 2"):
        threads.append(threading.Thread(target=write, args=(name,)))
        threads[-1].start()
        until(lambda: len(order._waiters) == len(threads))
    order.release()
    for thread in threads:
        thread.join(WAIT)
    assert wrote == ["light 1", "other 1", "heavy 1", "light 2", "heavy 2", "heavy 3"]
    assert order.acquire(0)


def test_several_who_write_at_a_time_are_different_clients() -> None:
    """On a database server a second one waits behind the first: it is another client's, if there is one."""
    whose = threading.local()
    order = WritersOrder(lambda: str(whose.client), at_once=2)

    def acquire(client: str, patience: float) -> tuple[bool, Callable[[], None]]:
        """Whether a thread of this client may write, and what ends its write."""
        may, ends = Future[bool](), threading.Event()

        def write() -> None:
            whose.client = client
            may.set_result(order.acquire(patience))
            if may.result() and ends.wait(WAIT):
                order.release()

        thread = threading.Thread(target=write)
        thread.start()

        def end() -> None:
            ends.set()
            thread.join(WAIT)

        return may.result(WAIT), end

    first, end_first = acquire("heavy", 0)
    assert first
    assert not acquire("heavy", 0.02)[0]
    second, end_second = acquire("light", 0)
    assert second
    assert not acquire("other", 0.02)[0]
    end_first()
    third, end_third = acquire("other", 0)
    assert third
    end_second()
    end_third()


def test_one_who_waits_too_long_gives_up_and_holds_nobody_up(tmp_path: Path) -> None:
    mine, theirs = SqliteStore(tmp_path / "kalends.db"), SqliteStore(tmp_path / "kalends.db")
    with mine.write():
        for store in (mine, theirs):
            with pytest.raises(StoreUnavailable), store.write(patience=0.02):
                pass
    for store in (mine, theirs):
        with store.write(patience=0.5) as session:
            assert session.value("PRAGMA user_version") == 0
        store.close()


def test_another_process_writes_beside_one_of_which_several_threads_do(tmp_path: Path) -> None:
    """Two stores are two processes, as far as the locks of a file go."""
    busy, other = SqliteStore(tmp_path / "kalends.db"), SqliteStore(tmp_path / "kalends.db")
    is_over = threading.Event()

    def write() -> None:
        while not is_over.is_set():
            with busy.write():
                time.sleep(0.02)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            with other.write(patience=2.0):
                pass
    finally:
        is_over.set()
        for thread in threads:
            thread.join(WAIT)
    busy.close()
    other.close()
