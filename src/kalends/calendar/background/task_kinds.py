"""What a kind of work for later is, and what can become of a task."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeVar

from kalends.calendar.admission import WORKER
from kalends.store.engine.store import Session
from kalends.store.rows.tasks import Task

SHORTEST_PAUSE = 0.02  # seconds between two steps
BESIDE_REQUESTS = 4  # times as long as a step takes, of work that gives way to requests
DAY = 86_400.0
RETRIES = (5.0, 60.0, 300.0, 1800.0, 7200.0, DAY)  # seconds

Also = Callable[[Session], None]
T = TypeVar("T")


class Write(Protocol):
    """Does something in a transaction, maybe together with what other runs write."""

    def __call__(self, act: Callable[[Session], T], /) -> T: ...


def not_stored(act: Callable[[Session], T], /) -> T:
    """For steps that are no task, which store nothing in between."""
    raise NotImplementedError


def nothing(session: Session) -> None:
    """Nothing else is changed."""


@dataclass(frozen=True, slots=True)
class Done:
    """There is nothing left to do. `also` is changed in the same transaction."""

    also: Also = nothing


@dataclass(frozen=True, slots=True)
class Again:
    """The task runs again at a time, None for at once; with `after`, when something changed after that change."""

    due: datetime | None = None
    after: int | None = None
    payload: str | None = None  # None: as it was
    also: Also = nothing


Outcome = Done | Again


class Failed(Exception):
    """A try failed in a way that is no defect; the message is for administrators. `seconds`: until the next one,
    instead of what the kind says. `also` is changed in the same transaction."""

    def __init__(self, message: str, seconds: float | None = None, also: Also = nothing) -> None:
        super().__init__(message)
        self.seconds = seconds
        self.also = also


class LeaseLost(Exception):
    """The task is no longer this process's own: it was away for too long, or the task was removed."""


@dataclass(slots=True)
class Run:
    """One run of a task, in one thread. `write` is for what has to be stored before it ends."""

    task: Task
    is_lost: bool = False
    on_renewal: Callable[[], None] | None = None  # called by another thread, every few seconds
    write: Write = not_stored
    _began: float = field(default_factory=time.monotonic)

    def pause(self, *, low_priority: bool = False) -> None:
        """Between two steps: waits as long as the last one took, so that requests have their turn. `low_priority`:
        four times as long while there are some, as nobody waits for this work."""
        self.check()
        took = time.monotonic() - self._began
        time.sleep(max(SHORTEST_PAUSE, took * (BESIDE_REQUESTS if low_priority and WORKER.is_in_use else 1)))
        self.check()
        self._began = time.monotonic()

    def check(self) -> None:
        """Raises LeaseLost: before something is done outside of the store."""
        if self.is_lost:
            raise LeaseLost


@dataclass(frozen=True, slots=True)
class TaskKind:
    """A kind of work for later."""

    name: str
    label: str  # for administrators
    run: Callable[[Run], Outcome]
    retries: Sequence[float] = RETRIES  # seconds until the next try, after each failed one
    every: float = 0.0  # seconds between two runs of work that never ends; 0: it is asked for
    at_once: int = 1  # how many tasks of it one process runs
    longest: float = DAY  # seconds ahead for which it is asked, at most; what is due later is due now
    gave_up: Callable[[Session, Task], None] | None = None  # after the last failed try, in its transaction

    @property
    def longest_wait(self) -> float:
        """Seconds until a task that has not failed is due, at most."""
        return self.every or self.longest

    @property
    def longest_retry(self) -> float:
        """The same for one that has failed."""
        return max((self.longest_wait, *self.retries))

    def delay(self, tries: int) -> float | None:
        """Seconds until the next try, after so many that failed; None: it is given up."""
        if tries <= len(self.retries):
            return self.retries[tries - 1]
        return self.every or None
