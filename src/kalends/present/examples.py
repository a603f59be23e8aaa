"""Recorded requests and responses of the service, the examples of the OpenAPI document.

They are recorded by `tests/product/record_examples.py`, and a test fails when the service responds otherwise.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

EXAMPLES = files("kalends") / "contract" / "examples.json"


@cache
def examples() -> dict[str, dict[str, Any]]:
    """Responses by operation under `responses`, their bodies under `requests`, and errors by name under `errors`."""
    found: dict[str, dict[str, Any]] = msgspec.json.decode(EXAMPLES.read_bytes()) if EXAMPLES.is_file() else {}
    return found


def response_of(operation: str) -> Any:
    return examples().get("responses", {}).get(operation)


def request_of(operation: str) -> Any:
    return examples().get("requests", {}).get(operation)


def error_of(name: str) -> Any:
    return examples().get("errors", {}).get(name)
