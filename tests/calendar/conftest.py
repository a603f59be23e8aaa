"""What the tests of the calendar share."""

from collections.abc import Iterator

import pytest
from tests.calendar.image_servers import Server


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()
