"""Signing in at a provider: contract §19. The table of attacks, and what each gets."""

from calendar import timegm
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc.jwk import RSAKey
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, NS, PASSWORD, World
from tests.features.signing_in.mock_provider import CLIENT, SECRET, MockProvider, key, running
from tests.features.signing_in.test_security_log import lines
from tests.waiting import until

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import forgotten_password, users
from kalends.features.signing_in import oidc_provider

START, BACK, LOGOUT = "/admin/oidc", "/admin/oidc/callback", "/admin/oidc/logout"
SIGN_IN = "/admin/sign-in"
EVENT = "http://schemas.openid.net/event/backchannel-logout"
pytestmark = pytest.mark.both_stores


@pytest.fixture
def provider() -> Iterator[MockProvider]:
    with running() as made:
        yield made


@pytest.fixture
def make(make_world: Callable[..., World], provider: MockProvider) -> Callable[..., World]:
    def with_provider(**settings: str) -> World:
        return make_world(oidc_issuer=provider.issuer, oidc_client_id=CLIENT, oidc_client_secret=SECRET, **settings)

    return with_provider


def without_none(claims: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in claims.items() if value is not None}


def claims_for(world: World, provider: MockProvider, nonce: str, **more: Any) -> dict[str, Any]:
    now = timegm(world.clock().timetuple())
    usual = {"iss": provider.issuer, "aud": CLIENT, "sub": "ada-1", "iat": now, "exp": now + 300, "nonce": nonce}
    return {
        name: value for name, value in (usual | {"preferred_username": "ada"} | more).items() if value is not None
    }


def begin(admin: AdminClient, path: str = START, **query: str) -> dict[str, str]:
    """What the browser takes to the provider."""
    address = admin.get(path, status=303, params=query).headers["Location"]
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def come_back(
    world: World, provider: MockProvider, admin: AdminClient, sent: dict[str, str], status: int = 303, **more: Any
) -> httpx.Response:
    """The way back, as the provider sends the browser. `more`: claims that are others than usual."""
    claims = without_none(claims_for(world, provider, sent["nonce"]) | more)
    provider.codes["code"] = claims, sent["code_challenge"]
    return admin.get(BACK, status=status, params={"code": "code", "state": sent["state"]})


def signs_in(world: World, provider: MockProvider, status: int = 303, **more: Any) -> AdminClient:
    admin = AdminClient(world)
    come_back(world, provider, admin, begin(admin), status, **more)
    return admin


def me(admin: AdminClient) -> dict[str, Any]:
    found: dict[str, Any] = admin.client.get(f"{NS}/users/me").json()
    return found


def refusals(world: World) -> list[str]:
    return [line[0] for line in lines(world, what="refused")]


def test_a_new_person_gets_the_default_role_and_no_password(make: Any, provider: MockProvider) -> None:
    world = make(oidc_default_role="author")
    admin = AdminClient(world)
    sent = begin(admin, next="/admin/venues")
    assert sent["code_challenge_method"] == "S256"
    assert sent["response_type"] == "code"
    assert come_back(world, provider, admin, sent).headers["Location"] == "/admin/venues"
    assert (me(admin)["name"], me(admin)["role"]) == ("ada", "author")
    again = signs_in(world, provider)
    assert me(again)["id"] == me(admin)["id"]
    AdminClient(world).post(SIGN_IN, {"name": "ada", "password": ""}, status=401)
    assert world.client.get(f"{NS}/users/me", auth=("ada", "")).status_code == 401
    html = admin.get("/admin/profile").text
    assert "Change password" not in html
    assert provider.issuer in html


def test_a_sign_in_asks_the_provider_once(make: Any, provider: MockProvider) -> None:
    world = make(oidc_default_role="author")
    world.calendar.background.run_due()
    provider.asked.clear()
    signs_in(world, provider)
    assert provider.asked == ["/token"]
    provider.asked.clear()
    world.clock.move(minutes=5)
    provider.key = key("two")
    signs_in(world, provider)
    assert provider.asked == ["/token", "/keys"]


