"""The types of custom fields: of their values, of all values that an event has, and of the filter that finds events
by them. Which fields there are is known to the store, so what values mean is checked where they are applied."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.contract.errors import EMPTY, NOT_IN_ENUM, OUT_OF_BOUNDS, WRONG_FORMAT, WRONG_TYPE, FieldError
from kalends.contract.json_schema import EMPTY_LIST, Schema, either
from kalends.contract.types import NOTHING, Several, Type, is_position, single, text
from kalends.contract.types.numbers import Number
from kalends.contract.types.scalars import OpenUrl
from kalends.contract.types.texts import Line
from kalends.languages import N_
from kalends.values import custom_fields as values
from kalends.values import dates
from kalends.values.choices import SEPARATOR
from kalends.values.custom_fields import MOST, PREFIX, CustomField

MOST_OPTIONS = 200
LONGEST_VALUE = 1000
LONGEST_TEXTAREA = 10_000
BOUNDS = ("from", "to")  # of a range
MOST_ASKED = 100  # values of one field in a filter


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
        if len(value) > 2 * MOST:
            raise FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} elements."), maximum=2 * MOST)
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


# The filter: `custom[name]=value`, any of several values, or from one and to one.

RANGE = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in BOUNDS},
    "additionalProperties": False,
}

CustomFilters = dict[str, list[str] | dict[str, str]]  # by key or name: any of these values, or the bounds of a range


class CustomFilter(Type):
    """Values by the names or keys of fields. What they mean is known to the store."""

    json: ClassVar[str | None] = "object"

    def read(self, value: object) -> CustomFilters:
        if not isinstance(value, Mapping):
            raise FieldError(WRONG_TYPE, N_("must name a field, as in custom[name]=value."))
        if len(value) > MOST:
            raise FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} elements."), maximum=MOST)
        return {str(name): _wanted(one) for name, one in value.items()}

    def schema(self) -> dict[str, Any]:
        several = {"type": "array", "items": {"type": "string"}, "minItems": 1}
        values = {"anyOf": [{"type": "string"}, several, RANGE]}
        return {"type": "object", "additionalProperties": values}


def _wanted(value: object) -> list[str] | dict[str, str]:
    if isinstance(value, Mapping):
        if value and set(value) <= set(BOUNDS):
            return {str(name): text(one).strip() for name, one in value.items()}
        if not all(is_position(key) for key in value):
            raise FieldError(WRONG_TYPE, N_("takes a value, several values, or [from] and [to]."))
        value = list(value.values())
    given = list(value) if isinstance(value, list | Several) else [value]
    if len(given) > MOST_ASKED:
        raise FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} elements."), maximum=MOST_ASKED)
    found = [written for one in given if (written := text(one).strip())]
    if not found:
        raise FieldError(EMPTY, N_("cannot be empty."))
    return found
