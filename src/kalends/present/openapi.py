"""The interface as an OpenAPI 3.1 document, made from the contract's tables."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from kalends import __version__
from kalends.contract.errors import N_, Fault
from kalends.contract.fields import ABSENT, Field
from kalends.contract.operations import MEDIA, Address, Operation, addresses
from kalends.contract.representations import REPRESENTATIONS, Key, ref
from kalends.languages import translate
from kalends.present.examples import example_of

Json = dict[str, Any]

PLACEHOLDER = re.compile(r"\(\?P<(\w+)>[^)]*\)")
BODY_TYPES = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif")
OK = N_("The answer.")
CREATED = N_("The record that was made.")

TITLE = N_("Calendar events")
ABOUT = N_(
    "Events, venues, organizers, categories and tags: list, read, create, update and delete. What is marked"
    " x-extension goes beyond the common interface."
)


@cache
def document(site_name: str, ns: str, language: str) -> Json:
    """Everything. It depends on nothing but its arguments, so it is made once for each."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{site_name}: calendar/events/v1",
            "version": __version__,
            "summary": translate(TITLE, language),
            "description": translate(ABOUT, language),
        },
        "servers": [{"url": ns}],
        "security": [{}, {"basic": []}, {"bearer": []}],
        "paths": {path_of(address): _path(address, language) for address in addresses()},
        "components": {
            "schemas": {
                shape.name: {"description": translate(shape.meaning, language), **_object(shape.keys, language)}
                for shape in REPRESENTATIONS
            },
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def path_of(address: Address) -> str:
    """The path as OpenAPI writes it: `/events/{id}`."""
    return PLACEHOLDER.sub(lambda match: "{" + match[1] + "}", address.pattern) or "/"


def _path(address: Address, language: str) -> Json:
    methods: Json = {}
    for operation in address.operations:
        for method in operation.methods:
            methods[method.lower()] = _operation(address, operation, method, language)
    return methods


def _operation(address: Address, operation: Operation, method: str, language: str) -> Json:
    in_path = PLACEHOLDER.findall(address.pattern)
    takes_body = method in ("POST", "PUT", "PATCH")
    parameters = [_parameter(field, "path", language) for field in operation.parameters if field.name in in_path]
    declared = {parameter["name"] for parameter in parameters}
    parameters += [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[^/]+$"}}
        for name in in_path
        if name not in declared
    ]
    others = [field for field in operation.parameters if field.name not in in_path or also_renames(address, field)]
    json: Json = {
        "operationId": operation.name if len(operation.methods) == 1 else f"{operation.name}_{method.lower()}",
        "summary": translate(operation.summary, language),
        "tags": [address.group],
    }
    if address.extension:
        json["x-extension"] = True
    if takes_body:
        json["requestBody"] = _body(address, others, language)
    else:
        parameters += [_parameter(field, "query", language) for field in others]
    json["parameters"] = parameters
    json["responses"] = _responses(operation, language)
    return json


def also_renames(address: Address, field: Field) -> bool:
    """`slug` in an update of an event by its slug is both the place and a field."""
    return field.name == "slug" and not field.required and "by-slug" in address.pattern


def _parameter(field: Field, place: str, language: str) -> Json:
    schema = {"type": "integer", "minimum": 1} if place == "path" and field.name != "slug" else field.type.schema()
    if place == "path" and field.name == "slug":
        schema = {"type": "string", "pattern": "^[^/]+$"}
    json: Json = {
        "name": field.name,
        "in": place,
        "required": place == "path" or field.required,
        "description": translate(field.meaning, language),
        "schema": _with_default(schema, field),
    }
    if field.extension:
        json["x-extension"] = True
    return json


def _body(address: Address, fields: list[Field], language: str) -> Json:
    if address is MEDIA:
        file = {"type": "string", "format": "binary", "description": translate(fields[0].meaning, language)}
        form = {"type": "object", "properties": {"file": file}, "required": ["file"]}
        raw = {media_type: {"schema": {"type": "string", "format": "binary"}} for media_type in IMAGE_TYPES}
        return {"required": True, "content": {"multipart/form-data": {"schema": form}, **raw}}
    properties = {}
    for field in fields:
        schema = _with_default(field.type.schema(), field) | {"description": translate(field.meaning, language)}
        properties[field.name] = schema | ({"x-extension": True} if field.extension else {})
    schema = {"type": "object", "properties": properties}
    required = [field.name for field in fields if field.required]
    if required:
        schema["required"] = required
    return {"required": bool(required), "content": {media_type: {"schema": schema} for media_type in BODY_TYPES}}


def _with_default(schema: Json, field: Field) -> Json:
    return schema if field.default is ABSENT else schema | {"default": field.default}


def _responses(operation: Operation, language: str) -> Json:
    meaning = CREATED if operation.status == 201 else OK
    content: Json = {"schema": operation.answer}
    if (example := example_of(operation.name)) is not None:
        content["example"] = example
    responses: Json = {
        str(operation.status): {
            "description": translate(meaning, language),
            "content": {"application/json": content},
        }
    }
    by_status: dict[int, list[Fault]] = {}
    for fault in operation.faults:
        by_status.setdefault(fault.status, []).append(fault)
    for status, faults in sorted(by_status.items()):
        responses[str(status)] = _error(faults, language)
    return responses


def _error(faults: list[Fault], language: str) -> Json:
    sentences = " ".join(dict.fromkeys(f"{fault.code}: {translate(fault.message, language)}" for fault in faults))
    content: Json = {"schema": ref("Error")}
    examples = {fault.code: {"value": example} for fault in faults if (example := example_of(fault.code)) is not None}
    if examples:
        content["examples"] = examples
    return {"description": sentences, "content": {"application/json": content}}


def _object(keys: Sequence[Key], language: str) -> Json:
    properties = {}
    for key in keys:
        described = {"description": translate(key.meaning, language)}
        # Beside a reference only OpenAPI 3.1 takes more keys, which is what this is.
        properties[key.name] = key.schema | described | ({"x-extension": True} if key.extension else {})
    return {
        "type": "object",
        "properties": properties,
        "required": [key.name for key in keys if key.always],
    }
