"""Places for a calendar to move to."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def other_database(cluster: Any) -> Callable[[], str]:
    """Makes empty databases of PostgreSQL's."""
    made: list[str] = []

    def make() -> str:
        made.append(f"moved_{len(made)}_{id(made)}")
        cluster.execute(f"CREATE DATABASE {made[-1]}")
        return str(cluster.url(made[-1]))

    return make
