"""The author of what the public form brings is the service's own: no person can be it, take its name or remove it."""

from typing import Any

import pytest
from click.testing import CliRunner
from tests.admin.admin_client import AdminClient
from tests.admin.test_review import event_of, send
from tests.calendar.access.requests import basic
from tests.conftest import PASSWORD, World

from kalends.calendar.editing import submissions
from kalends.cli import kalends

pytestmark = pytest.mark.both_stores

NAMES = ("public-submissions", submissions.NAME)


@pytest.fixture
def world(make_world: Any) -> World:
    found: World = make_world(submissions="true")
    return found


@pytest.fixture
def author(world: World) -> int:
    """Its number, which published submissions show."""
    assert "Thank you" in send(world).text
    event = event_of(world, "Street party")
    world.put(f"/events/{event['id']}", "editor", json={"status": "publish"})
    return int(world.get(f"/events/{event['id']}").json()["author"])


def still_works(world: World, author: int) -> None:
    assert "Thank you" in send(world, {"title": "Another party"}).text
    assert int(event_of(world, "Another party")["author"]) == author


def test_its_name_cannot_be_taken(world: World) -> None:
    """An account may have the name that it had in earlier versions, which does no harm."""
    names = (submissions.NAME, submissions.NAME.upper(), f" {submissions.NAME}")
    for name in names:
        answer = world.post("/users", json={"name": name, "role": "author", "password": PASSWORD})
        assert answer.status_code == 400, name
        assert world.put(f"/users/{world.ids['editor']}", json={"name": name}).status_code == 400
        AdminClient(world, "author").post("/admin/profile", {"name": name, "language": ""}, status=400)
    assert world.post("/users", json={"name": NAMES[0], "role": "author", "password": PASSWORD}).status_code == 201
    assert "Thank you" in send(world).text
    assert world.get("/users/me", headers=basic(NAMES[0], PASSWORD)).status_code == 200
    assert world.delete(f"/users/{world.get('/users/me', headers=basic(NAMES[0], PASSWORD)).json()['id']}").is_success
    assert "Thank you" in send(world, {"title": "Again"}).text


def test_administrators_cannot_change_it_by_the_interface(world: World, author: int) -> None:
    editor = world.ids["editor"]
    for method, path, body in (
        ("GET", f"/users/{author}", None),
        ("PUT", f"/users/{author}", {"name": "mine"}),
        ("PUT", f"/users/{author}", {"role": "administrator"}),
        ("PUT", f"/users/{author}", {"password": "a good password"}),
        ("GET", f"/users/{author}/tokens", None),
        ("POST", f"/users/{author}/tokens", {"name": "x"}),
        ("DELETE", f"/users/{author}?reassign={editor}", None),
    ):
        assert world.ask(method, path, "administrator", json=body).status_code == 404, (method, path, body)
    assert world.delete(f"/users/{world.ids['other_author']}?reassign={author}").status_code == 400
    still_works(world, author)


def test_administrators_cannot_change_it_by_the_admin(world: World, author: int) -> None:
    admin, path = AdminClient(world, "administrator"), f"/admin/people/{author}"
    successor = {"successor": str(world.ids["editor"])}
    admin.get(path, status=404)
    for action in ("", "/disable", "/reset", "/hand-over", "/sessions", "/remove"):
        admin.post(path + action, {"name": "mine", "role": "administrator"} | successor, status=404)
    taken = {"successor": str(author)}
    admin.post(f"/admin/people/{world.ids['author']}/hand-over", taken, status=400)
    admin.post(f"/admin/people/{world.ids['author']}/remove", taken, status=400)
    still_works(world, author)


def test_commands_do_not_know_it(world: World, author: int) -> None:
    data = ["--data", str(world.calendar.settings.data)]
    password = {"input": "a good password\n"}
    for name in NAMES:
        for words in (["role", name, "administrator"], ["remove", name], ["remove", "author", "--give-to", name]):
            assert CliRunner().invoke(kalends, ["user", *words, *data]).exit_code != 0
        assert CliRunner().invoke(kalends, ["user", "passwd", name, "--password-stdin", *data], **password).exit_code
        assert CliRunner().invoke(kalends, ["token", "add", name, *data]).exit_code
    found = CliRunner().invoke(kalends, ["user", "list", *data])
    assert (found.exit_code, submissions.NAME in found.output) == (0, False)
    added = ["user", "add", submissions.NAME, "--role", "author", "--password-stdin", *data]
    assert CliRunner().invoke(kalends, added, **password).exit_code
    still_works(world, author)


def test_lists_of_people_are_without_it(world: World, author: int) -> None:
    assert author not in [user["id"] for user in world.get("/users", "administrator").json()["users"]]
    assert f"/admin/people/{author}" not in AdminClient(world, "administrator").get("/admin/people").text
    assert world.get("/users/me", headers=basic(submissions.NAME, "")).status_code == 401


def test_records_of_it_can_be_read_changed_and_sent_back(world: World, author: int) -> None:
    event = event_of(world, "Street party")
    sent = world.read("events", event["id"], "editor")
    assert world.put(f"/events/{event['id']}", "editor", json=sent).status_code == 200
    assert world.put(f"/events/{event['id']}", "editor", json={"author": world.ids["author"]}).status_code == 200
    still_works(world, author)


def test_what_others_see_of_it_is_named(world: World, author: int) -> None:
    """The pages of editors that name authors still open."""
    send(world, {"title": "Waiting"})
    editor = AdminClient(world, "administrator")
    for path in ("/admin", "/admin/events?when=all", "/admin/review"):
        assert "Somebody who left" not in editor.get(path).text, path
