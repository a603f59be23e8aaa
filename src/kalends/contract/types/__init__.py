"""The base of all parameter types: how a value is read, and the schema of what is accepted."""

from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from kalends.contract.errors import EMPTY, OUT_OF_BOUNDS, WRONG_FORMAT, WRONG_TYPE, FieldError
from kalends.contract.json_schema import TEXT, Schema
from kalends.languages import N_
from kalends.values import marks

LONGEST_TEXT = 1000  # of a value whose type says nothing else
LONGEST_REPEATED = 60


class Several(list[object]):
    """A parameter that came more than once: a list for array types, its last value for the others."""


def single(value: object) -> object:
    return value[-1] if isinstance(value, Several) else value


def is_position(key: object) -> bool:
    return isinstance(key, str) and key.isascii() and key.isdigit()


def text(value: object, longest: int = LONGEST_TEXT) -> str:
    """A string, or a JSON number or boolean where a string is expected. Its length and its combining
    marks are checked before anything else is done with it."""
    written = short_text(value, longest)
    check_marks(written)
    return written


def short_text(value: object, longest: int) -> str:
    """As `text`, but of its combining marks nothing is known."""
    value = single(value)
    if isinstance(value, str):
        check_length(value, longest)
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    raise FieldError(WRONG_TYPE, N_("must be text."))


def repeated(value: object) -> str:
    """What a client sent, short enough and clean enough to stand in a message."""
    value = single(value)
    try:
        written = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    except (TypeError, ValueError, OverflowError):
        written = type(value).__name__
    line = "".join(char if char.isprintable() else " " for char in written[: LONGEST_REPEATED + 1])
    return line if len(line) <= LONGEST_REPEATED else f"{line[:LONGEST_REPEATED]}…"


def check_length(written: str, longest: int) -> None:
    if len(written) > longest:
        raise too_long(longest)


def too_long(longest: int) -> FieldError:
    return FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} characters."), maximum=longest)


def check_marks(written: str) -> None:
    if marks.has_long_run(written):
        raise FieldError(
            WRONG_FORMAT,
            N_("has more than {maximum} combining marks in a row."),
            maximum=marks.LONGEST_RUN,
        )


@dataclass(frozen=True, slots=True)
class Type:
    """How one parameter is read. `items` is the type of an array's elements; `null` is what an explicit null means on
    an update; `shared` is the name of its schema in the OpenAPI document, where many parameters refer to it. For
    fields of records: `response_schema` is that of responses, `control` the one of forms, `display` how a value is
    written for people: as text, html, flag, choice, date, records or image. Parameters that begin with `prefix`
    belong to it too."""

    json: ClassVar[str | None] = "string"
    items: ClassVar[str] = "integer"
    null: ClassVar[object] = ""
    shared: ClassVar[str] = ""
    response_schema: ClassVar[Schema] = TEXT
    control: ClassVar[str] = "text"
    display: ClassVar[str] = "text"
    prefix: ClassVar[str] = ""

    def read(self, value: object) -> object:
        raise NotImplementedError

    def cleared(self) -> object:
        return self.null

    def schema(self) -> dict[str, Any]:
        """What is accepted in JSON, as JSON Schema."""
        return {"type": ["string", "number", "boolean"]}

    def form_schema(self) -> dict[str, Any]:
        """What a query or a form can hold of it: text."""
        return self.schema()


class Unspecified(Type):
    """A text that is checked elsewhere, or not at all."""

    json: ClassVar[str | None] = None

    def read(self, value: object) -> str:
        return text(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


class VisibleText(Unspecified):
    """A text of 1 to 255 visible ASCII characters, which is checked where the header is read."""

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}


class Fixed(Type):
    """A type whose values can never be emptied."""

    def cleared(self) -> object:
        raise FieldError(EMPTY, N_("cannot be empty."))


# Not as constants: generators of clients take a constant within anyOf for the only choice.
NOTHING = {"type": "string", "maxLength": 0}
FALSE = {"type": "boolean", "enum": [False]}


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [*(schema["anyOf"] if list(schema) == ["anyOf"] else [schema]), {"type": "null"}]}
