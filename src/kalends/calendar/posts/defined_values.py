"""Values of fields that people have defined, as requests send them: by their keys beside the other fields, or by key
or name within one of them."""

from collections.abc import Iterator, Sequence

from kalends.calendar.access import UnitOfWork, has
from kalends.contract import rights
from kalends.contract.errors import EMPTY, UNKNOWN, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.kinds.defined_fields import DefinedField, defined_field, defined_fields, is_defined
from kalends.contract.kinds.events import CUSTOM_VALUES
from kalends.contract.statuses import DRAFT
from kalends.contract.types.custom_values import OneOf
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.rows.records import Event, put, value_of
from kalends.values.choices import CopiedChoices


def known_fields(work: UnitOfWork) -> Sequence[DefinedField]:
    """The fields that the caller can know of: those that are not public are for those who read every event."""
    rows = defined_fields(work.settings)
    return rows if has(work.caller, rights.READ_OTHERS) else [row for row in rows if row.is_public]


def apply(work: UnitOfWork, event: Event, values: Values, problems: Problems) -> None:
    """Changes the values that were sent, and no others; an empty one removes. Problems stand beside the parameter."""
    if not defined_fields(work.settings) and CUSTOM_VALUES.name not in values:
        return
    for name, row, value in _sent(work.settings, event, values, problems):
        known = value_of(event, row.stored)
        try:
            # What it has already is not read again: an option may have gone since.
            is_known = value is not None and value == known
            if isinstance(value, CopiedChoices) and isinstance(row.type, OneOf):
                is_known, value = True, str(value)
            read = value if is_known else "" if value is None else row.type.read(value)
            if read == "" and row.required and event.status != DRAFT:
                raise FieldError(EMPTY, N_("cannot be empty."))
        except FieldError as invalid:
            problems.add(name, invalid)
            continue
        if read != known:
            put(event, row.stored, read)


def missing(settings: Settings, values: Values) -> list[str]:
    """The keys of those that an event needs, unless it is a draft, and that were not sent."""
    inner = values.get(CUSTOM_VALUES.name)
    sent = {*values, *(inner if isinstance(inner, dict) else ())}
    required = (row for row in defined_fields(settings) if row.required)
    return [row.name for row in required if sent.isdisjoint((row.name, row.definition.name))]


def _sent(
    settings: Settings, event: Event, values: Values, problems: Problems
) -> Iterator[tuple[str, DefinedField, object]]:
    """The name that was sent, the field and the value of each. An unknown field beside the others is none; within
    them it is wrong."""
    given = values.get(CUSTOM_VALUES.name)
    for name, value in given.items() if isinstance(given, dict) else ():
        if not name:  # all of them
            filled = [row for row in defined_fields(settings) if value_of(event, row.stored) != ""]
            yield from ((_within(row.name), row, "") for row in filled)
        elif (row := defined_field(settings, name)) is not None:
            yield _within(name), row, value
        else:
            problems.add(_within(name[:60]), FieldError(UNKNOWN, N_("is no field of this calendar.")))
    for name in values:
        if is_defined(name) and (row := defined_field(settings, name)) is not None:
            yield name, row, values[name]


def _within(name: str) -> str:
    """A field as a form names it among the others."""
    return f"{CUSTOM_VALUES.name}[{name}]"
