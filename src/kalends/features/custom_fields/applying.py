"""What requests have of custom fields, by the types of these: values of an event, and filters of lists."""

from collections.abc import Iterator
from typing import cast
from urllib.parse import unquote

import msgspec

from kalends.calendar.access import UnitOfWork, has
from kalends.contract import rights
from kalends.contract.errors import EMPTY, UNKNOWN, WRONG_TYPE, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.kinds.event_filters import ANY_CUSTOM
from kalends.contract.statuses import DRAFT
from kalends.features.custom_fields.contract import Day, Quantity, value_type
from kalends.features.custom_fields.filters import NAME, CustomFilters
from kalends.languages import N_
from kalends.store.query.list_query import CustomCondition, ListQuery
from kalends.store.rows.custom_values import compared
from kalends.store.rows.records import Event, Post
from kalends.values.custom_fields import (
    DATE,
    FIELD,
    NUMBER,
    PREFIX,
    RANGED,
    SEPARATOR,
    WITH_OPTIONS,
    CopiedChoices,
    CustomField,
    CustomFields,
    number_of,
)

MOST_FORGIVING = 50  # fields that one rewritten address can name


def apply_fields(work: UnitOfWork, post: Post, values: Values, problems: Problems) -> None:
    """Changes the values that were sent, and no others; an empty one removes. Problems stand beside the parameter."""
    defined = work.settings.custom_fields
    if not isinstance(post, Event) or (not defined and FIELD not in values):
        return
    event, found = post, dict(post.custom_fields)
    for name, field, value in _sent(defined, event, values, problems):
        try:
            # What it has already is not read again: an option may have gone since.
            is_known = value is not None and value == event.custom_fields.get(field.key)
            if isinstance(value, CopiedChoices) and field.type in WITH_OPTIONS:
                is_known, value = True, str(value)
            read = value if is_known else "" if value is None else value_type(field).read(value)
            if read == "" and field.required and event.status != DRAFT:
                raise FieldError(EMPTY, N_("cannot be empty."))
        except FieldError as invalid:
            problems.add(name, invalid)
            continue
        if isinstance(read, str | int | float) and read != "":
            found[field.key] = read
        else:
            found.pop(field.key, None)
    if found != event.custom_fields:
        event.custom_fields = {key: found[key] for key in sorted(found, key=number_of)}


def _sent(
    defined: CustomFields, event: Event, values: Values, problems: Problems
) -> Iterator[tuple[str, CustomField, object]]:
    """The name that was sent, the field and the value of each. An unknown field beside the others is none; within
    them it is wrong."""
    given = values.get(FIELD)
    for name, value in given.items() if isinstance(given, dict) else ():
        if not name:  # all of them
            yield from ((_within(field.key), field, "") for field in defined if field.key in event.custom_fields)
        elif (field := defined.find(name)) is not None:
            yield _within(name), field, value
        else:
            problems.add(_within(name[:60]), FieldError(UNKNOWN, N_("is no field of this calendar.")))
    for name in values:
        if name.startswith(PREFIX) and (field := defined.find(name)) is not None:
            yield name, field, values[name]


def _within(name: str) -> str:
    """A field as a form names it among the others."""
    return f"{FIELD}[{name}]"


def apply_filters(work: UnitOfWork, query: ListQuery, values: Values, problems: Problems) -> ListQuery:
    """The query with the filters by custom fields that were sent."""
    found = [*_asked(work, values.get(NAME), problems)]
    if not (written := str(values.get(ANY_CUSTOM) or "")):
        return msgspec.structs.replace(query, custom=found)
    forgiving = [_forgiving(work, part) for part in written.split(";")[:MOST_FORGIVING]]
    found += [condition for condition in forgiving if condition is not None]
    return msgspec.structs.replace(query, custom=found, include=[] if None in forgiving else query.include)


def _asked(work: UnitOfWork, asked: object, problems: Problems) -> Iterator[CustomCondition]:
    for name, wanted in cast(CustomFilters, asked).items() if isinstance(asked, dict) else ():
        field = _known(work, name)
        if field is None:
            problems.add(f"{NAME}[{name[:60]}]", FieldError(UNKNOWN, N_("is no field of this calendar.")))
            continue
        try:
            yield _condition(field, wanted)
        except FieldError as invalid:
            problems.add(f"{NAME}[{name[:60]}]", invalid)


def _forgiving(work: UnitOfWork, written: str) -> CustomCondition | None:
    """The condition of `KEY:VALUE,VALUE`, any of these; None where there is no such field or value."""
    key, _, wanted = written.partition(":")
    if (field := _known(work, unquote(key))) is None:
        return None
    found = list[str | float]()
    for one in filter(None, wanted.split(",")):
        try:
            found += _condition(field, [unquote(one)]).values
        except FieldError:
            continue
    return CustomCondition(field.number, found, is_number=field.type == NUMBER) if found else None


def _known(work: UnitOfWork, name: str) -> CustomField | None:
    """A field by its name or key. One that is not public is known to those who read every event; to all others it
    does not exist."""
    field = work.settings.custom_fields.find(name)
    return None if field is None or not (field.public or has(work.caller, rights.READ_OTHERS)) else field


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
