"""Users and tokens over HTTP: for administrators only, with secrets shown once or never."""

from typing import Any

import pytest
from tests.calendar.access.requests import basic, bearer, everything_said
from tests.conftest import PASSWORD

NEW = {"name": "newcomer", "role": "author", "password": "a good password"}
ROLES = ("subscriber", "contributor", "author", "editor", "administrator")


def requests(world: Any) -> list[tuple[str, str, dict[str, Any]]]:
    user = world.ids["other_author"]
    return [
        ("GET", "/users", {}),
        ("POST", "/users", NEW),
        ("GET", f"/users/{user}", {}),
        ("PUT", f"/users/{user}", {"role": "administrator"}),
        ("PATCH", f"/users/{user}", {"password": "another password"}),
        ("POST", f"/users/{user}?_method=DELETE", {}),
        ("GET", f"/users/{user}/tokens", {}),
        ("POST", f"/users/{user}/tokens", {"name": "mine"}),
        ("DELETE", f"/users/{user}/tokens/7", {}),
        ("DELETE", f"/users/{user}", {}),
    ]


@pytest.mark.parametrize("role", ["anonymous", *ROLES[:-1]])
def test_only_administrators_have_access(world: Any, role: str) -> None:
    """Others do not even learn which users exist."""
    before = world.count()
    for method, path, body in requests(world):
        response = world.ask(method, path, role, json=body)
        assert (response.status_code, response.json()["code"]) == (
            401 if role == "anonymous" else 403,
            "rest_forbidden",
        )
        missing = world.ask(method, path.replace(f"/{world.ids['other_author']}", "/987654"), role, json=body)
        assert everything_said(missing) == everything_said(response)
    assert world.count() == before


def test_administrators_have_access(world: Any) -> None:
    codes = [
        world.ask(method, path, "administrator", json=body).status_code for method, path, body in requests(world)
    ]
    assert codes == [200, 201, 200, 200, 200, 200, 404, 404, 404, 404]  # the sixth removes the user


@pytest.mark.parametrize("role", ROLES)
def test_every_role_can_read_users_me(world: Any, role: str) -> None:
    me = world.get("/users/me", role)
    assert me.headers["cache-control"] == "private, no-store"
    found = me.json()
    assert (found["id"], found["name"], found["role"], found["read_only"]) == (world.ids[role], role, role, False)
    assert world.put("/users/me", role, json={"role": "administrator"}).status_code == 405


def test_users_me_needs_a_credential(world: Any) -> None:
    refused = world.get("/users/me")
    assert (refused.status_code, refused.json()["code"]) == (401, "rest_forbidden")


def test_a_read_only_token_of_an_administrator_reads(world: Any) -> None:
    path = f"/users/{world.ids['administrator']}/tokens"
    clear = world.post(path, json={"name": "look", "read_only": True}).json()["token"]
    for method, address, body in requests(world):
        response = world.ask(method, address, headers=bearer(clear), json=body)
        assert response.status_code == (200 if method == "GET" else 403), (method, address)
    assert world.get("/users/me", headers=bearer(clear)).json()["read_only"] is True
    assert world.ask("POST", "/categories", headers=bearer(clear), json={"name": "C"}).status_code == 403
    assert world.ask("POST", "/media", headers=bearer(clear), content=b"").status_code == 403


def test_no_answer_holds_a_password_or_a_digest(world: Any) -> None:
    made = world.post("/users", json=NEW)
    id = made.json()["id"]
    answers = [made, world.get("/users", "administrator"), world.get(f"/users/{id}", "administrator")]
    answers += [world.put(f"/users/{id}", json={"password": "yet another one", "name": "renamed"})]
    answers += [world.get("/users/me", headers=basic("renamed", "yet another one"))]
    token = world.post(f"/users/{id}/tokens", json={"name": "t", "purpose": "application"})
    clear = token.json()["token"]
    answers += [world.get(f"/users/{id}/tokens", "administrator")]
    answers += [world.get(f"/users/{id}/tokens?_fields=token,digest,user,name", "administrator")]
    answers += [world.delete(f"/users/{id}/tokens/{token.json()['id']}"), world.delete(f"/users/{id}")]
    assert [answer.status_code for answer in answers] == [201, *[200] * 8]
    for answer in answers:
        said = everything_said(answer)
        assert not [
            word for word in ("argon2", "digest", NEW["password"], "yet another", clear, "kal_") if word in said
        ]
    assert set(made.json()) == {"id", "name", "role", "email", "created_utc"}
    assert token.text.count(clear) == 1


