"""Waits for what has to come by itself, and never for a fixed time."""

import time
from collections.abc import Callable

LONGEST_WAIT = 90.0  # seconds; a busy machine needs most of them
PAUSE = 0.01


def until(is_so: Callable[[], object], seconds: float = LONGEST_WAIT) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError("it does not come about")
        time.sleep(PAUSE)
