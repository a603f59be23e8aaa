"""Types as short text for the API reference."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kalends.contract.fields import Field
from kalends.contract.json_schema import DATE_TIME_PATTERN, Schema
from kalends.contract.operations.image_addresses import File
from kalends.contract.types import Type
from kalends.contract.types.lists import StatusFilter
from kalends.contract.types.numbers import Flag, Number, Whole
from kalends.contract.types.scalars import Date
from kalends.contract.types.texts import Choice, Html, Secret

DATE_FORM = "YYYY-MM-DD HH:MM:SS"


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a type. `shape` is the schema it refers to, `many` means an array."""

    text: str
    shape: str = ""
    many: bool = False


def words_of(schema: Schema) -> list[Word]:
    """The alternatives of a JSON Schema, each once and in order."""
    return list(dict.fromkeys(_words(schema)))


def _words(schema: Schema) -> Iterator[Word]:
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        yield Word(name, name)
    elif "anyOf" in schema:
        for one in schema["anyOf"]:
            yield from _words(one)
    elif "const" in schema:
        yield Word(str(schema["const"]).lower())
    elif schema.get("type") == "array" and schema.get("items"):
        for word in _words(schema["items"]):
            yield Word(word.text, word.shape, many=True)
    elif isinstance(schema.get("additionalProperties"), dict):
        yield Word("object")
        yield from _words(schema["additionalProperties"])
    else:
        types = schema.get("type", "string")
        for name in [types] if isinstance(types, str) else types:
            yield Word(name)


def form_of(schema: Schema) -> str:
    """The format of a string, if it has one."""
    if schema.get("pattern") == DATE_TIME_PATTERN:
        return DATE_FORM
    return "URL" if schema.get("format") == "uri" else ""


def type_of(field: Field) -> str:
    """The declared type of a parameter, else the types it accepts."""
    if isinstance(field.type, File):
        return "file"
    if isinstance(field.type, Flag):
        return field.type.json or "boolean"
    return field.type.json or " | ".join(_alternatives(field.type.schema()))


def _alternatives(schema: Schema) -> list[str]:
    """The JSON types of a value. Scalars other than strings are read as strings, so they are left out."""
    types = [one.get("type", "string") for one in schema.get("anyOf", [schema])]
    names = list(dict.fromkeys(name for found in types for name in ([found] if isinstance(found, str) else found)))
    return names if "array" in names else ["string"]


def choices_of(field: Field) -> Sequence[str]:
    """The values of an enumeration."""
    return field.type.words if isinstance(field.type, Choice | StatusFilter) else ()


def bounds_of(field: Field) -> str:
    """Minimum and maximum of a number."""
    return f"{field.type.minimum:g} … {field.type.maximum:g}" if isinstance(field.type, Number) else ""


# The form control of a parameter type; the first match counts.
INPUTS: Sequence[tuple[type[Type], str]] = (
    (File, "file"),
    (Flag, "flag"),
    (Choice, "choice"),
    (Html, "long"),
    (Secret, "secret"),
    (Date, "date"),
    (Whole, "number"),
    (Number, "number"),
)


def input_of(field: Field) -> str:
    return next((name for kind, name in INPUTS if isinstance(field.type, kind)), "text")
