"""The tests of this folder share a calendar for each module: they notice nothing of each other's changes."""

from typing import Any

import pytest
from tests.conftest import World
from tests.http.api.conftest import make_refs


@pytest.fixture(scope="module")
def world(shared_world: World) -> World:
    return shared_world


@pytest.fixture(scope="module")
def refs(world: World) -> dict[str, Any]:
    return make_refs(world)
