"""Custom fields for clients of WordPress: `custom_fields` in tec/v1, post meta in wp/v2."""

from typing import Any

from tests.conftest import BASE_URL
from tests.features.custom_fields.fields import create, define, event, values

TEC = f"{BASE_URL}/wp-json/tec/v1/events"
WP = f"{BASE_URL}/wp-json/wp/v2/tribe_events"


def test_both_dialects_show_and_take_them(world: Any) -> None:
    define(world, "Doors open")
    define(world, "Fee", public=False)
    made = create(world, _ecp_custom_1="18:30", _ecp_custom_2="500")
    tec, wp = f"{TEC}/{made['id']}", f"{WP}/{made['id']}"
    assert world.get(tec).json()["custom_fields"] == {"_ecp_custom_1": {"label": "Doors open", "value": "18:30"}}
    meta = world.get(wp).json()["meta"]
    assert (meta["_ecp_custom_1"], "_ecp_custom_2" in meta) == ("18:30", False)
    assert world.get(wp, "editor").json()["meta"]["_ecp_custom_2"] == "500"
    changed = world.post(wp, json={"meta": {"_ecp_custom_1": "19:00"}})
    assert changed.json()["meta"]["_ecp_custom_1"] == "19:00"
    changed = world.put(tec, json={"custom_fields": {"doors-open": "20:00"}})
    assert changed.json()["custom_fields"]["_ecp_custom_1"]["value"] == "20:00"
    assert world.put(tec, json={"_ecp_custom_1": ""}).status_code == 200
    assert values(world.get(f"/events/{made['id']}").json()) == {}


def test_a_masked_event_hides_them(world: Any) -> None:
    define(world)
    made = create(world, _ecp_custom_1="18:30", post_password="secret")
    for address in (TEC, WP):
        assert "18:30" not in world.get(f"{address}?per_page=10").text
    assert made["id"]


def test_tec_creates_with_them(world: Any) -> None:
    define(world)
    made = world.post(TEC, json=event(_ecp_custom_1="18:30"))
    assert made.json()["custom_fields"]["_ecp_custom_1"]["value"] == "18:30"
