"""Forms that meet a long write: they wait as writers do, and come back with all that was typed if in vain."""

import re
import threading
from html import unescape
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.admin.test_ended_sessions import OWN_PAGE, hidden_in
from tests.admin.test_people import invite
from tests.admin.test_review import SENT, send
from tests.calendar.pictures import drawn, encoded
from tests.conftest import NS, PASSWORD, World, Writing

from kalends.store.engine import sqlite

BUSY = "The calendar is busy"


@pytest.fixture
def world(make_world: Any) -> World:
    found: World = make_world(submissions="true")
    return found


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.1)


def typed_in(html: str) -> dict[str, str]:
    """The values of the fields of a form."""
    found = {
        name: unescape(value)
        for tag in re.findall(r"<input[^>]*>", html)
        for name, value in re.findall(r'name="(.*?)".*?value="(.*?)"', tag)
    }
    areas = re.findall(r'<textarea[^>]*name="(.*?)"[^>]*>(.*?)</textarea>', html, re.DOTALL)
    return found | {name: unescape(text).strip() for name, text in areas}


def test_the_public_form_waits_for_a_writer(world: World, writing: Writing) -> None:
    held, done = threading.Event(), threading.Event()

    def write() -> None:
        with writing():
            held.set()
            done.wait(0.4)

    thread = threading.Thread(target=write)
    thread.start()
    held.wait()
    answer = send(world)
    thread.join()
    assert "Thank you" in answer.text


@pytest.mark.usefixtures("impatient")
def test_the_public_form_comes_back_with_what_was_typed(world: World, writing: Writing) -> None:
    assert send(world, {"title": "Before"}).status_code == 200
    with writing():
        answer = send(world, files={"picture": ("cake.png", encoded(drawn(300, 200), "PNG"), "image/png")})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert BUSY in answer.text
    assert error_beside(answer.text, "image")
    typed = typed_in(answer.text)
    assert {name: typed[name] for name in SENT} == SENT
    assert "Thank you" in send(world, {name: typed[name] for name in SENT}).text
    found = world.get("/events?status=pending&start_date=2026-01-01", "editor").json()["events"]
    assert sorted(event["title"] for event in found) == ["Before", "Street party"]
    assert [path for path in (world.calendar.settings.data / "media").rglob("*") if path.is_file()] == []


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("path", "typed"),
    [
        ("/admin/venues/new", {"venue": 'The "Old" Mill', "city": "Cork"}),
        ("/admin/tags/new", {"name": "Quiet"}),
        ("/admin/settings/calendar", {"site_name": "Mill Lane"}),
        ("/admin/set-up", {"site_name": "Mill Lane"}),
        ("/admin/people/invite", {"role": "author", "note": "Ada"}),
        ("/admin/profile", {"name": "boss", "language": ""}),
    ],
)
def test_a_form_of_the_admin_comes_back_with_what_was_typed(
    world: World, writing: Writing, path: str, typed: dict[str, str]
) -> None:
    admin = AdminClient(world, "administrator")
    admin.get("/admin")
    with writing():
        page = admin.post(path, typed, 503, headers=OWN_PAGE).text
    assert BUSY in page
    kept = hidden_in(page)
    assert {name: kept[name] for name in typed} == typed
    before = world.count()
    again = admin.client.post(f"http://calendar.test{path}", data=kept, headers=OWN_PAGE)
    assert again.status_code in (200, 303), again.text[:500]
    assert world.count() > before


@pytest.mark.usefixtures("impatient")
def test_signing_in_comes_back_with_the_name(world: World, writing: Writing) -> None:
    guest = AdminClient(world)
    with writing():
        page = guest.post("/admin/sign-in", {"name": "editor", "password": PASSWORD}, 503).text
    assert BUSY in page
    assert typed_in(page)["name"] == "editor"
    assert PASSWORD not in page
    guest.post("/admin/sign-in", {"name": "editor", "password": PASSWORD})


@pytest.mark.usefixtures("impatient")
def test_a_link_comes_back_with_the_name_and_still_works(world: World, writing: Writing) -> None:
    key, guest = invite(world), AdminClient(world)
    sent = {"key": key, "name": "ada", "password": "long enough"}
    with writing():
        page = guest.post("/admin/link", sent, 503).text
    assert BUSY in page
    assert (typed_in(page)["name"], typed_in(page)["key"]) == ("ada", key)
    assert "long enough" not in page
    guest.post("/admin/link", sent)
    assert guest.client.get(f"{NS}/users/me").json()["name"] == "ada"


@pytest.mark.usefixtures("impatient")
def test_passwords_do_not_come_back(world: World, writing: Writing) -> None:
    admin = AdminClient(world, "editor")
    admin.get("/admin/profile")
    with writing():
        sent = {"current": PASSWORD, "password": "a new sentence"}
        page = admin.post("/admin/profile/password", sent, 503, headers=OWN_PAGE).text
    assert "a new sentence" not in page
    assert PASSWORD not in page
