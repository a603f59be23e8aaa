"""Real answers of the service, by operation and by error code, for its own description.

They are recorded by `tests/describing/record_examples.py`, and a test fails when the service answers otherwise.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


@cache
def examples() -> dict[str, Any]:
    path = files("kalends") / "contract" / "examples.json"
    found: dict[str, Any] = msgspec.json.decode(path.read_bytes()) if path.is_file() else {}
    return found


def example_of(name: str) -> Any:
    return examples().get(name)
