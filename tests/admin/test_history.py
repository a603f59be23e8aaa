"""The history of records and of the site."""

import re

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World

WEEKLY = {"start_date": "2027-03-02 19:00:00", "end_date": "2027-03-02 21:00:00"}


def revs(page: str) -> list[str]:
    return re.findall(r'name="rev" value="(\d+)"', page)


def test_a_change_is_told_field_by_field_and_taken_back(world: World) -> None:
    hall, barn = (world.make("venues", venue=name)["id"] for name in ("Hall", "Barn"))
    made = world.make("events", title="Fair", venue=[hall], cost="5", description="Old text", tags=["early"])
    path = f"/events/{made['id']}"
    before = world.get(path).json()
    world.post(path, who="editor", json={"title": "Autumn fair", "venue": [barn], "cost": "", "tags": ["late"]})
    admin = AdminClient(world, "administrator")
    page = admin.get(f"/admin{path}/history").text
    for text in ("editor", "Fair", "Autumn fair", "Hall", "Barn", "early", "late"):
        assert text in page
    assert "Old text" not in page
    admin.post(f"/admin{path}/history", {"rev": revs(page)[0]})
    after = world.get(path).json()
    changing = {"modified", "modified_utc", "modified_utc_details", "rev", "json_ld"}
    assert {key: value for key, value in after.items() if key not in changing} == {
        key: value for key, value in before.items() if key not in changing
    }


@pytest.mark.parametrize(("plural", "name"), [("venues", "venue"), ("organizers", "organizer"), ("tags", "name")])
def test_other_records_have_a_history_too(world: World, plural: str, name: str) -> None:
    path = f"/{plural}/{world.make(plural, **{name: 'Old'})['id']}"
    world.post(path, json={name: "New", "description": "Text"})
    admin = AdminClient(world, "administrator")
    page = admin.get(f"/admin{path}/history").text
    admin.post(f"/admin{path}/history", {"rev": revs(page)[0]})
    assert world.get(path).json()[name] == "Old"


def test_links_to_records_that_are_gone_stay_away(world: World) -> None:
    hall = world.make("venues", venue="Hall")["id"]
    path = f"/events/{world.make('events', venue=[hall])['id']}"
    world.post(path, json={"venue": []})
    world.delete(f"/venues/{hall}?force=true")
    admin = AdminClient(world, "editor")
    admin.post(f"/admin{path}/history", {"rev": revs(admin.get(f"/admin{path}/history").text)[0]})
    assert world.get(path).json()["venue"] == []


def test_a_password_is_not_kept(world: World) -> None:
    path = f"/events/{world.make('events', post_password='sesame')['id']}"
    world.post(path, json={"title": "Renamed"})
    with world.calendar.store.read() as session:
        assert "password" not in str(session.all("SELECT data FROM version"))


def test_the_history_of_others_is_not_shown(world: World) -> None:
    path = f"/events/{world.make('events', title='Secret plan', status='draft')['id']}"
    world.post(path, json={"title": "Known plan"})
    for who in ("author", "contributor"):
        admin = AdminClient(world, who)
        assert "Secret plan" not in admin.get(f"/admin{path}/history", status=403).text
        admin.post(f"/admin{path}/history", {"rev": "1"}, status=403)
        admin.get("/admin/history", status=403)


def test_the_site_tells_who_changed_what(world: World) -> None:
    made = world.make("events", title="Fair", who="author")
    world.post(f"/events/{made['id']}", who="editor", json={"title": "Autumn fair"})
    lines = re.findall(r"<tr><td>.*?</tr>", AdminClient(world, "editor").get("/admin/history").text, re.DOTALL)
    assert "editor" in lines[0]
    assert "Autumn fair" in lines[0]
    assert "author" in lines[1]


def test_versions_are_forgotten_after_their_time(world: World) -> None:
    path = f"/events/{world.make('events')['id']}"
    world.post(path, json={"title": "Second"})
    world.clock.move(days=366)
    world.post(path, json={"title": "Third"})
    page = AdminClient(world, "administrator").get(f"/admin{path}/history").text
    assert len(revs(page)) == 1


def test_a_date_of_a_series_has_a_history_with_the_person_who_changed_it(world: World) -> None:
    made = world.make("events", title="Choir", recurrence="FREQ=WEEKLY;COUNT=3", **WEEKLY)
    world.post(f"/events/{made['id']}?scope=all", who="editor", json={"title": "Songs"})
    admin = AdminClient(world, "administrator")
    assert "editor" in admin.get("/admin/history").text
    page = admin.get(f"/admin/events/{made['id']}/history").text
    assert all(text in page for text in ("editor", "Choir", "Songs"))
    admin.post(f"/admin/events/{made['id']}/history", {"rev": revs(page)[0]})
    titles = [event["title"] for event in world.get("/events?start_date=2027-01-01").json()["events"]]
    assert titles == ["Choir", "Songs", "Songs"]
