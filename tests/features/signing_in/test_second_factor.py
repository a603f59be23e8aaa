"""The second factor: an authenticator app, recovery codes, and asking again: contract §19."""

import re
from calendar import timegm
from collections.abc import Callable

import pyotp
import pytest
from click.testing import CliRunner
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, NS, PASSWORD, World
from tests.features.signing_in.test_security_log import lines

from kalends.cli import kalends
from kalends.contract.operations import addresses

SIGN_IN, FACTORS, APP = "/admin/sign-in", "/admin/profile/factors", "/admin/profile/factors/app"
STEP = "/admin/second-factor"
pytestmark = pytest.mark.both_stores


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    return make_world(secret_key="a key of some length")


def code_now(world: World, secret: str, steps: int = 0) -> str:
    return pyotp.TOTP(secret).at(timegm(world.clock().timetuple()) + 30 * steps)


def add_app(world: World, who: str, status: int = 200) -> tuple[str, list[str], AdminClient]:
    """The secret of an app that this person has from now on, and the recovery codes."""
    admin = AdminClient(world, who)
    html = admin.get(APP).text
    secret = re.search(r'name="secret" value="([A-Z2-7]{32})"', html)
    assert secret
    made = admin.post(APP, {"secret": secret[1], "code": code_now(world, secret[1])}, status).text
    world.clock.move(seconds=60)
    return secret[1], re.findall(r"<li><code dir=\"ltr\">([a-z0-9-]{19})</code>", made), admin


def key_after_password(world: World, who: str, **more: str) -> tuple[AdminClient, dict[str, str]]:
    """A browser in which the password was typed, and the fields of the page that asks for more."""
    admin = AdminClient(world)
    html = admin.post(SIGN_IN, {"name": who, "password": PASSWORD} | more, status=200).text
    return admin, dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', html))


def signs_in(world: World, who: str, code: str, status: int = 303) -> AdminClient:
    admin, fields = key_after_password(world, who)
    admin.post(STEP, fields | {"code": code}, status=status)
    return admin


def test_after_the_password_a_code_is_asked_for(world: World) -> None:
    secret, codes, _ = add_app(world, "editor")
    assert len(set(codes)) == 10
    admin, fields = key_after_password(world, "editor", next="/admin/venues")
    assert admin.secret == ""
    assert admin.client.get(f"{NS}/users/me").status_code == 401
    entered = admin.post(STEP, fields | {"code": code_now(world, secret)})
    assert entered.headers["Location"] == "/admin/venues"
    admin.get("/admin")
    assert PASSWORD not in repr(fields)


def test_a_code_is_good_once_and_clocks_may_differ_by_a_step(world: World) -> None:
    secret, _, _ = add_app(world, "editor")
    code = code_now(world, secret)
    signs_in(world, "editor", code)
    signs_in(world, "editor", code, status=400)
    signs_in(world, "editor", code_now(world, secret, -1), status=400)  # an earlier one than that which was used
    signs_in(world, "editor", code_now(world, secret, 1))
    world.clock.move(minutes=5)
    signs_in(world, "editor", code_now(world, secret, -2), status=400)
    for wrong in ("", "abcdef", "000000 ", "٠٠٠٠٠٠", "1" * 40):
        world.clock.move(minutes=16)
        signs_in(world, "editor", wrong, status=400)


def test_a_recovery_code_is_good_once(world: World) -> None:
    _, codes, _ = add_app(world, "editor")
    signs_in(world, "editor", codes[0].upper())
    signs_in(world, "editor", codes[0], status=400)
    signs_in(world, "editor", codes[1].replace("-", " "))
    _, others, _ = add_app(world, "author")
    signs_in(world, "editor", others[0], status=400)
    assert ("Recovery code used", "editor", "") in lines(world)


def test_guesses_are_slowed_down_and_told(world: World) -> None:
    secret, _, _ = add_app(world, "editor")
    for _ in range(5):
        signs_in(world, "editor", "000000", status=400)
    refused = signs_in(world, "editor", code_now(world, secret), status=429)
    assert refused.secret == ""
    assert any(line[0] == "Refused × 5 second factor" and line[1] == "editor" for line in lines(world))


