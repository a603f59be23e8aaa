"""`/sources` of the interface: for administrators, with errors that say what is wrong."""

from typing import Any

import pytest
from tests.conftest import BASE_URL, World
from tests.features.sources.calendars import Elsewhere, add, counts, entry, read


def test_create_read_change_and_remove(world: World, remote: Elsewhere) -> None:
    category = world.make("categories", name="From the town")
    response = world.post(
        "/sources",
        json={"address": remote.url, "name": "The town", "categories": [category["id"]], "take": ["jazz"]},
    )
    assert response.status_code == 201, response.text
    made = response.json()
    assert response.headers["Location"] == f"{world.ns}/sources/{made['id']}"
    assert made == {
        "id": made["id"],
        "address": remote.url,
        "name": "The town",
        "kind": "",
        "has_login": False,
        "every": "1h",
        "publish": "at_once",
        "categories": [category["id"]],
        "tags": [],
        "venue": 0,
        "organizer": 0,
        "author": world.ids["administrator"],
        "window": {"back": 1, "ahead": 12},
        "take": ["jazz"],
        "leave_out": [],
        "when_gone": "trash",
        "images": True,
        "active": True,
        "last_success": None,
        "next_run": "2026-11-15 12:00:00",
        "error": "",
        "failing_since": None,
        "created": 0,
        "changed": 0,
        "unchanged": 0,
        "gone": 0,
        "held": 0,
        "created_utc": "2026-11-15 12:00:00",
    }
    path = f"/sources/{made['id']}"
    assert world.get(path, "administrator").json() == made
    assert world.get("/sources", "administrator").json() == {"sources": [made], "total": 1}
    body = {"every": "15m", "publish": "review", "window": {"back": 0, "ahead": 3}, "when_gone": "cancel"}
    changed = world.put(path, json=body).json()
    assert {name: changed[name] for name in body} == body
    assert world.put(path, json={"active": False}).json()["next_run"] is None
    assert world.delete(path).status_code == 200
    assert world.get(path, "administrator").json()["code"] == "rest-source-not-found"


@pytest.mark.parametrize("who", ["anonymous", "contributor", "author", "editor"])
def test_only_administrators(world: World, remote: Elsewhere, who: str) -> None:
    path, expected = f"/sources/{add(world, remote)['id']}", 401 if who == "anonymous" else 403
    for method, address in (
        ("GET", "/sources"),
        ("POST", "/sources"),
        ("GET", path),
        ("PUT", path),
        ("DELETE", path),
        ("POST", f"{path}/read"),
    ):
        body: dict[str, Any] = {} if method in ("GET", "DELETE") else {"json": {"address": remote.url}}
        assert world.ask(method, address, who, **body).status_code == expected, (method, address)
    assert not remote.asked


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "address"),
        ({"address": "nonsense"}, "address"),
        ({"address": "ftp://town.example/events.ics"}, "address"),
        ({"address": "https://user:password@town.example/events.ics"}, "address"),
        ({"every": "10m"}, "every"),
        ({"every": "8d"}, "every"),
        ({"every": "soon"}, "every"),
        ({"publish": "never"}, "publish"),
        ({"window": {"back": -1}}, "window"),
        ({"window": "long"}, "window"),
        ({"when_gone": "cry"}, "when_gone"),
        ({"categories": [999]}, "categories"),
        ({"venue": 999}, "venue"),
        ({"author": 999}, "author"),
        ({"login": "secret"}, "login"),
    ],
)
def test_what_is_refused(world: World, body: dict[str, Any], field: str) -> None:
    if body and "address" not in body:
        body = {"address": "https://town.example/events.ics"} | body
    response = world.post("/sources", json=body)
    assert response.status_code == 400, response.text
    assert field in response.json()["data"]["params"]
    assert world.get("/sources", "administrator").json()["total"] == 0


def test_an_address_is_read_once(world: World, remote: Elsewhere) -> None:
    add(world, remote)
    response = world.post("/sources", json={"address": remote.url})
    assert "address" in response.json()["data"]["params"]


@pytest.mark.parametrize("address", ["http://127.0.0.1/a.ics", "http://[::1]/a.ics", "webcal://10.0.0.1/a.ics"])
def test_inner_addresses_are_refused(make_world: Any, address: str) -> None:
    guarded: World = make_world(base_url=BASE_URL)
    response = guarded.post("/sources", json={"address": address})
    assert response.status_code == 400
    assert "address" in response.json()["data"]["params"]


def test_a_login_is_sent_and_never_shown(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000"))
    made = add(world, remote, login={"user": "reader", "password": "very secret"})
    assert made["has_login"] is True
    assert counts(read(world, made)) == (1, 0, 0, 0, 0)
    assert remote.asked[0]["authorization"] == "Basic cmVhZGVyOnZlcnkgc2VjcmV0"
    shown = world.get(f"/sources/{made['id']}", "administrator").text + world.get("/sources", "administrator").text
    assert "secret" not in shown
    with world.calendar.store.read() as session:
        assert "secret" not in str(session.all("SELECT * FROM source"))
    assert world.put(f"/sources/{made['id']}", json={"login": None}).json()["has_login"] is False


def test_a_login_needs_a_key(make_world: Any, remote: Elsewhere) -> None:
    world: World = make_world(base_url=BASE_URL, fetch_private="true")
    response = world.post("/sources", json={"address": remote.url, "login": {"user": "reader", "password": "secret"}})
    assert (response.status_code, response.json()["code"]) == (400, "rest_invalid_source")
    assert "secret_key" in response.json()["message"]
