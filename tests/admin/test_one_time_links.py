"""Links for one use end with what they rest on: the password that they replace, and the rights of who made them."""

from collections.abc import Callable

import pytest
from tests.admin.admin_client import AdminClient, key_in
from tests.admin.test_people import PEOPLE, invite, status_of
from tests.conftest import NS, PASSWORD, World

pytestmark = pytest.mark.both_stores

NEW = "another sentence"


def reset(world: World, who: str, by: str = "administrator") -> str:
    return key_in(AdminClient(world, by).post(f"{PEOPLE}/{world.ids[who]}/reset", status=200).text)


def is_open(world: World, key: str) -> bool:
    """Whether a link works: its page opens, and its form is taken."""
    guest = AdminClient(world)
    found = guest.client.get(f"http://calendar.test/admin/link?key={key}").status_code
    sent = {"key": key, "name": "mallory", "password": "long enough"}
    taken = guest.client.post("http://calendar.test/admin/link", data=sent).status_code
    assert (found, taken) in ((200, 303), (404, 404))
    return taken == 303


def by_profile(world: World) -> None:
    AdminClient(world, "editor").post("/admin/profile/password", {"current": PASSWORD, "password": NEW})


def by_interface(world: World) -> None:
    assert world.put(f"/users/{world.ids['editor']}", json={"password": NEW}).status_code == 200


def by_another_link(world: World) -> None:
    """An administrator makes a link, the person uses it, and one that was made before has ended."""
    AdminClient(world).post("/admin/link", {"key": reset(world, "editor"), "password": NEW})


@pytest.mark.parametrize("change", [by_profile, by_interface, by_another_link])
def test_a_new_password_ends_every_link_to_set_one(world: World, change: Callable[[World], None]) -> None:
    key, other = reset(world, "editor"), reset(world, "author")
    change(world)
    assert not is_open(world, key)
    assert status_of(world, "editor", NEW) == 200
    assert is_open(world, other)


def test_disabling_somebody_ends_their_links_for_good(world: World) -> None:
    key, path = reset(world, "editor"), f"{PEOPLE}/{world.ids['editor']}/disable"
    admin = AdminClient(world, "administrator")
    admin.post(path, {"disabled": "1"})
    admin.post(path)
    assert not is_open(world, key)


def second_administrator(world: World) -> int:
    made = world.post("/users", json={"name": "second", "role": "administrator", "password": PASSWORD}).json()
    world.ids["second"] = made["id"]
    return int(made["id"])


LEFT = ("disabled", "lowered", "removed")


def leave(world: World, id: int, how: str) -> None:
    admin = AdminClient(world, "administrator")
    if how == "disabled":
        admin.post(f"{PEOPLE}/{id}/disable", {"disabled": "1"})
    elif how == "lowered":
        assert world.put(f"/users/{id}", json={"role": "editor"}).status_code == 200
    else:
        assert world.delete(f"/users/{id}").status_code == 200


@pytest.mark.parametrize("how", LEFT)
@pytest.mark.parametrize("role", ["subscriber", "administrator"])
def test_an_invitation_counts_while_its_author_may_invite(world: World, how: str, role: str) -> None:
    id = second_administrator(world)
    client = AdminClient(world, "second")
    key = key_in(client.post(f"{PEOPLE}/invite", {"role": role, "note": "Ada"}, status=200).text)
    leave(world, id, how)
    assert "Ada" not in AdminClient(world, "administrator").get(PEOPLE).text
    assert not is_open(world, key)
    assert status_of(world, "mallory", "long enough") == 401


@pytest.mark.parametrize("how", LEFT)
def test_so_does_a_link_to_set_a_password(world: World, how: str) -> None:
    """Or an administrator who leaves could keep one for the account of another."""
    id = second_administrator(world)
    key = reset(world, "administrator", by="second")
    leave(world, id, how)
    assert not is_open(world, key)
    assert status_of(world, "administrator") == 200


def test_an_invitation_counts_again_with_the_rights_of_its_author(world: World) -> None:
    id = second_administrator(world)
    key = key_in(AdminClient(world, "second").post(f"{PEOPLE}/invite", {"role": "author", "note": "Ada"}, 200).text)
    leave(world, id, "lowered")
    AdminClient(world).get(f"/admin/link?key={key}", status=404)
    world.put(f"/users/{id}", json={"role": "administrator"})
    assert "Ada" in AdminClient(world, "administrator").get(PEOPLE).text
    assert is_open(world, key)


def test_others_keep_their_invitations(world: World) -> None:
    key = invite(world, "editor")
    leave(world, second_administrator(world), "removed")
    guest = AdminClient(world)
    guest.post("/admin/link", {"key": key, "name": "ada", "password": "long enough"})
    assert guest.client.get(f"{NS}/users/me").json()["role"] == "editor"


def test_a_link_to_set_a_password_lasts_a_day(world: World) -> None:
    early, late = reset(world, "author"), reset(world, "editor")
    world.clock.move(hours=23, minutes=59)
    assert is_open(world, early)
    world.clock.move(minutes=2)
    assert not is_open(world, late)
