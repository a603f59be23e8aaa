"""Fixtures for mail: a server that takes it."""

from collections.abc import Iterator

import pytest
from tests.mail.post_office import PostOffice, post_office


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with post_office() as office:
        yield office
