"""Assistants know the custom fields of events, write their values and find events by them, as the interface does."""

from tests.conftest import World
from tests.features.assistants.clients import done, refused
from tests.features.custom_fields.fields import define


def test_custom_fields_are_told_written_and_found(world: World) -> None:
    define(world, "Doors", name="doors")
    define(world, "Seats", type="number")
    define(world, "Fee", type="number", public=False)
    told = done(world, "find_custom_fields")
    assert [(one["key"], one["name"], one["type"]) for one in told["custom_fields"]] == [
        ("_ecp_custom_1", "doors", "text"),
        ("_ecp_custom_2", "seats", "number"),
    ]
    assert done(world, "find_custom_fields", "editor")["total"] == 3
    dates = {"start_date": "2026-12-01 19:00", "end_date": "2026-12-01 21:00"}
    sent = {"doors": "18:30", "seats": 40, "fee": 5}
    made = done(world, "create_event", "editor", title="Concert", custom_fields=sent, **dates)["event"]
    read = done(world, "read_event", id=made["id"])["event"]
    assert read["custom_fields"] == {
        "_ecp_custom_1": {"label": "Doors", "value": "18:30"},
        "_ecp_custom_2": {"label": "Seats", "value": 40},
    }
    done(world, "update_event", "editor", id=made["id"], custom_fields={"_ecp_custom_1": ""})
    assert list(done(world, "read_event", id=made["id"])["event"]["custom_fields"]) == ["_ecp_custom_2"]
    assert done(world, "find_events", custom={"seats": {"from": 30}})["total"] == 1
    assert done(world, "find_events", custom={"seats": ["10", "20"]})["total"] == 0
    assert "fee" in refused(world, "find_events", custom={"fee": "5"})
    assert "custom[fee] is no field of this calendar" in refused(world, "find_events", custom={"fee": "5"})
    assert "nothing" in refused(world, "update_event", "editor", id=made["id"], custom_fields={"nothing": 1})


def test_many_choices_are_paged(world: World) -> None:
    for number in range(6):
        define(world, f"Field {number}", type="choice", options=[f"{'x' * 190} {one}" for one in range(8)])
    found, cursor = [], {}
    while True:
        page = done(world, "find_custom_fields", **cursor)
        found += [one["name"] for one in page["custom_fields"]]
        if "next_cursor" not in page:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert found == [f"field-{number}" for number in range(6)]
