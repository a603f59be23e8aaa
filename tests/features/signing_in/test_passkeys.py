"""Passkeys: contract §19. The table of forged answers, and what each gets."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from tests.admin.admin_client import AdminClient
from tests.conftest import NS, PASSWORD, World
from tests.features.signing_in.authenticator import ORIGIN, Authenticator, encoded
from tests.features.signing_in.test_second_factor import FACTORS, SIGN_IN, STEP, add_app, code_now, key_after_password
from tests.features.signing_in.test_security_log import lines

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import users
from kalends.features.signing_in import passkeys

NEW, REMOVE = f"{FACTORS}/passkey", f"{FACTORS}/passkey/remove"
ENTER, OPTIONS = "/admin/passkey", "/admin/passkey/options"
CONFIRM = "/admin/confirm"
pytestmark = pytest.mark.both_stores


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    return make_world(base_url=ORIGIN, secret_key="a key of some length")


def asked_in(page: str) -> tuple[str, dict[str, Any]]:
    """The challenge of a page, and the options that its script has."""
    found = re.search(r'data-challenge="([^"]+)" data-options="([^"]+)"', page)
    assert found, page[-4000:]
    return found[1], json.loads(html.unescape(found[2]))


def add_passkey(
    world: World, who: str, status: int = 200, name: str = "Laptop", **forged: Any
) -> tuple[Authenticator, httpx.Response, AdminClient]:
    admin, authenticator = AdminClient(world, who), Authenticator(forged.pop("id", b"a key of some length"))
    challenge, options = asked_in(admin.get(NEW).text)
    sent = {"name": name, "challenge": challenge, "answer": authenticator.make(options, **forged)}
    return authenticator, admin.post(NEW, sent, status=status), admin


def options_now(world: World) -> tuple[str, dict[str, Any]]:
    asked = AdminClient(world).get(OPTIONS).json()
    return asked["challenge"], json.loads(asked["options"])


def enters(world: World, authenticator: Authenticator, status: int = 303, **forged: Any) -> AdminClient:
    challenge, options = options_now(world)
    admin = AdminClient(world)
    sent = {"challenge": forged.pop("signed", challenge), "answer": authenticator.show(options, **forged)}
    admin.post(ENTER, sent, status=status)
    assert bool(admin.secret) == (status == 303)
    return admin


def test_a_passkey_signs_in_without_a_password_and_without_a_code(world: World) -> None:
    assert ENTER not in AdminClient(world).get(SIGN_IN).text
    authenticator, made, admin = add_passkey(world, "editor")
    assert made.text.count('<li><code dir="ltr">') == 10
    assert ENTER in AdminClient(world).get(SIGN_IN).text
    world.clock.move(minutes=20)
    entered = enters(world, authenticator)
    assert entered.client.get(f"{NS}/users/me").json()["name"] == "editor"
    page = admin.get(FACTORS).text
    assert "Laptop" in page
    assert re.search(r"last used: [^<]*7:20", page)
    assert ("New second factor Laptop", "editor", "") in lines(world)


def test_where_to_go_and_what_was_typed_go_along(world: World) -> None:
    authenticator, _, _ = add_passkey(world, "editor")
    challenge, options = options_now(world)
    admin = AdminClient(world)
    sent = {"challenge": challenge, "answer": authenticator.show(options), "next": "/admin/venues", "stay": "1"}
    entered = admin.post(ENTER, sent)
    assert entered.headers["Location"] == "/admin/venues"
    assert "Max-Age" in entered.headers["Set-Cookie"]


FORGED: dict[str, dict[str, Any]] = {
    "page of another site": {"origin": "https://evil.example"},
    "page of a neighbour": {"origin": "http://localhost:8080"},
    "page without TLS": {"origin": "http://localhost.evil.example"},
    "page within one of another site": {"crossOrigin": True},
    "passkey of another site": {"host": "evil.example"},
    "other challenge": {"challenge": encoded(bytes(32))},
    "answer to something else": {"type": "webauthn.create"},
    "nobody was there": {"flags": 0},
    "nobody was recognized": {"flags": 1},
    "counter that goes back": {"uses": 0},
    "counter that stands still": {"uses": 1},
    "other key": {"key": ec.generate_private_key(ec.SECP256R1())},
    "other person": {"handle": bytes(32)},
    "own challenge": {"signed": "e30=.0"},
    "no challenge": {"signed": ""},
}


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_answer_opens_nothing(world: World, forgery: str) -> None:
    authenticator, _, _ = add_passkey(world, "editor")
    enters(world, authenticator, status=401, **FORGED[forgery])
    assert any(line[0].startswith("Refused passkey:") for line in lines(world, what="refused"))
    enters(world, authenticator)


@pytest.mark.parametrize("answer", ["", "{}", "[1]", "x" * 30_000, '{"id":"a","rawId":"a","response":{}}', "\ud800"])
def test_garbage_opens_nothing(world: World, answer: str) -> None:
    add_passkey(world, "editor")
    challenge, _ = options_now(world)
    admin = AdminClient(world)
    admin.post(ENTER, {"challenge": challenge, "answer": answer.encode("utf-8", "replace")}, status=401)
    assert admin.secret == ""


REFUSED: dict[str, dict[str, Any]] = {
    "page of another site": {"origin": "https://evil.example"},
    "passkey of another site": {"host": "evil.example"},
    "other challenge": {"challenge": encoded(bytes(32))},
    "answer to something else": {"type": "webauthn.get"},
    "page within one of another site": {"crossOrigin": True},
    "nobody was there": {"flags": 0},
}


@pytest.mark.parametrize("forgery", REFUSED)
def test_a_forged_passkey_is_not_added(world: World, forgery: str) -> None:
    _, refused, admin = add_passkey(world, "editor", status=400, **REFUSED[forgery])
    assert "This passkey was not taken" in refused.text
    assert "Switched on" not in admin.get(FACTORS).text


def test_a_challenge_is_good_once_soon_over_and_for_one_thing(world: World) -> None:
    authenticator, _, _ = add_passkey(world, "editor")
    challenge, options = options_now(world)
    sent = {"challenge": challenge, "answer": authenticator.show(options)}
    AdminClient(world).post(ENTER, sent)
    AdminClient(world).post(ENTER, sent, status=401)
    AdminClient(world).post(ENTER, sent | {"answer": authenticator.show(options)}, status=401)
    challenge, options = options_now(world)
    sent = {"challenge": challenge, "answer": authenticator.show(options)}
    world.clock.move(minutes=5)
    AdminClient(world).post(ENTER, sent, status=401)
    challenge, options = asked_in(AdminClient(world, "author").get(NEW).text)
    options["rpId"] = options["rp"]["id"]
    AdminClient(world).post(ENTER, {"challenge": challenge, "answer": authenticator.show(options)}, status=401)
    enters(world, authenticator)


def test_a_passkey_is_added_in_the_session_that_asked_for_it(world: World) -> None:
    admin, other, authenticator = AdminClient(world, "editor"), AdminClient(world, "author"), Authenticator()
    challenge, options = asked_in(admin.get(NEW).text)
    other.get(NEW)
    sent = {"name": "Laptop", "challenge": challenge, "answer": authenticator.make(options)}
    other.post(NEW, sent, status=400)
    admin.post(NEW, sent, status=200)
    _, refused, _ = add_passkey(world, "author", status=400)  # the same key, of somebody else
    assert "This passkey was not taken" in refused.text
    for name in ("", "x" * 61):
        add_passkey(world, "author", status=400, name=name, id=b"another key")


def test_one_that_does_not_count_is_taken(world: World) -> None:
    """As most of those are that a password manager keeps."""
    authenticator, _, _ = add_passkey(world, "editor", uses=0)
    enters(world, authenticator, uses=0)
    enters(world, authenticator, uses=0)
    enters(world, authenticator, uses=5)
    enters(world, authenticator, status=401, uses=0)


def test_it_is_a_second_factor_after_the_password(world: World) -> None:
    authenticator, made, _ = add_passkey(world, "editor")
    admin, fields = key_after_password(world, "editor")
    assert world.client.get(f"{NS}/users/me", auth=("editor", PASSWORD)).status_code == 401
    page = AdminClient(world).post(SIGN_IN, {"name": "editor", "password": PASSWORD}, status=200).text
    challenge, options = asked_in(page)
    assert [one["id"] for one in options["allowCredentials"]] == [encoded(authenticator.id)]
    forged = {"challenge": challenge, "answer": authenticator.show(options, origin="https://evil.example")}
    page = admin.post(STEP, fields | forged, status=400).text
    challenge, options = asked_in(page)
    other, _, _ = add_passkey(world, "author", id=b"another key")
    refused = {"challenge": challenge, "answer": other.show(options)}
    admin.post(STEP, fields | refused, status=400)
    assert admin.secret == ""
    answer = {"challenge": challenge, "answer": authenticator.show(options, flags=1)}
    admin.post(STEP, fields | answer)
    admin.get("/admin")
    admin, fields = key_after_password(world, "editor")
    code = re.findall(r'<li><code dir="ltr">([a-z0-9-]{19})</code>', made.text)[0]
    admin.post(STEP, fields | {"code": code})


def test_it_confirms_a_change(world: World) -> None:
    authenticator, _, admin = add_passkey(world, "administrator")
    world.clock.move(minutes=16)
    admin.get(NEW, status=303)
    challenge, options = asked_in(admin.get(CONFIRM).text)
    stranger, _, _ = add_passkey(world, "author", id=b"another key")
    wrong = {"challenge": challenge, "answer": stranger.show(options)}
    admin.post(CONFIRM, wrong, status=400)
    admin.post(CONFIRM, {"challenge": challenge, "answer": authenticator.show(options)})
    admin.get(NEW)


def test_removal_and_the_last_one_of_a_role_that_needs_one(make_world: Callable[..., World]) -> None:
    world = make_world(base_url=ORIGIN, secret_key="a key of some length", second_factor="editor")
    authenticator, _, admin = add_passkey(world, "editor")
    admin.get("/admin/events")
    sent = {"id": encoded(authenticator.id)}
    assert "Your role needs a second factor" in admin.post(REMOVE, sent, status=400).text
    secret, _, _ = add_app(world, "editor", 303)
    AdminClient(world, "author").post(REMOVE, sent)
    enters(world, authenticator)
    admin.get(FACTORS)
    admin.post(REMOVE, sent)
    enters(world, authenticator, status=401)
    entered, fields = key_after_password(world, "editor")
    entered.post(STEP, fields | {"code": code_now(world, secret)})


def test_an_account_that_is_disabled_or_reset_or_removed_has_none(world: World) -> None:
    authenticator, _, _ = add_passkey(world, "editor")
    owner, id = AdminClient(world, "administrator"), world.ids["editor"]
    owner.get("/admin/people")
    owner.post(f"/admin/people/{id}/disable", {"disabled": "1"})
    enters(world, authenticator, status=401)
    owner.post(f"/admin/people/{id}/disable", {"disabled": ""})
    enters(world, authenticator)
    owner.post(f"/admin/people/{id}/factors")
    enters(world, authenticator, status=401)
    authenticator, _, _ = add_passkey(world, "author")
    owner.post(f"/admin/people/{world.ids['author']}/remove")
    enters(world, authenticator, status=401)


def test_after_a_move_to_another_address_they_are_for_the_earlier_one(world: World) -> None:
    _, made, admin = add_passkey(world, "editor")
    object.__setattr__(world.calendar.settings, "base_url", "https://events.example.org")
    assert passkeys.site_of("https://events.example.org", "x").id == "events.example.org"  # type: ignore[union-attr]
    assert "For localhost" in admin.get(FACTORS).text
    entered, fields = key_after_password(world, "editor")
    code = re.findall(r'<li><code dir="ltr">([a-z0-9-]{19})</code>', made.text)[0]
    entered.post(STEP, fields | {"code": code})


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://Events.example.org/calendar", "https://events.example.org"),
        ("https://events.example.org:443", "https://events.example.org"),
        ("https://events.example.org:8443", "https://events.example.org:8443"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://events.example.org", None),
        ("https://192.0.2.7", None),
        ("https://[2001:db8::1]:8443", None),
    ],
)
def test_what_a_passkey_is_for(address: str, origin: str | None) -> None:
    site = passkeys.site_of(address, "Town")
    assert (site.origin if site else None) == origin


def test_where_browsers_have_none_the_page_says_so(make_world: Callable[..., World]) -> None:
    world = make_world(base_url="http://events.example.org")
    assert "begin with https" in AdminClient(world, "editor").get(NEW).text
    AdminClient(world).get(OPTIONS, status=404)
    AdminClient(world).post(ENTER, {"answer": "{}"}, status=401)


def test_on_another_node_the_same_passkey_counts_on(world: World) -> None:
    authenticator, _, _ = add_passkey(world, "editor")
    neighbour = AdminClient(world)
    neighbour.client = world.neighbour()
    challenge, options = options_now(world)
    answer = authenticator.show(options)
    neighbour.post(ENTER, {"challenge": challenge, "answer": answer})
    AdminClient(world).post(ENTER, {"challenge": challenge, "answer": answer}, status=401)
    enters(world, authenticator, status=401, uses=authenticator.uses - 1)
    enters(world, authenticator)


def test_who_is_of_the_provider_alone_does_not_sign_in_so(make_world: Callable[..., World]) -> None:
    world = make_world(base_url=ORIGIN, oidc_issuer="http://127.0.0.1:9", oidc_client_id="x", local_admins="author")
    authenticator, _, _ = add_passkey(world, "editor")
    other, _, _ = add_passkey(world, "author", id=b"another key")
    enters(world, authenticator)
    object.__setattr__(world.calendar.settings, "oidc_only", True)
    enters(world, authenticator, status=401)
    enters(world, other)


def test_changes_are_told_by_mail(make_world: Callable[..., World]) -> None:
    world = make_world(base_url=ORIGIN, mail_server="smtp://127.0.0.1:1", secret_key="a key of some length")
    with world.calendar.writing(SERVICE) as work:
        users.change_user(work, world.ids["editor"], email="ed@example.org")
        work.session.run("DELETE FROM mail")
    authenticator, _, admin = add_passkey(world, "editor")
    add_app(world, "editor", 303)
    admin.get(FACTORS)
    admin.post(f"{FACTORS}/codes", status=200)
    admin.post(REMOVE, {"id": encoded(authenticator.id)})
    owner = AdminClient(world, "administrator")
    owner.get("/admin/people")
    owner.post(f"/admin/people/{world.ids['editor']}/factors")
    with world.calendar.store.read() as session:
        found = session.all("SELECT address, facts FROM mail WHERE kind = 'factors_changed' ORDER BY id")
    assert {address for address, _ in found} == {"ed@example.org"}
    told = [(facts["what"], facts["about"]) for facts in (json.loads(text) for _, text in found)]
    assert told == [
        ("factor_added", "Laptop"),
        ("factor_added", "totp"),
        ("codes_made", ""),
        ("factor_removed", "Laptop"),
        ("factors_reset", ""),
    ]
    assert ("Second factor removed Laptop", "editor", "") in lines(world)
