"""Custom fields of series: dates share them, one date may have its own, and deletion leaves them in the history."""

from typing import Any

import pytest
from tests.features.custom_fields.fields import create, define, values

from kalends.calendar.access import SERVICE
from kalends.contract.kinds import EVENT
from kalends.features.consistency.checking import problems
from kalends.features.history import restoring
from kalends.features.history import versions as history

pytestmark = pytest.mark.both_stores


def dates_of(world: Any, series: int) -> list[dict[str, Any]]:
    found = world.get(f"/events?series={series}&per_page=50", "editor").json()["events"]
    return [values(event) for event in found]


@pytest.fixture
def weekly(world: Any) -> dict[str, Any]:
    define(world, "Doors")
    define(world, "Level")
    made = create(world, recurrence="FREQ=WEEKLY;COUNT=4", custom_fields={"doors": "18:30"})
    return {"id": made["id"], "series": made["series"]}


def ids_of(world: Any, series: int) -> list[int]:
    return [event["id"] for event in world.get(f"/events?series={series}&per_page=50").json()["events"]]


def test_every_date_has_them(world: Any, weekly: dict[str, Any]) -> None:
    assert dates_of(world, weekly["series"]) == [{"_ecp_custom_1": "18:30"}] * 4
    assert world.get("/events?custom[doors]=18:30").json()["total"] == 4


def test_one_date_has_its_own_and_keeps_it(world: Any, weekly: dict[str, Any]) -> None:
    ids = ids_of(world, weekly["series"])
    world.put(f"/events/{ids[1]}", json={"_ecp_custom_1": "20:00"})
    world.put(f"/events/{ids[0]}", json={"_ecp_custom_1": "19:00", "_ecp_custom_2": "Easy", "scope": "all"})
    everybody = {"_ecp_custom_1": "19:00", "_ecp_custom_2": "Easy"}
    own = {"_ecp_custom_1": "20:00", "_ecp_custom_2": "Easy"}
    assert dates_of(world, weekly["series"]) == [everybody, own, everybody, everybody]
    world.put(f"/events/{ids[0]}", json={"recurrence": "FREQ=WEEKLY;COUNT=5", "scope": "all"})
    assert dates_of(world, weekly["series"])[4] == everybody
    world.put(f"/events/{ids[2]}", json={"_ecp_custom_2": "", "scope": "following"})
    series = world.get(f"/events/{ids[2]}").json()["series"]
    assert dates_of(world, series) == [{"_ecp_custom_1": "19:00"}] * 3
    assert dates_of(world, weekly["series"]) == [everybody, own]


def test_deleting_a_field_takes_it_from_dates_and_later_ones(world: Any, weekly: dict[str, Any]) -> None:
    ids = ids_of(world, weekly["series"])
    world.put(f"/events/{ids[0]}", json={"_ecp_custom_2": "Easy", "scope": "all"})
    asked = world.delete("/custom-fields/_ecp_custom_1")
    assert (asked.status_code, asked.json()["data"]["values"]) == (409, 4)
    assert world.delete("/custom-fields/_ecp_custom_1?force=true").status_code == 200
    assert dates_of(world, weekly["series"]) == [{"_ecp_custom_2": "Easy"}] * 4
    world.put(f"/events/{ids[0]}", json={"recurrence": "FREQ=WEEKLY;COUNT=5", "scope": "all"})
    assert dates_of(world, weekly["series"])[4] == {"_ecp_custom_2": "Easy"}
    edits = world.calendar.read(SERVICE, history.edits, EVENT, ids[1]).edits
    assert {"_ecp_custom_1": ("18:30", "")} in [edit.fields for edit in edits]
    with world.calendar.store.read() as session:
        assert problems(session, world.calendar.settings) == {}


def test_a_version_comes_back_with_its_values(world: Any) -> None:
    define(world, "Doors")
    define(world, "Level")
    made = create(world, custom_fields={"doors": "18:30", "level": "Easy"})
    world.put(f"/events/{made['id']}", json={"custom_fields": None})
    world.delete("/custom-fields/_ecp_custom_2?force=true")
    edit = world.calendar.read(SERVICE, history.edits, EVENT, made["id"]).edits[0]
    assert edit.fields == {"_ecp_custom_1": ("18:30", ""), "_ecp_custom_2": ("Easy", "")}
    told = world.calendar.write(SERVICE, restoring.restore, EVENT, made["id"], edit.rev)
    assert told.unchanged == ["_ecp_custom_2"]
    assert values(world.get(f"/events/{made['id']}").json()) == {"_ecp_custom_1": "18:30"}


def test_the_trash_keeps_them(world: Any) -> None:
    define(world, "Doors")
    made = create(world, custom_fields={"doors": "18:30"})
    world.delete(f"/events/{made['id']}")
    assert world.get("/events?custom[doors]=18:30").json()["total"] == 0
    world.put(f"/events/{made['id']}", json={"status": "publish"})
    assert world.get("/events?custom[doors]=18:30").json()["total"] == 1
    assert world.delete(f"/events/{made['id']}?force=true").status_code == 200
    assert world.delete("/custom-fields/doors").json()["data"]["values"] == 0
