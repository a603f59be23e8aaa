"""The answers of every operation of custom fields, for tests/http/api/test_every_operation.py."""

from collections.abc import Iterator
from typing import Any

from kalends.contract.operations.model import Operation
from kalends.features.custom_fields.addresses import ADDRESSES


def on_custom_fields(world: Any, operation: Operation) -> Iterator[Any]:
    """The answers of an operation on definitions of custom fields."""
    for method in operation.methods:
        made = world.post("/custom-fields", json={"label": f"{operation.name} {method}"})
        path = f"/custom-fields/{made.json().get('key')}"
        match operation.name:
            case "create_custom_field":
                yield made
            case "list_custom_fields":
                yield world.get("/custom-fields")
            case "update_custom_field":
                yield world.ask(method, path, "administrator", json={"label": f"Changed by {method}"})
            case "delete_custom_field":
                yield world.delete(path, params={"force": "true"})
            case _:
                yield world.get(path)


ANSWERS = {operation.name: on_custom_fields for address in ADDRESSES for operation in address.operations}
