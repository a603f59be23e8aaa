"""Credentials: passwords, application passwords and tokens, and what invalidates them."""

import base64
import logging
from datetime import timedelta
from typing import Any

import httpx
import pytest
from tests.calendar.access.requests import basic, bearer, everything_said
from tests.conftest import BASE_URL, NOW, PASSWORD
from tests.stores import contents

from kalends.bootstrap import make_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import account_rules, users
from kalends.calendar.accounts import credentials as tokens
from kalends.calendar.accounts.credentials import Authenticator
from kalends.calendar.service import Calendar
from kalends.contract.errors import ApiError
from kalends.http.middleware.request_middleware import identify
from kalends.worker import make_app

ME = "/users/me"


def issue(world: Any, name: str, **more: Any) -> str:
    with world.calendar.writing(SERVICE) as work:
        return tokens.add_token(work, users.find_user_by_name(work, name), "made for a test", **more)[0]


def change(world: Any, name: str, **more: Any) -> None:
    """As a command in another process would."""
    with world.calendar.writing(SERVICE) as work:
        users.change_user(work, users.find_user_by_name(work, name), **more)


def status(world: Any, headers: dict[str, str]) -> tuple[int, str]:
    response = world.get(ME, headers=headers)
    body = response.json()
    return response.status_code, body.get("code") or body["name"]


class SecondProcess:
    """The same calendar in a second process: its own application, authenticator and connection."""

    def __init__(self, world: Any) -> None:
        self.calendar: Calendar = make_calendar(world.calendar.settings, world.clock)
        transport = httpx.WSGITransport(app=make_app(self.calendar))
        self.client = httpx.Client(transport=transport, base_url=BASE_URL)

    def get(self, path: str, headers: dict[str, str]) -> httpx.Response:
        return self.client.get(f"/api/calendar/events/v1{path}", headers=headers)


@pytest.fixture
def both(world: Any) -> Any:
    another = SecondProcess(world)
    yield world, another
    another.client.close()
    another.calendar.store.close()


@pytest.fixture
def verified(monkeypatch: Any) -> list[str]:
    """The hashes that a password was compared with."""
    hashes: list[str] = []
    real = account_rules.has_password
    monkeypatch.setattr(
        account_rules, "has_password", lambda stored, password: hashes.append(stored) or real(stored, password)
    )
    return hashes


def test_every_kind_of_credential(world: Any) -> None:
    application = issue(world, "editor", purpose="application")
    spaced = " ".join(application[i : i + 4] for i in range(0, len(application), 4))
    assert status(world, basic("editor", PASSWORD)) == (200, "editor")
    assert status(world, basic("EDITOR", PASSWORD)) == (200, "editor")
    assert status(world, basic("editor", application)) == (200, "editor")
    assert status(world, basic("editor", spaced)) == (200, "editor")
    assert status(world, bearer(issue(world, "editor"))) == (200, "editor")
    assert status(world, {"Authorization": f"bEaReR   {world.tokens['author']}  "}) == (200, "author")


def test_one_kind_of_credential_does_not_replace_another(world: Any) -> None:
    application, token = issue(world, "editor", purpose="application"), issue(world, "editor")
    assert status(world, bearer(application)) == (401, "invalid_token")
    assert status(world, basic("editor", token)) == (401, "incorrect_password")
    assert status(world, basic("author", application)) == (401, "incorrect_password")
    assert status(world, bearer(PASSWORD.replace(" ", ""))) == (401, "invalid_token")
    assert status(world, basic("editor", PASSWORD.replace(" ", ""))) == (401, "incorrect_password")


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("Basic", "rest_forbidden"),
        ("Basic ", "rest_forbidden"),
        ("Basic !!!!", "rest_forbidden"),
        ("Basic ZWRpdG9y", "rest_forbidden"),  # no colon
        ("Basic OnBhc3N3b3Jk", "rest_forbidden"),  # no name
        ("Basic ZWRpdG9yOmE", "rest_forbidden"),  # no padding
        ("Basic " + base64.b64encode(b"edit\xff:x").decode(), "rest_forbidden"),
        ("Basic " + base64.b64encode(b"editor\0:x").decode(), "rest_forbidden"),
        ("Basic ZWRpdG9yOmE=, Bearer x", "rest_forbidden"),
        ("Basic " + base64.b64encode(b"editor:").decode(), "incorrect_password"),
        ("Basic " + base64.b64encode(b"nobody:password").decode(), "incorrect_password"),
        ("Basic " + base64.b64encode(b"' OR 1=1 --:password").decode(), "incorrect_password"),
        ("Bearer", "rest_forbidden"),
        ("Bearer  ", "rest_forbidden"),
        ("Bearer a b", "rest_forbidden"),
        ("Bearer x", "invalid_token"),
        ("Bearer kal_" + "A" * 32, "invalid_token"),
        ("bearer ' OR 1=1", "rest_forbidden"),
    ],
)
@pytest.mark.parametrize("path", ["/events", "/nothing/here", "/events/1", "/categories", ME])
def test_bad_credentials_are_401_whatever_the_route(world: Any, header: str, code: str, path: str) -> None:
    for method in ("GET", "POST", "OPTIONS"):
        response = world.ask(method, path, headers={"Authorization": header})
        assert (response.status_code, response.json()["code"]) == (401, code)
        assert response.headers["www-authenticate"].startswith("Basic ")
        assert response.headers["cache-control"] == "private, no-store"
        assert world.get("/events").status_code == 200


