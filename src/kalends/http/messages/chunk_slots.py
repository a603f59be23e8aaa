"""Bounds the memory that bodies in chunks take: a worker collects few of them at once, under one ceiling for all.

The server collects such a body whole and does not say meanwhile how much came. So the memory of the process is
watched, and it cannot be told whose body grew. A body that is given up grows on until its connection is closed, and
keeps its place until then.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from resource import getpagesize
from typing import Protocol

AT_ONCE = 3
AT_ONCE_OF_ONE = 2  # client, so that another finds a place
ALONE_SECONDS = 0.4  # before another of the client begins: one that fills the memory is given up and closed by then
SHARE_SECONDS = 5.0  # that a body may take while others wait for its place
CHECK_SECONDS = 0.05
COPIES = 3  # of a body: the server has two at its end
OTHER_GROWTH = 64 * 1024 * 1024  # of memory, by what else happens meanwhile
MEMORY = Path("/proc/self/statm")  # Linux only


class Collected(Protocol):
    """A body in chunks."""

    client: str
    limit: int
    is_abandoned: bool

    def abandon(self) -> None: ...


class ChunkSlots:
    """The places of a worker for bodies in chunks that are being collected."""

    def __init__(self, at_once: int = AT_ONCE, of_one: int = AT_ONCE_OF_ONE) -> None:
        self._at_once = at_once
        self._of_one = of_one
        self._changed = threading.Condition()
        self._waiting: list[Collected] = []  # in the order of arrival
        self._began: dict[Collected, float] = {}  # those that are collected
        self._memory_before = 0  # the first of these

    @contextmanager
    def slot(self, body: Collected) -> Iterator[None]:
        """Waits until a body may be collected, or is given up."""
        with self._changed:
            self._wait(body)
            if not self._began:
                self._memory_before = resident_memory()
            self._began[body] = time.monotonic()
        try:
            yield
        finally:
            with self._changed:
                del self._began[body]
                self._changed.notify_all()

    def is_above_ceiling(self, body: Collected) -> bool:
        """Whether memory grew by more than the bodies may take, and this one is to give way. One that waits takes
        nothing. Those of the client who has most are the first, so that another's may stay."""
        collected = [*self._began]
        if body not in collected:
            return False
        clients = Counter(known.client for known in collected)
        growth = COPIES * max(known.limit for known in collected) + OTHER_GROWTH
        if clients[body.client] < max(clients.values()):
            growth += OTHER_GROWTH
        return resident_memory() > self._memory_before + growth

    def is_shared(self) -> bool:
        """Whether several bodies are collected."""
        return len(self._began) > 1

    def _wait(self, body: Collected) -> None:
        self._waiting.append(body)
        try:
            while not body.is_abandoned and not self._is_next(body):
                self._changed.wait(CHECK_SECONDS)
                self._shorten(body)
        finally:
            self._waiting.remove(body)

    def _of(self, client: str) -> list[Collected]:
        return [known for known in self._began if known.client == client]

    def _is_next(self, body: Collected) -> bool:
        if len(self._began) >= self._at_once:
            return False
        return next(filter(self._may_begin, self._waiting), None) is body

    def _may_begin(self, body: Collected) -> bool:
        own, lately = self._of(body.client), time.monotonic() - ALONE_SECONDS
        return len(own) < self._of_one and all(self._began[known] < lately for known in own)

    def _shorten(self, body: Collected) -> None:
        """The one that is collected for longest gives way, once it has had its share."""
        own = self._of(body.client)
        rivals = own if len(own) >= self._of_one else [*self._began]
        if len(rivals) < self._of_one or any(known.is_abandoned for known in rivals):
            return  # there is a place, or will be in a moment
        longest = min(rivals, key=self._began.__getitem__)
        if time.monotonic() - self._began[longest] > SHARE_SECONDS:
            longest.abandon()


def resident_memory() -> int:
    """How many bytes of memory the process has; 0 where the system does not say."""
    try:
        return int(MEMORY.read_text("ascii").split()[1]) * getpagesize()
    except FileNotFoundError:
        return 0
