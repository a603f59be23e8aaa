"""How much of long work goes into one transaction: decided by time, so that no other writer waits long for it."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TypeVar

PART = 0.15  # seconds after which a part takes no more
SLICE = 0.05  # seconds that each of its slices should take at most
FIRST, MOST = 16, 1000  # records of a slice: of the first one, and at most
TEXT = 1000  # characters that take as long as a record without any

T = TypeVar("T")


class Deadline:
    """The time of one part after the other, and how many records it writes at once, which it learns from how long
    the last ones took. What has no end is done whole: an atomic batch, a dry run."""

    def __init__(self, *, endless: bool = False) -> None:
        self._is_endless = endless
        self._size = FIRST
        self._until = 0.0
        self.begin()

    def begin(self) -> None:
        """Another part begins."""
        self._until = time.monotonic() + PART

    @property
    def is_over(self) -> bool:
        return not self._is_endless and time.monotonic() >= self._until

    def slices(
        self, items: Sequence[T], texts: Callable[[Sequence[T]], Iterable[int]] | None = None
    ) -> Iterator[Sequence[T]]:
        """The items that are written at once, from the first on, until the time is over; one slice at least. `texts`:
        how many characters are written anew with each of some items."""
        done = 0
        while done < len(items):
            some, began = items[done : done + self._size], time.monotonic()
            weights = [1] * len(some) if texts is None else [1 + length // TEXT for length in texts(some)]
            count = first_within(weights, self._size)
            yield some[:count]
            self._learn(sum(weights[:count]), time.monotonic() - began)
            done += count
            if self.is_over:
                return

    def _learn(self, size: int, took: float) -> None:
        """The next slice should take its time, too; a short one says little about how quick a longer one is."""
        factor = min(4.0, max(0.25, SLICE / max(took, 0.001)))
        if factor < 1 or 2 * size > self._size:
            self._size = int(min(MOST, max(1, self._size * factor)))


def first_within(sizes: Iterable[int], most: int) -> int:
    """How many things, from the first on, have at most this size together; at least one, however large it is."""
    return max(1, sum(size <= most for size in accumulate(sizes)))
