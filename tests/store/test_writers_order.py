"""Who writes next: clients in turn, and whoever came first, whichever process that is."""

import threading
import time
from pathlib import Path

import pytest
from tests.waiting import until

from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import StoreUnavailable
from kalends.store.engine.writers_order import ClientsOrder

WAIT = 60


def test_those_who_wait_write_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    # Two stores of one file are two processes, as far as its locks go.
    mine, theirs = SqliteStore(tmp_path / "kalends.db"), SqliteStore(tmp_path / "kalends.db")
    wrote: list[str] = []
    threads = []

    def write(store: SqliteStore, name: str) -> None:
        with store.write() as session:
            session.run(f"PRAGMA user_version = {len(wrote) + 1}")
            wrote.append(name)

    def begin(store: SqliteStore, name: str) -> None:
        threads.append(threading.Thread(target=write, args=(store, name)))
        threads[-1].start()
        time.sleep(0.02)  # it waits now

    with mine.write():
        for store, name in ((mine, "first"), (theirs, "of another process"), (mine, "second"), (mine, "third")):
            begin(store, name)
    for thread in threads:
        thread.join()
    # The first of this process had its turn at once; before its next one, the other process had one.
    assert sorted(wrote) == sorted(["first", "of another process", "second", "third"])
    assert [name for name in wrote if name != "of another process"] == ["first", "second", "third"]
    assert wrote.index("of another process") <= 1
    mine.close()
    theirs.close()


def test_clients_write_in_turn_and_those_of_one_as_they_came() -> None:
    """Others come before what a client sent beside what it has just written, however much that is."""
    whose = threading.local()
    order = ClientsOrder(lambda: str(whose.client))
    wrote: list[str] = []
    threads = []

    def write(name: str) -> None:
        whose.client = name.partition(" ")[0]
        assert order.take(WAIT)
        wrote.append(name)
        order.pass_on()

    whose.client = "heavy"
    assert order.take(0)
    for name in ("heavy 1", "heavy 2", "heavy 3", "light 1", "other 1", "light 2"):
        threads.append(threading.Thread(target=write, args=(name,)))
        threads[-1].start()
        until(lambda: len(order._waiting) == len(threads))
    order.pass_on()
    for thread in threads:
        thread.join(WAIT)
    assert wrote == ["light 1", "other 1", "heavy 1", "light 2", "heavy 2", "heavy 3"]
    assert order.take(0)


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


def test_a_folder_that_takes_no_further_file_can_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "kalends.db-order").mkdir()
    store = SqliteStore(tmp_path / "kalends.db")
    with store.write() as session:
        session.run("PRAGMA user_version = 7")
    with store.read() as session:
        assert session.value("PRAGMA user_version") == 7
    store.close()