def test_what_the_page_carries_cannot_be_made_up_or_kept(world: World) -> None:
    secret, _, _ = add_app(world, "editor")
    admin, fields = key_after_password(world, "editor")
    changed = fields["key"][:-1] + ("1" if fields["key"].endswith("0") else "0")
    for key in ("", ".", changed, "e30=." + fields["key"].partition(".")[2]):
        refused = admin.post(STEP, fields | {"key": key, "code": code_now(world, secret)})
        assert refused.headers["Location"] == SIGN_IN
    world.clock.move(minutes=11)
    assert admin.post(STEP, fields | {"code": code_now(world, secret)}).headers["Location"].endswith(SIGN_IN)
    admin, fields = key_after_password(world, "editor")
    world.put(f"/users/{world.ids['editor']}", json={"password": "another horse"})
    assert admin.post(STEP, fields | {"code": code_now(world, secret)}).headers["Location"].endswith(SIGN_IN)
    assert admin.secret == ""


def test_programs_need_an_application_password_then(world: World) -> None:
    path = f"/users/{world.ids['editor']}/tokens"
    made = world.post(path, json={"name": "App", "purpose": "application"}).json()
    assert world.client.get(f"{NS}/users/me", auth=("editor", PASSWORD)).status_code == 200
    add_app(world, "editor")
    assert world.client.get(f"{NS}/users/me", auth=("editor", PASSWORD)).status_code == 401
    assert world.client.get(f"{NS}/users/me", auth=("editor", made["token"])).status_code == 200
    assert world.get("/users/me", "editor").status_code == 200
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert world.client.post(f"{BASE_URL}/mcp", json=body, auth=("editor", PASSWORD)).status_code == 401


def test_a_link_to_set_a_password_asks_for_it_too(world: World) -> None:
    secret, _, _ = add_app(world, "editor")
    owner = AdminClient(world, "administrator")
    owner.get("/admin/people")
    html = owner.post(f"/admin/people/{world.ids['editor']}/reset", status=200).text
    key = re.search(r"/admin/link\?key=([\w-]+)<", html)
    assert key
    admin = AdminClient(world)
    asked = admin.post("/admin/link", {"key": key[1], "password": "another horse"}, status=200).text
    assert admin.secret == ""
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', asked))
    admin.post(STEP, fields | {"code": code_now(world, secret)})
    admin.get("/admin")


def test_another_form_goes_through_both_steps(world: World) -> None:
    secret, _, _ = add_app(world, "editor")
    admin = AdminClient(world)
    headers = {"Sec-Fetch-Site": "same-origin"}
    asked = admin.post("/admin/tags/new", {"name": "Kept text"}, status=401, headers=headers).text
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', asked))
    fields = {name: value.replace("&amp;", "&") for name, value in fields.items()}
    html = admin.post(SIGN_IN, fields | {"name": "editor", "password": PASSWORD}, status=200).text
    fields = {n: v.replace("&amp;", "&") for n, v in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', html)}
    offered = admin.post(STEP, fields | {"code": code_now(world, secret)}, status=200).text
    assert "Kept text" in offered


def test_a_role_can_need_one(make_world: Callable[..., World]) -> None:
    world = make_world(second_factor="editor", secret_key="a key of some length")
    admin = AdminClient(world, "editor")
    assert admin.get("/admin/events", status=303).headers["Location"] == FACTORS
    admin.post("/admin/tags/new", {"name": "Tag"}, status=303)
    assert world.get("/tags?hide_empty=false").json()["total"] == 0
    assert world.client.get(f"{NS}/users/me", auth=("editor", PASSWORD)).status_code == 401
    assert world.client.get(f"{NS}/users/me", auth=("author", PASSWORD)).status_code == 200
    AdminClient(world, "author").get("/admin/events")
    _, _, admin = add_app(world, "editor")
    admin.get("/admin/events")
    assert "Your role needs a second factor" in admin.post(f"{APP}/remove", status=400).text


def test_factors_are_taken_away_by_an_administrator_and_on_the_server(world: World) -> None:
    add_app(world, "editor")
    owner = AdminClient(world, "administrator")
    assert "Take it away" in owner.get(f"/admin/people/{world.ids['editor']}").text
    owner.post(f"/admin/people/{world.ids['editor']}/factors")
    AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD})
    assert ("Second factors taken away", "editor by administrator", "") in lines(world)
    AdminClient(world, "author").post(f"/admin/people/{world.ids['author']}/factors", status=403)


def test_the_command_takes_them_away(make_world: Callable[..., World]) -> None:
    world = make_world(secret_key="a key of some length")
    add_app(world, "editor")
    settings = world.calendar.settings
    where = ["--data", str(settings.data), *(["--database", settings.database] if settings.database else [])]
    done = CliRunner().invoke(kalends, ["user", "reset-factors", "editor", *where])
    assert done.exit_code == 0, done.output
    AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD})
    assert "reset-factors" in CliRunner().invoke(kalends, ["user", "--help"]).output


