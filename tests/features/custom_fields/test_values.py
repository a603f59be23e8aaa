"""The values of custom fields: written in every form, read in their order, and shown to their readers."""

from typing import Any

import pytest
from tests.features.custom_fields.fields import create, define, event, values

pytestmark = pytest.mark.both_stores


def test_an_event_without_any_shows_an_empty_array(world: Any) -> None:
    define(world, "Doors open")
    assert create(world)["custom_fields"] == []


def test_a_value_is_written_in_every_form(world: Any) -> None:
    define(world, "Doors open")
    shown = {"_ecp_custom_1": {"label": "Doors open", "value": "18:30"}}
    forms: list[dict[str, Any]] = [
        {"custom_fields": {"_ecp_custom_1": "18:30"}},
        {"custom_fields": {"doors-open": "18:30"}},
        {"custom_fields": shown},
        {"_ecp_custom_1": "18:30"},
    ]
    for form in forms:
        assert create(world, **form)["custom_fields"] == shown
    for sent in ({"_ecp_custom_1": "18:30"}, {"custom_fields[_ecp_custom_1]": "18:30"}):
        made = world.post("/events", data=event() | sent)
        assert made.json()["custom_fields"] == shown
        assert "warning" not in made.headers


def test_values_are_shown_in_the_order_of_the_fields(world: Any) -> None:
    define(world, "One")
    define(world, "Two", position=0)
    made = create(world, _ecp_custom_1="a", _ecp_custom_2="b")
    assert list(made["custom_fields"]) == ["_ecp_custom_2", "_ecp_custom_1"]
    everywhere = [world.get(f"/events/{made['id']}").json(), world.get("/events").json()["events"][0]]
    assert [list(one["custom_fields"]) for one in everywhere] == [["_ecp_custom_2", "_ecp_custom_1"]] * 2


def test_each_type_keeps_its_values(world: Any) -> None:
    for type_ in ("text", "textarea", "url", "number", "date"):
        define(world, type_, type=type_)
    define(world, "choice", type="choice", options=["Red", "Blue"])
    define(world, "choices", type="choices", options=["a", "b", "c"])
    sent = {
        "text": "<b>18:30</b>",
        "textarea": "One\r\nTwo",
        "url": "https://example.org/a",
        "number": "12.50",
        "date": "March 10, 2027",
        "choice": "red",
        "choices": "c|a",
    }
    found = values(create(world, custom_fields=sent))
    assert list(found.values()) == ["18:30", "One\nTwo", "https://example.org/a", 12.5, "2027-03-10", "Red", "a|c"]
    made = create(world, custom_fields={"number": 12.0, "choices": ["b", "a"]})
    assert values(made) == {"_ecp_custom_4": 12, "_ecp_custom_7": "a|b"}
    assert isinstance(values(made)["_ecp_custom_4"], int)
    form = world.post("/events", data=event() | {"_ecp_custom_7[]": ["b", "c"]})
    assert values(form.json()) == {"_ecp_custom_7": "b|c"}


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("url", "javascript:alert(1)"),
        ("number", "many"),
        ("number", "1e999"),
        ("date", "tomorrow"),
        ("date", "2027-02-30"),
        ("choice", "Green"),
        ("choices", "Red|Green"),
        ("text", "x" * 1001),
        ("text", {"a": "b"}),
    ],
)
def test_a_value_that_does_not_fit_names_its_field(world: Any, type_: str, value: object) -> None:
    options = ["Red", "Blue"] if type_.startswith("choice") else []
    define(world, "Field", type=type_, options=options)
    within = world.post("/events", json=event(custom_fields={"_ecp_custom_1": value}))
    beside = world.post("/events", json=event(_ecp_custom_1=value))
    assert (within.status_code, beside.status_code) == (400, 400)
    assert list(within.json()["data"]["params"]) == ["custom_fields[_ecp_custom_1]"]
    assert list(beside.json()["data"]["params"]) == ["_ecp_custom_1"]


def test_all_that_is_wrong_is_told_at_once_by_the_name_that_was_sent(world: Any) -> None:
    for label, type_ in (("Price", "number"), ("Doors", "date"), ("Site", "url")):
        define(world, label, type=type_, name=label.lower())
    wrong = {"price": "much", "_ecp_custom_2": "soon", "site": "https://ok.example", "parking": "yes"}
    refused = world.post("/events", json=event(custom_fields=wrong, _ecp_custom_3="x"))
    named = ["custom_fields[price]", "custom_fields[_ecp_custom_2]", "custom_fields[parking]", "_ecp_custom_3"]
    assert (refused.status_code, sorted(refused.json()["data"]["params"])) == (400, sorted(named))
    listed = world.get("/events?custom[price]=much&custom[parking]=yes")
    assert sorted(listed.json()["data"]["params"]) == ["custom[parking]", "custom[price]"]


def test_an_unknown_field_is_refused_within_and_ignored_beside(world: Any) -> None:
    define(world, "Doors open")
    within = world.post("/events", json=event(custom_fields={"_ecp_custom_9": "x"}))
    assert within.status_code == 400
    assert "_ecp_custom_9" in within.text
    beside = world.post("/events", json=event(_ecp_custom_9="x", _ecp_custom_1="y"))
    assert beside.status_code == 201
    assert values(beside.json()) == {"_ecp_custom_1": "y"}
    assert "_ecp_custom_9" in beside.headers["warning"]
    assert "_ecp_custom_1" not in beside.headers["warning"].replace("did you mean _ecp_custom_1", "")


