"""The OpenAPI document and the service: every answer has the form that is described."""

import json
from typing import Any

import pytest
from tests.contract.documents import CONCERT, Json, check, resolved, unknown_keys
from tests.pictures import png

from kalends.contract.kinds import KINDS


def answer_schema(document: Json, path: str, method: str, status: int) -> Json:
    response = resolved(document, document["paths"][path][method]["responses"][str(status)])
    schema: Json = response["content"]["application/json"]["schema"]
    return schema


def check_answer(document: Json, path: str, answer: Any) -> Any:
    """An answer of the service: its status, its form, its keys and its headers are described."""
    method = answer.request.method.lower()
    check(document, answer_schema(document, path, method, answer.status_code), answer.json())
    response = resolved(document, document["paths"][path][method]["responses"][str(answer.status_code)])
    for name, header in response["headers"].items():
        assert name in answer.headers or not resolved(document, header)["required"], name
    return answer.json()


def test_an_unknown_key_would_be_found(document) -> None:
    schema = {"$ref": "#/components/schemas/Error"}
    good = {"code": "a", "message": "b", "data": {"status": 400}}
    check(document, schema, good)
    assert list(unknown_keys(document, schema, good | {"more": 1})) == [".more"]
    assert list(unknown_keys(document, schema, good | {"data": {"status": 400, "more": 1}})) == [".data.more"]
    with pytest.raises(AssertionError):
        check(document, schema, {"code": "a"})


def test_answers_of_every_kind_are_as_described(world, document) -> None:
    file = png(1200, 900)
    upload = world.post("/media", content=file, headers={"Content-Type": "image/png"})
    image = check_answer(document, "/media", upload)["id"]
    check_answer(document, "/media/{id}", world.get(f"/media/{image}", "administrator"))
    ticket = {"name": "Seat", "price": 12.5, "currency": "EUR", "url": "https://a.test/", "capacity": 5}
    more: dict[str, Json] = {
        "event": CONCERT | {"image": image, "tickets": [ticket | {"starts": "2027-01-01", "ends": "2027-02-01"}]},
        "venue": {"venue": "A", "image": image, "geo_lat": 1, "geo_lng": 2, "description": "B", "excerpt": "C",
                  "address": "D", "city": "E", "country": "F", "province": "G", "state": "H", "zip": "I",
                  "phone": "J", "website": "https://k.test/ü"},
        "organizer": {"organizer": "A", "image": image, "description": "B", "excerpt": "C", "phone": "D",
                      "website": "https://e.test/", "email": "f@g.test"},
        "category": {"name": "A", "description": "B", "parent": 0},
        "tag": {"name": "A", "description": "B"},
    }  # fmt: skip
    least = {"event": {"title": "A", "start_date": "2027-01-01", "end_date": "2027-01-02"}}
    for kind in KINDS:
        path = f"/{kind.plural}"
        for body in (more[kind.name], least.get(kind.name, {kind.name_field: "Least"})):
            made = check_answer(document, path, world.post(path, json=body))
            one = f"{path}/{made['id']}"
            check_answer(document, f"{path}/{{id}}", world.get(one))
            for method in ("POST", "PUT", "PATCH"):
                check_answer(document, f"{path}/{{id}}", world.ask(method, one, "administrator", json={}))
            if not kind.is_term:
                by_slug = f"{path}/by-slug/{made['slug']}"
                check_answer(document, f"{path}/by-slug/{{slug}}", world.get(by_slug))
                check_answer(document, f"{path}/by-slug/{{slug}}", world.put(by_slug, json={}))
        check_answer(document, path, world.get(f"{path}?per_page=1&start_date=2026-01-01"))
        check_answer(document, path, world.get(f"{path}?per_page=1&page=2", "administrator"))
        check_answer(document, f"{path}/{{id}}", world.delete(one))


def test_keys_that_are_absent_when_empty_do_come(world, document) -> None:
    """Each optional key of the five kinds is in some real answer: none is described that never comes."""
    examples = json.dumps(document["components"]["schemas"])
    assert "json_ld" in examples
    category = world.make("categories", name="Above")
    below = world.make("categories", name="Below", parent=category["id"])
    check(document, {"$ref": "#/components/schemas/Term"}, below)
    assert set(below["urls"]) == {"self", "collection", "up"}


def test_a_masked_event_is_as_described(world, document) -> None:
    world.make("events", **(CONCERT | {"post_password": "sesame"}))
    listed = check_answer(document, "/events", world.get("/events"))["events"]
    assert [event["featured"] for event in listed] == [None]


def test_index_and_document_are_as_described(world, document) -> None:
    check_answer(document, "/", world.get("/"))
    assert world.get("/doc").json() == document


def test_304_is_as_described(world, document) -> None:
    world.make("venues", venue="A")
    first = world.get("/venues")
    again = world.get("/venues", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    headers = document["paths"]["/venues"]["get"]["responses"]["304"]["headers"]
    assert set(headers) == {"ETag"}
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.content == b""


def test_users_and_tokens_are_as_described(world, document) -> None:
    user = {"name": "maria", "role": "editor", "password": "long enough"}
    made = check_answer(document, "/users", world.post("/users", json=user))
    path = f"/users/{made['id']}"
    check_answer(document, "/users", world.get("/users", "administrator"))
    check_answer(document, "/users/me", world.get("/users/me", "author"))
    check_answer(document, "/users/{id}", world.get(path, "administrator"))
    check_answer(document, "/users/{id}", world.put(path, json={"role": "author"}))
    tokens = "/users/{id}/tokens"
    body = {"name": "phone", "expires": "2030-01-01", "read_only": True, "purpose": "application"}
    token = check_answer(document, tokens, world.post(f"{path}/tokens", json=body))
    check_answer(document, tokens, world.get(f"{path}/tokens", "administrator"))
    check_answer(document, f"{tokens}/{{token}}", world.delete(f"{path}/tokens/{token['id']}"))
    check_answer(document, "/users/{id}", world.delete(path))


def test_fields_and_method_do_what_they_say(world) -> None:
    """The two that are not sent by the random requests."""
    event = world.make("events")
    assert set(world.get(f"/events/{event['id']}?_fields=id,title").json()) == {"id", "title"}
    listed = world.get("/events?_fields=id").json()
    assert listed["events"] == [{"id": event["id"]}]
    assert listed["total"] == 1
    answer = world.post(f"/events/{event['id']}?_method=DELETE")
    assert answer.json()["status"] == "trash"
    override = {"X-HTTP-Method-Override": "DELETE"}
    assert world.post(f"/events/{event['id']}", headers=override).status_code == 410


def test_the_document_says_that_fields_leaves_required_keys_out(world, document) -> None:
    event = world.make("events")
    required = set(document["components"]["schemas"]["Event"]["required"])
    sent = set(world.get(f"/events/{event['id']}?_fields=id,title").json())
    assert required - sent  # so the schema alone would be wrong
    parameter = next(one for one in document["components"]["parameters"].values() if one["name"] == "_fields")
    assert "required keys that it does not name are missing" in parameter["description"]
    refers = {"$ref": "#/components/parameters/fields"}
    for path in ("/events", "/events/{id}", "/venues/{id}", "/categories/{id}"):
        assert refers in document["paths"][path]["get"]["parameters"], path
