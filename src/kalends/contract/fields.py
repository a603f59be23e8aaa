"""A field or parameter of the interface, and how a whole request is read by a table of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import msgspec

from kalends.contract.errors import EMPTY, MISSING_PARAM, ApiError, FieldError, Problems
from kalends.contract.lists import inside
from kalends.contract.types import Type
from kalends.languages import N_


class Absent(Enum):
    """No default at all, which is not the same as a default of null."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


@dataclass(frozen=True, slots=True)
class Field:
    """One row of a table: what a client may send, how it is read and what it means."""

    name: str
    type: Type
    meaning: str
    required: bool = False
    default: object = ABSENT
    extension: bool = False


Values = dict[str, object]


class Reading(msgspec.Struct, frozen=True):
    """What was read, and everything that was wrong with it."""

    values: Values
    problems: Problems


def required_missing(fields: Iterable[Field], sent: Mapping[str, object]) -> list[str]:
    return [field.name for field in fields if field.required and sent.get(field.name) is None]


def read_create(fields: Sequence[Field], sent: Mapping[str, object]) -> Reading:
    """A new record: required fields are there, and null means "not sent"."""
    if missing := required_missing(fields, sent):
        raise ApiError(MISSING_PARAM, {"params": missing}, names=", ".join(missing))
    return read(fields, {name: value for name, value in sent.items() if value is not None})


def read_update(fields: Sequence[Field], sent: Mapping[str, object]) -> Reading:
    """A change: what was not sent is not in the values, and null clears."""
    return read(fields, sent)


def read_query(fields: Sequence[Field], sent: Mapping[str, object]) -> Reading:
    """The parameters of a GET or DELETE."""
    return read(fields, sent)


def read(fields: Sequence[Field], sent: Mapping[str, object]) -> Reading:
    values: Values = {}
    problems = Problems()
    for field in [field for field in fields if field.name in sent]:
        value = sent[field.name]
        try:
            values[field.name] = field.type.cleared() if value is None else field.type.read(value)
        except FieldError as invalid:
            problems.add(field.name, invalid)
    return Reading(values, problems)


def read_nested(fields: Sequence[Field], sent: Mapping[str, object]) -> Values:
    """A record inside another one; the first thing wrong with it is reported under the outer name."""
    if missing := required_missing(fields, sent):
        raise FieldError(EMPTY, N_("must have: {names}."), names=", ".join(missing))
    reading = read_create(fields, sent)
    for name, invalid in reading.problems.by_name.items():
        raise inside(name, invalid)
    return reading.values