def test_the_first_sign_in_asks_it_twice(make: Any, provider: MockProvider) -> None:
    """As after a start while it was away; the keys are read while somebody signs in there."""
    world, metadata = make(oidc_default_role="author"), "/.well-known/openid-configuration"
    provider.away = True
    world.calendar.background.run_due()
    provider.away = False
    provider.asked.clear()
    admin = AdminClient(world)
    sent = begin(admin)
    assert provider.asked == [metadata]
    world.calendar.background.run_due()
    assert provider.asked[1:] == [metadata, "/keys"]
    provider.asked.clear()
    come_back(world, provider, admin, sent)
    assert provider.asked == ["/token"]


def test_new_people_are_refused_without_a_role(make: Any, provider: MockProvider) -> None:
    world = make()
    refused = signs_in(world, provider, status=403)
    assert refused.secret == ""
    assert world.get("/users", "administrator").json()["total"] == 7


def test_an_account_is_never_found_by_name_or_address(make: Any, provider: MockProvider) -> None:
    world = make(oidc_default_role="subscriber")
    with world.calendar.writing(SERVICE) as work:
        users.change_user(work, world.ids["administrator"], email="boss@example.org")
    more = {"preferred_username": "administrator", "email": "boss@example.org", "email_verified": True}
    admin = signs_in(world, provider, **more)
    assert (me(admin)["name"], me(admin)["role"]) == ("administrator-2", "subscriber")


@pytest.mark.parametrize(("verified", "kept"), [(True, "ada@example.org"), (False, ""), (None, ""), ("true", "")])
def test_only_an_address_that_was_verified_is_taken(
    make: Any, provider: MockProvider, verified: Any, kept: str
) -> None:
    world = make(oidc_default_role="author")
    admin = signs_in(world, provider, email="ada@example.org", email_verified=verified)
    with world.calendar.reading_latest(SERVICE) as work:
        assert users.find_user(work, me(admin)["id"]).email == kept


