"""Which tests run on SQLite and on PostgreSQL in every run.

Tests of what the store decides do: those in the folders and files named here, and single tests elsewhere that are
marked `both_stores`. The others only need some store; they run on SQLite, and with TEST_ALL=1
on both. Of a test with many parameters PostgreSQL usually gets some, spread over all of them: most are about what is
refused or shown, which no store decides.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from tests.effort import EVERYTHING

KINDS = ("sqlite", "postgresql")
HERE = Path(__file__).parent

ON_BOTH = (
    "access/test_cached_responses.py",
    "access/test_visibility_rule.py",
    "lists",
    "moving",
    "nodes",
    "server/test_read_path.py",
    "server/test_epochs.py",
    "server/test_freshness.py",
    "server/test_response_cache.py",
    "server/test_prerender_worker.py",
    "service/test_every_operation.py",
    "service/test_round_trip.py",
    "store",
)

# What each parameter asks of the store is another query.
EVERY_PARAMETER = (
    "lists",
    "nodes",
    "service/test_database_lost_during_writes.py",
    "service/test_every_operation.py",
    "store",
)
FEWEST, SHARE = 3, 6

if missing := [
    name for name in (*ON_BOTH, *EVERY_PARAMETER) if not (HERE / name).exists()
]:  # moved: its tests would run on SQLite only
    raise FileNotFoundError(f"tests/both_stores.py names what does not exist: {', '.join(missing)}")


def kinds_for(test: pytest.Item | pytest.Collector) -> tuple[str, ...]:
    """The kinds of store that a test runs on."""
    if EVERYTHING or test.get_closest_marker("both_stores") is not None or _is_named(test.path, ON_BOTH):
        return KINDS
    return KINDS[:1]


def left_out(tests: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Those of the tests with many parameters that do not run on PostgreSQL this time."""
    if EVERYTHING:
        return set()
    sets = defaultdict(list)
    for test in tests:
        if _is_on_postgresql(test) and not _is_named(test.path, EVERY_PARAMETER):
            sets[test.nodeid.partition("[")[0]].append(test)
    found: set[pytest.Item] = set()
    for same in sets.values():
        count = max(FEWEST, len(same) // SHARE)
        if len(same) > count:
            found |= {*same} - {same[number * len(same) // count] for number in range(count)}
    return found


def _is_on_postgresql(test: pytest.Item) -> bool:
    parameters = getattr(test, "callspec", None)
    return parameters is not None and parameters.params.get("store_kind") == KINDS[1]


@cache
def _is_named(path: Path, names: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(HERE / name) for name in names)
