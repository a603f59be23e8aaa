"""Custom fields: the table of their definitions, and each of them as a further row of the table of events."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.contract.errors import NOT_IN_ENUM, OUT_OF_BOUNDS, WRONG_FORMAT, WRONG_TYPE, FieldError
from kalends.contract.fields import Field, RecordField, extensions
from kalends.contract.json_schema import (
    EMPTY_LIST,
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    Key,
    Representation,
    Schema,
    either,
    many,
    ref,
)
from kalends.contract.types import NOTHING, Type, is_position, single, text
from kalends.contract.types.numbers import Flag, Number, Whole
from kalends.contract.types.scalars import OpenUrl
from kalends.contract.types.texts import Choice, Line, Name, Slug
from kalends.features.custom_fields.filters import RANGE
from kalends.languages import N_
from kalends.values import custom_fields as values
from kalends.values import dates
from kalends.values.custom_fields import PREFIX, SEPARATOR, CustomField

LONGEST_LABEL = 100
LONGEST_NAME = 60
LONGEST_OPTION = 200
MOST_OPTIONS = 200
LONGEST_VALUE = 1000
LONGEST_TEXTAREA = 10_000
LAST_POSITION = 10_000

OptionList = list[str]


@dataclass(frozen=True, slots=True)
class Options(Type):
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
    Field("options", Options(), N_("What can be chosen, for the types choice and choices.")),
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
DEFINITION_KEYS = (
    Key(
        "key",
        {"type": "string", "pattern": f"^{PREFIX}[1-9][0-9]*$"},
        N_("The key, given once and for ever."),
    ),
    Key("name", TEXT, N_("The name in filters.")),
    Key("label", TEXT, N_("What people call the field.")),
    Key("type", {"type": "string", "enum": list(values.TYPES)}, N_("What its values are.")),
    Key("options", many(TEXT), N_("What can be chosen.")),
    Key("public", FLAG, N_("Whether everybody reads its values.")),
    Key("required", FLAG, N_("Whether an event needs a value, unless it is a draft.")),
    Key("position", WHOLE, N_("Its place among the fields.")),
    Key("filter", FLAG, N_("Whether the public calendar can be filtered by it.")),
    Key("submit", FLAG, N_("Whether the public form for events asks for it.")),
)
VALUE_KEYS = (
    Key("label", TEXT, N_("What people call the field.")),
    Key("value", either(TEXT, NUMBER), N_("The value; several choices are separated by |.")),
)


# The types of values


class LongText(Type):
    """Plain text of several lines."""

    control: ClassVar[str] = "textarea"

    def read(self, value: object) -> str:
        written = text(value, LONGEST_TEXTAREA).replace("\r\n", "\n").replace("\r", "\n")
        return "".join(char for char in written if char.isprintable() or char in "\n\t").strip()


class Quantity(Type):
    """A number, whole where it has no fraction."""

    control: ClassVar[str] = "number"

    def read(self, value: object) -> str | int | float:
        value = single(value)
        if isinstance(value, str) and not value.strip():
            return ""
        found = Number().read(value)
        if found is None:
            return ""
        return int(found) if float(found).is_integer() and abs(found) < 1e15 else found


class Day(Type):
    """A date without a time."""

    control: ClassVar[str] = "date"

    def read(self, value: object) -> str:
        written = text(value, 100).strip()
        if not written:
            return ""
        try:
            moment = dates.read(written)
        except dates.NotADate:
            moment = None
        if not isinstance(moment, dates.Wall):  # a word or an instant is another day for somebody else
            raise FieldError(WRONG_FORMAT, N_("must be a date, such as 2027-03-10."))
        return moment.at.date().isoformat()


@dataclass(frozen=True, slots=True)
class OneOf(Type):
    """One of the options, or nothing."""

    options: tuple[str, ...] = ()
    control: ClassVar[str] = "select"

    def read(self, value: object) -> str:
        return self.option(text(value).strip())

    def option(self, word: str) -> str:
        if not word or word in self.options:
            return word
        for option in self.options:
            if option.casefold() == word.casefold():
                return option
        raise FieldError(NOT_IN_ENUM, N_("must be one of: {choices}."), choices=", ".join(self.options))


class SomeOf(OneOf):
    """Any of the options, in their order: an array, or a text with | between them."""

    control: ClassVar[str] = "choices"

    def read(self, value: object) -> str:
        if isinstance(value, Mapping):
            value = list(value.values())
        given = value if isinstance(value, list) else [value]
        if len(given) > MOST_OPTIONS:
            raise FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} elements."), maximum=MOST_OPTIONS)
        words = [part.strip() for one in given for part in text(one, LONGEST_TEXTAREA).split(SEPARATOR)]
        chosen = {self.option(word) for word in words[: 10 * MOST_OPTIONS]}
        return SEPARATOR.join(option for option in self.options if option in chosen)


def value_type(field: CustomField) -> Type:
    """How the values of a field are read."""
    match field.type:
        case values.TEXTAREA:
            return LongText()
        case values.URL:
            return OpenUrl()
        case values.NUMBER:
            return Quantity()
        case values.DATE:
            return Day()
        case values.CHOICE:
            return OneOf(field.options)
        case values.CHOICES:
            return SomeOf(field.options)
        case _:
            return Line(LONGEST_VALUE)


# Those of an event


class CustomValues(Type):
    """The values of an event by the keys or names of the fields, each as it is or as a read shows it. Which fields
    there are is known to the store, so what the values mean is checked where they are applied."""

    json: ClassVar[str | None] = "object"
    response_schema: ClassVar[Schema] = either(
        EMPTY_LIST,
        {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/CustomValue"}},
    )
    control: ClassVar[str] = ""
    prefix: ClassVar[str] = PREFIX

    def read(self, value: object) -> dict[str, object]:
        value = single(value)
        if isinstance(value, list) and not value:  # as a read shows an event without any
            return {}
        if isinstance(value, str) and not value.strip():
            return self.cleared()
        if not isinstance(value, Mapping):
            raise FieldError(WRONG_TYPE, N_("must be an object of values by the keys of their fields."))
        if len(value) > 2 * values.MOST:
            raise FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} elements."), maximum=2 * values.MOST)
        return {str(key): _plain_value(one) for key, one in value.items()}

    def cleared(self) -> dict[str, object]:
        return {"": ""}  # all of them

    def schema(self) -> dict[str, Any]:
        plain = [{"type": "string"}, {"type": "number"}, {"type": "array", "items": {"type": "string"}}]
        read = {"type": "object", "properties": {"value": {"anyOf": plain}}, "required": ["value"]}
        return {"anyOf": [EMPTY_LIST, NOTHING, {"type": "object", "additionalProperties": {"anyOf": [*plain, read]}}]}

    def form_schema(self) -> dict[str, Any]:
        return NOTHING


def _plain_value(value: object) -> object:
    """A value, which may come as a read shows it."""
    value = single(value)
    return value["value"] if isinstance(value, Mapping) and "value" in value else value


CUSTOM_VALUES = RecordField(
    values.FIELD,
    CustomValues(),
    N_("The values of custom fields by their keys or names; what is not named stays, and an empty value removes."),
    extension=True,
    label=N_("Custom fields"),
    is_ruled=True,
    is_shared=False,  # each of its values is
    is_in_reference=True,
    shows=N_("The values of custom fields by their keys; an empty array without any."),
    masked=[],
    csv=(),
    tec="custom_fields",
    meta="",  # each of its values has a key
)
EVENT_FIELDS = (CUSTOM_VALUES,)

CUSTOM_FIELD = Representation("CustomField", N_("A further field of events."), DEFINITION_KEYS)
CUSTOM_VALUE = Representation("CustomValue", N_("The value of a custom field."), VALUE_KEYS)
REPRESENTATIONS = (CUSTOM_FIELD, CUSTOM_VALUE)


def _object_of(union: Schema) -> Schema:
    found: Schema = next(schema for schema in union["anyOf"] if schema.get("type") == "object")
    return found


_TO_SET = _object_of(CUSTOM_VALUES.type.schema())
SCHEMAS: dict[str, Schema] = {
    "CustomValuesToSet": _TO_SET,
    "CustomValueToSet": _object_of(_TO_SET["additionalProperties"]),
    "CustomValues": {"type": "object", "additionalProperties": ref("CustomValue")},
    "CustomRange": RANGE,
    "CustomFieldType": {"type": "string", "enum": list(values.TYPES)},
}
