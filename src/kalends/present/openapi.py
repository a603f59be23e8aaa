"""An interface as an OpenAPI 3.1 document, made from the contract's tables."""

from collections.abc import Sequence
from functools import lru_cache

from kalends import __version__
from kalends.contract.headers import GENERAL
from kalends.contract.interfaces import CORE, Interface
from kalends.contract.json_schema import Key
from kalends.contract.operations import WRITE, Address, Operation
from kalends.languages import translate
from kalends.present.openapi_bodies import bodies, body
from kalends.present.openapi_parameters import general_parameter, parameters
from kalends.present.openapi_responses import all_headers, error_responses, errors_of, header_object, responses
from kalends.present.openapi_schemas import BODY_METHODS, Json, marked, path_of, shared_types

LOG_IN, *_ = WRITE


# One for each language and interface, under a few addresses: a client could name any host.
@lru_cache(maxsize=72)
def document(site_name: str, url: str, language: str, interface: Interface = CORE) -> Json:
    """Everything below `url`. It depends on nothing but its arguments, so it is not made again for each request."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{site_name}: {interface.name}",
            "version": __version__,
            "summary": translate(interface.summary, language),
            "description": translate(interface.about, language),
        },
        "servers": [{"url": url}],
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
