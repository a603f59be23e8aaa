"""Custom fields meet the rest: merges, review, trash, history, passwords, and a field that goes meanwhile."""

import re
from typing import Any

from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.custom_fields.fields import create, define, values

EVERY = "start_date=1900-01-01&end_date=2100-01-01"


def titles(world: Any, query: str, who: str = "anonymous") -> list[str]:
    return [event["title"] for event in world.get(f"/events?{EVERY}&{query}", who).json()["events"]]


def test_a_merge_of_venues_leaves_the_values_of_their_events(world: World) -> None:
    define(world, "Doors")
    old, new = (world.make("venues", venue=name, status="publish")["id"] for name in ("Barn", "Hall"))
    made = create(world, venue=old, custom_fields={"doors": "18:30"})
    weekly = create(world, title="Yoga", venue=old, custom_fields={"doors": "9:00"}, recurrence="FREQ=WEEKLY;COUNT=3")
    AdminClient(world, "editor").post("/admin/venues/merge", {"id": str(old), "into": str(new)})
    assert titles(world, f"venue={new}&custom[doors]=18:30") == ["Concert"]
    assert titles(world, f"venue={new}&custom[doors]=9:00") == ["Yoga"] * 3
    assert values(world.get(f"/events/{made['id']}").json()) == {"_ecp_custom_1": "18:30"}
    # What comes later of the series has both.
    world.put(f"/events/{weekly['id']}?scope=all", json={"recurrence": "FREQ=WEEKLY;COUNT=5"})
    assert titles(world, f"venue={new}&custom[doors]=9:00") == ["Yoga"] * 5


def test_the_trash_hides_values_and_gives_them_back(world: World) -> None:
    define(world, "Doors")
    define(world, "Level", type="choices", options=["a", "b"])
    made = create(world, custom_fields={"doors": "umbrella", "level": "a|b"})
    path = f"/events/{made['id']}"
    world.delete(path)
    for query in ("custom[doors]=umbrella", "custom[level]=b", "search=umbrella"):
        assert titles(world, query) == []
    assert titles(world, "custom[level]=b&status=trash", "editor") == ["Concert"]
    world.put(path, json={"status": "publish"})
    for query in ("custom[doors]=umbrella", "custom[level]=b", "search=umbrella"):
        assert titles(world, query) == ["Concert"]
    # A field that is deleted while the event is in the trash is gone when it comes back.
    world.delete(path)
    assert world.delete("/custom-fields/doors").json()["data"]["values"] == 1
    world.delete("/custom-fields/doors?force=true")
    world.put(path, json={"status": "publish"})
    assert values(world.get(path).json()) == {"_ecp_custom_2": "a|b"}


def test_review_keeps_what_was_sent_and_shows_it_to_nobody_before(world: World) -> None:
    define(world, "Doors", required=True)
    define(world, "Fee", type="number", public=False)
    sent = {"doors": "leaking", "fee": 7}
    made = create(world, "contributor", status="pending", custom_fields=sent)
    for query in ("custom[doors]=leaking", "search=leaking"):
        assert titles(world, query) == []
    for path in ("/events.ics", "/events/list/", "/events.rss"):
        assert "leaking" not in world.client.get(path).text
    AdminClient(world, "editor").post("/admin/review", {"event": str(made["id"]), "action": "publish"})
    assert titles(world, "custom[doors]=leaking") == ["Concert"]
    assert values(world.get(f"/events/{made['id']}", "editor").json()) == {
        "_ecp_custom_1": "leaking",
        "_ecp_custom_2": 7,
    }
    assert values(world.get(f"/events/{made['id']}").json()) == {"_ecp_custom_1": "leaking"}


def test_an_earlier_version_brings_back_values_of_fields_that_are_there(world: World) -> None:
    define(world, "Doors")
    define(world, "Room")
    made = create(world, custom_fields={"doors": "18:30", "room": "12"})
    path = f"/events/{made['id']}"
    world.put(path, json={"custom_fields": {"doors": "19:00", "room": ""}})
    admin = AdminClient(world, "editor")
    page = admin.get(f"/admin/events/{made['id']}/history").text
    assert "Doors" in page
    assert "19:00" in page
    world.delete("/custom-fields/room?force=true")
    [*_, first] = re.findall(r'name="rev" value="(\d+)"', page)
    admin.post(f"/admin/events/{made['id']}/history", {"rev": first})
    assert values(world.get(path).json()) == {"_ecp_custom_1": "18:30"}
    assert titles(world, "custom[doors]=18:30") == ["Concert"]


def test_a_password_hides_values_until_it_is_known(world: World) -> None:
    define(world, "Doors", filter=True)
    made = create(world, custom_fields={"doors": "hidden-door"}, post_password="sesame")
    path = f"/events/{made['id']}"
    [listed] = world.get(f"/events?{EVERY}").json()["events"]
    assert listed["custom_fields"] == []
    assert values(world.get(f"{path}?password=sesame").json()) == {"_ecp_custom_1": "hidden-door"}
    assert titles(world, "custom[doors]=hidden-door&password=sesame") == ["Concert"]
    assert "hidden-door" not in world.client.get(f"/event/{made['slug']}/").text
    assert "hidden-door" not in world.client.get("/events/list/").text