@pytest.mark.parametrize(
    "header", ["", "   ", "Digest username=editor", "Token abc", "Negotiate", "Basic:abc", "\tX"]
)
def test_an_unknown_scheme_is_anonymous(world: Any, header: str) -> None:
    assert world.get("/events", headers={"Authorization": header}).status_code == 200
    refused = world.get(ME, headers={"Authorization": header})
    assert (refused.status_code, refused.json()["code"]) == (401, "rest_forbidden")
    assert "Bearer " in refused.headers["www-authenticate"]
    assert world.post("/events", "anonymous", headers={"Authorization": header}).status_code == 401


def test_a_header_beyond_ascii_is_refused(world: Any) -> None:
    """The client of these tests cannot send one, but a socket can."""
    for header in ("Bearer t\xf6ken", "Basic \xff\xfe"):
        with pytest.raises(ApiError) as refused:
            identify(header, world.calendar, Authenticator(), "198.51.100.7")
        assert (refused.value.error_type.status, refused.value.error_type.code) == (401, "rest_forbidden")


def test_a_password_is_verified_once(world: Any, verified: list[str]) -> None:
    for _ in range(5):
        assert status(world, basic("editor", PASSWORD))[0] == 200
    assert len(verified) == 1
    assert status(world, basic("editor", PASSWORD + "x"))[0] == 401
    assert status(world, basic("author", PASSWORD))[0] == 200
    assert len(verified) == 3


def test_an_unknown_user_costs_as_much_as_a_known_one(world: Any, verified: list[str]) -> None:
    known, unknown = (world.get(ME, headers=basic(name, "guess")) for name in ("editor", "nobody"))
    assert len(verified) == 2
    assert all(stored.startswith("$argon2id$") for stored in verified)
    assert everything_said(known) == everything_said(unknown)


def test_a_changed_password_or_role_counts_in_every_process_at_once(both: Any) -> None:
    world, another = both
    for service in both:
        assert service.get(ME, headers=basic("editor", PASSWORD)).status_code == 200
    change(world, "editor", password="another password")
    for service in both:
        assert service.get(ME, headers=basic("editor", PASSWORD)).status_code == 401
        assert service.get(ME, headers=basic("editor", "another password")).status_code == 200
    change(world, "editor", role="subscriber")
    for service in both:
        assert service.get(ME, headers=basic("editor", "another password")).json()["role"] == "subscriber"
        assert service.get("/users", headers=bearer(world.tokens["editor"])).status_code == 403
    found = another.calendar.read(SERVICE, users.find_user_by_name, "editor")
    assert found is not None
    users.remove_in_parts(another.calendar, SERVICE, found, None)
    for service in both:
        assert service.get(ME, headers=basic("editor", "another password")).status_code == 401
        assert service.get(ME, headers=bearer(world.tokens["editor"])).json()["code"] == "invalid_token"


@pytest.mark.parametrize("purpose", ["bearer", "application"])
def test_a_revoked_or_expired_token_ends_in_every_process_at_once(both: Any, purpose: str) -> None:
    world, _ = both
    ending = issue(world, "editor", purpose=purpose, expires=NOW + timedelta(hours=1))
    revoked = issue(world, "editor", purpose=purpose)
    sent = [bearer(clear) if purpose == "bearer" else basic("editor", clear) for clear in (ending, revoked)]
    for service in both:
        assert [service.get(ME, headers=headers).status_code for headers in sent] == [200, 200]
    tokens = world.get(f"/users/{world.ids['editor']}/tokens", "administrator").json()["tokens"]
    assert world.delete(f"/users/{world.ids['editor']}/tokens/{tokens[-1]['id']}").status_code == 200
    for service in both:
        assert [service.get(ME, headers=headers).status_code for headers in sent] == [200, 401]
    world.clock.move(hours=1, seconds=1)
    for service in both:
        assert [service.get(ME, headers=headers).status_code for headers in sent] == [401, 401]


def test_secrets_are_stored_as_digests_only(world: Any) -> None:
    clear = [issue(world, "editor"), issue(world, "editor", purpose="application"), PASSWORD, "event secret"]
    world.make("events", post_password="event secret")
    for headers in (bearer(clear[0]), basic("editor", clear[1]), basic("editor", PASSWORD)):
        assert world.get(ME, headers=headers).status_code == 200
    dump = repr(contents(world.calendar.store))
    assert "$argon2id$" in dump
    for secret in clear:
        assert secret not in dump
        assert secret.encode().hex() not in dump.lower()


def test_secrets_are_neither_logged_nor_repeated(world: Any, caplog: Any, monkeypatch: Any) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "Tr0ub4dor-and-3"
    event = world.make("events", post_password="another")["id"]
    answers = [world.get(ME, headers=basic("editor", secret)), world.get(ME, headers=bearer(secret))]
    answers += [world.get(f"/events/{event}?password={secret}"), world.get(f"/events?password={secret}&per_page=1")]
    answers += [world.post("/users", json={"name": "x", "role": "nobody", "password": secret})]
    answers += [world.put(f"/events/{event}", json={"post_password": secret, "password": secret})]
    monkeypatch.setattr("kalends.http.api.resources.read_post", lambda *_: 1 / 0)
    answers += [world.get(f"/events/{event}?password={secret}", headers=basic("editor", PASSWORD))]
    assert answers[-1].status_code == 500
    assert [secret in everything_said(answer) for answer in answers] == [False] * len(answers)
    # The client of these tests logs every address; what counts is what the service logs.
    logged = "\n".join(caplog.handler.format(r) for r in caplog.records if not r.name.startswith("http"))
    assert "unexpected error" in logged
    assert secret not in logged
    assert PASSWORD not in logged
