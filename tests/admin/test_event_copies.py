"""Copies of events, made in the admin."""

import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.editor_forms import FILLED, NEW, count, saved
from tests.conftest import BASE_URL, World


def test_a_copy_is_a_draft(world: World) -> None:
    admin = AdminClient(world, "editor")
    made = saved(world, admin.post(NEW, FILLED))
    copy = saved(world, admin.post(f"/admin/events/{made['id']}/duplicate"))
    assert copy["id"] != made["id"]
    assert copy["status"] == "draft"
    for name in ("title", "start_date", "description", "cost", "venue", "organizer", "categories", "tags"):
        assert copy[name] == made[name], name


@pytest.mark.parametrize("who", ["editor", "author"])
def test_the_copy_of_a_protected_event_has_its_password(world: World, who: str) -> None:
    made = world.make("events", who, description="handshake", post_password="sesame")
    copy = saved(world, AdminClient(world, who).post(f"/admin/events/{made['id']}/duplicate"))
    world.put(f"/events/{copy['id']}", json={"status": "publish"})
    assert world.get(f"/events/{copy['id']}").status_code == 403
    assert "handshake" in world.get(f"/events/{copy['id']}?password=sesame").text
    # Who does not see what it hides makes no copy of it.
    other = AdminClient(world, "other_author")
    other.client.post(f"{BASE_URL}/admin/events/{made['id']}/duplicate", data={"token": other.token})
    assert count(world) == 2


WHOSE = [("other_author", "publish"), ("own", "draft"), ("own", "publish")]


@pytest.mark.parametrize(("whose", "status"), WHOSE)
@pytest.mark.parametrize("who", ["contributor", "author", "editor", "administrator"])
def test_a_copy_has_what_its_maker_reads(world: World, who: str, whose: str, status: str) -> None:
    for label, more in {
        "Doors": {},
        "Notes": {"public": False},
        "Level": {"type": "choice", "options": ["Easy", "Hard"]},
        "For": {"type": "choices", "options": ["Young", "Old"], "public": False},
        "Fee": {"type": "number"},
    }.items():
        world.post("/custom-fields", json={"label": label} | more)
    hidden = world.make("venues", "other_author", venue="Cellar", status="draft")
    shown = world.make("organizers", "other_author", organizer="Club")
    made = world.make(
        "events",
        venue=[hidden["id"]],
        organizer=[shown["id"]],
        status=status,
        author=world.ids[who if whose == "own" else whose],
        custom_fields={"doors": "18:30", "notes": "who pays", "level": "Hard", "for": "Young|Old", "fee": 2.5},
    )
    world.put("/custom-fields/level", json={"options": ["Easy"]})
    world.put("/custom-fields/for", json={"options": ["Old"]})
    read = world.get(f"/events/{made['id']}", who).json()
    copy = saved(world, AdminClient(world, who).post(f"/admin/events/{made['id']}/duplicate"))
    assert copy["custom_fields"] == read["custom_fields"]
    assert copy["venue"] == read["venue"]
    assert copy["organizer"] == read["organizer"]
    edits = who in ("editor", "administrator") or (whose == "own" and (who, status) != ("contributor", "publish"))
    assert ("_ecp_custom_2" in read["custom_fields"], "_ecp_custom_4" in read["custom_fields"]) == (edits, edits)
    assert list(world.get(f"/events/{copy['id']}", who).json()["custom_fields"]) == list(read["custom_fields"])


@pytest.mark.parametrize("more", [{"status": "draft"}, {"status": "private"}, {"post_password": "sesame"}])
@pytest.mark.parametrize("who", ["contributor", "author"])
def test_what_a_person_does_not_read_is_not_copied(world: World, who: str, more: dict[str, str]) -> None:
    made = world.make("events", "other_author", title="Secret", **more)
    person = AdminClient(world, who)
    answer = person.client.post(f"{BASE_URL}/admin/events/{made['id']}/duplicate", data={"token": person.token})
    assert "Secret" not in answer.text
    assert count(world) == 1


def test_the_copy_of_a_date_is_a_single_event(world: World) -> None:
    world.post("/custom-fields", json={"label": "Notes", "public": False})
    rule = {"recurrence": "FREQ=WEEKLY;COUNT=3", "custom_fields": {"notes": "who pays"}}
    made = world.make("events", "other_author", **rule)
    date = world.get(f"/events?series={made['series']}&start_date=2000-01-01").json()["events"][1]
    copy = saved(world, AdminClient(world, "contributor").post(f"/admin/events/{date['id']}/duplicate"))
    assert (copy["start_date"], copy["recurrence"], copy["custom_fields"]) == (date["start_date"], None, [])
