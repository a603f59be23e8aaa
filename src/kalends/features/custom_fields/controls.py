"""The controls of custom fields, in the editor of an event and in the public form."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.features.custom_fields.contract import value_type
from kalends.values.custom_fields import CHOICE, CHOICES, WITH_OPTIONS, CustomField, parts


@dataclass(frozen=True, slots=True)
class CustomControl:
    """The control of a custom field. `choices`: values and labels; `chosen`: those of the event."""

    name: str
    label: str
    control: str
    value: str
    required: bool
    public: bool
    choices: Sequence[tuple[str, str]] = ()
    chosen: Sequence[str] = ()


def custom_control(field: CustomField, value: str) -> CustomControl:
    chosen = parts(value) if field.type == CHOICES else [value] if value else []
    options = [*field.options, *(one for one in chosen if one not in field.options)]
    choices = [] if field.type not in WITH_OPTIONS else [(option, option) for option in options]
    if field.type == CHOICE:
        choices = [("", "–"), *choices]
    control = value_type(field).control
    return CustomControl(field.key, field.label, control, value, field.required, field.public, choices, chosen)
