"""What filters by custom fields mean: which field each names, and its values as the store compares them."""

from typing import cast

import msgspec

from kalends.calendar.access import has
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract import rights
from kalends.contract.errors import UNKNOWN, WRONG_TYPE, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.list_parameters import inside
from kalends.features.custom_fields.contract import Day, Quantity
from kalends.features.custom_fields.filters import NAME, CustomFilters
from kalends.languages import N_
from kalends.store.query.list_query import CustomCondition, ListQuery
from kalends.store.rows.custom_values import compared
from kalends.values.custom_fields import DATE, NUMBER, RANGED, SEPARATOR, WITH_OPTIONS, CustomField


def chosen(work: UnitOfWork, query: ListQuery, values: Values, problems: Problems) -> ListQuery:
    """The query with the filters by custom fields that were sent. A field that is not public is known to those who
    read every event; to all others it does not exist."""
    asked = values.get(NAME)
    if not isinstance(asked, dict):
        return query
    found = []
    for name, wanted in cast(CustomFilters, asked).items():
        field = work.settings.custom_fields.find(name)
        if field is None or not (field.public or has(work.caller, rights.READ_OTHERS)):
            problems.add(NAME, FieldError(UNKNOWN, N_("has an unknown field: {name}."), name=name[:60]))
            continue
        try:
            found.append(_condition(field, wanted))
        except FieldError as invalid:
            problems.add(NAME, inside(name, invalid))
    return msgspec.structs.replace(query, custom=found)


def forgiving(work: UnitOfWork, key: str, wanted: list[str]) -> CustomCondition | None:
    """The condition that a public field has any of these values; None where there is no such field or value."""
    field = work.settings.custom_fields.find(key)
    if field is None or not (field.public or has(work.caller, rights.READ_OTHERS)):
        return None
    found = list[str | float]()
    for one in wanted:
        try:
            found += _condition(field, [one]).values
        except FieldError:
            continue
    return CustomCondition(field.number, found, is_number=field.type == NUMBER) if found else None


def _condition(field: CustomField, wanted: list[str] | dict[str, str]) -> CustomCondition:
    is_number = field.type == NUMBER
    if isinstance(wanted, dict):
        if field.type not in RANGED:
            raise FieldError(WRONG_TYPE, N_("has no order, so it takes neither from nor to."))
        low, high = (_read(field, wanted[name]) if wanted.get(name) else None for name in ("from", "to"))
        return CustomCondition(field.number, low=low, high=high, is_number=is_number)
    separated = field.type in (*WITH_OPTIONS, NUMBER, DATE)
    parts = [part for one in wanted for part in (_parts(one) if separated and one not in field.options else [one])]
    return CustomCondition(field.number, [_read(field, part) for part in parts], is_number=is_number)


def _parts(written: str) -> list[str]:
    return [part.strip() for part in written.replace(SEPARATOR, ",").split(",") if part.strip()]


def _read(field: CustomField, written: str) -> str | float:
    """A value as the rows of events have it."""
    if field.type == NUMBER:
        return float(Quantity().read(written))
    return Day().read(written) if field.type == DATE else compared(written)