def test_a_token_is_shown_once_and_works(world: Any) -> None:
    path = f"/users/{world.ids['author']}/tokens"
    made = world.post(path, json={"name": "phone", "expires": "2026-12-01"}).json()
    assert made["token"].startswith("kal_")
    assert world.get("/users/me", headers=bearer(made["token"])).json()["name"] == "author"
    world.calendar.write_collected()
    world.clock.move(minutes=11)
    listed = world.get(path, "administrator").json()["tokens"][-1]
    assert (listed["name"], listed["used_utc"], listed["expires_utc"]) == (
        "phone",
        "2026-11-15 12:00:00",
        "2026-12-01 05:00:00",
    )
    assert "token" not in listed
    other = f"/users/{world.ids['editor']}/tokens/{made['id']}"
    assert world.delete(other).status_code == 404
    assert world.delete(f"{path}/{made['id']}").status_code == 200
    assert world.get("/users/me", headers=bearer(made["token"])).status_code == 401
    assert world.delete(f"{path}/{made['id']}").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x", "expires": "yesterday"},
        {"name": "x", "expires": "no date"},
        {"name": "x", "purpose": "session"},
        {"name": "x", "read_only": "perhaps"},
        {"name": "a\u200bb"},
        {"name": "x" * 101},
    ],
)
def test_invalid_tokens_are_refused(world: Any, body: dict[str, Any]) -> None:
    before = world.count()
    response = world.post(f"/users/{world.ids['author']}/tokens", json=body)
    assert response.status_code == 400
    assert world.count() == before


@pytest.mark.parametrize(
    "body",
    [
        {"name": ""},
        {"name": "author"},
        {"name": "AUTHOR"},
        {"name": " \t "},
        {"name": "a/b"},
        {"name": "a:b"},
        {"role": "superuser"},
        {"role": "anonymous"},
        {"role": ["administrator"]},
        {"password": "short"},
        {"password": None},
        {"password": ""},
        {"password": "x" * 300},
    ],
)
def test_invalid_users_are_refused(world: Any, body: dict[str, Any]) -> None:
    before = world.count()
    assert world.post("/users", json=NEW | body).status_code == 400
    assert world.put(f"/users/{world.ids['editor']}", json=body).status_code == 400
    assert world.count() == before


def test_the_last_administrator_stays(world: Any) -> None:
    path = f"/users/{world.ids['administrator']}"
    for response in (world.put(path, json={"role": "editor"}), world.delete(path)):
        assert (response.status_code, response.json()["code"]) == (400, "rest_invalid_user")
    assert world.put(f"/users/{world.ids['editor']}", json={"role": "administrator"}).status_code == 200
    assert world.put(path, json={"role": "editor"}).status_code == 200
    assert world.get("/users", "administrator").status_code == 403  # from this very moment
    assert world.get("/users", "editor").status_code == 200


def test_records_of_a_removed_user_are_reassigned(world: Any) -> None:
    event = world.make("events", "author")
    venue = world.make("venues", "author", venue="Hall", status="draft")
    removed, successor = world.ids["author"], world.ids["editor"]
    for query in ("", "?reassign=987654", f"?reassign={removed}", "?reassign=x"):
        assert world.delete(f"/users/{removed}{query}").status_code == 400, query
    assert world.get(f"/events/{event['id']}").json()["author"] == str(removed)
    assert world.delete(f"/users/{removed}?reassign={successor}").status_code == 200
    assert world.get(f"/events/{event['id']}").json()["author"] == str(successor)
    assert world.read("venues", venue["id"])["author"] == str(successor)
    assert world.get("/users/me", "author").status_code == 401
    assert world.get("/users/me", headers=basic("author", PASSWORD)).status_code == 401
    again = world.post("/users", json={"name": "author", "role": "author", "password": PASSWORD}).json()
    assert again["id"] != removed  # ids are not reused
    assert world.get("/users/me", "author").status_code == 401
