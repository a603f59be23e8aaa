"""The review as a conversation: what was asked for, what was mended, and decisions that are taken back."""

import html
import re

from tests.admin.admin_client import AdminClient
from tests.conftest import World

DAY = {"start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 12:00:00"}


def submitted(world: World, **fields: object) -> int:
    made = world.post("/events", who="contributor", json={"title": "Fair", "status": "pending", **DAY, **fields})
    assert made.status_code == 201, made.text
    return int(made.json()["id"])


def decide(world: World, id: int, action: str, **sent: str) -> str:
    """Decides as an editor; the page that follows."""
    admin = AdminClient(world, "editor")
    admin.post("/admin/review", {"event": str(id), "action": action, **sent})
    return admin.get("/admin/review").text


def taken_back(world: World, page: str) -> str:
    """Sends the form that takes a decision back."""
    form = re.search(r'<form[^>]*action="[^"]*/admin/review/undo".*?</form>', page, re.DOTALL)
    assert form, "an undo is offered"
    fields = {name: html.unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form[0])}
    fields.pop("token", None)
    admin = AdminClient(world, "editor")
    admin.post("/admin/review/undo", fields)
    return admin.get("/admin/review").text


def status(world: World, kind: str, id: int) -> str:
    return str(world.get(f"/{kind}/{id}", who="editor").json()["status"])


def test_the_card_has_the_price_the_website_and_what_was_asked_before(world: World) -> None:
    event = submitted(world, cost="5", website="https://fair.example/")
    page = decide(world, event, "send_back", note="Please add the place.")
    assert "was sent back" in page
    world.put(f"/events/{event}", who="contributor", json={"title": "Spring fair", "status": "pending"})
    page = AdminClient(world, "editor").get("/admin/review").text
    for told in ("https://fair.example/", "Please add the place."):
        assert told in page, told


def test_each_decision_can_be_taken_back(world: World) -> None:
    event = submitted(world, venue={"venue": "Green"})
    venue = int(world.get(f"/events/{event}", who="editor").json()["venue"]["id"])
    hidden = status(world, "venues", venue)
    for action, after in (("publish", "publish"), ("send_back", "draft"), ("decline", "trash")):
        page = decide(world, event, action, note="No.")
        assert status(world, "events", event) == after
        assert "Fair” waits for review again" in taken_back(world, page)
        assert status(world, "events", event) == "pending"
        assert status(world, "venues", venue) == hidden, "and what came with it"
        assert "Sent back before" not in AdminClient(world, "editor").get("/admin/review").text


def test_a_decision_is_not_taken_back_after_somebody_has_changed_the_event(world: World) -> None:
    event = submitted(world)
    page = decide(world, event, "publish")
    world.put(f"/events/{event}", who="editor", json={"title": "Another"})
    assert "was changed in the meantime" in taken_back(world, page)
    assert status(world, "events", event) == "publish"


def test_contributors_take_no_decision_back(world: World) -> None:
    event = submitted(world)
    rev = 10**6
    decide(world, event, "publish")
    sent = {"decided": f"[[{event}],{rev},[]]", "back": "/admin/review"}
    AdminClient(world, "contributor").post("/admin/review/undo", sent, status=403)
    assert status(world, "events", event) == "publish"


def test_a_series_waits_again_as_a_whole(world: World) -> None:
    rule = {"rules": "FREQ=WEEKLY;COUNT=3"}
    event = submitted(world, recurrence=rule["rules"])
    page = decide(world, event, "publish", scope="all")
    assert "on 3 dates" in page
    taken_back(world, page)
    found = world.get("/events?status=pending&start_date=2027-01-01", who="editor").json()
    assert found["total"] == 3
