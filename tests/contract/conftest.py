"""What the tests of descriptions share."""

import pytest
from tests.contract.documents import Json


@pytest.fixture
def document(world) -> Json:
    """The OpenAPI document of the service."""
    answer = world.get("/doc")
    assert answer.status_code == 200
    found: Json = answer.json()
    return found