def test_what_is_not_sent_stays_and_an_empty_value_removes(world: Any) -> None:
    define(world, "One")
    define(world, "Two")
    made = create(world, _ecp_custom_1="a", _ecp_custom_2="b")
    path = f"/events/{made['id']}"
    assert values(world.put(path, json={"title": "New"}).json()) == {"_ecp_custom_1": "a", "_ecp_custom_2": "b"}
    assert values(world.put(path, json={"_ecp_custom_1": ""}).json()) == {"_ecp_custom_2": "b"}
    assert values(world.put(path, json={"custom_fields": {"one": "c"}}).json()) == {
        "_ecp_custom_1": "c",
        "_ecp_custom_2": "b",
    }
    assert values(world.put(path, json={"custom_fields": []}).json()) == {"_ecp_custom_1": "c", "_ecp_custom_2": "b"}
    assert values(world.put(path, json={"custom_fields": {"one": {"value": ""}}}).json()) == {"_ecp_custom_2": "b"}
    assert world.put(path, json={"custom_fields": None}).json()["custom_fields"] == []


def test_what_was_read_can_be_sent_back(world: Any) -> None:
    define(world, "One", type="choices", options=["a", "b"])
    made = create(world, _ecp_custom_1="a|b")
    world.put("/custom-fields/_ecp_custom_1", json={"options": ["b", "c"]})  # what was chosen stays
    read = world.get(f"/events/{made['id']}", "editor").json()
    again = world.put(f"/events/{made['id']}", json=read)
    assert again.json()["rev"] == read["rev"]
    assert values(again.json()) == {"_ecp_custom_1": "a|b"}


def test_a_required_field_is_needed_unless_the_event_is_a_draft(world: Any) -> None:
    define(world, "Doors open", required=True)
    missing = world.post("/events", json=event())
    assert (missing.status_code, missing.json()["data"]["params"]) == (400, ["_ecp_custom_1"])
    assert world.post("/events", json=event(_ecp_custom_1="")).status_code == 400
    draft = create(world, status="draft")
    path = f"/events/{draft['id']}"
    assert world.put(path, json={"status": "publish"}).status_code == 200  # it does not send the field
    assert world.put(path, json={"title": "New"}).status_code == 200
    assert world.put(path, json={"_ecp_custom_1": "18:30"}).status_code == 200
    assert world.put(path, json={"_ecp_custom_1": ""}).status_code == 400
    assert world.put(path, json={"custom_fields": None}).status_code == 400
    assert world.put(path, json={"_ecp_custom_1": "", "status": "draft"}).status_code == 200


def test_a_field_that_is_not_public_is_for_who_may_edit_the_event(world: Any) -> None:
    define(world, "Doors open")
    define(world, "Fee", type="number", public=False)
    made = create(world, "author", _ecp_custom_1="18:30", _ecp_custom_2=500)
    path, both = f"/events/{made['id']}", {"_ecp_custom_1": "18:30", "_ecp_custom_2": 500}
    for who in ("author", "editor", "administrator"):
        assert values(world.get(path, who).json()) == both
        assert values(world.get("/events", who).json()["events"][0]) == both
    for who in ("anonymous", "subscriber", "contributor", "other_author"):
        assert values(world.get(path, who).json()) == {"_ecp_custom_1": "18:30"}
        assert values(world.get("/events", who).json()["events"][0]) == {"_ecp_custom_1": "18:30"}
        assert "500" not in str(world.get(path, who).json()["json_ld"].get("additionalProperty"))


def test_a_masked_event_hides_all(world: Any) -> None:
    define(world, "Doors open")
    made = create(world, _ecp_custom_1="18:30", post_password="secret")
    assert world.get("/events").json()["events"][0]["custom_fields"] == []
    opened = world.get(f"/events/{made['id']}?password=secret").json()
    assert values(opened) == {"_ecp_custom_1": "18:30"}


def test_a_new_label_is_shown_everywhere_at_once(world: Any) -> None:
    define(world, "Doors open")
    made = create(world, _ecp_custom_1="18:30")
    path, other = f"/events/{made['id']}", world.neighbour()
    before = world.get(path)
    assert before.json()["json_ld"]["additionalProperty"] == [
        {"@type": "PropertyValue", "propertyID": "doors-open", "name": "Doors open", "value": "18:30"}
    ]
    assert other.get(f"{world.ns}{path}").json() == before.json()
    world.put("/custom-fields/_ecp_custom_1", json={"label": "Doors"})
    for read in (world.get(path), other.get(f"{world.ns}{path}"), world.get(path, "editor")):
        assert read.json()["custom_fields"]["_ecp_custom_1"]["label"] == "Doors"
        assert read.json()["json_ld"]["additionalProperty"][0]["name"] == "Doors"
        assert read.headers["etag"] != before.headers["etag"]
    assert world.get("/events").json()["events"][0]["custom_fields"]["_ecp_custom_1"]["label"] == "Doors"
    world.put("/custom-fields/_ecp_custom_1", json={"public": False})
    assert world.get(path).json()["custom_fields"] == []
    assert "additionalProperty" not in world.get(path).json()["json_ld"]
    assert world.get("/events").json()["events"][0]["custom_fields"] == []


def test_fragments_and_records_give_the_same_bytes(world: Any) -> None:
    define(world, "Doors 100%")
    define(world, "Fee", public=False)
    made = create(world, _ecp_custom_1="50 % off %b", _ecp_custom_2="x")
    path = f"/events/{made['id']}"
    prerendered = world.get(path).content, world.get("/events").json()["events"]
    with world.calendar.store.write() as session:
        session.run("DELETE FROM fragment", ())
    other = world.neighbour()
    assert other.get(f"{world.ns}{path}").content == prerendered[0]
    assert other.get(f"{world.ns}/events").json()["events"] == prerendered[1]
