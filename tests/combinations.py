"""Which combinations of parameters a run tries: of a test of a calendar that has several lists of them, usually so
many that each value occurs, with TEST_ALL=1 all.

Where each combination is another rule, as in the tables of rights, or another query, all of them are always tried,
and so are those of tests without a calendar, which take no time.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from tests.both_stores import EVERY_PARAMETER, is_named
from tests.effort import EVERYTHING

MOST = 8  # combinations that are tried anyway
EACH_IS_A_RULE = (
    *EVERY_PARAMETER,
    "access",
    "admin/test_rights_matrix.py",
    "features/history",
    "features/importing",
)
HERE = Path(__file__).parent
Test = TypeVar("Test")

if missing := [name for name in EACH_IS_A_RULE if not (HERE / name).exists()]:  # moved: fewer would be tried
    raise FileNotFoundError(f"tests/combinations.py names what does not exist: {', '.join(missing)}")


def left_out(tests: Iterable[pytest.Item]) -> set[pytest.Item]:
    """The tests whose values other tests of the same function have too."""
    if EVERYTHING:
        return set()
    sets: dict[tuple[str, str], list[tuple[pytest.Item, list[Hashable]]]] = defaultdict(list)
    for test in tests:
        parameters = getattr(test, "callspec", None)
        if parameters is not None and "store_kind" in parameters.params and not is_named(test.path, EACH_IS_A_RULE):
            function = test.nodeid.partition("[")[0]
            sets[function, parameters.params["store_kind"]].append((test, _values(test, parameters.params)))
    return {test for same in sets.values() if len(same) > MOST for test in repeated(same)}


def _values(test: pytest.Item, parameters: dict[str, object]) -> list[Hashable]:
    """What a test has of each list: values of one mark belong together. The same value is the same object."""
    lists = [mark.args[0] for mark in test.iter_markers("parametrize")]
    named = [names.replace(" ", "").split(",") if isinstance(names, str) else [*names] for names in lists]
    others = parameters.keys() - {"store_kind", *(name for names in named for name in names)}
    named += [[name] for name in sorted(others)]
    return [tuple(id(parameters[name]) for name in names) for names in named if names[0] != "store_kind"]


def repeated(same: Sequence[tuple[Test, Sequence[Hashable]]]) -> list[Test]:
    """All but those on the diagonal of the lists, and but the first with a value that none of these has."""
    lists = [[*dict.fromkeys(values)] for values in zip(*(values for _, values in same), strict=True)]
    longest = max(range(len(lists)), key=lambda at: len(lists[at]), default=0)
    tried: set[tuple[int, Hashable]] = set()
    found: list[Test] = []
    is_on_diagonal = [
        all(
            value == one[lists[longest].index(values[longest]) % len(one)]
            for value, one in zip(values, lists, strict=True)
        )
        for _, values in same
    ]
    for (_, values), is_tried in zip(same, is_on_diagonal, strict=True):
        tried |= set(enumerate(values)) if is_tried else set()
    for (test, values), is_tried in zip(same, is_on_diagonal, strict=True):
        if not is_tried and tried >= set(enumerate(values)):
            found.append(test)
        tried |= set(enumerate(values))
    return found