def test_secrets_are_sealed_in_the_store(world: World) -> None:
    secret, codes, _ = add_app(world, "editor")
    with world.calendar.store.read() as session:
        stored = repr([session.all("SELECT * FROM totp"), session.all("SELECT * FROM recovery_code")])
        log = repr(session.all("SELECT * FROM security_event"))
    assert secret not in stored + log
    assert not any(code in stored + log or code.replace("-", "") in stored + log for code in codes)


def test_with_another_key_recovery_codes_are_left(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a restore on a machine that does not have the key."""
    secret, codes, _ = add_app(world, "editor")
    object.__setattr__(world.calendar.settings, "secret_key", "another key of some length")
    signs_in(world, "editor", code_now(world, secret), status=400)
    signs_in(world, "editor", codes[0])


def test_changes_ask_again_after_a_quarter_of_an_hour(world: World) -> None:
    admin = AdminClient(world, "administrator")
    admin.get("/admin/people")
    path = f"/admin/people/{world.ids['author']}"
    headers = {"Sec-Fetch-Site": "same-origin"}
    world.clock.move(minutes=16)
    for sensitive in (
        f"{path}/disable",
        "/admin/settings",
        "/admin/profile/tokens",
        "/admin/settings/webhooks/new",
        *(f"/admin/sources/1/{act}" for act in ("read", "switch", "undo", "remove")),
        f"{FACTORS}/codes",
    ):
        asked = admin.post(sensitive, {"disabled": "1"}, status=403, headers=headers).text
        assert "Is it you?" in asked
    assert not any(line[0] == "Account disabled" for line in lines(world))
    admin.post("/admin/tags/new", {"name": "Harmless"})
    fields = {n: v.replace("&amp;", "&") for n, v in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', asked)}
    asked = admin.post(f"{path}/disable", {"disabled": "1"}, status=403, headers=headers).text
    fields = {n: v.replace("&amp;", "&") for n, v in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', asked)}
    fields.pop("token")
    admin.post("/admin/confirm", fields | {"password": "wrong"}, status=400)
    offered = admin.post("/admin/confirm", fields | {"password": PASSWORD}, status=200).text
    assert f'action="{path}/disable"' in offered
    admin.post(f"{path}/disable", {"disabled": "1"})
    assert any(line[0] == "Account disabled" for line in lines(world))


def test_the_interface_asks_again_of_sessions_and_never_of_tokens(world: World) -> None:
    admin = AdminClient(world, "administrator")
    admin.get("/admin/people")
    world.clock.move(minutes=16)
    path, headers = f"{NS}/users/{world.ids['author']}", {"X-Kalends-Token": admin.token}
    refused = admin.client.put(path, json={"role": "editor"}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "rest-confirm-first")
    assert world.put(f"/users/{world.ids['author']}", json={"role": "editor"}).status_code == 200
    admin.post("/admin/confirm", {"password": PASSWORD})
    assert admin.client.put(path, json={"role": "author"}, headers=headers).status_code == 200


def test_it_asks_again_at_every_address_of_people_webhooks_fields_and_sources(world: World) -> None:
    admin = AdminClient(world, "administrator")
    admin.get("/admin/people")
    world.clock.move(minutes=16)
    asking = set()
    for address in addresses():
        path = NS + re.sub(r"\(\?P<\w+>[^)]+\)", "1", address.pattern)
        for method in {"POST", "PUT", "PATCH", "DELETE"} & set(address.methods):
            answer = admin.client.request(method, path, json={}, headers={"X-Kalends-Token": admin.token})
            if answer.status_code == 403 and answer.json()["code"] == "rest-confirm-first":
                asking.add(address.group)
            else:  # duplicates are for editors
                assert address.group not in ("users", "webhooks", "custom-fields", "sources") or "duplicates" in path
    assert asking == {"users", "webhooks", "custom-fields", "sources"}


def test_a_code_confirms_too(world: World) -> None:
    secret, _, admin = add_app(world, "administrator")
    world.clock.move(minutes=16)
    admin.post("/admin/confirm", {"code": code_now(world, secret)})
    admin.post("/admin/profile/tokens", {"label": "Robot", "purpose": "bearer"}, status=200)


def test_a_removed_person_leaves_no_factor(world: World) -> None:
    add_app(world, "author")
    owner = AdminClient(world, "administrator")
    owner.get("/admin/people")
    owner.post(f"/admin/people/{world.ids['author']}/remove")
    with world.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM totp") == 0
        assert session.value("SELECT count(*) FROM recovery_code") == 0
