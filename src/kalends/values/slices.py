"""How many things are done at once, by their sizes."""

from collections.abc import Iterable
from itertools import accumulate


def first_within(sizes: Iterable[int], most: int) -> int:
    """How many things, from the first on, have at most this size together; at least one, however large it is."""
    return max(1, sum(size <= most for size in accumulate(sizes)))
