"""People: invitations, roles, disabling, resets, handing over; and one's own profile."""

import gzip
import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside, key_in
from tests.conftest import BASE_URL, NS, PASSWORD, World

from kalends.bootstrap import first_link, make_administrator, open_calendar
from kalends.contract.roles import ROLE_WORDS
from kalends.settings import load
from kalends.site.layout import assets
from kalends.store.rows import users as stored_users
from kalends.worker import make_app

PEOPLE = "/admin/people"


def invite(world: World, role: str = "author") -> str:
    admin = AdminClient(world, "administrator")
    return key_in(admin.post(f"{PEOPLE}/invite", {"role": role, "note": "Ada"}, status=200).text)


def status_of(world: World, name: str, password: str = PASSWORD) -> int:
    return world.client.get(f"{NS}/users/me", auth=(name, password)).status_code


class TestInvitation:
    def test_somebody_joins_with_the_role_and_is_signed_in(self, world: World) -> None:
        key = invite(world)
        guest = AdminClient(world)
        guest.get(f"/admin/link?key={key}")
        guest.post("/admin/link", {"key": key, "name": "ada", "password": "long enough"})
        assert guest.client.get(f"{NS}/users/me").json()["role"] == "author"
        assert status_of(world, "ada", "long enough") == 200

    def test_it_works_once(self, world: World) -> None:
        key = invite(world)
        AdminClient(world).post("/admin/link", {"key": key, "name": "ada", "password": "long enough"})
        AdminClient(world).get(f"/admin/link?key={key}", status=404)
        AdminClient(world).post("/admin/link", {"key": key, "name": "eve", "password": "long enough"}, status=404)
        assert status_of(world, "eve", "long enough") == 401

    def test_it_expires_and_can_be_withdrawn(self, world: World) -> None:
        first, second = invite(world), invite(world)
        admin = AdminClient(world, "administrator")
        ids = re.findall(r'name="id" value="(\d+)"', admin.get(PEOPLE).text)
        admin.post(f"{PEOPLE}/withdraw", {"id": max(ids, key=int)})
        AdminClient(world).get(f"/admin/link?key={second}", status=404)
        world.clock.move(days=7)
        AdminClient(world).get(f"/admin/link?key={first}", status=404)

    def test_that_of_a_clock_that_was_ahead_does_not_last_longer_than_any(self, world: World) -> None:
        world.clock.move(days=400)
        key = invite(world)
        AdminClient(world).get(f"/admin/link?key={key}")
        world.clock.move(days=-400)
        AdminClient(world).get(f"/admin/link?key={key}", status=404)

    @pytest.mark.parametrize(
        ("name", "password", "field"),
        [("editor", "long enough", "name"), ("", "long enough", "name"), ("ada", "2few", "password")],
    )
    def test_bad_input_uses_nothing_up(self, world: World, name: str, password: str, field: str) -> None:
        key = invite(world)
        sent = {"key": key, "name": name, "password": password}
        page = AdminClient(world).post("/admin/link", sent, status=400).text
        assert error_beside(page, field)
        assert password not in page
        AdminClient(world).get(f"/admin/link?key={key}")

    def test_only_a_digest_is_stored(self, world: World) -> None:
        key = invite(world)
        with world.calendar.store.read() as session:
            assert key not in repr(session.all("SELECT * FROM one_time_link"))


