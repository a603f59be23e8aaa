"""An interface as an OpenAPI 3.1 document, made from the contract's tables."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from kalends import __version__
from kalends.contract.errors import INVALID_KEY, KEY_REUSED, PRECONDITION_FAILED, ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import (
    ALLOW,
    CONTENT_LANGUAGE,
    ERROR_HEADERS,
    ETAG,
    FIELDS,
    GENERAL,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
    LANGUAGE,
    LINK,
    LOCATION,
    METHOD,
    OVERRIDE,
    READ_HEADERS,
    REPLAYED,
    TOTALS,
    General,
    Header,
)
from kalends.contract.interfaces import CORE, Interface
from kalends.contract.json_schema import Key, either, ref
from kalends.contract.operations.model import JSON_TYPE, SLUG, WRITE, Address, Operation
from kalends.contract.types.numbers import Whole
from kalends.languages import N_, translate
from kalends.present.examples import error_of, response_of
from kalends.present.openapi_names import named
from kalends.present.openapi_schemas import (
    BODY_METHODS,
    PLACEHOLDER,
    Json,
    also_renames,
    bodies,
    body,
    marked,
    parameters_outside_path,
    path_of,
    schema_of,
    shared_types,
    with_default,
)

LOG_IN, *_ = WRITE
WRITES = ("POST", "PUT", "PATCH", "DELETE")


def document(site_name: str, url: str, language: str, interface: Interface = CORE) -> Json:
    """Everything below `url`. What does not depend on it is not made again: a client could name any host."""
    return {**_document(site_name, language, interface), "servers": [{"url": url}]}


@lru_cache(maxsize=36)  # each language and interface
def _document(site_name: str, language: str, interface: Interface) -> Json:
    return named(_made(site_name, language, interface))


def _made(site_name: str, language: str, interface: Interface) -> Json:
    return {
        "openapi": "3.1.0",
        "info": {
            # Generators name what they make after it.
            "title": "Kalends" if interface is CORE else f"Kalends: {interface.name}",
            "x-site-name": site_name,
            "version": __version__,
            "summary": translate(interface.summary, language),
            "description": translate(interface.about, language),
        },
        "servers": [],  # its place
        "security": [{}, {"basic": []}, {"bearer": []}],
        "tags": [{"name": name} for name in dict.fromkeys(address.group for address in interface.addresses)],
        "paths": {path_of(address): _path(interface, address, language) for address in interface.addresses},
        "components": {
            "schemas": {
                **{
                    shape.name: {"description": translate(shape.meaning, language), **_object(shape.keys, language)}
                    for shape in interface.representations
                },
                **bodies(interface, language),
                **shared_types(interface),
            },
            "parameters": {general.key: general_parameter(general, language) for general in GENERAL},
            "headers": {header.name: header_object(header, language) for header in all_headers()},
            "responses": dict(error_responses(interface, language)),
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _path(interface: Interface, address: Address, language: str) -> Json:
    return {
        method.lower(): _operation(interface, address, operation, method, language)
        for operation in address.operations
        for method in operation.methods
    }


def _operation(interface: Interface, address: Address, operation: Operation, method: str, language: str) -> Json:
    one_method = len(operation.methods) == 1
    json: Json = {
        "operationId": operation.name if one_method else f"{operation.name}_{method.lower()}",
        "summary": translate(operation.summary, language),
        "tags": [address.group],
        "parameters": list(parameters(address, operation, method, language)),
    }
    if LOG_IN in operation.error_types:
        json["security"] = [{"basic": []}, {"bearer": []}]
    if method in BODY_METHODS:
        json["requestBody"] = body(address, operation, language)
    json["responses"] = responses(interface, operation, errors_of(address, operation, method), language)
    return marked(json, address.extension)


def _object(keys: Sequence[Key], language: str) -> Json:
    properties = {}
    for key in keys:
        # Beside a reference only OpenAPI 3.1 takes more keys, which is what this is.
        json = key.schema | {"description": translate(key.meaning, language)}
        properties[key.name] = marked(json, key.extension)
    return {
        "type": "object",
        "properties": properties,
        "required": [key.name for key in keys if key.always],
    }


def parameters(address: Address, operation: Operation, method: str, language: str) -> Iterator[Json]:
    declared = {field.name: field for field in operation.parameters}
    for name in PLACEHOLDER.findall(address.pattern):
        field = declared.get(name, SLUG)
        yield _parameter(SLUG if also_renames(address, field) else field, "path", language)
    if method not in BODY_METHODS:
        for field in parameters_outside_path(address, operation):
            if field is not LANGUAGE.field:
                yield _parameter(field, "query", language)
    for general in _generals(address, operation, method):
        yield {"$ref": f"#/components/parameters/{general.key}"}


def _generals(address: Address, operation: Operation, method: str) -> Iterator[General]:
    if operation.media_type == JSON_TYPE:
        yield FIELDS
    yield LANGUAGE
    if method == "POST" and "PUT" in address.methods:
        yield from (METHOD, OVERRIDE)
    if method in WRITES:
        yield IDEMPOTENCY_KEY
    if PRECONDITION_FAILED in operation.error_types:
        yield IF_MATCH
    if ETAG in operation.headers and method == "GET":
        yield IF_NONE_MATCH


def _parameter(field: Field, location: str, language: str) -> Json:
    if location == "path":
        is_number = isinstance(field.type, Whole)
        schema = {"type": "integer", "minimum": 1} if is_number else {"type": "string", "pattern": "^[^/]+$"}
    else:
        schema = with_default(schema_of(field.type, form=True), field)
    json: Json = {
        "name": field.name,
        "in": location,
        "required": location == "path" or field.required,
        "description": translate(field.meaning, language),
        "schema": schema,
    }
    if location == "query" and schema.get("type") == "object":  # `custom[name]=value`
        json |= {"style": "deepObject", "explode": True}
    return marked(json, field.extension)


def general_parameter(general: General, language: str) -> Json:
    return _parameter(general.field, general.location, language)


OK = N_("The response.")
CREATED = N_("The new record.")
REPEATED = N_("The same request was sent before with this Idempotency-Key: where its record is.")
TOO_LONG = N_("The address is longer than 65,534 bytes: the server refuses it, without a body.")
UNCHANGED = N_("Not modified: the client's copy is up to date.")


def responses(interface: Interface, operation: Operation, found: Iterable[ErrorType], language: str) -> Json:
    content: Json = {"schema": operation.response}
    if (example := response_of(operation.name)) is not None:
        content["example"] = example
    replayed = () if operation.methods[0] == "GET" else (REPLAYED,)
    responses: Json = {
        str(operation.status): {
            "description": translate(CREATED if operation.status == 201 else OK, language),
            "headers": _headers((*operation.headers, *replayed, ALLOW)),
            "content": {operation.media_type: content},
        }
    }
    if operation.may_create:
        responses["201"] = {
            "description": translate(CREATED, language),
            "headers": _headers((LOCATION, ETAG, *replayed, ALLOW)),
            "content": {operation.media_type: {"schema": operation.response}},
        }
    if operation.shows_secret:
        repeated = {"schema": ref("RepeatedWrite")}
        if operation.status == 200:
            repeated["schema"] = either(operation.response, repeated["schema"])
            responses["200"]["content"][operation.media_type] |= repeated
        else:
            responses["200"] = {
                "description": translate(REPEATED, language),
                "headers": _headers((LOCATION, *replayed, ALLOW)),
                "content": {operation.media_type: repeated | {"example": response_of("repeated")}},
            }
    if ETAG in operation.headers and operation.methods[0] == "GET":
        responses["304"] = {"description": translate(UNCHANGED, language), "headers": _headers([ETAG])}
    responses["414"] = {"description": translate(TOO_LONG, language)}
    for of_status in _by_status(interface, found):
        responses[str(of_status[0].status)] = {
            "$ref": f"#/components/responses/{_response_name(interface, of_status)}"
        }
    return responses


def errors_of(address: Address, operation: Operation, method: str) -> list[ErrorType]:
    """How the operation may end; a POST may also stand for the other methods of its address."""
    meant = [operation]
    if method == "POST" and "PUT" in address.methods:
        meant += [other for other in address.operations if set(other.methods) & {"DELETE"}]
    keys = (INVALID_KEY, KEY_REUSED) if method in WRITES else ()
    return list(dict.fromkeys([*(error_type for one in meant for error_type in one.error_types), *keys]))


def _by_status(interface: Interface, found: Iterable[ErrorType]) -> list[list[ErrorType]]:
    by_status: dict[int, list[ErrorType]] = {}
    for error_type in found:
        by_status.setdefault(error_type.status, []).append(error_type)
    return [sorted(by_status[status], key=interface.error_names.__getitem__) for status in sorted(by_status)]


def _response_name(interface: Interface, found: Sequence[ErrorType]) -> str:
    """`404-NOT_FOUND-event.NO_ROUTE`: the same errors are described once."""
    return f"{found[0].status}-" + ".".join(interface.error_names[error_type] for error_type in found)


def error_responses(interface: Interface, language: str) -> Iterator[tuple[str, Json]]:
    """Every set of errors that an operation has under one status; alone, those that belong to no operation."""
    described: set[ErrorType] = set()
    for address in interface.addresses:
        for operation in address.operations:
            for method in operation.methods:
                for found in _by_status(interface, errors_of(address, operation, method)):
                    described.update(found)
                    yield _response_name(interface, found), _error_response(interface, found, language)
    for error_type in interface.errors:
        if error_type not in described:
            yield _response_name(interface, [error_type]), _error_response(interface, [error_type], language)


def _error_response(interface: Interface, found: Sequence[ErrorType], language: str) -> Json:
    sentences = " ".join(
        dict.fromkeys(f"{error_type.code}: {translate(error_type.message, language)}" for error_type in found)
    )
    content: Json = {"schema": ref("Error")}
    names = [interface.error_names[error_type] for error_type in found]
    examples = {name: {"value": value} for name in names if (value := error_of(name)) is not None}
    if examples:
        content["examples"] = examples
    headers = (CONTENT_LANGUAGE, *ERROR_HEADERS.get(found[0].status, ()))
    return {"description": sentences, "headers": _headers(headers), "content": {JSON_TYPE: content}}


def _headers(headers: Iterable[Header]) -> Json:
    return {header.name: {"$ref": f"#/components/headers/{header.name}"} for header in headers}


def header_object(header: Header, language: str) -> Json:
    json = {
        "description": translate(header.meaning, language),
        "required": header.always,
        "schema": header.schema,
    }
    return marked(json, header.extension)


def all_headers() -> list[Header]:
    of_errors = [header for headers in ERROR_HEADERS.values() for header in headers]
    return list(
        {
            header.name: header
            for header in (ALLOW, *READ_HEADERS, LINK, *TOTALS, LOCATION, REPLAYED, CONTENT_LANGUAGE, *of_errors)
        }.values()
    )
