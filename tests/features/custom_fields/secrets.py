"""What events remember in custom fields, for the hunt for leaks (tests/calendar/access/secret_records.py)."""

from collections.abc import Sequence
from typing import Any

TEXTS = ("_ecp_custom_1",)
VALUES = {"_ecp_custom_2": 4242}


def of_public_event(world: Any, inner: str) -> dict[str, Any]:
    """Defines the fields. `inner`: the value of one that is not public."""
    for definition in ({"label": "Note"}, {"label": "Seats", "type": "number"}, {"label": "Inner", "public": False}):
        assert world.post("/custom-fields", json=definition).status_code == 201
    return {"custom_fields": {"note": "open", "inner": inner}}


def filter_values(words: Sequence[str], asked: Sequence[str]) -> dict[str, list[str]]:
    """What drafts, masked events and a field that is not public have. `asked`: those of the words that are tried."""
    return {
        "custom": [
            *(f"&custom[note]={word} _ecp_custom_1" for word in asked),
            *(f"&custom[inner]={word}" for word in words if word.endswith("xinner")),
            "&custom[note]=open",
            "&custom[seats]=4242",
            "&custom[_ecp_custom_2][from]=1",
            "&custom[note][from]=1",
        ]
    }
