"""How much a run of the tests does: the usual, or with TEST_ALL=1 in the environment (`make test-all`) everything.

The usual run leaves out repetition only: more random calendars, more examples of Hypothesis, more operations under
load, more kills, the same screens in more appearances, and the second store for tests of what no store decides.
"""

import os
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, TypeVar

Amount = TypeVar("Amount")

EVERYTHING = os.environ.get("TEST_ALL", "") not in ("", "0")


def effort(usual: Amount, everything: Amount) -> Amount:
    """An amount of work by how much this run does."""
    return everything if EVERYTHING else usual


def dealt(stations: Iterable[Amount], way: str, ways: Sequence[str]) -> list[Amount]:
    """What a walk in one of several ways visits: everything, or usually each station in one of the ways only."""
    return [*stations][effort(ways.index(way), 0) :: effort(len(ways), 1)]


def crossed(*lists: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Every combination of some values, or usually so many that each value occurs."""
    found = [[*values] for values in lists]
    some = [tuple(values[number % len(values)] for values in found) for number in range(max(map(len, found)))]
    return effort(some, [*product(*found)])
