"""One filled calendar, shared by all tests of the demo, which only read it."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import World, build, close

from kalends.calendar.access import Caller
from kalends.contract.roles import Role
from kalends.features.demo.filling import Filling


def fill(world: World) -> Filling:
    filling = Filling(world.calendar, Caller(world.ids["administrator"], "administrator", Role.ADMINISTRATOR))
    filling.run()
    return filling


@pytest.fixture(scope="module")
def town(template: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The demo of 2026-11-15."""
    world = build(template, tmp_path_factory.mktemp("town"))
    fill(world)
    yield world
    close(template, world)
