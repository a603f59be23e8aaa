"""The security log and the list of sessions: contract §19."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, NS, PASSWORD, World

from kalends.features.signing_in.security_log import refusals_of

LOG = "/admin/settings/security"
SIGN_IN = "/admin/sign-in"
pytestmark = pytest.mark.both_stores


def lines(world: World, **query: str) -> list[tuple[str, ...]]:
    """The rows of the page, as an administrator reads them: when is left out."""
    if refusals_of(world.calendar).are_waiting():
        refusals_of(world.calendar).write()
    html = AdminClient(world, "administrator").get(LOG, params=query).text
    rows = re.findall(r"<tr>(.*?)</tr>", html.partition("<tbody>")[2], re.DOTALL)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows]
    return [tuple(" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row[1:]) for row in cells]


def test_every_sign_in_and_refusal_is_told(world: World) -> None:
    agent = {"User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0"}
    admin = AdminClient(world)
    admin.post(SIGN_IN, {"name": "editor", "password": PASSWORD}, headers=agent)
    admin = AdminClient(world)
    for _ in range(3):
        admin.post(SIGN_IN, {"name": "editor", "password": "Wrong-1"}, status=401)
    world.client.get(f"{NS}/users/me", auth=("author", "Wrong-2"))
    admin.post(SIGN_IN, {"name": "my-real-password", "password": "Wrong-3"}, status=401)
    found = lines(world)
    assert ("Signed in", "editor", "127.0.0.1 Firefox, Linux") in found
    assert ("Refused × 3 password", "editor", "127.0.0.1") in found
    assert ("Refused password", "author", "127.0.0.1") in found
    assert ("Refused password", "Nobody known here", "127.0.0.1") in found
    assert not any(secret in repr(found) for secret in ("Wrong", "my-real-password", PASSWORD))


def test_changes_of_rights_are_told_with_who_made_them(world: World) -> None:
    owner, id = AdminClient(world, "administrator"), world.ids["author"]
    owner.get("/admin/people")
    owner.post(f"/admin/people/{id}", {"name": "author", "role": "editor"})
    owner.post(f"/admin/people/{id}/disable", {"disabled": "1"})
    owner.post(f"/admin/people/{id}/disable", {"disabled": ""})
    owner.post("/admin/profile/tokens", {"label": "Robot", "purpose": "bearer"}, status=200)
    owner.post("/admin/people/invite", {"role": "author", "note": "Ada"}, status=200)
    owner.post(f"/admin/people/{id}/remove")
    found = lines(world)
    assert ("Another role author → editor", "author by administrator", "") in found
    for what in ("Account disabled", "Account enabled", "Person removed"):
        assert (what, "author by administrator", "") in found
    assert ("New access for a program Robot", "administrator", "") in found
    assert ("Invitation or link for a password join: author", "administrator", "") in found
    assert lines(world, what="person_removed") == [("Person removed", "author by administrator", "")]
    assert len(lines(world, name="author")) >= 4


def test_what_is_undone_is_not_told(world: World) -> None:
    """The last administrator keeps the role, and the log does not say otherwise."""
    owner = AdminClient(world, "administrator")
    owner.get("/admin/people")
    owner.post(f"/admin/people/{world.ids['administrator']}", {"name": "administrator", "role": "editor"}, status=400)
    assert lines(world, what="role_changed") == [()]  # the row that says so


@pytest.mark.parametrize("role", ["editor", "author", "subscriber"])
def test_only_administrators_read_it(world: World, role: str) -> None:
    AdminClient(world, role).get(LOG, status=403)
    AdminClient(world).get(LOG, status=303)


def test_lines_go_after_180_days_and_a_flood_of_refusals_does_not_fill_the_disk(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kalends.features.signing_in.security_log.MOST_REFUSALS", 2)
    monkeypatch.setattr("kalends.features.signing_in.security_log.PART", 2)
    for name in ("editor", "author", "contributor", "subscriber", "other_author"):
        world.client.get(f"{NS}/users/me", auth=(name, "wrong"))
    assert len(lines(world, what="refused")) == 5
    world.calendar.background.run_due()
    assert [line[1] for line in lines(world, what="refused")] == ["other_author", "subscriber"]
    world.clock.move(days=181)
    world.calendar.background.run_due()
    assert [line[0] for line in lines(world)] == ["Signed in"]  # that of the reader


def test_the_log_has_pages(world: World) -> None:
    for _ in range(60):
        AdminClient(world, "editor")
    html = AdminClient(world, "administrator").get(LOG, params={"what": "signed_in"}).text
    following = re.search(r'href="(/admin/settings/security\?[^"]+)"[^>]*>Earlier', html)
    assert following
    page = AdminClient(world, "administrator").get(following[1].replace("&amp;", "&")).text
    assert page.count('data-label="Who"') == 11


def test_sessions_tell_browser_place_and_last_use_and_can_be_ended(world: World) -> None:
    agent: dict[str, Any] = {"headers": {"User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0"}}
    admin, other = AdminClient(world), AdminClient(world)
    admin.post(SIGN_IN, {"name": "editor", "password": PASSWORD}, **agent)
    other.post(SIGN_IN, {"name": "editor", "password": PASSWORD})
    html = other.get("/admin/profile").text
    part = html.partition('aria-labelledby="sessions"')[2].partition("</section>")[0]
    assert "Firefox, Linux" in part
    assert "127.0.0.1" in part
    assert "last used" in part
    other.post("/admin/profile/sessions", {"others": "1"})
    assert admin.client.get(f"{BASE_URL}/admin").status_code == 303
    other.get("/admin")
