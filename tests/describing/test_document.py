"""The OpenAPI document: valid, the same in every language, and neither more nor less than the service."""

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import falcon.inspect
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from PIL import Image
from tests.conftest import COMPAT_NS, NS
from tests.describing.record_examples import CONCERT

from kalends.contract.errors import faults
from kalends.contract.kinds import KINDS
from kalends.contract.operations import addresses
from kalends.contract.representations import REPRESENTATIONS
from kalends.languages import LANGUAGES, tag, translate
from kalends.server.answers import METHODS
from kalends.server.app import make_app

Json = dict[str, Any]
WORDS = ("description", "summary")
OWN = {method.lower() for method in METHODS}
BODIES = {"application/json", "application/x-www-form-urlencoded", "multipart/form-data"}


@pytest.fixture
def document(world) -> Json:
    answer = world.get("/doc")
    assert answer.status_code == 200
    found: Json = answer.json()
    return found


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def resolved(document: Json, node: Json) -> Json:
    while "$ref" in node:
        place: Any = document
        for step in node["$ref"].removeprefix("#/").split("/"):
            place = place[step]
        node = place
    return node


def stripped(node: Any, *, named: bool = False) -> Any:
    """Without descriptions; `named` when the keys are names of parameters and fields, not of OpenAPI."""
    if isinstance(node, list):
        return [stripped(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        key: stripped(value, named=key in ("properties", "patternProperties") and not named)
        for key, value in node.items()
        if named or not (key in WORDS and isinstance(value, str))
    }


# Languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_valid_openapi(world, language: str) -> None:
    document = world.get(f"/doc?lang={tag(language)}").json()
    assert document["openapi"].startswith("3.1")
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_without_its_words_it_is_the_same_in_every_language(world) -> None:
    documents = {language: world.get(f"/doc?lang={tag(language)}").json() for language in LANGUAGES}
    assert len({json.dumps(stripped(document)) for document in documents.values()}) == 1
    # The words are not: what was taken away is what differs.
    assert len({json.dumps(document) for document in documents.values()}) == len(LANGUAGES)


def test_stripping_takes_only_words() -> None:
    before = {"description": "x", "properties": {"description": {"type": "string", "description": "x"}}}
    assert stripped(before) == {"properties": {"description": {"type": "string"}}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_has_words_in_every_language(world, language: str) -> None:
    document = world.get(f"/doc?lang={tag(language)}").json()
    for path, method, operation in operations(document):
        assert operation["summary"], (path, method)
        for parameter in operation["parameters"]:
            assert resolved(document, parameter)["description"], (path, method, parameter)
        for response in operation["responses"].values():
            assert resolved(document, response)["description"]
    schemas = document["components"]["schemas"]
    for shape in REPRESENTATIONS:
        assert schemas[shape.name]["description"] == translate(shape.meaning, language)
        for key in shape.keys:
            assert schemas[shape.name]["properties"][key.name]["description"] == translate(key.meaning, language)
    for header in document["components"]["headers"].values():
        assert header["description"]


# The contract and the document


def test_every_route_of_the_service_is_in_it_and_no_other(world, document) -> None:
    app = make_app(world.calendar)
    while not isinstance(app, falcon.App):  # what stands before it
        app = app.app
    routes: dict[str, set[str]] = {}
    for route in falcon.inspect.inspect_routes(app):
        path = re.sub(r":\w+", "", route.path)
        below = path.removeprefix("/api/calendar/events/v1") if path.startswith("/api/calendar") else None
        if below is not None:
            routes[below or "/"] = {one.method.lower() for one in route.methods if not one.internal} & OWN
    described = {path: set(methods) for path, methods in document["paths"].items()}
    assert described == routes
    assert len(routes) > 20


def test_both_prefixes_give_it_with_their_own_address(world, document) -> None:
    other = world.get(f"{COMPAT_NS}/doc").json()
    assert document["servers"] == [{"url": NS}]
    assert other["servers"] == [{"url": COMPAT_NS}]
    assert other["paths"] == document["paths"]


def test_every_parameter_and_field_is_in_it_and_no_other(document) -> None:
    for address in addresses():
        path = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"{\1}", address.pattern) or "/"
        for operation in address.operations:
            for method in operation.methods:
                found = document["paths"][path][method.lower()]
                own = {one["name"]: one for one in found["parameters"] if "$ref" not in one}
                shown = {name for name, one in own.items() if one["in"] != "path"}
                contract = {field.name for field in operation.parameters} - {"lang"}
                if "requestBody" in found:
                    assert shown == set()
                    content = found["requestBody"]["content"]
                    for media_type in BODIES & set(content):
                        schema = resolved(document, content[media_type]["schema"])
                        in_path = {one["name"] for one in own.values()} - {"slug"}
                        by_slug = {"slug"} if "{slug}" in path else set()
                        assert set(schema["properties"]) == (contract | by_slug) - in_path, (path, method)
                        required = {f.name for f in operation.parameters if f.required} - {"id", "slug", "token"}
                        assert set(schema.get("required", ())) == required
                else:
                    assert shown == contract - {one["name"] for one in own.values() if one["in"] == "path"}
                assert {one["name"] for one in own.values() if one["in"] == "path"} == set(
                    re.findall(r"{(\w+)}", path)
                )


def test_bodies_come_in_all_three_encodings(document) -> None:
    with_bodies = [(path, one["requestBody"]) for path, _, one in operations(document) if "requestBody" in one]
    assert len(with_bodies) > 30
    for path, body in with_bodies:
        content = set(body["content"])
        if path == "/media":
            assert content == {
                "multipart/form-data",
                "image/png",
                "image/jpeg",
                "image/gif",
                "image/webp",
                "image/avif",
            }
        else:
            assert content == BODIES


def test_every_representation_and_key_is_in_it_and_no_other(document) -> None:
    schemas = document["components"]["schemas"]
    for shape in REPRESENTATIONS:
        assert list(schemas[shape.name]["properties"]) == [key.name for key in shape.keys]
        assert schemas[shape.name]["required"] == [key.name for key in shape.keys if key.always]
    used = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert used == set(schemas)


def test_every_error_is_in_it_with_a_real_answer_and_no_other(document) -> None:
    described: dict[str, Json] = {}
    for response in document["components"]["responses"].values():
        described |= response["content"]["application/json"]["examples"]
    assert set(described) == set(faults())
    for name, fault in faults().items():
        assert described[name]["value"]["code"] == fault.code
        assert described[name]["value"]["data"]["status"] == fault.status
    for address in addresses():
        path = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"{\1}", address.pattern) or "/"
        for operation in address.operations:
            for method in operation.methods:
                responses = document["paths"][path][method.lower()]["responses"]
                for fault in operation.faults:
                    response = resolved(document, responses[str(fault.status)])
                    values = [one["value"] for one in response["content"]["application/json"]["examples"].values()]
                    assert fault.code in {value["code"] for value in values}, (path, method, fault)


