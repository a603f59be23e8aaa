"""Two fields that are added to a copy of the sources, for clients of WordPress."""

from tests.conftest import World
from tests.contract.new_fields import NEW

WORDPRESS = "http://calendar.test/wp-json/wp/v2"


def test_wordpress_clients_read_and_write_them(world: World) -> None:
    made = world.make("events", **NEW)
    address = f"{WORDPRESS}/tribe_events/{made['id']}"
    meta = world.ask("GET", address, "administrator").json()["meta"]
    assert (meta["_EventDressCode"], meta["_EventStepFree"]) == ("Black tie", True)
    world.ask("POST", address, "administrator", json={"meta": {"_EventDressCode": "Casual"}})
    assert world.read("events", made["id"])["dress_code"] == "Casual"
