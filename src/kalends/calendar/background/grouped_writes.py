"""Writes of the threads that run work for later, several of them as one transaction.

Writers have their turns in the order in which they came. Twenty tasks that end at the same moment, each with a
transaction of its own, would stand in that queue before the next request. So of one process at most one transaction
for work for later stands there, and does what has gathered until its turn came. Tasks that began together come to
their writes at about the same time, so the first waits a moment for the others.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from kalends.store.engine.store import Session, Store, StoreUnavailable

MOST = 32  # writes of one transaction, some statements each: a request waits for few
GATHERING = 0.03  # seconds that the first waits for others

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class _Write:
    act: Callable[[Session], Any]
    ready: threading.Event = field(default_factory=threading.Event)  # it is done, or is the one that begins the next
    is_done: bool = False
    value: Any = None
    error: BaseException | None = None


class GroupedWrites:
    """Those of one process. `expected` says how many threads may write now."""

    def __init__(self, store: Store, expected: Callable[[], int] = lambda: 1) -> None:
        self._store = store
        self._expected = expected
        self._lock = threading.Lock()
        self._pending_writes: list[_Write] = []
        self._is_led = False  # one of the threads is about to write, or does
        self._are_all_here = threading.Event()

    def write(self, act: Callable[[Session], T]) -> T:
        """What `act` returns, after it was committed. If it raises, nothing of it was written; the others stay."""
        mine = _Write(act)
        with self._lock:
            self._pending_writes.append(mine)
            leads, self._is_led = not self._is_led, True
            if len(self._pending_writes) >= self._expected():
                self._are_all_here.set()
        if not leads:
            mine.ready.wait()
        if not mine.is_done:
            self._lead()
        if mine.error is not None:
            raise mine.error
        return cast(T, mine.value)

    def _lead(self) -> None:
        """Writes what waits, the own write among it, and lets the next go on."""
        taken: list[_Write] = []
        self._are_all_here.wait(GATHERING)
        try:
            with self._store.write() as session:
                taken = self._next_group()
                for one in taken:
                    _run(one, session, is_alone=len(taken) == 1)
        except BaseException as error:
            taken = taken or self._next_group()
            for one in taken:
                one.error = one.error or error
        with self._lock:
            following = self._pending_writes[0] if self._pending_writes else None
            self._is_led = following is not None
        for one in taken:
            one.is_done = True
            one.ready.set()
        if following is not None:
            following.ready.set()

    def _next_group(self) -> list[_Write]:
        with self._lock:
            taken, self._pending_writes = self._pending_writes[:MOST], self._pending_writes[MOST:]
            self._are_all_here.clear()
        return taken


def _run(one: _Write, session: Session, *, is_alone: bool) -> None:
    """Does one of several; one that fails undoes nothing of the others."""
    if is_alone:
        one.value = one.act(session)
        return
    try:
        with session.savepoint():
            one.value = one.act(session)
    except StoreUnavailable:
        raise
    except Exception as error:
        one.error = error
