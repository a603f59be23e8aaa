"""The filter of lists by custom fields: `custom[name]=value`, any of several values, or from one and to one."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from kalends.contract.errors import EMPTY, OUT_OF_BOUNDS, WRONG_TYPE, FieldError
from kalends.contract.fields import Field
from kalends.contract.types import Several, Type, is_position, text
from kalends.languages import N_
from kalends.values.custom_fields import MOST

NAME = "custom"
BOUNDS = ("from", "to")
MOST_VALUES = 100

CustomFilters = dict[str, list[str] | dict[str, str]]  # by key or name: any of these values, or the bounds of a range


class CustomFilter(Type):
    """Values by the names or keys of fields. What they mean is known to the store."""

    json: ClassVar[str | None] = "object"

    def read(self, value: object) -> CustomFilters:
        if not isinstance(value, Mapping):
            raise FieldError(WRONG_TYPE, N_("must name a field, as in custom[name]=value."))
        if len(value) > MOST:
            raise FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} elements."), maximum=MOST)
        return {str(name): _asked(one) for name, one in value.items()}

    def schema(self) -> dict[str, Any]:
        values = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
        return {"type": "object", "additionalProperties": values}


def _asked(value: object) -> list[str] | dict[str, str]:
    if isinstance(value, Mapping):
        if value and set(value) <= set(BOUNDS):
            return {str(name): text(one).strip() for name, one in value.items()}
        if not all(is_position(key) for key in value):
            raise FieldError(WRONG_TYPE, N_("takes a value, several values, or [from] and [to]."))
        value = list(value.values())
    given = list(value) if isinstance(value, list | Several) else [value]
    if len(given) > MOST_VALUES:
        raise FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} elements."), maximum=MOST_VALUES)
    found = [written for one in given if (written := text(one).strip())]
    if not found:
        raise FieldError(EMPTY, N_("cannot be empty."))
    return found


def pairs(asked: CustomFilters) -> Iterator[tuple[str, str]]:
    """The parameters of an address that ask for this."""
    for name, wanted in asked.items():
        if isinstance(wanted, dict):
            yield from ((f"{NAME}[{name}][{bound}]", value) for bound, value in wanted.items())
        elif len(wanted) == 1:
            yield f"{NAME}[{name}]", wanted[0]
        else:
            yield from ((f"{NAME}[{name}][{place}]", value) for place, value in enumerate(wanted))


def sent_pairs(sent: object) -> Iterator[tuple[str, str]]:
    """The same of what a form or an address sent, right or wrong, each under a name of its own. Empty fields of a
    form are none."""
    yield from _leaves(NAME, sent)


def _leaves(name: str, sent: object) -> Iterator[tuple[str, str]]:
    if isinstance(sent, Mapping):
        for key, one in sent.items():
            yield from _leaves(f"{name}[{key}]", one)
    elif isinstance(sent, list):
        filled = [one for one in sent if not isinstance(one, str) or one.strip()]
        for place, one in enumerate(filled):
            yield from _leaves(f"{name}[{place}]" if len(filled) > 1 else name, one)
    elif isinstance(sent, str) and sent.strip():
        yield name, sent.strip()


def nested(pairs: Mapping[str, str]) -> dict[str, object]:
    """Parameters by their names, with those of this filter as one, as it is read."""
    found: dict[str, object] = {}
    for name, value in pairs.items():
        path = name.removesuffix("]").replace("][", "[").split("[") if is_part(name) else [name]
        inner = found
        for key in path[:-1]:
            below = inner.setdefault(key, {})
            inner = below if isinstance(below, dict) else {}
        inner[path[-1]] = value
    return found


def is_part(name: str) -> bool:
    """Whether a parameter belongs to this filter."""
    return name.startswith(f"{NAME}[")


def field_of(name: str) -> str:
    """The field that such a parameter names."""
    return name.partition("[")[2].partition("]")[0]


CUSTOM_FILTER = Field(
    NAME,
    CustomFilter(),
    N_("Events by their custom fields: custom[name]=value, several values, or custom[name][from] and [to]."),
    extension=True,
)
