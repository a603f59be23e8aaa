"""The types with many values: ids, terms and linked records, in every shape a client may send them."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeVar

from kalends.contract.errors import EMPTY, NOT_IN_ENUM, OUT_OF_BOUNDS, WRONG_TYPE, FieldError
from kalends.contract.types import FALSE, Several, Type, is_position, patterns, repeated, text
from kalends.contract.types.numbers import LARGEST, RECORD_REFERENCE, WHOLE_NUMBER, Whole
from kalends.contract.types.texts import LONGEST_EXTERNAL_ID, check_signs
from kalends.languages import N_
from kalends.values import markup

MOST_ELEMENTS = 1000
MOST_LINKED = 50  # venues or organizers of one event
MOST_TERMS = 100  # categories or tags of one event
LONGEST_TERM = 200
LONGEST_NAME = 200
MOST_NAMES = 100

# A term in text: digits are an id, anything else a slug or a name, and nothing is nothing.
_TERM_ID = patterns.whole(1, LARGEST)
_TERM_NAME = r"[^,]{0,99}[^0-9\s,+.-][^,]{0,99}"
_TERM = rf"(?:\s*(?:0|{_TERM_ID})?\s*|{_TERM_NAME})"

T = TypeVar("T", bound=Hashable)


class TermName(str):
    """A name that a person typed into a field for names; one of digits is no id."""

    __slots__ = ()

    def strip(self, chars: str | None = None, /) -> "TermName":
        return TermName(super().strip(chars))


def elements(value: object, *, split_inside: bool = False, most: int = MOST_ELEMENTS) -> list[object]:
    """The elements of an array or comma list; blanks and nulls are none."""
    if isinstance(value, Mapping) and value and all(is_position(key) for key in value):
        value = list(value.values())  # a[0]=1&a[1]=2
    if isinstance(value, str):
        value, split_inside = [value], True
    if isinstance(value, Several):
        split_inside = True  # a=1,2&a=3
    elif not isinstance(value, list):
        value = [value]
    # Counted before anything is taken apart: a body can hold millions of commas.
    commas = sum(element.count(",") for element in value if isinstance(element, str)) if split_inside else 0
    if len(value) + commas > most:
        raise FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} elements."), maximum=most)
    found: list[object] = []
    for element in value:
        found += element.split(",") if split_inside and isinstance(element, str) else [element]
    found = [element.strip() if isinstance(element, str) else element for element in found]
    return [element for element in found if element is not None and element != ""]


def array_or_list(
    element: dict[str, Any], written: str, *, least: int = 0, most: int = MOST_ELEMENTS
) -> dict[str, Any]:
    """An array, or the same separated by commas: a text of that pattern."""
    array = {"type": "array", "items": element, "minItems": least, "maxItems": most}
    return {"anyOf": [array, {"type": "string", "pattern": written}]}


def unique(found: Iterable[T]) -> list[T]:
    return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class IdList(Type):
    """Ids, as an array or a comma list."""

    json: ClassVar[str | None] = "array"

    def read(self, value: object) -> list[int]:
        found = elements(value, split_inside=True)
        if not found:
            raise FieldError(EMPTY, N_("cannot be empty."))
        try:
            return unique(Whole(minimum=1).read(element) for element in found)
        except FieldError:
            ids = N_("must be ids, as an array or separated by commas.")
            raise FieldError(WRONG_TYPE, ids, value=repeated(value)) from None

    def schema(self) -> dict[str, Any]:
        return array_or_list(Whole(minimum=1).schema(), patterns.comma_list(patterns.whole(1, LARGEST)), least=1)


class Digits(int):
    """A number that was written as text: an id, or a slug or name of digits."""


@dataclass(frozen=True, slots=True)
class TermNames(Type):
    """Terms of an event: ids, slugs or names."""

    most: int = MOST_TERMS
    json: ClassVar[str | None] = "array"
    control: ClassVar[str] = "records"
    display: ClassVar[str] = "records"

    def read(self, value: object) -> list[int | str]:
        sent = (
            element
            for element in elements(value, most=self.most)
            if isinstance(element, bool) or element not in (0, "0")
        )
        found = (self.element(element) for element in sent)
        return unique(element for element in found if element != "")

    def element(self, value: object) -> int | str:
        """The id or the name of a term; nothing of a text without anything to see in it."""
        if isinstance(value, Mapping) and "id" in value:  # a term as a read shows it
            return Whole(minimum=1).read(value["id"])
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise FieldError(WRONG_TYPE, N_("must be ids, slugs or names, as an array or separated by commas."))
        if isinstance(value, str):
            typed = isinstance(value, TermName)
            value = text(value, LONGEST_TERM)
            if typed:
                return markup.plain(value)
        try:
            number = Whole(minimum=1).read(value)
            return Digits(number) if isinstance(value, str) else number
        except FieldError:
            if isinstance(value, str) and WHOLE_NUMBER.fullmatch(value):  # an id, be there such a term or not
                raise
        name = markup.plain(text(value))
        if not isinstance(value, str) or len(name) > LONGEST_TERM:
            raise FieldError(WRONG_TYPE, N_("must be ids, slugs or names, as an array or separated by commas."))
        return name

    def cleared(self) -> object:
        return []

    def schema(self) -> dict[str, Any]:
        ids = {"type": "integer", "minimum": 0, "maximum": LARGEST}
        names = {"type": "string", "pattern": f"^{_TERM}$"}
        element = {"anyOf": [ids, names, RECORD_REFERENCE, {"type": "null"}]}
        schema = array_or_list(element, self._list(), most=self.most)
        return {"anyOf": [*schema["anyOf"], ids, RECORD_REFERENCE]}

    def form_schema(self) -> dict[str, Any]:
        return array_or_list({"type": "string", "pattern": f"^{_TERM}$"}, self._list(), most=self.most)

    def _list(self) -> str:
        return rf"^{_TERM}(?:,{_TERM}){{0,{self.most - 1}}}$"


class TermFilter(TermNames):
    """Terms to filter by: ids or slugs, at least one."""

    def read(self, value: object) -> list[int | str]:
        found = [found for found in unique(map(self.element, elements(value, split_inside=True))) if found != ""]
        if not found:
            raise FieldError(EMPTY, N_("cannot be empty."))
        return found

    def schema(self) -> dict[str, Any]:
        one = rf"(?:{_TERM_ID}|{_TERM_NAME})"
        slugs = {"type": "string", "pattern": patterns.padded(one)}
        ids = {"type": "integer", "minimum": 1, "maximum": LARGEST}
        return array_or_list({"anyOf": [ids, slugs]}, patterns.comma_list(one), least=1)

    def form_schema(self) -> dict[str, Any]:
        return self.schema()


@dataclass(frozen=True, slots=True)
class StatusFilter(Type):
    """One or several statuses."""

    words: Sequence[str] = ()

    def read(self, value: object) -> list[str]:
        found = unique(text(element) for element in elements(value, split_inside=True))
        if not found or any(word not in self.words for word in found):
            raise FieldError(NOT_IN_ENUM, N_("must be one of: {choices}."), choices=", ".join(self.words))
        return found

    def schema(self) -> dict[str, Any]:
        element = {"type": "string", "enum": list(self.words)}
        return array_or_list(element, patterns.comma_list(f"(?:{'|'.join(self.words)})"), least=1)


@dataclass(frozen=True, slots=True)
class Names(Type):
    """Names of places or sources, as an array or a comma list."""

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


class ExternalId(NamedTuple):
    """A record that is there, by where it comes from."""

    source: str
    external_id: str


EXTERNAL_NAMES = frozenset(ExternalId._fields)
EXTERNAL_REFERENCE = {
    "type": "object",
    "properties": {name: {"type": "string", "minLength": 1} for name in ExternalId._fields},
    "required": [*ExternalId._fields],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Linked(Type):
    """Records of another kind: ids, ids at a source, objects of that kind's fields, or all of these. `0` and nothing
    remove all. `body` names the schema of such an object."""

    read_object: Callable[[Mapping[str, object]], dict[str, object]]
    body: str
    most: int = MOST_LINKED
    json: ClassVar[str | None] = "array"
    control: ClassVar[str] = "records"
    display: ClassVar[str] = "records"

    def read(self, value: object) -> list[int | ExternalId | dict[str, object]]:
        sent = elements(value, most=self.most)
        objects = [element for element in sent if isinstance(element, Mapping)]
        check_signs(
            sum(markup.count_signs(part) for element in objects for part in element.values() if isinstance(part, str))
        )
        found: list[int | ExternalId | dict[str, object]] = []
        for element in sent:
            entry = self.element(element)
            if entry != 0 and entry not in found:
                found.append(entry)
        return found

    def element(self, value: object) -> int | ExternalId | dict[str, object]:
        if isinstance(value, Mapping):
            known = value.get("id")
            if known not in (None, "", 0, "0"):
                return Whole(minimum=1).read(known)
            if value.keys() == EXTERNAL_NAMES and value["external_id"]:
                return ExternalId(*(text(value[name], LONGEST_EXTERNAL_ID) for name in ExternalId._fields))
            return self.read_object(value)
        if value is False:
            return 0
        try:
            return Whole().read(value)
        except FieldError:
            raise FieldError(WRONG_TYPE, N_("must be ids or objects, as an array or separated by commas.")) from None

    def cleared(self) -> object:
        return []

    def schema(self) -> dict[str, Any]:
        new = {"$ref": f"#/components/schemas/{self.body}"}
        one = [FALSE, *Whole().schema()["anyOf"], new, RECORD_REFERENCE, EXTERNAL_REFERENCE]
        nothing = {"type": "string", "pattern": r"^\s*$"}
        array = {"type": "array", "items": {"anyOf": [*one, nothing, {"type": "null"}]}, "maxItems": self.most}
        return {"anyOf": [*one, array, *self._lists()]}

    def form_schema(self) -> dict[str, Any]:
        array = {"type": "array", "items": Whole().schema(), "maxItems": self.most}
        return {"anyOf": [array, *self._lists()]}

    def _lists(self) -> list[dict[str, Any]]:
        ids = patterns.comma_list(patterns.whole(0, LARGEST), self.most)
        return [{"type": "string", "pattern": ids}, {"type": "string", "pattern": patterns.BLANK}]


def inside(name: str, invalid: FieldError) -> FieldError:
    """A problem of a field within a nested object, to be reported under the outer name."""
    return FieldError(
        invalid.code,
        N_("has a field that is not accepted: {field} {reason}"),
        field=name,
        reason=invalid,
    )
