"""A calendar that may read this machine, and a calendar elsewhere."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import BASE_URL, World
from tests.features.sources.calendars import Elsewhere, elsewhere
from tests.moved_calendars import empty_database, other_database

from kalends.features.sources import reading

__all__ = ["empty_database", "other_database"]

KEY = "a key of thirty-two characters, or more"


@pytest.fixture
def world(make_world: Any) -> World:
    found: World = make_world(base_url=BASE_URL, fetch_private="true", secret_key=KEY)
    return found


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for a read looks all the time whether it is done."""
    monkeypatch.setattr(reading, "LOOK_AGAIN", 0.001)


@pytest.fixture
def remote() -> Iterator[Elsewhere]:
    with elsewhere() as found:
        yield found