class TestPerson:
    def test_a_reset_link_sets_a_password_and_ends_sessions(self, world: World) -> None:
        editor = AdminClient(world, "editor")
        path = f"{PEOPLE}/{world.ids['editor']}/reset"
        key = key_in(AdminClient(world, "administrator").post(path, status=200).text)
        AdminClient(world).post("/admin/link", {"key": key, "password": "a new sentence"})
        assert status_of(world, "editor", "a new sentence") == 200
        assert editor.client.get(f"{NS}/users/me").status_code == 401

    def test_a_disabled_person_is_shut_out_until_enabled(self, world: World) -> None:
        admin, path = AdminClient(world, "administrator"), f"{PEOPLE}/{world.ids['editor']}/disable"
        admin.post(path, {"disabled": "1"})
        assert status_of(world, "editor") == 401
        assert world.get("/users/me", "editor").status_code == 401
        admin.post(path)
        assert status_of(world, "editor") == 200

    def test_the_last_administrator_stays(self, world: World) -> None:
        admin, path = AdminClient(world, "administrator"), f"{PEOPLE}/{world.ids['administrator']}"
        for action, sent in (("/disable", {"disabled": "1"}), ("/remove", {}), ("", {"role": "editor"})):
            page = admin.post(path + action, {"name": "administrator"} | sent, status=400).text
            assert "is the only administrator" in page

    def test_events_are_handed_over(self, world: World) -> None:
        made = world.make("events", "author")
        admin, path = AdminClient(world, "administrator"), f"{PEOPLE}/{world.ids['author']}"
        admin.post(f"{path}/hand-over", {"successor": str(world.ids["editor"])})
        assert world.read("events", made["id"])["author"] == str(world.ids["editor"])

    def test_who_is_removed_leaves_the_records_to_somebody(self, world: World) -> None:
        made = world.make("events", "author")
        admin, path = AdminClient(world, "administrator"), f"{PEOPLE}/{world.ids['author']}/remove"
        admin.post(path, status=400)
        admin.post(path, {"successor": str(world.ids["editor"])})
        assert world.read("events", made["id"])["author"] == str(world.ids["editor"])
        admin.get(f"{PEOPLE}/{world.ids['author']}", status=404)

    def test_name_and_role_are_changed(self, world: World) -> None:
        path = f"{PEOPLE}/{world.ids['author']}"
        AdminClient(world, "administrator").post(path, {"name": "Ada", "role": "editor"})
        found = world.get(f"/users/{world.ids['author']}", "administrator").json()
        assert (found["name"], found["role"]) == ("Ada", "editor")


class TestProfile:
    def test_a_new_password_needs_the_old_one_and_keeps_this_browser(self, world: World) -> None:
        admin, elsewhere = AdminClient(world, "author"), AdminClient(world, "author")
        sent = {"current": "wrong", "password": "a new sentence"}
        page = admin.post("/admin/profile/password", sent, status=400).text
        assert error_beside(page, "current")
        admin.post("/admin/profile/password", sent | {"current": PASSWORD})
        assert admin.client.get(f"{NS}/users/me").status_code == 200
        assert elsewhere.client.get(f"{NS}/users/me").status_code == 401
        assert status_of(world, "author", "a new sentence") == 200

    def test_a_token_is_shown_once_and_can_be_revoked(self, world: World) -> None:
        admin = AdminClient(world, "contributor")
        sent = {"label": "My phone", "purpose": "application"}
        page = admin.post("/admin/profile/tokens", sent, status=200).text
        secret = re.search(r'id="secret">([\w-]+)<', page)
        assert secret
        assert status_of(world, "contributor", secret[1]) == 200
        shown = admin.get("/admin/profile").text
        assert "My phone" in shown
        assert secret[1] not in shown
        admin.post("/admin/profile/tokens/revoke", {"id": re.findall(r'name="id" value="(\d+)"', shown)[-1]})
        assert status_of(world, "contributor", secret[1]) == 401

    def test_nobody_ends_what_belongs_to_another(self, world: World) -> None:
        other, admin = AdminClient(world, "editor"), AdminClient(world, "contributor")
        with world.calendar.store.read() as session:
            (token,) = stored_users.tokens_of(session, world.ids["editor"])
            (row,) = session.all('SELECT id FROM session WHERE "user" = ?', (world.ids["editor"],))
        admin.post("/admin/profile/tokens/revoke", {"id": str(token.id)}, status=404)
        admin.post("/admin/profile/sessions", {"id": str(row[0])})
        assert world.get("/users/me", "editor").status_code == 200
        assert other.client.get(f"{NS}/users/me").status_code == 200

    def test_other_sessions_are_listed_and_ended(self, world: World) -> None:
        admin, other = AdminClient(world, "editor"), AdminClient(world, "editor")
        assert admin.get("/admin/profile").text.count("Unknown browser") == 2
        admin.post("/admin/profile/sessions", {"others": "1"})
        assert other.client.get(f"{NS}/users/me").status_code == 401
        admin.get("/admin/profile")

    def test_the_language_of_the_admin_is_ones_own(self, world: World) -> None:
        admin = AdminClient(world, "editor")
        admin.post("/admin/profile", {"name": "editor", "language": "ar"})
        page = admin.get("/admin/profile")
        assert 'dir="rtl"' in page.text
        assert page.headers["Content-Language"] == "ar"
        page = admin.post("/admin/profile", {"name": "editor", "language": "tlh"}, status=400)
        assert error_beside(page.text, "language")


