"""Speakers, a relation that is added to a copy of the sources, in history."""

from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.contract.new_link import ANN


def test_the_history_tells_them(world: World) -> None:
    made = world.make("events", speaker=[ANN])
    world.put(f"/events/{made['id']}", json={"speaker": []})
    html = AdminClient(world, "administrator").get(f"/admin/events/{made['id']}/history").text
    assert "Speaker" in html
    assert "Ann Lee" in html
