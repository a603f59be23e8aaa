"""The controls of fields that people have defined, in the editor of an event and in the public form."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.contract.kinds.defined_fields import DefinedField
from kalends.contract.types.custom_values import OneOf, SomeOf
from kalends.values.choices import parts


@dataclass(frozen=True, slots=True)
class DefinedControl:
    """`choices`: values and labels; `chosen`: those of the event."""

    name: str
    label: str
    control: str
    value: str
    required: bool
    public: bool
    choices: Sequence[tuple[str, str]] = ()
    chosen: Sequence[str] = ()


def control(row: DefinedField, value: str) -> DefinedControl:
    chosen = parts(value) if isinstance(row.type, SomeOf) else [value] if value else []
    choices: list[tuple[str, str]] = []
    if isinstance(row.type, OneOf):
        # What the event has already may be no option any more.
        options = [*row.type.options, *(one for one in chosen if one not in row.type.options)]
        choices = [] if isinstance(row.type, SomeOf) else [("", "–")]
        choices += [(option, option) for option in options]
    return DefinedControl(row.name, row.label, row.form_control, value, row.required, row.is_public, choices, chosen)
