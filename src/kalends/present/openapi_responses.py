"""The responses and their headers in the OpenAPI document; each set of errors is described once."""

from collections.abc import Iterable, Iterator, Sequence

from kalends.contract.errors import ErrorType
from kalends.contract.headers import (
    ALLOW,
    CONTENT_LANGUAGE,
    ERROR_HEADERS,
    ETAG,
    LINK,
    LOCATION,
    READ_HEADERS,
    TOTALS,
    Header,
)
from kalends.contract.interfaces import Interface
from kalends.contract.json_schema import ref
from kalends.contract.operations import JSON_TYPE, Address, Operation
from kalends.languages import N_, translate
from kalends.present.examples import error_of, response_of
from kalends.present.openapi_schemas import Json, marked

OK = N_("The response.")
CREATED = N_("The new record.")
UNCHANGED = N_("Not modified: the client's copy is up to date.")


def responses(interface: Interface, operation: Operation, found: Iterable[ErrorType], language: str) -> Json:
    content: Json = {"schema": operation.response}
    if (example := response_of(operation.name)) is not None:
        content["example"] = example
    responses: Json = {
        str(operation.status): {
            "description": translate(CREATED if operation.status == 201 else OK, language),
            "headers": _headers((*operation.headers, ALLOW)),
            "content": {operation.media_type: content},
        }
    }
    if operation.may_create:
        responses["201"] = {
            "description": translate(CREATED, language),
            "headers": _headers((LOCATION, ALLOW)),
            "content": {operation.media_type: {"schema": operation.response}},
        }
    if ETAG in operation.headers:
        responses["304"] = {"description": translate(UNCHANGED, language), "headers": _headers([ETAG])}
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
    return list(dict.fromkeys(error_type for one in meant for error_type in one.error_types))


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
            for header in (ALLOW, *READ_HEADERS, LINK, *TOTALS, LOCATION, CONTENT_LANGUAGE, *of_errors)
        }.values()
    )
