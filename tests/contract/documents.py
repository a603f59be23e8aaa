"""The OpenAPI document taken apart, and answers held against it."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import falcon
from falcon.routing import CompiledRouter
from jsonschema import Draft202012Validator

from kalends.calendar.service import Calendar
from kalends.http.messages.responses import METHODS
from kalends.http.router import add_converters
from kalends.http.service import Extension, Service
from kalends.worker import parts

Json = dict[str, Any]
WORDS = ("description", "summary")
OWN = {method.lower() for method in METHODS}
BODIES = {"application/json", "application/x-www-form-urlencoded", "multipart/form-data"}

CONCERT = {
    "title": "Spring concert",
    "start_date": "2027-03-20 19:30:00",
    "end_date": "2027-03-20 22:00:00",
    "timezone": "Europe/Paris",
    "description": "<p>The orchestra opens the season.</p>",
    "cost": "20 €",
    "website": "https://orchestra.example/spring",
    "categories": ["Music"],
    "tags": ["outdoor"],
    "venue": {"venue": "Town hall", "city": "Lyon", "country": "France"},
    "organizer": [{"organizer": "City orchestra", "email": "hello@orchestra.example"}],
}


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


class _Routes(CompiledRouter):
    """A router that only notes which methods each path has."""

    def __init__(self) -> None:
        super().__init__()
        self.methods: dict[str, set[str]] = {}

    def add_route(self, uri_template: str, resource: object, **more: Any) -> None:
        path = re.sub(r":\w+", "", uri_template)
        self.methods[path] = {method.lower() for method in self.map_http_methods(resource, **more)} & OWN


def routes_of(calendar: Calendar, extensions: Sequence[Extension]) -> dict[str, set[str]]:
    """The methods of each path of the service."""
    routes = _Routes()
    app: falcon.App[Any, Any] = falcon.App(router=routes)
    add_converters(app)
    for add in parts(extensions):
        add(app, Service(calendar, extensions))
    return routes.methods


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


def check(document: Json, schema: Json, json: Any, *, partial: bool = False) -> None:
    """An answer has the form that is described, and no key that is not."""
    if not partial:
        validator = Draft202012Validator(schema | {"components": document["components"]})
        found = [error.message[:300] for error in validator.iter_errors(json)]
        assert found == [], found
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
            elif inner is not True:
                yield from unknown_keys(document, inner, value, f"{where}.{key}")
