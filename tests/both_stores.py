"""Which tests run on SQLite and on PostgreSQL in every run.

Tests of what the store decides do: those in the folders and files named here, and single tests elsewhere that are
marked `both_stores`. The others only need some store; they run on SQLite, and with TEST_ALL=1
on both.
"""

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
    "service/test_bad_input.py",
    "service/test_every_operation.py",
    "service/test_round_trip.py",
    "store",
)

if missing := [name for name in ON_BOTH if not (HERE / name).exists()]:  # moved: its tests would run on SQLite only
    raise FileNotFoundError(f"tests/both_stores.py names what does not exist: {', '.join(missing)}")


def kinds_for(test: pytest.Item | pytest.Collector) -> tuple[str, ...]:
    """The kinds of store that a test runs on."""
    if EVERYTHING or test.get_closest_marker("both_stores") is not None or _is_named(test.path):
        return KINDS
    return KINDS[:1]


@cache
def _is_named(path: Path) -> bool:
    return any(path.is_relative_to(HERE / name) for name in ON_BOTH)
