"""What was typed into the form of an import is there again when it is refused, beside the reason."""

import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.test_refused_forms import Refused, what_is_lost
from tests.conftest import World


@pytest.mark.parametrize("address", ["https://", "our old website", "http://["])
def test_a_refused_address_is_kept(world: World, address: str) -> None:
    before = world.count()
    form = Refused("/admin/import", {}, {"address": address})
    assert what_is_lost(AdminClient(world, "administrator"), form, {}) == []
    assert world.count() == before
