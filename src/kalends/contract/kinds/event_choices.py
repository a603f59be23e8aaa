"""What events can be chosen by beside what they are linked to: days of the week, times of day, costs and places."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.contract.errors import EMPTY, WRONG_TYPE, FieldError
from kalends.contract.fields import Field
from kalends.contract.kinds.events import LINK_OF
from kalends.contract.types import Type, patterns, text
from kalends.contract.types.lists import StatusFilter, array_or_list, elements, unique
from kalends.contract.types.numbers import Flag
from kalends.contract.types.texts import Line
from kalends.languages import N_

WEEKDAYS = ("1", "2", "3", "4", "5", "6", "7")  # 1 is Sunday
ALL_DAY = "allday"
TIMES_OF_DAY = (ALL_DAY, "06-12", "12-17", "17-21", "21-06")
LONGEST_NAME = 200
MOST_NAMES = 100
_AMOUNT = r"[0-9]{1,9}(?:\.[0-9]{1,4})?"
_RANGE = re.compile(rf"({_AMOUNT})(?:\s*-\s*({_AMOUNT}))?", re.ASCII)

Bounds = tuple[float, float]


class SomeOf(StatusFilter):
    """One or several of a few words."""


def bounds_of(written: str) -> Bounds | None:
    """`0-20` as two numbers; one number is both of them, and None is no range."""
    match = _RANGE.fullmatch(written.strip())
    if match is None:
        return None
    low, high = float(match[1]), float(match[2] or match[1])
    return (low, high) if low <= high else None


@dataclass(frozen=True, slots=True)
class CostRanges(Type):
    """Ranges of costs: `0-20`, or several."""

    json: ClassVar[str | None] = "array"

    def read(self, value: object) -> list[str]:
        found = unique(text(element).strip() for element in elements(value, split_inside=True, most=MOST_NAMES))
        if not found or any(bounds_of(one) is None for one in found):
            raise FieldError(WRONG_TYPE, N_("must be ranges of costs, such as 0-20, separated by commas."))
        return found

    def schema(self) -> dict[str, Any]:
        # A number, so that the first is not larger than the second.
        one = "[0-9]{1,9}"
        element = {"type": "string", "pattern": patterns.padded(one)}
        return array_or_list(element, patterns.comma_list(one, MOST_NAMES), least=1, most=MOST_NAMES)


@dataclass(frozen=True, slots=True)
class Names(Type):
    """Names of places, as an array or a comma list."""

    json: ClassVar[str | None] = "array"

    def read(self, value: object) -> list[str]:
        found = unique(text(one, LONGEST_NAME) for one in elements(value, split_inside=True, most=MOST_NAMES))
        if not found:
            raise FieldError(EMPTY, N_("cannot be empty."))
        return found

    def schema(self) -> dict[str, Any]:
        one = rf"[^,\s]{{1,{LONGEST_NAME}}}"
        element = {"type": "string", "pattern": patterns.padded(one)}
        return array_or_list(element, patterns.comma_list(one, MOST_NAMES), least=1, most=MOST_NAMES)


@dataclass(frozen=True, slots=True)
class Groups(Type):
    """Ids or slugs that need not name anything: any of those between two semicolons, for every part."""

    json: ClassVar[str | None] = "string"

    def read(self, value: object) -> list[list[str]]:
        parts = (elements(part, most=MOST_NAMES) for part in text(value).split(";")[:MOST_NAMES])
        return [[str(one) for one in part] for part in parts if part]

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


def _place(name: str, meaning: str) -> Field:
    return Field(name, Names(), meaning, extension=True)


# Filters of the interface, which every list of events has.
CHOICE_FILTERS: Sequence[Field] = (
    Field(
        "weekday",
        SomeOf(WEEKDAYS),
        N_("Events that take place on any of these days of the week; 1 is Sunday."),
        extension=True,
    ),
    Field(
        "time_of_day",
        SomeOf(TIMES_OF_DAY),
        N_("Events that start in any of these times of day, on their own clock, or that last all day."),
        extension=True,
    ),
    Field(
        "cost",
        CostRanges(),
        N_("Events that cost something in any of these ranges; one without a cost costs 0."),
        extension=True,
    ),
    _place("city", N_("Events in any of these cities, by name.")),
    _place("country", N_("Events in any of these countries, by name.")),
    _place("state", N_("Events in any of these states or provinces, by name.")),
)

# Filters of pages and feeds that only rewritten addresses have. Values that name nothing are no error: then nothing
# is found. Ids may be those of a calendar that was imported.
LINKED_TO_ANY = {f"any_{kind}": kind for kind in LINK_OF}
NOTHING, ALL_DATES_OF, PLACE, ANY_CUSTOM = "nothing", "all_dates_of", "place", "any_custom"
FORGIVING_FILTERS: Sequence[Field] = (
    *(Field(name, Groups(), "") for name in LINKED_TO_ANY),
    Field(PLACE, Line(), ""),  # words of a venue's name or address
    Field(ALL_DATES_OF, Line(), ""),  # the slug of a series, or of one of its dates: the whole course
    # Custom fields by their keys: `KEY:VALUE,VALUE;KEY:VALUE`, where keys and values are percent-encoded.
    Field(ANY_CUSTOM, Line(), ""),
    Field(NOTHING, Flag(), ""),
)
