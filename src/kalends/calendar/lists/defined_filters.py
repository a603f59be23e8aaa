"""Filters of lists by fields that people have defined: the conditions of `custom[name]=value`."""

from collections.abc import Iterator
from typing import cast
from urllib.parse import unquote

from msgspec.structs import replace

from kalends.calendar.access import UnitOfWork
from kalends.calendar.posts.defined_values import known_fields
from kalends.contract.errors import UNKNOWN, WRONG_TYPE, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.kinds.defined_fields import DefinedField, defined_field
from kalends.contract.kinds.event_filters import ANY_CUSTOM, CUSTOM_FILTER
from kalends.contract.types.custom_values import BOUNDS, CustomFilters, Day, OneOf, Quantity
from kalends.languages import N_
from kalends.store.query.list_query import CustomCondition, ListQuery
from kalends.store.rows.custom_values import compared
from kalends.values.choices import SEPARATOR

NAME = CUSTOM_FILTER.name
MOST_FORGIVING = 50  # fields that one rewritten address can name


def apply(work: UnitOfWork, query: ListQuery, values: Values, problems: Problems) -> ListQuery:
    """The query with the filters by defined fields that were sent."""
    found = [*_asked(work, values.get(NAME), problems)]
    if not (written := str(values.get(ANY_CUSTOM) or "")):
        return replace(query, custom=found)
    forgiving = [_forgiving(work, part) for part in written.split(";")[:MOST_FORGIVING]]
    found += [condition for condition in forgiving if condition is not None]
    return replace(query, custom=found, include=[] if None in forgiving else query.include)


def _asked(work: UnitOfWork, asked: object, problems: Problems) -> Iterator[CustomCondition]:
    for name, wanted in cast(CustomFilters, asked).items() if isinstance(asked, dict) else ():
        row = _known(work, name)
        if row is None:
            problems.add(f"{NAME}[{name[:60]}]", FieldError(UNKNOWN, N_("is no field of this calendar.")))
            continue
        try:
            yield _condition(row, wanted)
        except FieldError as invalid:
            problems.add(f"{NAME}[{name[:60]}]", invalid)


def _forgiving(work: UnitOfWork, written: str) -> CustomCondition | None:
    """The condition of `KEY:VALUE,VALUE`, any of these; None where there is no such field or value."""
    key, _, wanted = written.partition(":")
    if (row := _known(work, unquote(key))) is None:
        return None
    found = list[str | float]()
    for one in filter(None, wanted.split(",")):
        try:
            found += _condition(row, [unquote(one)]).values
        except FieldError:
            continue
    return CustomCondition(row.definition.number, found, is_number=isinstance(row.type, Quantity)) if found else None


def _known(work: UnitOfWork, name: str) -> DefinedField | None:
    """A field by its name or key, if the caller can know of it."""
    row = defined_field(work.settings, name)
    return row if row in known_fields(work) else None


def _condition(row: DefinedField, wanted: list[str] | dict[str, str]) -> CustomCondition:
    type_, number = row.type, row.definition.number
    is_number = isinstance(type_, Quantity)
    if isinstance(wanted, dict):
        if not isinstance(type_, Day | Quantity):
            raise FieldError(WRONG_TYPE, N_("has no order, so it takes neither from nor to."))
        low, high = (_read(row, wanted[name]) if wanted.get(name) else None for name in BOUNDS)
        return CustomCondition(number, low=low, high=high, is_number=is_number)
    options = type_.options if isinstance(type_, OneOf) else ()
    separated = isinstance(type_, OneOf | Day | Quantity)
    parts = [part for one in wanted for part in (_parts(one) if separated and one not in options else [one])]
    return CustomCondition(number, [_read(row, part) for part in parts], is_number=is_number)


def _parts(written: str) -> list[str]:
    return [part.strip() for part in written.replace(SEPARATOR, ",").split(",") if part.strip()]


def _read(row: DefinedField, written: str) -> str | float:
    """A value as the rows of events have it."""
    if isinstance(row.type, Quantity):
        return float(row.type.read(written))
    return row.type.read(written) if isinstance(row.type, Day) else compared(written)
