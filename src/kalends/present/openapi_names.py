"""Names for the parts of unions and lists in the OpenAPI document: generators name types after them.

Without one, what is one of several things in `venue` of `CreateEvent` becomes `CreateEventVenueType5ItemType4`.
"""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from kalends.contract.json_schema import OBJECT, TEXT, Schema, ref
from kalends.contract.kinds import KIND_OF
from kalends.contract.kinds.event_filters import TIMES_OF_DAY, WEEKDAYS
from kalends.contract.representations import ARGUMENT, ENDPOINT, FIELD_TYPE, LINKS
from kalends.contract.roles import ROLE_WORDS
from kalends.contract.statuses import EVENT_STATUSES, STATUSES
from kalends.contract.types.custom_values import RANGE, CustomValues
from kalends.contract.types.lists import EXTERNAL_REFERENCE
from kalends.contract.types.numbers import RECORD_REFERENCE
from kalends.contract.types.recurrences import RecurrenceType
from kalends.contract.types.tickets import Tickets
from kalends.contract.user_fields import TOKEN_PURPOSES
from kalends.feature import declared

# What stands beside a reference in OpenAPI 3.1 and is no part of the type.
DESCRIBING = ("description", "x-extension", "examples")
# Below these are values, and not schemas.
VALUES = ("example", "examples", "default", "enum", "const", "value")


def _choice(*words: object) -> Schema:
    return {"type": "string", "enum": list(words)}


def _object_of(union: Schema) -> Schema:
    found: Schema = next(schema for schema in union["anyOf"] if schema.get("type") == "object")
    return found


_TO_SET = _object_of(CustomValues().schema())
SHAPES: dict[str, Schema] = {
    "RecordReference": RECORD_REFERENCE,
    "ExternalReference": EXTERNAL_REFERENCE,
    "TicketToSell": _object_of(Tickets().schema()),
    "RecurrenceParts": _object_of(RecurrenceType().schema()),
    "ParameterProblems": {"type": "object", "additionalProperties": TEXT},
    "Link": LINKS["additionalProperties"]["items"],
    "Endpoint": ENDPOINT,
    "Argument": ARGUMENT,
    "ArgumentItems": ARGUMENT["properties"]["items"],
    "PostStatus": _choice(*STATUSES),
    "EventStatus": _choice(*EVENT_STATUSES),
    "RecordKind": _choice(*KIND_OF),
    "Role": _choice(*ROLE_WORDS),
    "TokenPurpose": _choice(*TOKEN_PURPOSES),
    "Weekday": _choice(*WEEKDAYS),
    "TimeOfDay": _choice(*TIMES_OF_DAY),
    "ZeroOrOne": {"type": "number", "enum": [0, 1]},
    "JsonObject": OBJECT,
    "CustomValuesToSet": _TO_SET,
    "CustomValueToSet": _object_of(_TO_SET["additionalProperties"]),
    "CustomValues": {"type": "object", "additionalProperties": ref("CustomValue")},
    "CustomRange": RANGE,
    "CustomFieldType": FIELD_TYPE,
}


def _key(schema: Schema) -> str:
    return json.dumps(schema, sort_keys=True)


@cache
def shapes() -> dict[str, Schema]:
    """Those of the core and of features, by their names."""
    return SHAPES | {name: schema for added in declared("schemas") for name, schema in added.items()}


@cache
def names_of_shapes() -> dict[str, str]:
    return {_key(schema): name for name, schema in shapes().items()}


def named(document: dict[str, Any]) -> dict[str, Any]:
    """The document with these shapes by their names."""
    used: set[str] = set()
    made: dict[str, Any] = {}
    for part, content in document.items():
        made[part] = _referred(content, used) if part in ("paths", "components") else content
    schemas = made["components"]["schemas"]
    # A shape may have others in it, which are described as well.
    while missing := sorted(used - schemas.keys()):
        for name in missing:
            schemas[name] = _inside(shapes()[name], used)
    return made


def _referred(node: Any, used: set[str]) -> Any:
    if isinstance(node, list):
        return [_referred(one, used) for one in node]
    if not isinstance(node, dict):
        return node
    beside = {key: node[key] for key in DESCRIBING if key in node}
    shape = {key: value for key, value in node.items() if key not in DESCRIBING}
    if (name := names_of_shapes().get(_key(shape))) is not None:
        used.add(name)
        return ref(name) | beside
    if (plain := _without_null(shape)) is not None:
        return {"anyOf": [_referred(plain, used), {"type": "null"}]} | beside
    return _inside(node, used)


def _inside(node: dict[str, Any], used: set[str]) -> dict[str, Any]:
    return dict(_parts(node, used))


def _parts(node: dict[str, Any], used: set[str]) -> Iterator[tuple[str, Any]]:
    for key, value in node.items():
        # The properties of an object may have such names too; what they are is then a schema.
        is_value = key in VALUES and not (isinstance(value, dict) and ({"type", "anyOf", "$ref"} & value.keys()))
        yield key, value if is_value else _referred(value, used)


def _without_null(shape: Schema) -> Schema | None:
    """One of these shapes, where it may be null as well."""
    types = shape.get("type")
    if not isinstance(types, list) or len(types) != 2 or "null" not in types:
        return None
    plain = shape | {"type": next(one for one in types if one != "null")}
    if "enum" in plain:
        plain["enum"] = [word for word in plain["enum"] if word is not None]
    return plain if _key(plain) in names_of_shapes() else None
