"""The index of the interface: every route with its parameters, from the contract's tables."""

from typing import Any

from kalends.contract.fields import ABSENT, Field
from kalends.contract.operations.model import Address, Operation
from kalends.languages import translate

Json = dict[str, Any]


def index(addresses: list[Address], namespace: str, ns: str, api_url: str, defaults: Json, language: str) -> Json:
    """The namespace: every route below it."""
    return {
        "namespace": namespace,
        "routes": {
            f"/{namespace}{address.pattern}": route(address, namespace, ns, defaults, language)
            for address in addresses
        },
        "_links": {"up": [{"href": f"{api_url}/"}]},
    }


def route(address: Address, namespace: str, ns: str, defaults: Json, language: str) -> Json:
    """One route: its methods and what each takes. A pattern with a placeholder has no address of its own."""
    json: Json = {
        "namespace": namespace,
        "methods": address.methods,
        "endpoints": [
            {
                "methods": list(operation.methods),
                "args": _arguments(operation, defaults, language),
            }
            for operation in address.operations
        ],
    }
    if "(" not in address.pattern:
        json["_links"] = {"self": [{"href": ns + address.pattern}]}
    return json


def root(api_url: str) -> Json:
    """The route of the root, which is in no namespace and takes nothing."""
    return {
        "namespace": "",
        "methods": ["GET"],
        "endpoints": [{"methods": ["GET"], "args": {}}],
        "_links": {"self": [{"href": f"{api_url}/"}]},
    }


def _arguments(operation: Operation, defaults: Json, language: str) -> Json:
    computed = defaults if "GET" in operation.methods else {}
    return {field.name: argument(field, computed, language) for field in operation.parameters}


def argument(field: Field, defaults: Json, language: str) -> Json:
    """`defaults` are those that depend on the moment or the site."""
    json: Json = {"required": field.required}
    default = defaults.get(field.name, ABSENT) if field.default is ABSENT else field.default
    if default is not ABSENT:
        json["default"] = default
    if field.type.json is not None:
        json["type"] = field.type.json
    json["description"] = translate(field.meaning, language)
    if field.type.json == "array":
        json["items"] = {"type": field.type.items}
    return json


def site(name: str, description: str, url: str, timezone: str, namespaces: list[str]) -> Json:
    """The root of the interface."""
    return {
        "name": name,
        "description": description,
        "url": url,
        "timezone_string": timezone,
        "namespaces": namespaces,
    }
