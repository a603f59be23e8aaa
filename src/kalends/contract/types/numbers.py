"""Numbers and flags: how they are read from what a client sent."""

import math
import re
import sys
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.contract.errors import EMPTY, OUT_OF_BOUNDS, WRONG_TYPE, FieldError
from kalends.contract.json_schema import FLAG, NUMBER, WHOLE, Schema, or_null
from kalends.contract.types import NOTHING, Type, patterns, single
from kalends.languages import N_

LARGEST = 2**63 - 1
LARGEST_FLOAT = sys.float_info.max
LONGEST_NUMBER = 100  # characters of a number or flag that is written as text
WHOLE_NUMBER = re.compile(r"([+-]?[0-9]{1,40})(?:\.0{1,10})?")
TRUE_WORDS = frozenset({"true", "1", "yes", "on"})
FALSE_WORDS = frozenset({"false", "0", "no", "off"})


@dataclass(frozen=True, slots=True)
class Whole(Type):
    """A whole number within bounds."""

    minimum: int = 0
    maximum: int = LARGEST
    json: ClassVar[str | None] = "integer"
    response_schema: ClassVar[Schema] = WHOLE
    control: ClassVar[str] = "number"
    null: ClassVar[object] = 0

    def read(self, value: object) -> int:
        value = single(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        elif isinstance(value, str):
            match = WHOLE_NUMBER.fullmatch(value.strip()) if len(value) <= LONGEST_NUMBER else None
            value = int(match[1]) if match else None
        if not isinstance(value, int) or isinstance(value, bool):
            raise FieldError(WRONG_TYPE, N_("must be a whole number."))
        if value < self.minimum:
            raise FieldError(OUT_OF_BOUNDS, N_("must be {minimum} or more."), minimum=self.minimum)
        if value > self.maximum:
            raise FieldError(OUT_OF_BOUNDS, N_("must be {maximum} or less."), maximum=self.maximum)
        return value

    def schema(self) -> dict[str, Any]:
        return {
            "anyOf": [
                {"type": "integer", "minimum": self.minimum, "maximum": self.maximum},
                {"type": "string", "pattern": patterns.padded(patterns.whole(self.minimum, self.maximum))},
            ]
        }


class Above(Whole):
    """The id of the record that one belongs to; 0 and nothing for none."""

    def read(self, value: object) -> int:
        value = single(value)
        return 0 if isinstance(value, str) and not value.strip() else Whole.read(self, value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [*Whole.schema(self)["anyOf"], NOTHING]}


class Reference(Whole):
    """The id of a record that must be there; it can never be emptied."""

    def cleared(self) -> object:
        raise FieldError(EMPTY, N_("cannot be empty."))


# A record by its id, which may come with everything that a read shows of it.
RECORD_REFERENCE: Schema = {"type": "object", "properties": {"id": Whole(1).schema()}, "required": ["id"]}


@dataclass(frozen=True, slots=True)
class Number(Type):
    """A finite number within bounds."""

    minimum: float = -math.inf
    maximum: float = math.inf
    json: ClassVar[str | None] = "number"
    response_schema: ClassVar[Schema] = or_null(NUMBER)
    null: ClassVar[object] = None

    def read(self, value: object) -> float | None:
        value = single(value)
        if isinstance(value, str):
            try:
                is_plain = len(value) <= LONGEST_NUMBER and value.isascii() and "_" not in value
                value = float(value.strip()) if is_plain else None
            except ValueError:
                value = None
        if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= LARGEST_FLOAT:
            raise FieldError(WRONG_TYPE, N_("must be a number."))
        if not self.minimum <= value <= self.maximum:
            raise FieldError(
                OUT_OF_BOUNDS,
                N_("must lie between {minimum} and {maximum}."),
                minimum=self.minimum,
                maximum=self.maximum,
            )
        return float(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": self.minimum, "maximum": self.maximum}


class Coordinate(Number):
    """A number that an empty text removes."""

    def read(self, value: object) -> float | None:
        return None if single(value) == "" else Number.read(self, value)

    def schema(self) -> dict[str, Any]:
        written = patterns.padded(patterns.decimal(int(self.maximum)))
        return {"anyOf": [Number.schema(self), {"type": "string", "pattern": written}, NOTHING]}


class Double(Number):
    """A number that the interface calls a double."""

    json: ClassVar[str | None] = "double"


@dataclass(frozen=True, slots=True)
class Flag(Type):
    """true/false, 1/0, yes/no, on/off."""

    default: bool = False
    json: ClassVar[str | None] = "boolean"
    response_schema: ClassVar[Schema] = FLAG
    control: ClassVar[str] = "flag"
    display: ClassVar[str] = "flag"
    shared: ClassVar[str] = "TrueOrFalse"

    def read(self, value: object) -> bool:
        value = single(value)
        if isinstance(value, bool):
            return value
        if isinstance(value, int | float) and value in (0, 1):
            return bool(value)
        word = value.strip().lower() if isinstance(value, str) and len(value) <= LONGEST_NUMBER else None
        if word in TRUE_WORDS:
            return True
        if word in FALSE_WORDS:
            return False
        raise FieldError(WRONG_TYPE, N_("must be true or false."))

    def cleared(self) -> object:
        return self.default

    def schema(self) -> dict[str, Any]:
        words = patterns.padded(patterns.words(sorted(TRUE_WORDS | FALSE_WORDS)))
        return {
            "anyOf": [
                {"type": "boolean"},
                {"type": "number", "enum": [0, 1]},
                {"type": "string", "pattern": words},
            ]
        }


class MapFlag(Flag):
    """A flag that the interface declares as a string."""

    json: ClassVar[str | None] = "string"


class OpenFlag(Flag):
    """A flag for which the interface declares no type."""

    json: ClassVar[str | None] = None
