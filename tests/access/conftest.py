"""What the tests of rights share: quick hashing, and worlds that outlive a single test."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.conftest import build, close

from kalends.calendar import people


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hashing that takes no time: what is tested here is who is asked, not how strong a hash is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(people, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


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
