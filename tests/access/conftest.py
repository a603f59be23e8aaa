"""What the tests of rights share: worlds that outlive a single test."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import build, close


@pytest.fixture(scope="module")
def build_world(template: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Makes worlds that a whole module shares."""
    made: list[Any] = []

    def make(**settings: str) -> Any:
        folder: Path = tmp_path_factory.mktemp("world")
        made.append(build(template, folder, **settings))
        return made[-1]

    yield make
    for world in made:
        close(template, world)
