"""The answers of every operation of sources, for tests/http/api/test_every_operation.py."""

from collections.abc import Iterator
from typing import Any

from kalends.calendar.access import SERVICE
from kalends.contract.operations.model import Operation
from kalends.features.sources.addresses import ADDRESSES
from kalends.features.sources.duplicates import rows as duplicates
from kalends.features.sources.duplicates.rows import Pair


def on_sources(world: Any, operation: Operation) -> Iterator[Any]:
    """The answers of an operation on sources, at whose addresses nothing is."""
    for method in operation.methods:
        made = world.post("/sources", json={"address": f"https://town.example/{operation.name}/{method}"})
        path = f"/sources/{made.json().get('id')}"
        match operation.name:
            case "create_source":
                yield made
            case "list_sources":
                yield world.get("/sources", "administrator")
            case "update_source":
                yield world.ask(method, path, "administrator", json={"every": "7d"})
            case "run_source":
                yield world.post(f"{path}/read")
            case _:
                yield world.ask(method, path, "administrator")


def on_duplicates(world: Any, operation: Operation) -> Iterator[Any]:
    """The answers of an operation on possible duplicates, one pair for each method."""
    for method in operation.methods:
        first, second = (world.make("events", title=f"{operation.name} {method} {title}") for title in ("one", "two"))
        with world.calendar.writing(SERVICE) as work:
            pair = Pair(0, first["id"], second["id"], score=77, at_utc=work.now_text)
            duplicates.add(work.session, pair)
            asked = duplicates.known(work.session, pair)
        assert asked is not None
        path = "/sources/duplicates" if operation.name == "list_duplicates" else f"/sources/duplicates/{asked.id}"
        sent = {"json": {"answer": "two"}} if operation.name == "update_duplicate" else {}
        yield world.ask(method, path, "editor", **sent)


ANSWERS = {
    operation.name: on_duplicates if "duplicate" in operation.name else on_sources
    for address in ADDRESSES
    for operation in address.operations
}
# Nobody reads these without logging in (tests/contract/test_document.py).
FOR_MEMBERS = ("/sources",)
