"""A copy of an event has those custom fields that its maker reads."""

import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.editor_forms import saved
from tests.admin.test_event_copies import WHOSE
from tests.conftest import World


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


def test_the_copy_of_a_date_is_a_single_event(world: World) -> None:
    world.post("/custom-fields", json={"label": "Notes", "public": False})
    rule = {"recurrence": "FREQ=WEEKLY;COUNT=3", "custom_fields": {"notes": "who pays"}}
    made = world.make("events", "other_author", **rule)
    date = world.get(f"/events?series={made['series']}&start_date=2000-01-01").json()["events"][1]
    copy = saved(world, AdminClient(world, "contributor").post(f"/admin/events/{date['id']}/duplicate"))
    assert (copy["start_date"], copy["recurrence"], copy["custom_fields"]) == (date["start_date"], None, [])
