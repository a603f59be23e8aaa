"""Concurrent callers share one check: whoever arrives while one is under way waits for the next."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Result = TypeVar("Result")


class SharedCheck(Generic[Result]):
    """At most one check runs, and at most one more is waited for, however many callers there are.

    A check that began before a call may have missed what was committed in between. So a caller gets only the result
    of a check that begins after its call, and none is ever older than the call.
    """

    def __init__(self, check: Callable[[], Result]) -> None:
        self._check = check
        self._next: Future[Result] | None = None  # callers join it until its check begins
        self._lock = threading.Lock()
        self._running = threading.Lock()

    def __call__(self) -> Result:
        with self._lock:
            promised = self._next
            leads = promised is None
            if promised is None:
                promised = self._next = Future()
        if leads:
            self._run(promised)
        return promised.result()

    def _run(self, promised: "Future[Result]") -> None:
        with self._running:
            with self._lock:
                self._next = None  # from here on it is too late to join
            try:
                promised.set_result(self._check())
            except BaseException as error:  # whoever joined must not wait for ever
                promised.set_exception(error)
