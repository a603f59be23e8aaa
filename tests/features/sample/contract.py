"""What the feature adds to records: an object of events, which is in a table of its own with a column for one of its
keys, and a plain text of all posts, in tables of its own too."""

from collections.abc import Mapping
from typing import Any, ClassVar

from kalends.contract.errors import UNKNOWN, WRONG_TYPE, FieldError
from kalends.contract.fields import RecordField
from kalends.contract.json_schema import OBJECT, Schema, or_null
from kalends.contract.types import NOTHING, Type
from kalends.contract.types.numbers import Whole
from kalends.contract.types.texts import Line

TYPES = {"music": Line(50), "seats": Whole(0, 1000)}
EMPTY = {"music": "", "seats": None}


class Wishes(Type):
    """An object: keys that are sent change. What is stored has all of them, so that a copy says what is empty."""

    json: ClassVar[str | None] = "object"
    null: ClassVar[object] = None
    response_schema: ClassVar[Schema] = or_null(OBJECT)
    control: ClassVar[str] = ""

    def read(self, value: object) -> dict[str, object] | None:
        if value in ("", None):
            return None
        if not isinstance(value, Mapping):
            raise FieldError(WRONG_TYPE, "must be an object.")
        if set(value) - set(TYPES):
            raise FieldError(UNKNOWN, "has keys that nobody knows.")
        return {key: EMPTY[key] if one in ("", None) else TYPES[key].read(one) for key, one in value.items()}

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [NOTHING, {"type": "object"}]}


EVENT_FIELDS = [
    RecordField(
        "wishes",
        Wishes(),
        "What is wished for.",
        extension=True,
        label="Wishes",
        table="event_wishes",
        is_ruled=True,
        csv=(),
        csv_parts=tuple(TYPES),
        meta="",
    )
]


def motto(kind: str) -> list[RecordField]:
    return [
        RecordField(
            "motto", Line(50), "A motto.", extension=True, label="Motto", table=f"{kind}_motto", is_searched=True
        )
    ]


EVENT_FIELDS += motto("event")
VENUE_FIELDS, ORGANIZER_FIELDS = motto("venue"), motto("organizer")
