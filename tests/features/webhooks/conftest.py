"""A calendar whose webhooks may reach this machine, and a receiver."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import BASE_URL, World
from tests.features.webhooks.receivers import Receiver, receiving
from tests.moved_calendars import empty_database, other_database

__all__ = ["empty_database", "other_database"]


@pytest.fixture
def world(make_world: Any) -> World:
    found: World = make_world(base_url=BASE_URL, webhooks_allow_private="true")
    return found


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found
