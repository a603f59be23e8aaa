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


@pytest.mark.parametrize("more", [{"status": "draft"}, {"status": "private"}, {"post_password": "sesame"}])
@pytest.mark.parametrize("who", ["contributor", "author"])
def test_what_a_person_does_not_read_is_not_copied(world: World, who: str, more: dict[str, str]) -> None:
    made = world.make("events", "other_author", title="Secret", **more)
    person = AdminClient(world, who)
    answer = person.client.post(f"{BASE_URL}/admin/events/{made['id']}/duplicate", data={"token": person.token})
    assert "Secret" not in answer.text
    assert count(world) == 1
