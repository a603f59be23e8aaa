"""The line of those who are refused. A client that is told to come back later comes back at once, and a hundred
threads that tell it so would leave the others little of the interpreter: they wait here for each other, with a pause
in between, while they hold nothing but their thread."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PAUSE = 0.002  # seconds between two refusals
MOST_IN_LINE = 112  # threads; with more, there are no pauses, so that threads come free for others


class RefusalLine:
    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._waiting: set[int] = set()  # threads

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Refusals are made within it, one at a time."""
        thread = threading.get_ident()
        self._waiting.add(thread)
        try:
            with self._turn:
                if len(self._waiting) <= MOST_IN_LINE:
                    time.sleep(PAUSE)
                yield
        finally:
            self._waiting.discard(thread)