ATTACKS: dict[str, dict[str, Any]] = {
    "another audience": {"aud": "somebody else"},
    "several audiences": {"aud": [CLIENT, "other"]},
    "another authorized party": {"azp": "other"},
    "another issuer": {"iss": "https://evil.example"},
    "no nonce": {"nonce": None},
    "another nonce": {"nonce": "x"},
    "no subject": {"sub": None},
    "a number as subject": {"sub": 17},
    "an empty subject": {"sub": ""},
    "no end": {"exp": None},
    "a word as end": {"exp": "tomorrow"},
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_token_that_says_something_else_opens_nothing(make: Any, provider: MockProvider, attack: str) -> None:
    world = make(oidc_default_role="author")
    assert signs_in(world, provider, status=400, **ATTACKS[attack]).secret == ""
    assert any(line.startswith("Refused provider:") for line in refusals(world))


@pytest.mark.parametrize(("minutes", "status"), [(1, 303), (-1, 303), (5, 400), (-12, 400)])
def test_clocks_may_differ_a_little(make: Any, provider: MockProvider, minutes: int, status: int) -> None:
    world = make(oidc_default_role="author")
    now = timegm(world.clock().timetuple()) + 60 * minutes
    signs_in(world, provider, status=status, iat=now, exp=now + 300)


@pytest.mark.parametrize("way", ["unsigned", "signed_with_public_key", "another key", "garbage", "megabyte"])
def test_a_token_without_a_right_signature_opens_nothing(make: Any, provider: MockProvider, way: str) -> None:
    world = make(oidc_default_role="author")
    admin = AdminClient(world)
    sent = begin(admin)
    claims = claims_for(world, provider, sent["nonce"])
    if way == "another key":
        other = MockProvider(provider.issuer, RSAKey.generate_key(2048, {"kid": "one"}))
        provider.token = other.sign(claims)
    elif way == "garbage":
        provider.token = "a.b.c"
    elif way == "megabyte":
        provider.token = provider.sign(claims | {"more": "x" * 1_000_000})
    else:
        provider.token = getattr(provider, way)(claims)
    refused = come_back(world, provider, admin, sent, 503 if way == "megabyte" else 400)
    assert admin.secret == ""
    assert provider.token[:20] not in refused.text


def test_a_state_is_good_once_and_in_its_browser_alone(make: Any, provider: MockProvider) -> None:
    world = make(oidc_default_role="author")
    admin = AdminClient(world)
    sent = begin(admin)
    cookie = admin.client.cookies.get("kalends_oidc")
    assert cookie
    other = AdminClient(world)
    come_back(world, provider, other, sent, 400)  # another browser
    come_back(world, provider, admin, sent | {"state": "x"}, 400)
    sent = begin(admin)
    cookie = admin.client.cookies.get("kalends_oidc")
    come_back(world, provider, admin, sent)
    replayed = AdminClient(world)
    replayed.client.cookies.set("kalends_oidc", str(cookie), domain="calendar.test")
    come_back(world, provider, replayed, sent, 400)
    forged = AdminClient(world)
    forged.client.cookies.set("kalends_oidc", str(cookie)[:-1] + "0", domain="calendar.test")
    come_back(world, provider, forged, sent, 400)
    late = AdminClient(world)
    sent = begin(late)
    world.clock.move(minutes=11)
    come_back(world, provider, late, sent, 400)
    assert not any(one.secret for one in (other, replayed, forged, late))


def test_a_code_is_good_once_and_only_with_its_verifier(make: Any, provider: MockProvider) -> None:
    world = make(oidc_default_role="author")
    admin = AdminClient(world)
    sent = begin(admin)
    admin.get(BACK, status=503, params={"code": "unknown", "state": sent["state"]})
    sent = begin(admin)
    come_back(world, provider, admin, sent | {"code_challenge": "another"}, 503)
    assert admin.secret == ""


def test_an_answer_of_another_issuer_is_refused(make: Any, provider: MockProvider) -> None:
    world = make(oidc_default_role="author")
    provider.metadata["authorization_response_iss_parameter_supported"] = True
    for issuer in ({}, {"iss": "https://evil.example"}):
        admin = AdminClient(world)
        sent = begin(admin)
        provider.codes["code"] = claims_for(world, provider, sent["nonce"]), sent["code_challenge"]
        admin.get(BACK, status=400, params={"code": "code", "state": sent["state"]} | issuer)
    admin = AdminClient(world)
    sent = begin(admin)
    admin.get(BACK, status=400, params={"error": "access_denied", "state": sent["state"], "iss": provider.issuer})


def test_nobody_waits_for_a_provider_that_is_away(
    make: Any, provider: MockProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one person waits for it, for five seconds at most, all others are answered."""
    assert oidc_provider.PATIENCE <= 5
    monkeypatch.setattr(oidc_provider, "PATIENCE", 0.5)
    world = make(oidc_default_role="author")
    session, admin = AdminClient(world, "editor"), AdminClient(world)
    sent = begin(admin)
    provider.delay = 60
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(come_back, world, provider, admin, sent, 503)
        until(lambda: "/token" in provider.asked)
        session.get("/admin/venues")
        AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD})
        world.get("/events", "anonymous")
        assert "did not answer" in waiting.result().text
    provider.delay, provider.away = 0, True
    come_back(world, provider, admin, begin(admin), 503)


def test_a_provider_that_answers_with_html_at_first_is_told(make: Any, provider: MockProvider) -> None:
    world = make(oidc_default_role="author")
    provider.away = True
    page = AdminClient(world).get(START, status=503).text
    assert "did not answer" in page


def test_roles_count_at_each_sign_in_and_the_highest_wins(make: Any, provider: MockProvider) -> None:
    world = make(oidc_roles="groups: staff=author, the editors=editor, it=administrator")
    groups = [f"group {number}" for number in range(10_000)]
    admin = signs_in(world, provider, groups=[*groups, "staff", "the editors"])
    assert me(admin)["role"] == "editor"
    signs_in(world, provider, groups=["staff"])
    assert me(admin)["role"] == "author"  # the session that lives has the new role too
    signs_in(world, provider, status=403, groups=["nothing"])
    signs_in(world, provider, status=403, groups={"it": True})
    assert ("Another role editor → author", "ada", "") in lines(world)


def test_the_only_administrator_stays_one(make: Any, provider: MockProvider) -> None:
    world = make(oidc_roles="groups: staff=author, it=administrator")
    admin = signs_in(world, provider, groups=["it"])
    with world.calendar.writing(SERVICE) as work:
        users.change_user(work, world.ids["administrator"], role="editor")
    signs_in(world, provider, groups=["staff"])
    assert me(admin)["role"] == "administrator"


def linked(world: World, provider: MockProvider, who: str, **more: Any) -> AdminClient:
    admin = AdminClient(world, who)
    admin.get("/admin/profile")
    page = admin.post("/admin/profile/identities", status=200)
    address = page.text.partition('class="button primary wide" href="')[2].partition('"')[0].replace("&amp;", "&")
    sent = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    come_back(world, provider, admin, sent, **more)
    return admin


def test_an_account_is_linked_by_its_owner_and_unlinked(make: Any, provider: MockProvider) -> None:
    world = make()
    linked(world, provider, "editor")
    assert me(signs_in(world, provider))["name"] == "editor"
    thief = AdminClient(world, "author")
    thief.get("/admin/profile")
    page = thief.post("/admin/profile/identities", status=200).text
    address = page.partition('class="button primary wide" href="')[2].partition('"')[0].replace("&amp;", "&")
    sent = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    come_back(world, provider, thief, sent, 403)
    owner = AdminClient(world, "editor")
    owner.get("/admin/profile")
    owner.post("/admin/profile/identities/unlink", {"issuer": provider.issuer, "subject": "ada-1"})
    signs_in(world, provider, status=403)


def test_linking_ends_in_the_session_that_began_it(make: Any, provider: MockProvider) -> None:
    world = make()
    admin = AdminClient(world, "editor")
    admin.get("/admin/profile")
    page = admin.post("/admin/profile/identities", status=200).text
    address = page.partition('class="button primary wide" href="')[2].partition('"')[0].replace("&amp;", "&")
    sent = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    admin.use(AdminClient(world, "author").secret)
    come_back(world, provider, admin, sent, 400)
    assert (
        admin.client.get(f"{BASE_URL}/admin/oidc?for=link").status_code == 303
    )  # a plain sign-in, which links nothing
    signs_in(world, provider, status=403)


def test_only_the_provider_and_back(make: Any, provider: MockProvider) -> None:
    world = make()
    owner = AdminClient(world, "administrator")
    owner.get("/admin/settings/security")
    for names in ("", "editor", "nobody"):
        refused = owner.post(
            "/admin/settings/security", {"oidc_only": "true", "local_admins": names}, status=400
        ).text
        assert "no administrator could sign in" in refused
    owner.post("/admin/settings/security", {"oidc_only": "true", "local_admins": "Administrator, author"})
    AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD}, status=401)
    assert world.client.get(f"{NS}/users/me", auth=("editor", PASSWORD)).status_code == 401
    AdminClient(world).post(SIGN_IN, {"name": "author", "password": PASSWORD})
    assert world.get("/users/me", "editor").status_code == 200
    linked(world, provider, "administrator")
    owner.post("/admin/settings/security", {"oidc_only": "true", "local_admins": ""})
    owner.post("/admin/profile/identities/unlink", {"issuer": provider.issuer, "subject": "ada-1"})
    assert "no administrator could sign in" in owner.message()
    owner.post("/admin/settings/security", {"local_admins": ""})
    AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD})


def logout_token(world: World, provider: MockProvider, **more: Any) -> str:
    now = timegm(world.clock().timetuple())
    usual = {"iss": provider.issuer, "aud": CLIENT, "iat": now, "exp": now + 120, "jti": "j1", "events": {EVENT: {}}}
    return provider.sign(without_none(usual | more))


def test_signing_out_there_ends_the_sessions_on_every_node(make: Any, provider: MockProvider) -> None:
    world = make(oidc_default_role="author")
    first, second = signs_in(world, provider, sid="one"), signs_in(world, provider, sid="two")
    neighbour = world.neighbour()

    def send(status: int, **claims: Any) -> None:
        response = neighbour.post(
            f"{BASE_URL}{LOGOUT}", data={"logout_token": logout_token(world, provider, **claims)}
        )
        assert response.status_code == status, response.text

    for wrong in (
        {"sub": "ada-1", "nonce": "x"},
        {"sub": "ada-1", "events": {}},
        {"sub": "ada-1", "aud": "other"},
        {"sub": "ada-1", "iss": "https://evil.example"},
        {"sub": "ada-1", "jti": None},
        {"sub": "ada-1", "iat": 1},
        {},
    ):
        send(400, **wrong)
    assert me(first)["name"] == "ada"
    send(200, sid="one")
    assert "name" not in me(first)
    assert me(second)["name"] == "ada"
    send(400, sid="two")  # the same token id again
    assert me(second)["name"] == "ada"
    send(200, sub="ada-1", jti="j2")
    assert "name" not in me(second)
    assert neighbour.post(f"{BASE_URL}{LOGOUT}", data={"logout_token": "x"}).status_code == 400


def test_a_person_of_the_provider_forgets_no_password_and_can_be_removed(make: Any, provider: MockProvider) -> None:
    world = make(oidc_default_role="author", mail_server="smtp://127.0.0.1:1", base_url=BASE_URL)
    admin = signs_in(world, provider, email="ada@example.org", email_verified=True)
    with world.calendar.writing(SERVICE) as work:
        forgotten_password.send(work, "ada")
        assert work.session.value("SELECT count(*) FROM one_time_link") == 0
    owner = AdminClient(world, "administrator")
    owner.get("/admin/people")
    owner.post(f"/admin/people/{me(admin)['id']}/disable", {"disabled": "1"})
    signs_in(world, provider, status=403)
    with world.calendar.reading_latest(SERVICE) as work:
        user = users.find_user_by_name(work, "ada")
        assert user
    owner.post(f"/admin/people/{user.id}/remove")
    assert me(signs_in(world, provider))["id"] != user.id  # somebody new


def test_who_has_no_password_confirms_at_the_provider(make: Any, provider: MockProvider) -> None:
    world = make(oidc_default_role="author")
    admin = signs_in(world, provider)
    admin.get("/admin/profile")
    world.clock.move(minutes=16)
    token = {"label": "Robot", "purpose": "bearer"}
    asked = admin.post("/admin/profile/tokens", token, status=403, headers={"Sec-Fetch-Site": "same-origin"}).text
    assert "/admin/oidc?for=confirm" in asked.replace("&amp;", "&")
    now = timegm(world.clock().timetuple())
    for claims in ({}, {"auth_time": now - 3600}, {"sub": "somebody else", "auth_time": now}):
        come_back(world, provider, admin, begin(admin, **{"for": "confirm"}), 400, **claims)
    come_back(world, provider, admin, begin(admin, **{"for": "confirm"}), auth_time=now)
    admin.post("/admin/profile/tokens", token, status=200)


def test_without_a_provider_there_is_nothing(world: World) -> None:
    for path in (START, BACK):
        AdminClient(world).get(path, status=404)
    assert world.client.post(f"{BASE_URL}{LOGOUT}", data={"logout_token": "x"}).status_code == 404
    assert "/admin/oidc" not in AdminClient(world).get(SIGN_IN).text


def test_the_button_stands_first(make: Any, provider: MockProvider) -> None:
    world = make(oidc_name="Town account")
    html = AdminClient(world).get(SIGN_IN, params={"next": "/admin/venues"}).text
    assert html.index("Sign in with Town account") < html.index('name="password"')
    assert "/admin/oidc?next=%2Fadmin%2Fvenues" in html
