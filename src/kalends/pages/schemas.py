"""Types in a few words: what a parameter takes and what a key holds, short enough to stand beside its name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kalends.contract.fields import Field
from kalends.contract.json_schema import DATE_TIME_PATTERN, Schema
from kalends.contract.lists import StatusFilter
from kalends.contract.numbers import Flag, Number, Whole
from kalends.contract.operations import File
from kalends.contract.scalars import Date
from kalends.contract.texts import Choice, Html, Secret
from kalends.contract.types import Type

DATE_FORM = "YYYY-MM-DD HH:MM:SS"


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a type. `shape` names the representation that it stands for, `many` an array of them."""

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
    elif "additionalProperties" in schema:
        yield Word("object")
        yield from _words(schema["additionalProperties"])
    else:
        types = schema.get("type", "string")
        for name in [types] if isinstance(types, str) else types:
            yield Word(name)


def form_of(schema: Schema) -> str:
    """How a text is written, where it has a form of its own."""
    if schema.get("pattern") == DATE_TIME_PATTERN:
        return DATE_FORM
    return "URL" if schema.get("format") == "uri" else ""


def type_of(field: Field) -> str:
    """The type that the interface declares for a parameter; where it declares none, what it takes."""
    if isinstance(field.type, File):
        return "file"
    if isinstance(field.type, Flag):
        return field.type.json or "boolean"
    return field.type.json or " | ".join(_alternatives(field.type.schema()))


def _alternatives(schema: Schema) -> list[str]:
    """The types of a value, a plain text first and alone: other scalars are only read as one."""
    types = [one.get("type", "string") for one in schema.get("anyOf", [schema])]
    names = list(dict.fromkeys(name for found in types for name in ([found] if isinstance(found, str) else found)))
    return names if "array" in names else ["string"]


def choices_of(field: Field) -> Sequence[str]:
    """The words to choose from, when there are only these."""
    return field.type.words if isinstance(field.type, Choice | StatusFilter) else ()


def bounds_of(field: Field) -> str:
    """The least and the most, where both say something."""
    return f"{field.type.minimum:g} … {field.type.maximum:g}" if isinstance(field.type, Number) else ""


# What a form offers to fill a parameter in; the first that fits.
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
