"""The order of those who write: clients in turn, and those of one client as they came.

A client who has just written comes after those who asked meanwhile, so one who sends much keeps others waiting for
the transaction that is under way and not for all of its own. On PostgreSQL this is the order of a process, of which
several are at the server at once.

SQLite's lock of the file is free for whoever asks first. A process of which several threads write would take it again
at once, and another process, which asks now and then, would wait for seconds. So processes tell each other who waits
(`shared_turns.py`), and one asks for the lock only while nobody in another one comes before.
"""

import threading
import time
from collections.abc import Callable, Iterable
from math import inf
from pathlib import Path
from typing import NamedTuple

from kalends.store.engine.shared_turns import Turns, open_turns

PAUSE = 0.0005  # seconds between two attempts to get the lock of a file
LONGEST_TURN = 30.0  # seconds for which a client counts as writing, also if its process was killed


Whose = Callable[[], str]  # the client for whom this thread works


def nobody() -> str:
    """Of a process with one client, as a command is."""
    return ""


class Waiter(NamedTuple):
    client: str
    arrived: float  # by the monotonic clock
    turn: threading.Lock  # released when it has come


class ClientsOrder:
    """The threads of a process that want to write. So many have the turn at a time."""

    def __init__(self, whose: Whose = nobody, at_once: int = 1) -> None:
        self._whose = whose
        self._lock = threading.Lock()  # of what follows
        self._free = at_once
        self._waiting: list[Waiter] = []
        self._turns = Turns()
        self._thread = threading.local()  # as whom it has the turn

    def take(self, patience: float) -> bool:
        """Whether a turn came in so many seconds."""
        mine = self._thread.waiter = Waiter(self._whose(), time.monotonic(), threading.Lock())
        mine.turn.acquire()
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            self._waiting.append(mine)
        return self._wait(mine, patience)

    def pass_on(self) -> None:
        """Ends the turn of this thread."""
        with self._lock:
            self._turns.note(self._mine.client, time.monotonic())
            self._give_turn()

    def waited_for(self) -> float:
        """For how many seconds another client has waited for the turn of this thread. The background, which is no
        client, can wait."""
        with self._lock:
            since = self._since(one for one in self._waiting if one.client != self._mine.client)
        return max(0.0, time.monotonic() - since)

    @property
    def _mine(self) -> Waiter:
        waiter: Waiter = self._thread.waiter
        return waiter

    def _wait(self, mine: Waiter, patience: float) -> bool:
        if mine.turn.acquire(timeout=min(threading.TIMEOUT_MAX, max(0.0, patience))):
            return True
        with self._lock:
            if mine not in self._waiting:  # it came just now
                return True
            self._waiting.remove(mine)
            return False

    def _give_turn(self) -> None:
        first = self._first()
        if first is None:
            self._free += 1
        else:
            self._waiting.remove(first)
            first.turn.release()

    def _first(self) -> Waiter | None:
        return min(self._waiting, key=self._place, default=None)

    def _place(self, waiter: Waiter) -> tuple[float, float]:
        """In the order; the lowest is the first."""
        return _place(self._turns.last(waiter.client), waiter.arrived)

    def _since(self, waiters: Iterable[Waiter]) -> float:
        return min((one.arrived for one in waiters if one.client), default=inf)


class WritersOrder(ClientsOrder):
    """Those of one SQLite file. One thread of a process has the turn at a time."""

    def __init__(self, database: Path, whose: Whose = nobody) -> None:
        super().__init__(whose)
        self._path = database.with_name(f"{database.name}-order")
        self._is_open = False

    def begin(self, attempt: Callable[[], bool], patience: float) -> bool:
        """Whether an attempt to begin a transaction succeeded in so many seconds; this thread has the turn then.
        After that time there is no order, and one last attempt."""
        deadline = time.monotonic() + patience
        has_turn, has_begun = self.take(patience), False
        try:
            if has_turn and not self._is_open:
                self._turns, self._is_open = open_turns(self._path), True
            while has_turn and not has_begun:
                is_late = time.monotonic() > deadline
                has_begun = (is_late or self._is_first()) and attempt()
                if is_late:
                    break
                if not has_begun:
                    self._say_who_waits(self._mine)
                    time.sleep(PAUSE)
                    has_turn = self._let_pass(deadline)
        finally:
            if has_begun:
                self._turns.withdraw()
                self._turns.note(self._mine.client, time.monotonic() + LONGEST_TURN)
            elif has_turn:
                with self._lock:
                    self._turns.withdraw()
                    self._give_turn()
        return has_begun

    def end(self) -> None:
        """The turn is over. Comes before the lock of the database is free, so that other processes know by then who
        of this one waits; `pass_on` comes after it."""
        with self._lock:
            self._turns.note(self._mine.client, time.monotonic())
            first = self._first()
        if first is not None:
            self._say_who_waits(first)

    def pass_on(self) -> None:
        with self._lock:
            if not self._waiting:
                self._turns.withdraw()
            self._give_turn()

    def waited_for(self) -> float:
        others = min((waiting.since for waiting in self._turns.others()), default=inf)
        return max(super().waited_for(), time.monotonic() - others)

    def close(self) -> None:
        self._turns.close()
        self._turns, self._is_open = Turns(), False

    def _is_first(self) -> bool:
        """Whether nobody in another process comes before this thread."""
        mine = self._place(self._mine)
        return all(mine <= _place(waiting.last, waiting.arrived) for waiting in self._turns.others())

    def _let_pass(self, deadline: float) -> bool:
        """Lets one of this process pass who came meanwhile and is before this thread. Whether it has the turn again
        before the deadline."""
        mine = self._mine
        if not self._waiting:
            return True
        with self._lock:
            first = self._first()
            if first is None or self._place(first) >= self._place(mine):
                return True
            self._waiting.append(mine)
            self._give_turn()
        return self._wait(mine, deadline - time.monotonic())

    def _say_who_waits(self, first: Waiter) -> None:
        with self._lock:
            waiting = [first, *self._waiting]
        # Those of the client who is writing wait for themselves.
        now = time.monotonic()
        since = self._since(one for one in waiting if self._turns.last(one.client) <= now)
        self._turns.say(first.client, first.arrived, since)


def _place(last: float, arrived: float) -> tuple[float, float]:
    """Who has just written comes after those who asked meanwhile; those of one client come as they arrived."""
    return max(last, arrived), arrived