def test_every_operation_has_a_real_answer(document) -> None:
    for path, method, operation in operations(document):
        [status] = {"200", "201"} & set(operation["responses"])
        [(media_type, content)] = operation["responses"][status]["content"].items()
        assert method
        assert media_type == ("text/calendar" if path == "/events.ics" else "application/json")
        check(document, content["schema"], content["example"], partial=path in ("/", "/doc"))


def test_errors_say_their_headers(document) -> None:
    for name, response in document["components"]["responses"].items():
        headers = set(response["headers"])
        assert "Content-Language" in headers
        assert ("WWW-Authenticate" in headers) == name.startswith("401-")
        assert ("Retry-After" in headers) == name.startswith(("429-", "503-"))
        assert ("Allow" in headers) == name.startswith("405-")


def test_who_has_to_log_in(document) -> None:
    for path, method, operation in operations(document):
        open_to_all = method == "get" and not path.startswith("/users")
        assert operation.get("security", document["security"]) == (
            [{}, {"basic": []}, {"bearer": []}] if open_to_all else [{"basic": []}, {"bearer": []}]
        ), (path, method)


def test_extensions_are_marked(document) -> None:
    marked = {path for path, _, operation in operations(document) if operation.get("x-extension")}
    assert marked == {path for path in document["paths"] if path.startswith(("/media", "/users", "/events.ics"))}
    schemas = document["components"]["schemas"]
    assert {n for n, one in schemas["Event"]["properties"].items() if one.get("x-extension")} == {
        "ticketed", "tickets", "post_parent", "rev",
    }  # fmt: skip
    assert {n for n, one in schemas["CreateEvent"]["properties"].items() if one.get("x-extension")} == {
        "post_password", "post_parent", "tickets",
    }  # fmt: skip
    shown = {one["name"]: one for one in document["paths"]["/events"]["get"]["parameters"] if "name" in one}
    assert {name for name, one in shown.items() if one.get("x-extension")} == {
        "geoloc_radius", "exclude", "show_hidden", "modified_after", "orderby", "order", "password",
    }  # fmt: skip


def test_general_parameters_are_where_they_matter(document) -> None:
    places: dict[str, set[tuple[str, str]]] = {}
    for path, method, operation in operations(document):
        for one in operation["parameters"]:
            if "$ref" in one:
                places.setdefault(resolved(document, one)["name"], set()).add((path, method))
    everywhere = {(path, method) for path, method, _ in operations(document)}
    posts = re.compile(r"/(events|venues|organizers)/")
    assert places.pop("lang") == everywhere
    assert places.pop("_fields") == everywhere - {("/events.ics", "get")}  # a feed has no keys to choose
    assert (
        places.pop("_method")
        == places.pop("X-HTTP-Method-Override")
        == {(path, method) for path, method in everywhere if method == "post" and (path, "put") in everywhere}
    )
    assert places.pop("If-Match") == {
        (path, method) for path, method in everywhere if posts.match(path) and method != "get"
    }
    assert places.pop("If-None-Match") == {
        (path, method) for path, method in everywhere if method == "get" and not path.startswith("/users")
    }
    assert places == {}


# The document and the service


def check(document: Json, schema: Json, json: Any, *, partial: bool = False) -> None:
    """An answer has the form that is described, and no key that is not."""
    if not partial:
        validator = Draft202012Validator(schema | {"components": document["components"]})
        assert [error.message for error in validator.iter_errors(json)] == []
    undescribed = list(unknown_keys(document, schema, json))
    assert undescribed == []


def unknown_keys(document: Json, schema: Json, json: Any, where: str = "") -> Iterator[str]:
    schema = resolved(document, schema)
    if "anyOf" in schema:
        fitting = [
            one
            for one in schema["anyOf"]
            if Draft202012Validator(one | {"components": document["components"]}).is_valid(json)
        ]
        yield from unknown_keys(document, fitting[0], json, where)
    elif isinstance(json, list) and "items" in schema:
        for element in json:
            yield from unknown_keys(document, schema["items"], element, where)
    elif isinstance(json, dict) and ("properties" in schema or "additionalProperties" in schema):
        for key, value in json.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if inner is None:
                yield f"{where}.{key}"
            else:
                yield from unknown_keys(document, inner, value, f"{where}.{key}")


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
    file = io.BytesIO()
    Image.new("RGB", (1200, 900)).save(file, "PNG")
    upload = world.post("/media", content=file.getvalue(), headers={"Content-Type": "image/png"})
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
