"""What several threads write for later is one transaction, and each of them succeeds or fails for itself."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.conftest import World

from kalends.calendar.background.grouped_writes import MOST, GroupedWrites
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import tasks

pytestmark = pytest.mark.both_stores


class CountedStore:
    """A store whose first transaction begins when it may, and which counts them."""

    def __init__(self, store: Any) -> None:
        self.store, self.begun, self.may_begin = store, 0, threading.Event()

    @contextmanager
    def write(self) -> Iterator[Session]:
        assert self.may_begin.wait(10)
        self.begun += 1
        with self.store.write() as session:
            yield session


def write_at_once(store: CountedStore, acts: list[Callable[[Session], Any]]) -> list[Any]:
    """What came of each, where all of them wait before the first may begin."""
    writes, found = GroupedWrites(store), list[Any](acts)  # type: ignore[arg-type]

    def write(number: int) -> None:
        try:
            found[number] = writes.write(acts[number])
        except Exception as error:
            found[number] = error

    threads = [threading.Thread(target=write, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    while len(writes._pending_writes) < len(acts):
        threading.Event().wait(0.001)
    store.may_begin.set()
    for thread in threads:
        thread.join(10)
    return found


def adding(key: str, error: Exception | None = None) -> Callable[[Session], str]:
    def add(session: Session) -> str:
        tasks.add(session, "test", key, "2030-01-01 00:00:00")
        if error is not None:
            raise error
        return key

    return add


def stored(world: World) -> set[str]:
    with world.calendar.store.read() as session:
        return {key for key in map(str, range(100)) if tasks.find(session, "test", key) is not None}


def test_many_are_few_transactions_and_one_that_fails_is_undone_alone(world: World) -> None:
    store, wrong = CountedStore(world.calendar.store), ValueError("no")
    acts = [adding(str(number), wrong if number == 3 else None) for number in range(2 * MOST)]
    found = write_at_once(store, acts)
    expected = [str(number) for number in range(2 * MOST)]
    assert found == [*expected[:3], wrong, *expected[4:]]
    assert store.begun == 2
    assert stored(world) == {*expected} - {"3"}


def test_where_the_store_goes_away_nothing_is_written_and_all_hear_of_it(world: World) -> None:
    store, away = CountedStore(world.calendar.store), StoreUnavailable("away")
    found = write_at_once(store, [adding("0"), adding("1", away), adding("2")])
    assert found == [away] * 3
    assert stored(world) == set()
    assert GroupedWrites(world.calendar.store).write(adding("4")) == "4"
    assert stored(world) == {"4"}
