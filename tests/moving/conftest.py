"""Empty databases for a calendar to move to."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def other_database(cluster: Any) -> Callable[[], str]:
    """Makes empty databases of PostgreSQL; the address of each."""
    made: list[str] = []

    def make() -> str:
        made.append(f"moved_{len(made)}_{id(made)}")
        cluster.execute(f"CREATE DATABASE {made[-1]}")
        return str(cluster.url(made[-1]))

    return make


@pytest.fixture
def empty_database(store_kind: str, request: pytest.FixtureRequest) -> Callable[[], dict[str, str]]:
    """Makes an empty database of the kind under test; the settings by which a calendar opens it."""
    if store_kind == "sqlite":
        return dict
    make: Callable[[], str] = request.getfixturevalue("other_database")
    return lambda: {"database": make()}
