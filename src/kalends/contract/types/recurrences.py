"""The recurrence of an event as a client sends it: a text of iCalendar, or an object."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.contract.errors import OUT_OF_BOUNDS, WRONG_FORMAT, FieldError
from kalends.contract.json_schema import Schema, either, ref
from kalends.contract.types import NOTHING, Type, is_position, single
from kalends.values import recurrence
from kalends.values.recurrence import Recurrence, RecurrenceError, TooManyOccurrences
from kalends.values.recurrence.parsing import LONGEST_TEXT, MOST_DATES

SCOPES = ("this", "following", "all")


def field_error(error: RecurrenceError) -> FieldError:
    """The problem of a recurrence as that of a parameter: the part, and why."""
    code = OUT_OF_BOUNDS if isinstance(error, TooManyOccurrences) else WRONG_FORMAT
    return FieldError(code, error.reason, **error.values)


@dataclass(frozen=True, slots=True)
class RecurrenceType(Type):
    """A recurrence; nothing means that the event does not repeat."""

    json: ClassVar[str | None] = None
    null: ClassVar[object] = None
    shared: ClassVar[str] = "RecurrenceToSet"
    response_schema: ClassVar[Schema] = either(ref("Recurrence"), {"type": "null"})
    control: ClassVar[str] = "recurrence"
    display: ClassVar[str] = "recurrence"

    def read(self, value: object) -> Recurrence | None:
        value = single(value)
        if isinstance(value, str) and not value.strip():
            return None
        if isinstance(value, Mapping):
            value = {key: _as_list(part) for key, part in value.items()}
        try:
            return recurrence.parse(value)
        except RecurrenceError as error:
            raise field_error(error) from None

    def schema(self) -> dict[str, Any]:
        text = {"type": "string", "maxLength": LONGEST_TEXT, "examples": ["FREQ=WEEKLY;BYDAY=TU;COUNT=10"]}
        date = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
        dates = {"anyOf": [{"type": "array", "items": date, "maxItems": MOST_DATES}, NOTHING, {"type": "null"}]}
        rule = {"anyOf": [{"type": "string"}, {"type": "null"}]}
        properties = {"rule": rule, "dates": dates, "exceptions": dates}
        return {"anyOf": [text, {"type": "object", "properties": properties, "additionalProperties": False}]}

    def form_schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": LONGEST_TEXT}


def _as_list(value: object) -> object:
    """`dates[0]=…` of a form is a mapping of positions."""
    if isinstance(value, Mapping) and all(is_position(key) for key in value):
        return list(value.values())
    return value
