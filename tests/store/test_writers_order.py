"""Who writes next: clients in turn, and whoever came first, whichever process that is."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.waiting import until

from kalends.store.engine import shared_turns
from kalends.store.engine.shared_turns import SharedTurns
from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import StoreUnavailable
from kalends.store.engine.writers_order import ClientsOrder

WAIT = 60


class Writers:
    """Threads of two processes, as far as the locks of a file go. The first word of a name is that of the client."""

    def __init__(self, folder: Path) -> None:
        self._thread = threading.local()
        self.here, self.there = (SqliteStore(folder / "kalends.db", self._whose) for _ in range(2))
        self._threads: list[threading.Thread] = []
        self.wrote: list[str] = []

    def _whose(self) -> str:
        return str(self._thread.name.partition(" ")[0])

    def write(self, store: SqliteStore, name: str) -> None:
        """In a thread that waits when this returns."""
        before = self._waiting()
        self._threads.append(threading.Thread(target=self._write, args=(store, name)))
        self._threads[-1].start()
        until(lambda: self._waiting() > before)

    @contextmanager
    def written(self, store: SqliteStore, name: str) -> Iterator[None]:
        self._thread.name = name
        with store.write():
            self.wrote.append(name)
            yield

    def finish(self) -> list[str]:
        for thread in self._threads:
            thread.join(WAIT)
        self.here.close()
        self.there.close()
        return self.wrote

    def _write(self, store: SqliteStore, name: str) -> None:
        with self.written(store, name):
            pass

    def _waiting(self) -> int:
        """Those who wait for their process, and processes that wait for the file."""
        queued = sum(len(store._order._waiting) for store in (self.here, self.there))
        return queued + len(self.here._order._turns.others())


@pytest.fixture
def writers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writers:
    monkeypatch.setattr(shared_turns, "ALIVE", WAIT)  # on a busy machine a thread may sleep for long
    return Writers(tmp_path)


def test_those_who_wait_write_in_the_order_in_which_they_came(writers: Writers) -> None:
    with writers.written(writers.here, "one 1"):
        writers.write(writers.here, "one 2")
        writers.write(writers.there, "one 3")
        writers.write(writers.here, "one 4")
        writers.write(writers.here, "one 5")
    assert writers.finish() == ["one 1", "one 2", "one 3", "one 4", "one 5"]


@pytest.mark.parametrize("where", ["here", "there"])
def test_clients_write_in_turn_in_whichever_process_they_are(writers: Writers, where: str) -> None:
    """Another client waits for what is being written and for nothing else of who writes it: not for what that one
    has sent to either process before."""
    with writers.written(writers.here, "heavy 1"):
        writers.write(writers.there, "heavy 2")
        writers.write(writers.there, "heavy 3")
        writers.write(writers.here, "heavy 4")
        writers.write(getattr(writers, where), "light 1")
        until(lambda: writers.here.waited_for() > 0)
    wrote = writers.finish()
    assert wrote[:2] == ["heavy 1", "light 1"]
    assert sorted(wrote[2:]) == ["heavy 2", "heavy 3", "heavy 4"]


@pytest.mark.parametrize("where", ["here", "there"])
def test_it_is_known_that_another_client_waits(writers: Writers, where: str) -> None:
    with writers.written(writers.here, "heavy 1"):
        assert writers.here.waited_for() == 0
        for store in (writers.here, writers.there):
            writers.write(store, "heavy 2")
            writers.write(store, "")
        assert writers.here.waited_for() == 0
        writers.write(getattr(writers, where), "light 1")
        until(lambda: writers.here.waited_for() > 0.05)
    writers.finish()


def test_one_who_was_killed_holds_nobody_up(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "kalends.db")
    killed = SharedTurns(tmp_path / "kalends.db-order")
    killed.note("", time.monotonic() + 30)  # while it wrote
    killed.say("other", 0.0, 0.0)  # and another of it waited, who came before everybody
    with store.write(patience=WAIT):
        pass
    assert store._order._turns.others() == []
    store.close()


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
