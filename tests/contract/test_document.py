"""The OpenAPI document: valid, the same in every language, and neither more nor less than the contract."""

import json
import re
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from tests.conftest import COMPAT_NS, NS
from tests.contract.documents import BODIES, Json, operations, resolved, routes_of, stripped
from tests.effort import effort
from tests.feature_parts import feature_parts

from kalends.contract.errors import error_types
from kalends.contract.operations import addresses
from kalends.contract.representations import representations
from kalends.feature import declared
from kalends.languages import LANGUAGES, tag, translate

# What features add goes beyond the interface. Of that some is for who has logged in only.
OF_FEATURES = tuple({f"/{address.pattern.split('/')[1]}" for added in declared("addresses") for address in added})
FIELDS_OF_FEATURES = [field.name for added in declared("event_fields") for field in added]
FILTERS_OF_FEATURES = [field.name for added in declared("event_filters") for field in added]


def for_members() -> tuple[str, ...]:
    found = {path for part in feature_parts("answers") for path in getattr(part, "FOR_MEMBERS", ())}
    return ("/users", *found)


@pytest.fixture(scope="module")
def world(shared_world: Any) -> Any:
    return shared_world


# Languages


# Another language has other words and nothing else: the next test says so.
@pytest.mark.parametrize("language", effort(("ar",), LANGUAGES))
def test_it_is_valid_openapi(world, language: str) -> None:
    document = world.get(f"/doc?lang={tag(language)}").json()
    assert document["openapi"].startswith("3.1")
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_without_its_words_it_is_the_same_in_every_language(world) -> None:
    documents = {language: world.get(f"/doc?lang={tag(language)}").json() for language in LANGUAGES}
    assert len({json.dumps(stripped(document)) for document in documents.values()}) == 1
    # Only what was stripped differs.
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
    for shape in representations():
        assert schemas[shape.name]["description"] == translate(shape.meaning, language)
        for key in shape.keys:
            assert schemas[shape.name]["properties"][key.name]["description"] == translate(key.meaning, language)
    for header in document["components"]["headers"].values():
        assert header["description"]


# The contract and the document


def test_every_route_of_the_service_is_in_it_and_no_other(world, document) -> None:
    routes = {
        path.removeprefix("/api/calendar/events/v1") or "/": methods
        for path, methods in routes_of(world.calendar, declared("extension")).items()
        if path.startswith("/api/calendar")
    }
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
                        assert set(schema.get("required", ())) == required - in_path
                else:
                    assert shown == contract - {one["name"] for one in own.values() if one["in"] == "path"}
                assert {one["name"] for one in own.values() if one["in"] == "path"} == set(
                    re.findall(r"{(\w+)}", path)
                )


def test_bodies_come_in_all_three_encodings(document) -> None:
    with_bodies = [(path, one["requestBody"]) for path, _, one in operations(document) if "requestBody" in one]
    assert len(with_bodies) > 20
    for path, body in with_bodies:
        content = set(body["content"])
        if path == "/media":
            assert content == {"multipart/form-data", "application/octet-stream"}
        else:
            assert content == BODIES


def test_every_representation_and_key_is_in_it_and_no_other(document) -> None:
    schemas = document["components"]["schemas"]
    for shape in representations():
        assert list(schemas[shape.name]["properties"]) == [key.name for key in shape.keys]
        assert schemas[shape.name]["required"] == [key.name for key in shape.keys if key.always]
    used = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert used == set(schemas)


def test_every_error_is_in_it_with_a_real_answer_and_no_other(document) -> None:
    described: dict[str, Json] = {}
    for response in document["components"]["responses"].values():
        described |= response["content"]["application/json"]["examples"]
    assert set(described) == set(error_types())
    for name, error_type in error_types().items():
        assert described[name]["value"]["code"] == error_type.code
        assert described[name]["value"]["data"]["status"] == error_type.status
    for address in addresses():
        path = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"{\1}", address.pattern) or "/"
        for operation in address.operations:
            for method in operation.methods:
                responses = document["paths"][path][method.lower()]["responses"]
                for error_type in operation.error_types:
                    response = resolved(document, responses[str(error_type.status)])
                    values = [one["value"] for one in response["content"]["application/json"]["examples"].values()]
                    assert error_type.code in {value["code"] for value in values}, (path, method, error_type)


def test_errors_say_their_headers(document) -> None:
    for name, response in document["components"]["responses"].items():
        headers = set(response["headers"])
        assert "Content-Language" in headers
        assert ("WWW-Authenticate" in headers) == name.startswith("401-")
        assert ("Retry-After" in headers) == name.startswith(("429-", "503-"))
        assert ("Allow" in headers) == name.startswith("405-")


def test_who_has_to_log_in(document) -> None:
    for path, method, operation in operations(document):
        open_to_all = method == "get" and not path.startswith(for_members())
        assert operation.get("security", document["security"]) == (
            [{}, {"basic": []}, {"bearer": []}] if open_to_all else [{"basic": []}, {"bearer": []}]
        ), (path, method)


def test_extensions_are_marked(document) -> None:
    marked = {path for path, _, operation in operations(document) if operation.get("x-extension")}
    beyond = ("/media", "/users", "/events.ics", *OF_FEATURES)
    assert marked == {path for path in document["paths"] if path.startswith(beyond) or "/by-external/" in path}
    schemas = document["components"]["schemas"]
    assert {n for n, one in schemas["Event"]["properties"].items() if one.get("x-extension")} == {
        "ticketed", "tickets", "post_parent", "series", "series_of", "recurrence", "original_start", "occurrences",
        "rev", "source", "external_id", "event_status",
    }  # fmt: skip
    assert {n for n, one in schemas["CreateEvent"]["properties"].items() if one.get("x-extension")} == {
        "post_password", "post_parent", "tickets", "recurrence", "source", "external_id", "event_status",
        "custom_fields",
        *FIELDS_OF_FEATURES,
    }  # fmt: skip
    shown = {one["name"]: one for one in document["paths"]["/events"]["get"]["parameters"] if "name" in one}
    assert {name for name, one in shown.items() if one.get("x-extension")} == {
        "weekday", "time_of_day", "cost", "city", "country", "state", "custom", *FILTERS_OF_FEATURES,
        "geoloc_radius", "free", "online", "exclude", "author", "series", "whole", "collapse", "show_hidden",
        "source", "external_id", "modified_after", "search_in", "orderby", "order", "password",
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
        (path, method) for path, method in everywhere if method == "get" and not path.startswith(for_members())
    }
    assert places.pop("Idempotency-Key") == {(path, method) for path, method in everywhere if method != "get"}
    assert places == {}
