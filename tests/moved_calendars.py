"""Calendars that are restored from a backup or moved to another database."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.conftest import Clock, World, settings_for

from kalends.bootstrap import make_store, media_files
from kalends.calendar.service import Calendar
from kalends.cli import kalends


def command(*arguments: object) -> str:
    """Runs a command in this process; the error that it would end in is raised."""
    result = CliRunner().invoke(kalends, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def world_of(data: Path, tokens: dict[str, str], ids: dict[str, int], **settings: str) -> World:
    """The service on a store that is there already."""
    chosen = settings_for(data, **settings)
    return World(Calendar(make_store(chosen), media_files(chosen), chosen, Clock()), Clock(), tokens, ids)


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
