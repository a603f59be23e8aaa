"""The public form asks for the custom fields that the owner wants, and needs those that every event needs."""

import re
from typing import Any

import pytest
from tests.admin.test_review import SUBMIT, client_of
from tests.features.custom_fields.fields import define, values

SENT = {
    "title": "Fair",
    "start_day": "2026-12-05",
    "all_day": "1",
    "sender_name": "Anna",
    "sender_email": "anna@example.org",
}


@pytest.fixture
def owner(make_world: Any) -> Any:
    world = make_world(submissions="true")
    define(world, "Doors", required=True)
    define(world, "Level", type="choices", options=["a", "b"], submit=True)
    define(world, "Phone", public=False, submit=True)
    define(world, "Inner", public=False, required=True)
    define(world, "Other")
    return world


def send(world: Any, **more: Any) -> Any:
    client = client_of(world.front)
    opened = re.search(r'name="opened" value="([^"]*)"', client.get(SUBMIT).text)
    assert opened
    world.clock.move(seconds=10)
    return client.post(SUBMIT, data={"opened": opened[1]} | SENT | more)


def test_the_form_asks_for_what_the_owner_wants(owner: Any) -> None:
    page = client_of(owner.front).get(SUBMIT).text
    assert set(re.findall(r'name="(_ecp_custom_\d)"', page)) == {"_ecp_custom_1", "_ecp_custom_2", "_ecp_custom_3"}
    assert "Inner" not in page
    sent = {
        "_ecp_custom_1": "18:30",
        "_ecp_custom_2": ["b", "a"],
        "_ecp_custom_3": "123",
        "_ecp_custom_5": "smuggled",
    }
    assert send(owner, **sent).status_code == 200
    [event] = owner.get("/events?status=pending", "editor").json()["events"]
    assert values(event) == {"_ecp_custom_1": "18:30", "_ecp_custom_2": "a|b", "_ecp_custom_3": "123"}
    # Somebody publishes it, and only then everybody reads it, without what is not public.
    assert owner.get(f"/events/{event['id']}").status_code in (401, 403, 404)
    owner.put(f"/events/{event['id']}", "editor", json={"status": "publish"})
    assert set(values(owner.get(f"/events/{event['id']}").json())) == {"_ecp_custom_1", "_ecp_custom_2"}


def test_what_events_need_is_told_beside_its_field(owner: Any) -> None:
    refused = send(owner, _ecp_custom_1=" ", _ecp_custom_2=["c"])
    assert refused.status_code == 400
    assert '<a href="#field-_ecp_custom_1">Doors</a>: Please fill in this field.' in refused.text
    refused = send(owner, _ecp_custom_1="18:30", _ecp_custom_2=["c"])
    assert (refused.status_code, "#field-_ecp_custom_2" in refused.text) == (400, True)
    assert 'value="18:30"' in refused.text  # what was typed stays
    assert owner.get("/events?status=pending", "editor").json()["total"] == 0
