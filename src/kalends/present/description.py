"""The interface describing itself: the index of routes with every parameter, from the contract's tables."""

from typing import Any

from kalends.contract.fields import ABSENT, Field
from kalends.contract.operations import Address

Json = dict[str, Any]


def route(address: Address, namespace: str, href: str, defaults: Json) -> Json:
    """One route: its methods and what each takes. A pattern with a placeholder has no address of its own."""
    json: Json = {
        "namespace": namespace,
        "methods": address.methods,
        "endpoints": [
            {
                "methods": list(operation.methods),
                "args": {field.name: argument(field, defaults) for field in operation.parameters},
            }
            for operation in address.operations
        ],
    }
    if "(" not in address.pattern:
        json["_links"] = {"self": [{"href": href}]}
    return json


def argument(field: Field, defaults: Json) -> Json:
    json: Json = {"required": field.required}
    default = defaults.get(field.name, ABSENT) if field.default is ABSENT else field.default
    if default is not ABSENT:
        json["default"] = default
    if field.type.json is not None:
        json["type"] = field.type.json
    json["description"] = field.meaning
    if field.type.json == "array":
        json["items"] = {"type": "integer"}
    return json
