"""The interface as an OpenAPI 3.1 document, made from the contract's tables."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from kalends import __version__
from kalends.contract.errors import N_, PRECONDITION_FAILED, ErrorType, FieldError, error_types
from kalends.contract.fields import ABSENT, Field
from kalends.contract.headers import (
    ALLOW,
    CONTENT_LANGUAGE,
    ERROR_HEADERS,
    ETAG,
    FIELDS,
    GENERAL,
    IF_MATCH,
    IF_NONE_MATCH,
    LANGUAGE,
    LINK,
    LOCATION,
    METHOD,
    OVERRIDE,
    READ_HEADERS,
    TOTALS,
    General,
    Header,
)
from kalends.contract.kinds import KINDS
from kalends.contract.operations import JSON_TYPE, MEDIA, SLUG, WRITE, Address, Operation, addresses
from kalends.contract.representations import REPRESENTATIONS, Key, ref
from kalends.contract.types import Type, or_null
from kalends.languages import translate
from kalends.present.examples import answer_of, error_of, name_of, request_of

Json = dict[str, Any]

PLACEHOLDER = re.compile(r"\(\?P<(\w+)>[^)]*\)")
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif")
BODY_METHODS = ("POST", "PUT", "PATCH")
LOG_IN, *_ = WRITE

OK = N_("The response.")
CREATED = N_("The new record.")
UNCHANGED = N_("Not modified: the client's copy is up to date.")

TITLE = N_("Calendar events")
ABOUT = N_(
    "Events, venues, organizers, categories and tags: list, read, create, update and delete. Anything marked"
    " x-extension is an addition to the API of The Events Calendar."
)


# One for each language, under a few addresses: a client could name any host.
@lru_cache(maxsize=36)
def document(site_name: str, ns: str, language: str) -> Json:
    """Everything. It depends on nothing but its arguments, so it is not made again for each request."""
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
        "tags": [{"name": name} for name in dict.fromkeys(address.group for address in addresses())],
        "paths": {path_of(address): _path(address, language) for address in addresses()},
        "components": {
            "schemas": {
                **{
                    shape.name: {"description": translate(shape.meaning, language), **_object(shape.keys, language)}
                    for shape in REPRESENTATIONS
                },
                **_bodies(language),
                **_shared_types(),
            },
            "parameters": {general.key: _general(general, language) for general in GENERAL},
            "headers": {header.name: _header(header, language) for header in _all_headers()},
            "responses": dict(_error_answers(language)),
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def path_of(address: Address) -> str:
    """The path as OpenAPI writes it: `/events/{id}`."""
    return PLACEHOLDER.sub(lambda match: "{" + match[1] + "}", address.pattern) or "/"


def also_renames(address: Address, field: Field) -> bool:
    """`slug` in an update of an event by its slug is both the place and a field."""
    return field.name == "slug" and not field.required and "by-slug" in address.pattern


def _marked(json: Json, extension: bool) -> Json:
    return json | {"x-extension": True} if extension else json


# Paths


def _path(address: Address, language: str) -> Json:
    return {
        method.lower(): _operation(address, operation, method, language)
        for operation in address.operations
        for method in operation.methods
    }


def _operation(address: Address, operation: Operation, method: str, language: str) -> Json:
    one_method = len(operation.methods) == 1
    json: Json = {
        "operationId": operation.name if one_method else f"{operation.name}_{method.lower()}",
        "summary": translate(operation.summary, language),
        "tags": [address.group],
        "parameters": list(_parameters(address, operation, method, language)),
    }
    if LOG_IN in operation.error_types:
        json["security"] = [{"basic": []}, {"bearer": []}]
    if method in BODY_METHODS:
        json["requestBody"] = _body(address, operation, language)
    json["responses"] = _responses(operation, _faults(address, operation, method), language)
    return _marked(json, address.extension)


def _parameters(address: Address, operation: Operation, method: str, language: str) -> Iterator[Json]:
    declared = {field.name: field for field in operation.parameters}
    for name in PLACEHOLDER.findall(address.pattern):
        field = declared.get(name, SLUG)
        yield _parameter(SLUG if also_renames(address, field) else field, "path", language)
    if method not in BODY_METHODS:
        for field in _others(address, operation):
            if field is not LANGUAGE.field:
                yield _parameter(field, "query", language)
    for general in _generals(address, operation, method):
        yield {"$ref": f"#/components/parameters/{general.key}"}


def _others(address: Address, operation: Operation) -> list[Field]:
    """The parameters that are not in the path. A slug in the body of an update by slug is a new one."""
    in_path = PLACEHOLDER.findall(address.pattern)
    found = [field for field in operation.parameters if field.name not in in_path or also_renames(address, field)]
    if "slug" in in_path and not any(field.name == "slug" for field in found) and _takes_body(operation):
        fields = next(kind.fields for kind in KINDS if kind.plural == address.group)
        found += [field for field in fields if field.name == "slug"]
    return found


def _takes_body(operation: Operation) -> bool:
    return operation.methods[0] in BODY_METHODS


def _generals(address: Address, operation: Operation, method: str) -> Iterator[General]:
    if operation.media_type == JSON_TYPE:
        yield FIELDS
    yield LANGUAGE
    if method == "POST" and "PUT" in address.methods:
        yield from (METHOD, OVERRIDE)
    if PRECONDITION_FAILED in operation.error_types:
        yield IF_MATCH
    if ETAG in operation.headers:
        yield IF_NONE_MATCH


def _parameter(field: Field, place: str, language: str) -> Json:
    if place == "path":
        schema = {"type": "string", "pattern": "^[^/]+$"} if field is SLUG else {"type": "integer", "minimum": 1}
    else:
        schema = _with_default(_schema(field.type, form=True), field)
    json: Json = {
        "name": field.name,
        "in": place,
        "required": place == "path" or field.required,
        "description": translate(field.meaning, language),
        "schema": schema,
    }
    return _marked(json, field.extension)


def _general(general: General, language: str) -> Json:
    return _parameter(general.field, general.place, language)


# Bodies


def _body(address: Address, operation: Operation, language: str) -> Json:
    if address is MEDIA:
        file = {"type": "string", "format": "binary"}
        described = file | {"description": translate(operation.parameters[0].meaning, language)}
        form = {"type": "object", "properties": {"file": described}, "required": ["file"]}
        raw = {media_type: {"schema": file} for media_type in IMAGE_TYPES}
        return {"required": True, "content": {"multipart/form-data": {"schema": form}, **raw}}
    name = body_name(operation)
    json: Json = {"schema": ref(name)}
    if (example := request_of(operation.name)) is not None:
        json["example"] = example
    forms = {media_type: {"schema": ref(f"{name}Form")} for media_type in FORM_TYPES}
    return {
        "required": any(field.required for field in _others(address, operation)),
        "content": {JSON_TYPE: json, **forms},
    }


def body_name(operation: Operation) -> str:
    """`create_event` takes a `CreateEvent`."""
    return "".join(word.capitalize() for word in operation.name.split("_"))


def _bodies(language: str) -> Json:
    """What each operation takes as a body: in JSON, and in a form, which knows neither null nor objects."""
    found: Json = {}
    for address in addresses():
        for operation in address.operations:
            if _takes_body(operation) and address is not MEDIA:
                fields = _others(address, operation)
                creates = operation.status == 201
                properties = {field.name: _json_schema(field, creates) for field in fields}
                found[body_name(operation)] = _body_schema(fields, properties, language)
                properties = {field.name: _schema(field.type, form=True) for field in fields}
                found[f"{body_name(operation)}Form"] = _body_schema(fields, properties, language)
    return found


def _body_schema(fields: Sequence[Field], schemas: Json, language: str) -> Json:
    properties = {}
    for field in fields:
        json = _with_default(schemas[field.name], field) | {"description": translate(field.meaning, language)}
        properties[field.name] = _marked(json, field.extension)
    required = [field.name for field in fields if field.required]
    schema: Json = {"type": "object", "properties": properties}
    return schema | {"required": required} if required else schema


def _json_schema(field: Field, creates: bool) -> Json:
    schema = _schema(field.type)
    return or_null(schema) if _takes_null(field, creates) else schema


def _takes_null(field: Field, creates: bool) -> bool:
    """Null is "not sent" on create, and clears what can be empty on update."""
    if creates:
        return not field.required
    try:
        field.type.cleared()
    except FieldError:
        return False
    return True


def _with_default(schema: Json, field: Field) -> Json:
    if field.default is ABSENT or (field.default is None and {"type": "null"} not in schema.get("anyOf", ())):
        return schema
    return schema | {"default": field.default}


def _schema(type_: Type, *, form: bool = False) -> Json:
    """The schema of a type, by reference where many parameters have it."""
    schema = type_.form_schema() if form else type_.schema()
    if not type_.shared:
        return schema
    return ref(type_.shared if schema == type_.schema() else f"{type_.shared}Text")


def _shared_types() -> Json:
    found: Json = {}
    fields = (field for address in addresses() for operation in address.operations for field in operation.parameters)
    for type_ in (field.type for field in fields if field.type.shared):
        found[type_.shared] = type_.schema()
        if type_.form_schema() != type_.schema():
            found[f"{type_.shared}Text"] = type_.form_schema()
    return found


# Answers


def _responses(operation: Operation, found: Iterable[ErrorType], language: str) -> Json:
    content: Json = {"schema": operation.answer}
    if (example := answer_of(operation.name)) is not None:
        content["example"] = example
    responses: Json = {
        str(operation.status): {
            "description": translate(CREATED if operation.status == 201 else OK, language),
            "headers": _headers((*operation.headers, ALLOW)),
            "content": {operation.media_type: content},
        }
    }
    if ETAG in operation.headers:
        responses["304"] = {"description": translate(UNCHANGED, language), "headers": _headers([ETAG])}
    for faults_of_status in _by_status(found):
        responses[str(faults_of_status[0].status)] = {
            "$ref": f"#/components/responses/{_answer_name(faults_of_status)}"
        }
    return responses


def _faults(address: Address, operation: Operation, method: str) -> list[ErrorType]:
    """How the operation may end; a POST may also stand for the other methods of its address."""
    meant = [operation]
    if method == "POST" and "PUT" in address.methods:
        meant += [other for other in address.operations if set(other.methods) & {"DELETE"}]
    return list(dict.fromkeys(error_type for one in meant for error_type in one.error_types))


def _by_status(found: Iterable[ErrorType]) -> list[list[ErrorType]]:
    by_status: dict[int, list[ErrorType]] = {}
    for error_type in found:
        by_status.setdefault(error_type.status, []).append(error_type)
    return [sorted(by_status[status], key=name_of) for status in sorted(by_status)]


def _answer_name(found: Sequence[ErrorType]) -> str:
    """`404-NOT_FOUND-event.NO_ROUTE`: the same errors are described once."""
    return f"{found[0].status}-" + ".".join(name_of(error_type) for error_type in found)


def _error_answers(language: str) -> Iterator[tuple[str, Json]]:
    """Every set of errors that an operation has under one status; alone, those that belong to no operation."""
    described: set[ErrorType] = set()
    for address in addresses():
        for operation in address.operations:
            for method in operation.methods:
                for found in _by_status(_faults(address, operation, method)):
                    described.update(found)
                    yield _answer_name(found), _error(found, language)
    for error_type in error_types().values():
        if error_type not in described:
            yield _answer_name([error_type]), _error([error_type], language)


def _error(found: Sequence[ErrorType], language: str) -> Json:
    sentences = " ".join(
        dict.fromkeys(f"{error_type.code}: {translate(error_type.message, language)}" for error_type in found)
    )
    content: Json = {"schema": ref("Error")}
    examples = {
        name_of(error_type): {"value": value} for error_type in found if (value := error_of(error_type)) is not None
    }
    if examples:
        content["examples"] = examples
    headers = (CONTENT_LANGUAGE, *ERROR_HEADERS.get(found[0].status, ()))
    return {"description": sentences, "headers": _headers(headers), "content": {JSON_TYPE: content}}


def _headers(headers: Iterable[Header]) -> Json:
    return {header.name: {"$ref": f"#/components/headers/{header.name}"} for header in headers}


def _header(header: Header, language: str) -> Json:
    json = {
        "description": translate(header.meaning, language),
        "required": header.always,
        "schema": header.schema,
    }
    return _marked(json, header.extension)


def _all_headers() -> list[Header]:
    of_errors = [header for headers in ERROR_HEADERS.values() for header in headers]
    return list(
        {
            header.name: header
            for header in (ALLOW, *READ_HEADERS, LINK, *TOTALS, LOCATION, CONTENT_LANGUAGE, *of_errors)
        }.values()
    )


def _object(keys: Sequence[Key], language: str) -> Json:
    properties = {}
    for key in keys:
        # Beside a reference only OpenAPI 3.1 takes more keys, which is what this is.
        json = key.schema | {"description": translate(key.meaning, language)}
        properties[key.name] = _marked(json, key.extension)
    return {
        "type": "object",
        "properties": properties,
        "required": [key.name for key in keys if key.always],
    }
