"""Sessions: contract §13."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.admin.admin_client import COOKIE, AdminClient
from tests.conftest import BASE_URL, NS, PASSWORD, World

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import users

SIGN_IN = "/admin/sign-in"


def sign_in(world: World, name: str = "editor", password: str = PASSWORD, **more: Any) -> AdminClient:
    admin = AdminClient(world)
    admin.post(SIGN_IN, {"name": name, "password": password} | more)
    return admin


def me(admin: AdminClient) -> str:
    response = admin.client.get(f"{NS}/users/me")
    return str(response.json().get("name", response.status_code))


def test_signing_in_gives_a_cookie_that_scripts_cannot_read(world: World) -> None:
    response = AdminClient(world).post(SIGN_IN, {"name": "Editor", "password": PASSWORD})
    cookie = response.headers.get_list("Set-Cookie")[0]
    assert response.headers["Location"] == "/admin"
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= {part.strip() for part in cookie.split(";")}
    assert "Secure" not in cookie
    assert "Max-Age" not in cookie


def test_the_cookie_is_secure_under_https_and_stays_when_asked(make_world: Callable[..., World]) -> None:
    world = make_world(base_url="https://calendar.test")
    response = AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD, "stay": "1"})
    assert "Secure" in response.headers["Set-Cookie"]
    assert "Max-Age=2592000" in response.headers["Set-Cookie"]


def test_a_session_counts_at_every_node_and_only_its_digest_is_stored(world: World) -> None:
    admin = sign_in(world)
    neighbour = world.neighbour()
    neighbour.cookies.set(COOKIE, admin.secret, domain="calendar.test")
    assert neighbour.get(f"{BASE_URL}/admin").status_code == 200
    with world.calendar.store.read() as session:
        rows = session.all("SELECT * FROM session")
    assert admin.secret not in repr(rows)


@pytest.mark.parametrize(("stay", "days"), [("", 0.5), ("1", 30)])
def test_a_session_ends_after_its_time(world: World, stay: str, days: float) -> None:
    admin = sign_in(world, stay=stay)
    world.clock.move(days=days, seconds=-1)
    assert me(admin) == "editor"
    world.clock.move(seconds=1)
    assert me(admin) == "401"


def test_signing_out_ends_it_everywhere(world: World) -> None:
    admin = sign_in(world)
    admin.get("/admin")
    copy = AdminClient(world)
    copy.use(admin.secret)
    admin.post("/admin/sign-out")
    assert me(copy) == "401"
    assert COOKIE not in admin.client.cookies


def test_a_new_password_ends_it(world: World) -> None:
    admin = sign_in(world)
    world.put(f"/users/{world.ids['editor']}", json={"password": "another horse"})
    assert me(admin) == "401"


def test_a_disabled_user_is_refused_everywhere(world: World) -> None:
    admin = sign_in(world)
    with world.calendar.writing(SERVICE) as work:
        users.change_user(work, users.find_user(work, world.ids["editor"]), disabled=True)
    assert me(admin) == "401"
    assert world.get("/users/me", "editor").status_code == 401
    AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD}, status=401)


def test_a_planted_cookie_is_not_adopted(world: World) -> None:
    admin = AdminClient(world)
    admin.use("x" * 43)
    admin.post(SIGN_IN, {"name": "editor", "password": PASSWORD})
    values = [cookie.value for cookie in admin.client.cookies.jar if cookie.name == COOKIE]
    assert "x" * 43 not in values[-1:]
    other = AdminClient(world)
    other.use("x" * 43)
    assert me(other) == "401"


def test_two_cookies_of_that_name_are_none(world: World) -> None:
    admin = sign_in(world)
    both = {"Cookie": f"{COOKIE}={'x' * 43}; {COOKIE}={admin.secret}"}
    assert world.client.get(f"{NS}/users/me", headers=both).status_code == 401


def test_guesses_are_throttled_as_those_of_basic_are(world: World) -> None:
    admin = AdminClient(world)
    for _ in range(5):
        admin.post(SIGN_IN, {"name": "editor", "password": "wrong"}, status=401)
    refused = admin.post(SIGN_IN, {"name": "editor", "password": PASSWORD}, status=429)
    assert refused.headers["Retry-After"]
    assert world.client.get(f"{NS}/users/me", auth=("editor", PASSWORD)).status_code == 429


def test_no_account_names_are_told(world: World) -> None:
    pages = [
        AdminClient(world).post(SIGN_IN, {"name": name, "password": "wrong"}, status=401).text.replace(name, "NAME")
        for name in ("editor", "unknown")
    ]
    assert pages[0] == pages[1]
    assert "wrong" not in pages[0].replace("is wrong", "")


def test_an_application_password_does_not_sign_in(world: World) -> None:
    path = f"/users/{world.ids['editor']}/tokens"
    made = world.post(path, json={"name": "App", "purpose": "application", "read_only": True}).json()
    AdminClient(world).post(SIGN_IN, {"name": "editor", "password": made["token"]}, status=401)


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/",
        "//evil.example/admin",
        "/\\evil.example",
        "/admin/../events",
        "/admin//evil.example",
        "/admin@evil.example",
        "/admin\n/x",
        "javascript:alert(1)",
        "/admin/sign-in",
        "/events/",
        "/admin/..",
        "/admin/events/../..",
        "/admin/..?a=b",
        "/admin/%2e%2E/events/",
        "/admin/.%2e",
    ],
)
def test_signing_in_leads_to_no_other_site(world: World, wanted: str) -> None:
    response = AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD, "next": wanted})
    assert response.headers["Location"] == "/admin"


def test_signing_in_leads_back_to_the_page_that_asked_for_it(world: World) -> None:
    admin = AdminClient(world)
    asked = admin.get("/admin/settings?tab=a%20b", status=303).headers["Location"]
    assert asked == "/admin/sign-in?next=%2Fadmin%2Fsettings%3Ftab%3Da%2520b"
    page = admin.get(asked.removeprefix(BASE_URL))
    assert 'name="next" value="/admin/settings?tab=a%20b"' in page.text


@pytest.mark.parametrize("path", ["/admin", SIGN_IN, "/admin/link?key=x", "/admin/nothing"])
def test_pages_cannot_be_framed_or_run_foreign_scripts(world: World, path: str) -> None:
    response = AdminClient(world, "administrator").client.get(BASE_URL + path)
    policy = response.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Cache-Control"] == "private, no-store"
    assert "Access-Control-Allow-Origin" not in response.headers


def test_a_form_without_its_token_changes_nothing(world: World) -> None:
    admin = AdminClient(world, "administrator")
    other = AdminClient(world, "administrator")
    before = world.count()
    for token in ("", "x", other.token):
        admin.post("/admin/settings/calendar", {"site_description": "Forged"}, status=403, token=token)
    assert world.count() == before


def test_a_form_of_another_site_is_refused_even_to_sign_in(world: World) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        refused = AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD}, 403, headers=headers)
        assert "Set-Cookie" not in refused.headers


class TestInterface:
    def test_a_session_reads_and_a_change_needs_the_token(self, world: World) -> None:
        admin = AdminClient(world, "author")
        body = {"title": "T", "start_date": "2027-01-01", "end_date": "2027-01-01"}
        refused = admin.client.post(f"{NS}/events", json=body)
        assert (refused.status_code, refused.json()["code"]) == (403, "rest_cookie_invalid_nonce")
        made = admin.client.post(f"{NS}/events", json=body, headers={"X-Kalends-Token": admin.token})
        assert made.status_code == 201
        assert made.json()["author"] == str(world.ids["author"])

    def test_a_draft_is_not_kept_for_others(self, world: World) -> None:
        """A response to a session is never kept, and a kept one is not sent to a session."""
        draft = world.make("events", "author", status="draft")
        admin, path = AdminClient(world, "author"), f"{NS}/events/?status=draft"
        world.client.get(path)
        assert [event["id"] for event in admin.client.get(path).json()["events"]] == [draft["id"]]
        assert "draft" not in world.client.get(path).text
        assert admin.client.get(path).headers["Cache-Control"] == "private, no-store"

    def test_a_public_page_is_kept_with_and_without_a_session(self, world: World) -> None:
        admin = AdminClient(world, "author")
        world.client.get(f"{BASE_URL}/events/")
        hits = world.cache.hits
        page = admin.client.get(f"{BASE_URL}/events/")
        assert world.cache.hits == hits + 1
        assert "author" not in page.text
        assert page.headers["Cache-Control"].startswith("public")


def test_a_session_of_a_clock_that_was_ahead_does_not_last_longer_than_any(world: World) -> None:
    world.clock.move(days=400)
    ahead = sign_in(world, stay="1")
    assert me(ahead) == "editor"
    world.clock.move(seconds=-30)  # as much as clocks differ
    assert me(ahead) == "editor"
    world.clock.move(days=-400)
    assert me(ahead) == "401"
    assert me(sign_in(world)) == "editor"


def set_email(world: World, who: str, email: str) -> None:
    with world.calendar.writing(SERVICE) as work:
        user = users.find_user(work, world.ids[who])
        user.email = email
        users.users.update_user(work.session, user)


def test_the_mail_address_of_one_person_signs_in_too(world: World) -> None:
    set_email(world, "editor", "Anna@Example.org")
    assert me(sign_in(world, "anna@example.org")) == "editor"
    set_email(world, "author", "anna@example.org")
    admin = AdminClient(world)
    for name in ("anna@example.org", "nobody@example.org", "@", "a@" + "b" * 300):
        answer = admin.client.post(f"{BASE_URL}{SIGN_IN}", data={"name": name, "password": PASSWORD})
        assert answer.status_code != 303, name
    assert me(sign_in(world, "author")) == "author"