# Which role may open a screen. What is not opened is not changed either: each is also tried with a form.
ADMINISTRATOR_ONLY = (
    "/admin/people",
    "/admin/people/invite",
    "/admin/people/withdraw",
    "/admin/people/1",
    "/admin/people/1/disable",
    "/admin/people/1/reset",
    "/admin/people/1/hand-over",
    "/admin/people/1/sessions",
    "/admin/people/1/remove",
    "/admin/settings",
    "/admin/settings/calendar",
    "/admin/settings/about",
    "/admin/settings/backup",
    "/admin/set-up",
)


@pytest.mark.parametrize("role", ["anonymous", *ROLE_WORDS])
def test_screens_of_administrators_are_refused_to_others(shared_world: World, role: str) -> None:
    """By request, and not only by a hidden entry of the navigation."""
    admin = AdminClient(shared_world, "" if role == "anonymous" else role)
    before = shared_world.count()
    for path in ADMINISTRATOR_ONLY:
        status = admin.client.get(f"http://calendar.test{path}").status_code
        if role == "administrator":
            assert status in (200, 303), path
            continue
        expected = 303 if role == "anonymous" else 403
        assert status == expected, path
        posted = admin.client.post(f"http://calendar.test{path}", data={"token": admin.token, "disabled": "1"})
        assert posted.status_code in (expected, 405), path
    assert shared_world.count() == before


@pytest.mark.parametrize("role", ROLE_WORDS)
def test_the_navigation_shows_what_the_role_may_open(shared_world: World, role: str) -> None:
    admin = AdminClient(shared_world, role)
    page = admin.get("/admin/profile").text
    for path in ("/admin/people", "/admin/settings"):
        assert (f'href="{path}"' in page) == (role == "administrator")


def test_the_overview_shows_nobody_the_drafts_of_others(world: World) -> None:
    world.make("events", "author", title="My secret plan", status="draft")
    world.make("events", "author", title="My review", status="pending")
    world.make("events", "author", title="Tonight", start_date="2026-11-15 20:00", end_date="2026-11-15 21:00")
    for who, count in (("author", 2), ("editor", 2), ("contributor", 0), ("other_author", 0)):
        page = AdminClient(world, who).get("/admin").text
        assert ("My secret plan" in page) + ("My review" in page) == count, who
        assert "Tonight" in page


def test_a_backup_is_a_file_to_download(world: World) -> None:
    admin = AdminClient(world, "administrator")
    response = admin.post("/admin/settings/backup", status=200)
    assert response.headers["Content-Type"] == "application/gzip"
    assert response.content[:2] == b"\x1f\x8b"
    assert "Never" not in admin.get("/admin/settings/about").text


