"""Custom fields in the admin: defined and ordered, typed into the editor, compared, and told in the history."""

import re
from typing import Any

from tests.admin.admin_client import AdminClient, error_beside
from tests.features.custom_fields.fields import create, define, values

FORM = {
    "title": "Concert",
    "start_day": "2026-12-01",
    "start_time": "19:00",
    "end_day": "2026-12-01",
    "end_time": "21:00",
    "timezone": "UTC",
    "do": "publish",
}
FIELDS = "/admin/settings/fields"


def order(page: str) -> list[str]:
    return re.findall(rf'href="{FIELDS}/\d+"><bdi>(.*?)</bdi>', page)


def test_fields_are_defined_ordered_changed_and_deleted(world: Any) -> None:
    admin = AdminClient(world, "administrator")
    assert "There are none yet" in admin.get(FIELDS).text
    refused = admin.post(f"{FIELDS}/new", {"label": "", "type": "choice", "options": ""}, status=400)
    assert error_beside(refused.text, "label")
    admin.post(f"{FIELDS}/new", {"label": "Doors open", "type": "text", "public": "1"})
    admin.post(f"{FIELDS}/new", {"label": "Level", "type": "choice", "options": "Easy\r\nHard", "required": "1"})
    level = world.get("/custom-fields/level", "editor").json()
    assert (level["options"], level["public"], level["required"]) == (["Easy", "Hard"], False, True)
    assert order(admin.get(FIELDS).text) == ["Doors open", "Level"]
    admin.post(FIELDS, {"key": "_ecp_custom_2", "do": "up"})
    assert order(admin.get(FIELDS).text) == ["Level", "Doors open"]
    assert "Easy\nHard" in admin.get(f"{FIELDS}/2").text
    admin.post(f"{FIELDS}/1", {"label": "Doors", "type": "text", "public": "1", "name": "doors-open"})
    create(world, status="draft", _ecp_custom_1="18:30")
    assert "lose their value: 1" in admin.get(f"{FIELDS}/1").text
    admin.post(f"{FIELDS}/1/delete")
    assert order(admin.get(FIELDS).text) == ["Level"]
    assert "Custom field" in admin.get("/admin/history").text


def test_only_administrators_see_the_screens(world: Any) -> None:
    define(world)
    editor = AdminClient(world, "editor")
    for path in (FIELDS, f"{FIELDS}/new", f"{FIELDS}/1"):
        editor.get(path, status=403)
    editor.post(f"{FIELDS}/1/delete", status=403)
    assert world.get("/custom-fields/_ecp_custom_1").status_code == 200


def test_the_editor_has_a_control_for_each_type(world: Any) -> None:
    define(world, "Doors & more", required=True)
    define(world, "Note", type="textarea", public=False)
    define(world, "Seats", type="number")
    define(world, "Until", type="date")
    define(world, "Level", type="choice", options=["Easy", "Hard"])
    define(world, "For", type="choices", options=["Children", "Adults"])
    admin = AdminClient(world, "author")
    page = admin.get("/admin/events/new").text
    assert "Doors &amp; more" in page
    refused = admin.post("/admin/events/new", FORM | {"_ecp_custom_1": "", "_ecp_custom_3": "many"}, status=400).text
    assert error_beside(refused, "_ecp_custom_3")
    sent = FORM | {
        "_ecp_custom_1": "18:30",
        "_ecp_custom_2": "One\r\nTwo",
        "_ecp_custom_3": "12",
        "_ecp_custom_4": "2027-01-01",
        "_ecp_custom_5": "Hard",
        "_ecp_custom_6": ["", "Children", "Adults"],
    }
    made = admin.post("/admin/events/new", sent)
    path = re.sub(r"^.*/admin", "", made.headers["location"])
    stored = values(world.get(path, "author").json())
    assert list(stored.values()) == ["18:30", "One\nTwo", 12, "2027-01-01", "Hard", "Children|Adults"]
    shown = admin.get(f"/admin{path}").text
    assert 'value="18:30"' in shown
    assert re.search(r'value="Children" checked', shown)
    version = re.search(r'name="version" value="(\d+)"', shown)
    assert version
    world.put(path, json={"_ecp_custom_1": "17:00"})
    mine = sent | {"_ecp_custom_1": "19:15"}
    compared = admin.post(f"/admin{path}", mine | {"version": version[1], "do": "save"}, status=409).text
    assert "17:00" in compared
    assert "Doors &amp; more</th>" in compared
    again = re.search(r'name="version" value="(\d+)"', compared)
    assert again
    admin.post(f"/admin{path}", sent | {"_ecp_custom_6": "", "version": again[1], "do": "save"})
    assert "_ecp_custom_6" not in values(world.get(path, "author").json())
    told = admin.get(f"/admin{path}/history").text
    for text in ("Doors &amp; more", "17:00", "18:30", "Children|Adults"):
        assert text in told
    copy = admin.post(f"/admin{path}/duplicate")
    copied = world.get(re.sub(r"^.*/admin", "", copy.headers["location"]), "author").json()
    assert values(copied)["_ecp_custom_1"] == "18:30"
