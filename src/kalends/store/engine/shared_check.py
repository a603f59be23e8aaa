"""Callers share checks: one is asked again only when its result is too old for a caller."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class SharedCheck(Generic[Result]):
    """Runs one check at a time. A caller gets the result of a check that began at most `seconds` before its call; of
    the callers that wait for the running one, the first runs the next for all of them. After a check that failed
    nobody waits for the next one but its caller: the others learn of the failure at once."""

    def __init__(self, check: Callable[[], Result], seconds: float = 0.0) -> None:
        self._check = check
        self._seconds = seconds
        self._running = threading.Lock()
        self._latest: tuple[float, Result | BaseException] | None = None  # when it began, and what came of it

    def __call__(self) -> Result:
        earliest = time.monotonic() - self._seconds
        latest = self._latest
        if latest is None or latest[0] < earliest:
            failed = latest is not None and isinstance(latest[1], BaseException)
            if self._running.acquire(blocking=not failed):
                try:
                    latest = self._latest
                    if latest is None or latest[0] < earliest:
                        latest = self._latest = self._run()
                finally:
                    self._running.release()
        assert latest is not None
        result = latest[1]
        if isinstance(result, BaseException):
            raise result
        return result

    def _run(self) -> tuple[float, Result | BaseException]:
        began = time.monotonic()
        try:
            return began, self._check()
        except BaseException as error:  # whoever waits shall not wait for the same failure again
            return began, error