def test_a_backup_counts_once_it_was_sent_whole(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A download that breaks off is none."""
    monkeypatch.setattr("kalends.http.messages.long_responses.PIECE", 1000)
    admin = AdminClient(world, "administrator")
    admin.get("/admin/settings/about")
    with admin.client.stream("POST", f"{BASE_URL}/admin/settings/backup", data={"token": admin.token}) as response:
        received = next(response.iter_raw())
        assert 0 < len(received) < int(response.headers["Content-Length"])
    assert "Never" in admin.get("/admin/settings/about").text
    admin.post("/admin/settings/backup", status=200)
    assert "Never" not in admin.get("/admin/settings/about").text


class TestFirstStart:
    def test_a_link_leads_to_a_password_and_to_the_set_up(self, tmp_path: Any) -> None:
        calendar = open_calendar(load(tmp_path, {}, {}))
        first = make_administrator(calendar)
        assert first is not None
        key = first_link(calendar)
        again = first_link(calendar)
        assert key is not None
        assert again is not None
        world = World(calendar, calendar.clock, {}, {})  # type: ignore[arg-type]
        assert world.client.get(f"{NS}/users/me", auth=("admin", first.password)).status_code == 200
        guest = AdminClient(world, app=make_app(calendar))
        guest.get(f"/admin/link?key={key}", status=404)
        guest.get(f"/admin/link?key={again}")
        response = guest.post("/admin/link", {"key": again, "password": "my own sentence"})
        assert response.headers["Location"].endswith("/admin/set-up")
        assert first_link(calendar) is None
        assert world.client.get(f"{NS}/users/me", auth=("admin", "my own sentence")).status_code == 200
        calendar.store.close()

    def test_a_chosen_password_needs_no_link(self, tmp_path: Any) -> None:
        calendar = open_calendar(load(tmp_path, {"admin_password": "my own sentence"}, {}))
        make_administrator(calendar)
        assert first_link(calendar) is None
        calendar.store.close()

    def test_signing_in_ends_it(self, tmp_path: Any) -> None:
        calendar = open_calendar(load(tmp_path, {}, {}))
        first = make_administrator(calendar)
        assert first is not None
        world = World(calendar, calendar.clock, {}, {})  # type: ignore[arg-type]
        AdminClient(world).post("/admin/sign-in", {"name": "admin", "password": first.password})
        assert first_link(calendar) is None
        calendar.store.close()


def test_nothing_that_people_write_is_markup_for_an_administrator(world: World) -> None:
    """Names of users accept no such characters; notes, names of tokens and names of browsers do."""
    markup = "<script>alert(1)</script>"
    admin = AdminClient(world, "administrator")
    admin.client.headers["User-Agent"] = f"Firefox/1 {markup}"
    admin.post("/admin/sign-in", {"name": "administrator", "password": PASSWORD})
    pages = [
        admin.get("/admin/profile").text,
        admin.post(f"{PEOPLE}/invite", {"role": "author", "note": markup}, status=200).text,
        admin.get(PEOPLE).text,
        admin.post("/admin/profile/tokens", {"label": markup, "purpose": "bearer"}, status=200).text,
        admin.get("/admin/profile").text,
        admin.post("/admin/profile", {"name": markup}, status=400).text,
    ]
    world.make("events", title=f"T {markup}", status="draft")
    world.make("events", title="T &lt;script&gt;alert(1)", start_date="2026-11-15 20:00", end_date="2026-11-15 21:00")
    pages.append(admin.get("/admin").text)
    assert "script" in pages[-1]
    assert [page for page in pages if "<script>alert" in page] == []


def test_the_scripts_of_the_admin_are_small() -> None:
    scripts = [asset.data for name, asset in assets.assets().items() if re.match(r"(admin.*|theme|header)\.js", name)]
    assert sum(len(gzip.compress(script)) for script in scripts) <= 60 * 1024


def test_a_link_that_sets_a_password_lasts_a_day(world: World) -> None:
    admin = AdminClient(world, "administrator")
    shown = admin.post(f"{PEOPLE}/{world.ids['author']}/reset", status=200).text
    assert "for a day" in shown
    link = re.search(r"/admin/link\?key=[^<\"]+", shown)
    assert link
    world.clock.move(hours=23)
    AdminClient(world).get(link[0])
    world.clock.move(hours=1)
    AdminClient(world).get(link[0], status=404)
