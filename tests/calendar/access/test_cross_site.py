"""Cross-site requests: writes from pages of other sites with credentials that a browser adds by itself."""

from typing import Any

import pytest
from tests.calendar.access.requests import basic
from tests.conftest import PASSWORD

FOREIGN = {"Sec-Fetch-Site": "cross-site"}
OTHER_ORIGIN = {"Origin": "https://evil.test"}
FORM = {"name": "mallory", "role": "administrator", "password": "long enough"}
REMEMBERED = basic("administrator", PASSWORD)


def users(world: Any) -> int:
    return int(world.get("/users", "administrator").json()["total"])


@pytest.mark.parametrize(
    "headers",
    [
        FOREIGN,
        OTHER_ORIGIN,
        {"Origin": "null"},
        OTHER_ORIGIN | {"Sec-Fetch-Site": "same-site"},
        FOREIGN | OTHER_ORIGIN,
    ],
)
@pytest.mark.parametrize("form", ["url-encoded", "multipart", "text", "untyped", "nothing"])
def test_a_form_of_another_site_writes_nothing(world: Any, headers: dict[str, str], form: str) -> None:
    before = users(world)
    sent: dict[str, Any] = {
        "url-encoded": {"data": FORM},
        "multipart": {"files": {name: (None, value) for name, value in FORM.items()}},
        "text": {"content": '{"name": "mallory"}', "headers": {"Content-Type": "text/plain"}},
        "untyped": {"content": '{"name":"mallory","role":"administrator","password":"long enough"}'},
        "nothing": {},
    }[form]
    answer = world.post("/users", headers=REMEMBERED | headers | sent.pop("headers", {}), **sent)
    assert (answer.status_code, answer.json()["code"]) == (403, "rest_cross_site")
    assert users(world) == before


@pytest.mark.parametrize("override", ["?_method=DELETE", ""])
def test_an_overridden_method_is_refused_too(world: Any, override: str) -> None:
    made = world.make("events", title="Stays")
    headers = REMEMBERED | FOREIGN | ({} if override else {"X-HTTP-Method-Override": "DELETE"})
    assert world.post(f"/events/{made['id']}{override}", headers=headers).status_code == 403
    assert world.get(f"/events/{made['id']}").status_code == 200


def test_uploads_are_covered(world: Any) -> None:
    answer = world.post("/media", files={"file": ("a.png", b"", "image/png")}, headers=REMEMBERED | FOREIGN)
    assert answer.json()["code"] == "rest_cross_site"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://calendar.test"},
        {"Origin": "https://calendar.test", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_same_origin_pages_and_programs_can_write(world: Any, headers: dict[str, str]) -> None:
    answer = world.post("/tags", data={"name": "Own"}, headers=REMEMBERED | headers)
    assert answer.status_code == 201, answer.text


def test_the_address_of_the_site_is_the_one_of_the_settings(make_world: Any) -> None:
    world = make_world(base_url="https://events.example.org")
    own = {"Origin": "https://events.example.org"}
    assert world.post("/tags", data={"name": "Own"}, headers=REMEMBERED | own).status_code == 201
    forged = {"Origin": "http://calendar.test"}
    assert world.post("/tags", data={"name": "Other"}, headers=REMEMBERED | forged).status_code == 403


def test_tokens_and_json_are_exempt(world: Any) -> None:
    assert world.post("/tags", data={"name": "By token"}, headers=FOREIGN | OTHER_ORIGIN).status_code == 201
    answer = world.post("/tags", json={"name": "By JSON"}, headers=REMEMBERED | FOREIGN | OTHER_ORIGIN)
    assert answer.status_code == 201  # the browser asks first, and is not told yes with credentials


def test_a_refused_write_is_not_counted_as_a_wrong_password(world: Any) -> None:
    wrong = basic("editor", "guess") | FOREIGN
    assert {world.post("/tags", data={"name": "N"}, headers=wrong).status_code for _ in range(10)} == {403}
    assert world.get("/users/me", headers=basic("editor", PASSWORD)).status_code == 200


def test_reads_are_allowed(world: Any) -> None:
    assert world.get("/users", headers=REMEMBERED | FOREIGN).status_code == 200


def test_the_description_documents_the_error(world: Any) -> None:
    document = world.get("/doc").json()
    name = document["paths"]["/events"]["post"]["responses"]["403"]["$ref"].rpartition("/")[2]
    assert "rest_cross_site" in str(document["components"]["responses"][name])
