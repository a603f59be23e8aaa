"""The interface as an OpenAPI 3.1 document, made from the contract's tables."""

from collections.abc import Sequence
from functools import lru_cache

from kalends import __version__
from kalends.contract.headers import GENERAL
from kalends.contract.json_schema import Key
from kalends.contract.operations import WRITE, Address, Operation, addresses
from kalends.contract.representations import REPRESENTATIONS
from kalends.languages import N_, translate
from kalends.present.openapi_bodies import bodies, body
from kalends.present.openapi_parameters import general_parameter, parameters
from kalends.present.openapi_responses import all_headers, error_responses, errors_of, header_object, responses
from kalends.present.openapi_schemas import BODY_METHODS, Json, marked, path_of, shared_types

LOG_IN, *_ = WRITE

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
                **bodies(language),
                **shared_types(),
            },
            "parameters": {general.key: general_parameter(general, language) for general in GENERAL},
            "headers": {header.name: header_object(header, language) for header in all_headers()},
            "responses": dict(error_responses(language)),
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


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
        "parameters": list(parameters(address, operation, method, language)),
    }
    if LOG_IN in operation.error_types:
        json["security"] = [{"basic": []}, {"bearer": []}]
    if method in BODY_METHODS:
        json["requestBody"] = body(address, operation, language)
    json["responses"] = responses(operation, errors_of(address, operation, method), language)
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
