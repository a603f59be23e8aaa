"""Secret links to an event that is not public yet: they show what their maker sees now, and end with his rights."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World
from tests.pictures import png

from kalends.calendar.access import Caller
from kalends.calendar.editing import previews
from kalends.contract.kinds import EVENT
from kalends.contract.roles import Role
from kalends.store.rows import users

ROLES = {"editor": Role.EDITOR, "author": Role.AUTHOR, "contributor": Role.CONTRIBUTOR}


def link_of(world: World, id: int, who: str = "editor") -> str:
    key = world.calendar.read(Caller(world.ids[who], who, ROLES[who]), previews.key_of, id)
    return f"{BASE_URL}/preview/{key}/"


def upload(world: World, who: str) -> int:
    return int(world.upload(png(400, 300), who)["id"])


def set_user(world: World, who: str, **changed: Any) -> None:
    with world.calendar.store.write() as session:
        user = users.find_user(session, world.ids[who])
        assert user is not None
        for name, value in changed.items():
            setattr(user, name, value)
        users.update_user(session, user)


@pytest.mark.both_stores
def test_the_page_shows_its_own_venue_and_loads_its_pictures(world: World) -> None:
    picture, hall = upload(world, "editor"), upload(world, "editor")
    venue = {"venue": "Zephyrhouse", "phone": "0123", "image": hall}
    event = world.make("events", "editor", status="draft", image=picture, venue=venue)["id"]
    world.make("events", title="Public one", image=upload(world, "administrator"), start_date="2027-03-10 12:00:00",
               end_date="2027-03-10 13:00:00")  # fmt: skip
    link = link_of(world, event)
    page = world.get(link)
    assert (page.status_code, "Zephyrhouse" in page.text) == (200, True)
    found = set(re.findall(r'(?:src="|srcset="|, )(/[^" ]*media/[^" ]*)', page.text))
    assert found
    for path in found:
        answer = world.get(BASE_URL + path)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png"), path
        if "/preview/" in path:
            assert answer.headers["Cache-Control"] == "private, no-store"
            plain = f"/media/{path.partition('/media/')[2]}"
            assert world.get(BASE_URL + plain).status_code == 404
    # Nothing else can be read with the key.
    other = upload(world, "editor")
    url = world.get(f"/media/{other}", "editor").json()["url"]
    assert world.get(f"{link}media/{url.partition('/media/')[2]}").status_code == 404
    world.put(f"/events/{event}", json={"status": "publish"})
    for path in found:
        assert world.get(BASE_URL + path).status_code == (404 if "/preview/" in path else 200)


def test_a_preview_of_an_event_at_a_venue_that_is_not_public(world: World) -> None:
    for status in ("draft", "private", "pending"):
        venue = world.make("venues", venue=f"Hall {status}", status=status)["id"]
        id = world.make("events", status="draft", venue=venue)["id"]
        sent = {"title": "A", "start_day": "2027-03-10", "start_time": "09:00", "venue": str(venue)}
        page = AdminClient(world, "editor").post(f"/admin/events/{id}/preview", sent, status=200).text
        assert f"Hall {status}" in page
        assert world.get(link_of(world, id)).status_code == 200


def test_a_preview_of_a_date_of_a_hidden_series(world: World) -> None:
    event = world.make("events", status="draft", recurrence="FREQ=WEEKLY;COUNT=3")["id"]
    assert world.get(link_of(world, event)).status_code == 200


def test_it_shows_what_its_maker_can_read(world: World) -> None:
    secret = world.make("organizers", organizer="Ms Zephyr", phone="0123-zephyr", status="private")["id"]
    event = world.make("events", "author", status="draft")["id"]
    world.put(f"/events/{event}", json={"organizer": secret})
    assert "ephyr" not in world.get(link_of(world, event, "author")).text
    assert "ephyr" in world.get(link_of(world, event, "editor")).text


@pytest.mark.parametrize(
    "hidden", [{"status": "private"}, {"status": "draft", "post_password": "x"}, {"date": "2027-01-01"}]
)
def test_it_opens_what_its_maker_sees(world: World, hidden: dict[str, str]) -> None:
    event = world.make("events", description="Zephyr", **hidden)["id"]
    assert "Zephyr" in world.get(link_of(world, event)).text


def test_it_ends_with_the_rights_of_its_maker(world: World) -> None:
    own = world.make("events", "author", status="draft")["id"]
    by_author, by_editor = link_of(world, own, "author"), link_of(world, own, "editor")
    set_user(world, "editor", role="author")
    assert [world.get(link).status_code for link in (by_author, by_editor)] == [200, 404]
    set_user(world, "editor", role="editor")
    assert world.get(by_editor).status_code == 200
    set_user(world, "editor", disabled=True)
    assert world.get(by_editor).status_code == 404
    world.put(f"/events/{own}", json={"author": world.ids["other_author"]})
    assert world.get(by_author).status_code == 404


def test_it_ends_when_the_event_is_public(world: World) -> None:
    event = world.make("events", date_utc="2026-11-15 13:00:00")["id"]
    link = link_of(world, event)
    assert world.get(link).status_code == 200
    world.clock.move(hours=1)
    assert world.get(link).status_code == 404
    assert world.get(f"/events/{event}").status_code == 200


def test_a_contributors_link_ends_when_the_event_is_no_longer_his_to_edit(world: World) -> None:
    event = world.make("events", "contributor", status="pending")["id"]
    link = link_of(world, event, "contributor")
    assert world.get(link).status_code == 200
    world.put(f"/events/{event}", json={"status": "publish", "date_utc": "2026-12-01 10:00:00"})
    assert world.get(link).status_code == 404


def test_a_key_without_a_maker_is_no_key(world: World) -> None:
    """Links of an earlier version named only the event and the day, with a signature that still fits."""
    from kalends.calendar import signing

    event = world.make("events", status="draft")["id"]
    with world.calendar.store.read() as session:
        for text in (f"{event}-20261201", f"{event}-20261201-1-1", "x"):
            key = f"{text}-{signing.sign(session, 'preview', text)}"
            assert world.get(f"{BASE_URL}/preview/{key}/").status_code == 404
    assert EVENT.page  # the page of an error leads back
