"""Two fields that are added to a copy of the sources, in history."""

from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.contract.new_fields import NEW


def test_the_history_tells_them(world: World) -> None:
    made = world.make("events", **NEW)
    world.put(f"/events/{made['id']}", json={"dress_code": "Casual", "step_free": False})
    html = AdminClient(world, "administrator").get(f"/admin/events/{made['id']}/history").text
    assert all(text in html for text in ("Dress code", "Black tie", "Casual", "Step-free"))
