"""Fixtures for mail: a server that takes it."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.conftest import BASE_URL, World
from tests.features.mail.post_office import PostOffice, post_office


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with post_office() as office:
        yield office


@pytest.fixture
def mailing(make_world: Any, office: PostOffice) -> World:
    """A calendar whose mail goes to that server."""
    found: World = make_world(mail_server=f"smtp://127.0.0.1:{office.port}", base_url=BASE_URL)
    return found
