"""The pieces that the schemas of the responses are made of: JSON Schema, keys and representations."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

Schema = dict[str, Any]

DATE_TIME_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$"

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
DATE: Schema = {"type": "string", "pattern": DATE_TIME_PATTERN}
URL: Schema = {"type": "string", "format": "uri"}
EMPTY_LIST: Schema = {"type": "array", "items": {}, "maxItems": 0}
OBJECT: Schema = {"type": "object", "additionalProperties": True}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def many(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def either(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def or_null(schema: Schema) -> Schema:
    return schema | {"type": [schema["type"], "null"]}


class Unmasked(Enum):
    """Instead of what a protected event shows: the value itself."""

    UNMASKED = "shown"


UNMASKED = Unmasked.UNMASKED


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a response. `always` is false for keys that are absent when empty; `column` is that of a record, if
    the value comes from one; `masked` is what a protected event shows. `is_added`: a feature answers the value
    (`more_of` in hooks.py); where it says nothing, the record has it, or `empty` is shown."""

    name: str
    schema: Schema
    meaning: str
    always: bool = True
    extension: bool = False
    column: str = ""
    masked: object = UNMASKED
    is_added: bool = False
    empty: object = None


@dataclass(frozen=True, slots=True)
class Representation:
    """The schema of a JSON object in responses."""

    name: str
    meaning: str
    keys: Sequence[Key]
