"""The JSON of custom fields: the values that an event shows."""

from collections.abc import Iterable, Mapping
from typing import Any

from kalends.features.custom_fields.contract import CUSTOM_FIELD
from kalends.present.managed import filled
from kalends.values.custom_fields import CustomField, Value

Json = dict[str, Any]
Shown = tuple[tuple[CustomField, Value], ...]  # in their order


def shown(fields: Iterable[CustomField], values: Mapping[str, Value]) -> Shown:
    """The filled ones of some fields, in their order."""
    return tuple((field, values[field.key]) for field in fields if field.key in values)


def of_event(found: Iterable[tuple[CustomField, Value]]) -> Json | list[object]:
    """What `custom_fields` of an event is; an empty array without any."""
    return {field.key: {"label": field.label, "value": value} for field, value in found} or []


def as_properties(found: Iterable[tuple[CustomField, Value]]) -> list[Json] | None:
    """The public ones as schema.org describes them; None without any."""
    return [
        {"@type": "PropertyValue", "propertyID": field.name, "name": field.label, "value": value}
        for field, value in found
        if field.public
    ] or None


def definition(record: CustomField) -> Json:
    return filled(CUSTOM_FIELD, record, options=list(record.options))
