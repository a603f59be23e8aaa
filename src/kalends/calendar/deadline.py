"""How much of long work goes into one transaction: decided by time, so that no other writer waits long for it."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from kalends.values.slices import first_within

PART = 0.15  # seconds after which a part takes no more
SLICE, LEAST = 0.05, 0.02  # seconds that each of its slices should take at most, and for which one is still begun
FIRST, MOST = 8, 1000  # records of a slice: of the first one, and at most
TEXT = 1000  # characters that take as long as a record without any

T = TypeVar("T")


class Deadline:
    """The time of one part, and how many records it writes at once: that is learnt from how long the last ones took.
    What has no end is done whole: an atomic batch, a dry run."""

    def __init__(self, before: "Deadline | None" = None, *, endless: bool = False) -> None:
        """`before`: that of the part before, which goes on with the same records."""
        self._until = float("inf") if endless else time.monotonic() + PART
        self._size: int = FIRST if before is None else before._size
        self._average: float = 1 if before is None else before._average  # weight of a record of the last slice

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._until

    def slices(
        self, items: Sequence[T], texts: Callable[[Sequence[T]], Iterable[int]] | None = None
    ) -> Iterator[Sequence[T]]:
        """The items that are written at once, from the first on, until the time is over; one slice at least. `texts`:
        how many characters are written anew with each of some items."""
        done = 0
        while done < len(items):
            size, began = self._size, time.monotonic()
            some = items[done : done + int(size / self._average) + 1]  # reading more texts than fit takes long
            weights = [1] * len(some) if texts is None else [1 + length // TEXT for length in texts(some)]
            count = first_within(weights, size)
            yield some[:count]
            now, weight = time.monotonic(), sum(weights[:count])
            done, self._average = done + count, weight / count
            rest = min(SLICE, self._until - now)
            factor = min(4.0, max(rest, LEAST) / max(now - began, 0.001))
            self._size = int(min(MOST, max(1, weight * factor)))
            if rest < LEAST and done < len(items):
                return
        self._size, self._average = FIRST, 1  # what comes next may take longer

    def repeat(self, act: Callable[[], bool]) -> bool:
        """Does something again and again until it says that there is no more, or the time is over; whether there
        is."""
        while act():
            if self.is_over:
                return True
        return False
