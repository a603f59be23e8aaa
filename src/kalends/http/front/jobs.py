"""What a request wants from a thread: a job waits in the loop for its slot, and runs as soon as it has one."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from kalends.calendar.admission import WORKER, Slot, Waiter, Work
from kalends.contract.errors import ApiError
from kalends.http.front import threads
from kalends.http.front.sides import Worker

log = logging.getLogger("kalends")

P = ParamSpec("P")


class CanFail(Protocol):
    def fail(self) -> None:
        """What the loop was to do for this failed: its client is not left waiting."""


Failing = TypeVar("Failing", bound=CanFail)


def guarded(method: Callable[Concatenate[Failing, P], Any]) -> Callable[Concatenate[Failing, P], None]:
    """For what the loop calls: nobody else would notice that it failed, and a client would wait for ever."""

    @wraps(method)
    def call(self: Failing, /, *args: P.args, **named: P.kwargs) -> None:
        try:
            method(self, *args, **named)
        except Exception:
            log.exception("a request failed")
            self.fail()

    return call


class Job:
    """What a request wants from a thread."""

    __slots__ = ("_slot", "_waiter", "_work", "front")

    def __init__(self, front: Worker) -> None:
        self.front = front
        self._work: Work | None = None
        self._waiter: Waiter | None = None
        self._slot: Slot | None = None

    def run_in_slot(self, slot: Slot) -> Callable[[], object] | None:
        """In a thread. What it returns is called there when the slot is left."""
        raise NotImplementedError

    def refused(self, error: ApiError) -> None:
        """In the loop."""
        raise NotImplementedError

    def ask(self, work: Work, client: str, *, goes_on: bool = False) -> bool:
        """Whether it has to wait. Raises ApiError when there is no room for that."""
        self._work, self._slot = work, None
        self._waiter = WORKER.ask(work, client, self, goes_on=goes_on)
        if self._waiter is None:
            return False
        self.front.watch_waiting()
        return True

    @property
    def waits_for_slot(self) -> bool:
        return self._waiter is not None and self._slot is None

    def drop(self) -> bool:
        """Nobody waits for it any more: it does not begin, or if it has, it does not wait for other writers. Whether
        it has not begun."""
        if self._work is not None and self._waiter is not None and WORKER.cancel(self._work, self._waiter):
            self._waiter = None
            return True
        if self._slot is not None:
            self._slot.is_dropped = True
        return False

    # What the admission calls, in any thread.

    def begin(self, slot: Slot, rest: float) -> None:
        self._slot = slot
        if rest:
            loop = self.front.loop
            loop.call_soon_threadsafe(loop.call_later, rest, threads.REQUESTS.put, self._run)
        else:
            threads.REQUESTS.put(self._run)

    def refuse(self, error: ApiError) -> None:
        self.front.loop.call_soon_threadsafe(self.refused, error)

    def _run(self) -> None:
        slot = self._slot
        assert slot is not None
        client = slot.client  # who it is may be found out meanwhile
        WORKER.adopt(slot)
        try:
            afterwards = self.run_in_slot(slot)
        finally:
            WORKER.leave(slot)
            WORKER.free_thread(client)
        if afterwards is not None:
            afterwards()
