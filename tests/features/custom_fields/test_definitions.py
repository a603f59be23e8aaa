"""Custom fields as administrators define them: keys for ever, names, types, options, order, and who reads which."""

from typing import Any

import pytest

pytestmark = pytest.mark.both_stores

DOORS = {"label": "Doors open"}


def define(world: Any, **values: Any) -> dict[str, Any]:
    made = world.post("/custom-fields", json={"label": "Doors open"} | values)
    assert made.status_code == 201, made.text
    return dict(made.json())


def keys(world: Any, who: str = "anonymous") -> list[str]:
    return [field["key"] for field in world.get("/custom-fields", who).json()["custom_fields"]]


def test_a_field_gets_a_key_a_name_and_the_usual_values(world: Any) -> None:
    made = world.post("/custom-fields", json=DOORS)
    assert made.headers["location"].endswith("/custom-fields/_ecp_custom_1")
    assert made.json() == {
        "key": "_ecp_custom_1",
        "name": "doors-open",
        "label": "Doors open",
        "type": "text",
        "options": [],
        "public": True,
        "required": False,
        "position": 1,
        "filter": False,
        "submit": False,
    }
    assert world.get("/custom-fields").json() == {"custom_fields": [made.json()]}
    assert world.get("/custom-fields/_ecp_custom_1").json() == made.json()
    assert world.get("/custom-fields/doors-open").json() == made.json()


def test_a_key_is_never_given_again(world: Any) -> None:
    define(world)
    define(world, label="Dress code")
    assert world.delete("/custom-fields/_ecp_custom_2?force=true").status_code == 200
    assert define(world, label="Another")["key"] == "_ecp_custom_3"
    assert world.get("/custom-fields/_ecp_custom_2").status_code == 404


def test_names_are_unique(world: Any) -> None:
    define(world)
    assert define(world)["name"] == "doors-open-2"
    taken = world.post("/custom-fields", json=DOORS | {"name": "doors-open"})
    assert taken.status_code == 400
    assert list(taken.json()["data"]["params"]) == ["name"]


def test_fields_stand_in_the_order_of_their_positions(world: Any) -> None:
    for label in ("One", "Two", "Three"):
        define(world, label=label)
    assert keys(world) == ["_ecp_custom_1", "_ecp_custom_2", "_ecp_custom_3"]
    assert world.put("/custom-fields/_ecp_custom_3", json={"position": 0}).status_code == 200
    assert keys(world) == ["_ecp_custom_3", "_ecp_custom_1", "_ecp_custom_2"]


def test_there_are_at_most_fifty(world: Any) -> None:
    for number in range(50):
        define(world, label=f"Field {number}")
    refused = world.post("/custom-fields", json=DOORS)
    assert (refused.status_code, refused.json()["code"]) == (400, "rest-too-many-custom-fields")
    world.delete("/custom-fields/_ecp_custom_7?force=true")
    assert define(world)["key"] == "_ecp_custom_51"


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"label": ""}, "label"),
        ({"label": "x" * 101}, "label"),
        ({"label": "A", "type": "colour"}, "type"),
        ({"label": "A", "type": "choice"}, "options"),
        ({"label": "A", "type": "choices", "options": []}, "options"),
        ({"label": "A", "type": "choice", "options": ["a|b"]}, "options"),
        ({"label": "A", "public": "perhaps"}, "public"),
        ({"label": "A", "position": -1}, "position"),
    ],
)
def test_what_does_not_fit_is_named(world: Any, body: dict[str, Any], wrong: str) -> None:
    refused = world.post("/custom-fields", json=body)
    assert refused.status_code == 400
    assert list(refused.json()["data"]["params"]) == [wrong]
    assert keys(world) == []


def test_a_label_is_needed(world: Any) -> None:
    assert world.post("/custom-fields", json={"type": "text"}).json()["code"] == "rest_missing_callback_param"


def test_options_may_be_lines_of_a_form(world: Any) -> None:
    sent = {"label": "Level", "type": "choice", "options": "Beginners\nAdvanced\n"}
    assert world.post("/custom-fields", data=sent).json()["options"] == ["Beginners", "Advanced"]


def test_fields_that_are_not_public_are_listed_to_editors_only(world: Any) -> None:
    define(world)
    define(world, label="Contract signed", public=False)
    for who in ("anonymous", "subscriber", "contributor", "author"):
        assert keys(world, who) == ["_ecp_custom_1"]
        assert world.get("/custom-fields/_ecp_custom_2", who).status_code == 404
        assert world.get("/custom-fields/contract-signed", who).status_code == 404
    for who in ("editor", "administrator"):
        assert keys(world, who) == ["_ecp_custom_1", "_ecp_custom_2"]


@pytest.mark.parametrize("who", ["anonymous", "subscriber", "contributor", "author", "editor"])
def test_only_administrators_define(world: Any, who: str) -> None:
    define(world)
    path = "/custom-fields/_ecp_custom_1"
    tried = [("POST", "/custom-fields"), ("PUT", path), ("DELETE", path), ("DELETE", f"{path}?force=true")]
    expected = 401 if who == "anonymous" else 403
    assert [world.ask(method, at, who, json=DOORS).status_code for method, at in tried] == [expected] * 4
    assert keys(world) == ["_ecp_custom_1"]


def test_deleting_asks_first(world: Any) -> None:
    define(world)
    asked = world.delete("/custom-fields/_ecp_custom_1")
    assert (asked.status_code, asked.json()["data"]["values"]) == (409, 0)
    assert keys(world) == ["_ecp_custom_1"]
    assert world.delete("/custom-fields/_ecp_custom_1?force=true").json()["key"] == "_ecp_custom_1"
    assert keys(world) == []
    assert world.delete("/custom-fields/_ecp_custom_1?force=true").status_code == 404


def test_a_change_is_seen_at_once_by_another_process(world: Any) -> None:
    define(world)
    other = world.neighbour()
    assert other.get(f"{world.ns}/custom-fields").json()["custom_fields"][0]["label"] == "Doors open"
    world.put("/custom-fields/_ecp_custom_1", json={"label": "Doors"})
    assert other.get(f"{world.ns}/custom-fields").json()["custom_fields"][0]["label"] == "Doors"
    assert keys(world) == ["_ecp_custom_1"]


def test_a_type_stays_while_a_series_gives_later_dates_a_value(world: Any) -> None:
    """Even if no event has one: what is filled later would have a value of another type."""
    key = define(world, label="Seats")["key"]
    series = world.make("events", recurrence="FREQ=WEEKLY", custom_fields={key: "many"})
    with world.calendar.store.write() as session:
        session.run("UPDATE event SET custom_fields = '{}'")
        session.run("DELETE FROM event_custom")
    refused = world.put(f"/custom-fields/{key}", json={"type": "number"})
    assert (refused.status_code, "1 series" in refused.text) == (400, True), refused.text
    world.delete(f"/events/{series['id']}?scope=all&force=true")
    assert world.put(f"/custom-fields/{key}", json={"type": "number"}).status_code == 200
