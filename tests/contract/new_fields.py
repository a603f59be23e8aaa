"""What `test_adding_a_field.py` runs in a copy of the sources that has more fields."""

import json
import re
from typing import Any

from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.contract.interfaces import CORE
from kalends.present.openapi import document

PAGE = "http://calendar.test/event/ball/"
NEW = {"dress_code": "Black tie", "step_free": True}


def new_values(json: dict[str, Any]) -> dict[str, Any]:
    return {name: json[name] for name in NEW}


def test_the_interface_reads_and_writes_them(world: World) -> None:
    made = world.make("events", **NEW)
    assert new_values(made) == new_values(world.read("events", made["id"])) == NEW
    changed = world.put(f"/events/{made['id']}", json={"dress_code": "", "step_free": "no"}).json()
    assert new_values(changed) == {"dress_code": "", "step_free": False}


def test_a_protected_event_does_not_show_them(world: World) -> None:
    world.make("events", **NEW, post_password="sesame")
    [listed] = world.get("/events", params={"start_date": "1900-01-02"}).json()["events"]
    assert new_values(listed) == {"dress_code": "", "step_free": None}


def test_the_document_describes_them() -> None:
    schemas = document("Town", "http://calendar.test", "en", CORE)["components"]["schemas"]
    shown = schemas["Event"]["properties"]
    assert (shown["dress_code"]["type"], shown["step_free"]["type"]) == ("string", ["boolean", "null"])
    assert shown["dress_code"]["description"] == "What to wear."
    assert {*NEW} <= schemas["CreateEvent"]["properties"].keys()


def test_dates_of_a_series_share_them(world: World) -> None:
    first = world.make("events", recurrence="FREQ=DAILY;COUNT=3", **NEW)
    assert world.put(f"/events/{first['id']}?scope=all", json={"dress_code": "Casual"}).status_code == 200
    found = world.get("/events", params={"series": first["series"], "start_date": "1900-01-02"}).json()["events"]
    assert [event["dress_code"] for event in found] == ["Casual"] * 3


def test_the_form_shows_and_saves_them(world: World) -> None:
    made, admin = world.make("events", **NEW), AdminClient(world, "administrator")
    html = admin.get(f"/admin/events/{made['id']}").text
    assert 'name="dress_code" type="text" value="Black tie"' in html
    assert "Dress code" in html
    assert "Step-free" in html
    version = html.partition('name="version" value="')[2].partition('"')[0]
    start, end = made["start_date"].split(), made["end_date"].split()
    admin.post(
        f"/admin/events/{made['id']}",
        {
            **{"version": version, "title": made["title"], "timezone": made["timezone"], "dress_code": "Red shoes"},
            **{"start_day": start[0], "start_time": start[1], "end_day": end[0], "end_time": end[1]},
        },
    )
    assert new_values(world.read("events", made["id"])) == {"dress_code": "Red shoes", "step_free": False}


def json_ld_of(html: str) -> dict[str, Any]:
    """What the page of an event tells search engines."""
    scripts = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)
    [event] = [one for script in scripts for one in as_list(json.loads(script)) if one["@type"] == "Event"]
    return dict(event)


def as_list(found: Any) -> list[dict[str, Any]]:
    return found if isinstance(found, list) else [found]


DETAILS = [
    {"@type": "PropertyValue", "propertyID": "dress_code", "name": "Dress code", "value": "Black tie"},
    {"@type": "PropertyValue", "propertyID": "step_free", "name": "Step-free", "value": True},
]


def test_the_page_lists_those_that_say_so(world: World) -> None:
    made = world.make("events", title="Ball", door_code="4711", **NEW)
    html = world.get(PAGE).text
    assert "<bdi>Dress code</bdi></th>" in html
    assert "Black tie" in html
    assert "<bdi>Step-free</bdi></th>" in html
    assert "4711" not in html
    world.put(f"/events/{made['id']}", json={"dress_code": "", "step_free": False})
    assert not {"Dress code", "Step-free"} & set(re.findall(r"<bdi>([^<]*)</bdi></th>", world.get(PAGE).text))


def test_json_ld_lists_them(world: World) -> None:
    made = world.make("events", title="Ball", **NEW)
    assert world.read("events", made["id"])["json_ld"]["additionalProperty"] == DETAILS
    assert world.get(f"/events/{made['id']}").json()["json_ld"]["additionalProperty"] == DETAILS
    assert json_ld_of(world.get(PAGE).text)["additionalProperty"] == DETAILS
    assert world.get("http://calendar.test/events/list/2026-11-16/").text.count('"Black tie"') == 1


def test_entries_of_calendars_name_the_one_that_says_so(world: World) -> None:
    made = world.make("events", title="Ball", door_code="4711", **NEW)
    for address in ("http://calendar.test/events.ics", "http://calendar.test/event/ball.ics"):
        entry = world.get(address).text
        assert "\r\nX-DRESS-CODE:Black tie\r\n" in entry
        assert "4711" not in entry
    world.put(f"/events/{made['id']}", json={"post_password": "sesame"})
    assert "Black tie" not in world.get("http://calendar.test/events.ics").text


def test_a_protected_event_lists_none(world: World) -> None:
    world.make("events", title="Ball", post_password="sesame", **NEW)
    assert "Black tie" not in world.get(PAGE).text
    assert "Black tie" not in world.get("http://calendar.test/events/list/2026-11-16/").text
