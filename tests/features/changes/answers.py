"""The answers of every operation of changes, for tests/http/api/test_every_operation.py."""

from collections.abc import Iterator
from typing import Any

from kalends.contract.operations.model import Operation


def on_changes(world: Any, operation: Operation) -> Iterator[Any]:
    yield world.get("/changes?limit=5&include=records&expand=events")


def on_batches(world: Any, operation: Operation) -> Iterator[Any]:
    item = {"method": "POST", "path": "/tags", "body": {"name": "By a batch"}}
    yield world.post("/batch", json={"requests": [item]})


ANSWERS = {"list_changes": on_changes, "send_batch": on_batches}
