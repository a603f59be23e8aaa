"""The filter of lists by custom fields: `custom[name]=value`, any of several values, or from one and to one."""

from collections.abc import Mapping
from typing import Any, ClassVar

from kalends.contract.errors import EMPTY, OUT_OF_BOUNDS, WRONG_TYPE, FieldError
from kalends.contract.fields import Field
from kalends.contract.types import Several, Type, is_position, text
from kalends.languages import N_
from kalends.values.custom_fields import MOST

NAME = "custom"
BOUNDS = ("from", "to")
MOST_VALUES = 100
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
        return {str(name): _asked(one) for name, one in value.items()}

    def schema(self) -> dict[str, Any]:
        several = {"type": "array", "items": {"type": "string"}, "minItems": 1}
        values = {"anyOf": [{"type": "string"}, several, RANGE]}
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


CUSTOM_FILTER = Field(
    NAME,
    CustomFilter(),
    N_("Events by their custom fields: custom[name]=value, several values, or custom[name][from] and [to]."),
    extension=True,
)
FILTERS = (CUSTOM_FILTER,)
