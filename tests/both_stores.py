"""Which tests run on SQLite and on PostgreSQL in every run.

Tests of what the store decides do: those in the folders and files named here, single tests elsewhere that are
marked `both_stores`, and of a file that is marked as a whole one test of three: what a feature does is mostly the
same on any store. The others only need some store; they run on SQLite, and with TEST_ALL=1 on both. Of a test with
many parameters PostgreSQL usually gets some, spread over all of them: most are about what is refused or shown, which
no store decides.
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
    "calendar/access/test_cached_responses.py",
    "calendar/access/test_visibility_rule.py",
    "features/changes/test_deferred_fragments.py",
    "features/signing_in/test_moving.py",
    "features/sources/test_moving.py",
    "features/webhooks/test_moving.py",
    "calendar/lists",
    "product/moving",
    "product/nodes",
    "http/test_read_path.py",
    "http/test_epochs.py",
    "http/test_freshness.py",
    "http/test_response_cache.py",
    "http/test_prerender_worker.py",
    "http/api/test_every_operation.py",
    "http/api/one_calendar/test_round_trip.py",
    "store",
)

# What each parameter asks of the store is another query.
EVERY_PARAMETER = (
    "calendar/lists",
    "product/nodes",
    "features/changes/test_database_lost_during_writes.py",
    "features/changes/test_deferred_fragments.py",
    "http/api/test_database_lost_during_writes.py",
    "http/api/test_every_operation.py",
    "store",
)
SHARE = 6  # of the parameters of one test
SHARE_OF_FILE = 3  # of the tests of a file that is marked as a whole

if missing := [
    name
    for name in (*ON_BOTH, *EVERY_PARAMETER)
    if (HERE / name).parent.exists() and not (HERE / name).exists()  # a copy may be without the folder of a feature
]:  # moved: its tests would run on SQLite only
    raise FileNotFoundError(f"tests/both_stores.py names what does not exist: {', '.join(missing)}")


def kinds_for(test: pytest.Item | pytest.Collector) -> tuple[str, ...]:
    """The kinds of store that a test runs on."""
    if EVERYTHING or test.get_closest_marker("both_stores") is not None or _is_named(test.path, ON_BOTH):
        return KINDS
    return KINDS[:1]


def left_out(tests: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Those of the tests that do not run on PostgreSQL this time."""
    if EVERYTHING:
        return set()
    files: dict[Path, dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for test in tests:
        if _is_on_postgresql(test) and not _is_named(test.path, EVERY_PARAMETER):
            files[test.path][test.nodeid.partition("[")[0]].append(test)
    found: set[pytest.Item] = set()
    for of_file in files.values():
        for same in of_file.values():
            count = max(1, len(same) // SHARE)
            found |= {*same} - {same[number * len(same) // count] for number in range(count)}
        marked = [same for same in of_file.values() if _is_marked_with_its_file(same[0])]
        for number, same in enumerate(marked):
            if number % SHARE_OF_FILE:
                found.update(same)
    return found


def _is_marked_with_its_file(test: pytest.Item) -> bool:
    return any(isinstance(node, pytest.Module) for node, _ in test.iter_markers_with_node("both_stores"))


def _is_on_postgresql(test: pytest.Item) -> bool:
    parameters = getattr(test, "callspec", None)
    return parameters is not None and parameters.params.get("store_kind") == KINDS[1]


@cache
def _is_named(path: Path, names: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(HERE / name) for name in names)
