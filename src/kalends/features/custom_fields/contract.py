"""Custom fields: the table of their definitions, as requests send them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.contract.errors import OUT_OF_BOUNDS, WRONG_FORMAT, FieldError
from kalends.contract.fields import Field, extensions
from kalends.contract.json_schema import TEXT, Schema, many
from kalends.contract.representations import CUSTOM_FIELD
from kalends.contract.types import Type, is_position, text
from kalends.contract.types.custom_values import MOST_OPTIONS
from kalends.contract.types.numbers import Flag, Whole
from kalends.contract.types.texts import Choice, Line, Name, Slug
from kalends.languages import N_
from kalends.values import custom_fields as values
from kalends.values.choices import SEPARATOR

LONGEST_LABEL = 100
LONGEST_NAME = 60
LONGEST_OPTION = 200
LAST_POSITION = 10_000

OptionList = list[str]


@dataclass(frozen=True, slots=True)
class FieldOptions(Type):
    """What can be chosen: an array, or a text with one on each line or separated by |."""

    json: ClassVar[str | None] = "array"
    items: ClassVar[str] = "string"
    response_schema: ClassVar[Schema] = many(TEXT)

    def read(self, value: object) -> OptionList:
        found: OptionList = []
        for element in _elements(value):
            option = Line(LONGEST_OPTION).read(element)
            if SEPARATOR in option:
                raise FieldError(WRONG_FORMAT, N_("cannot have the character |."))
            if option and option not in found:
                found.append(option)
        if len(found) > MOST_OPTIONS:
            raise FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} elements."), maximum=MOST_OPTIONS)
        return found

    def cleared(self) -> OptionList:
        return []

    def schema(self) -> dict[str, Any]:
        option = {"type": "string", "maxLength": LONGEST_OPTION, "pattern": "^[^|]*$"}
        array = {"type": "array", "items": option, "maxItems": MOST_OPTIONS}
        return {"anyOf": [array, {"type": "string", "maxLength": LONGEST_OPTION}]}

    def form_schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": LONGEST_OPTION}


def _elements(value: object) -> list[object]:
    """The elements of an array, or the lines of a text."""
    if isinstance(value, Mapping) and all(is_position(key) for key in value):
        return list(value.values())
    if isinstance(value, list):
        return list(value)
    written = text(value, 2 * MOST_OPTIONS * LONGEST_OPTION)
    return [part for line in written.splitlines() for part in line.split(SEPARATOR)]


KEY_FIELD = Field("key", Line(30), N_("The key of the field: _ecp_custom_2."), required=True, extension=True)
FORCE = Field("force", Flag(), N_("Delete the values of events too."), default=False, extension=True)
DEFINITION_FIELDS = extensions(
    Field("label", Name(LONGEST_LABEL), N_("What people call the field."), required=True),
    Field("name", Slug(), N_("The name in filters; made from the label without a value.")),
    Field("type", Choice(values.TYPES), N_("What its values are."), default=values.TEXT),
    Field("options", FieldOptions(), N_("What can be chosen, for the types choice and choices.")),
    Field(
        "public", Flag(True), N_("Whether everybody reads its values, or only who can edit the event."), default=True
    ),
    Field("required", Flag(), N_("Whether an event needs a value, unless it is a draft."), default=False),
    Field("position", Whole(0, LAST_POSITION), N_("Its place among the fields; without a value the last one.")),
    Field("filter", Flag(), N_("Whether the public calendar can be filtered by it."), default=False),
    Field(
        "submit",
        Flag(),
        N_("Whether the public form for events asks for it; it does if it is public and required."),
        default=False,
    ),
)

REPRESENTATIONS = (CUSTOM_FIELD,)
