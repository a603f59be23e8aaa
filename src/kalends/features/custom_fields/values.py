"""Applies the values of custom fields that a request has sent, each by the type of its field."""

from collections.abc import Iterator

from kalends.calendar.access import Caller, may_publish
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import EMPTY, MISSING_PARAM, UNKNOWN, ApiError, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.list_parameters import inside
from kalends.contract.statuses import DRAFT, PUBLISH
from kalends.features.custom_fields.contract import Kept, value_type
from kalends.languages import N_
from kalends.store.rows.records import Event
from kalends.values import custom_fields
from kalends.values.custom_fields import PREFIX, WITH_OPTIONS, CustomField, CustomFields, number_of

FIELD = "custom_fields"


def apply(work: UnitOfWork, event: Event, values: Values, problems: Problems) -> None:
    """Changes the values that were sent, and no others; an empty one removes. Problems stand beside the parameter."""
    defined, found = work.settings.custom_fields, dict(event.custom_fields)
    for name, field, value in _sent(defined, event, values, problems):
        try:
            # What it has already is not read again: an option may have gone since.
            is_known = value is not None and value == event.custom_fields.get(field.key)
            if isinstance(value, Kept) and field.type in WITH_OPTIONS:
                is_known, value = True, str(value)
            read = value if is_known else "" if value is None else value_type(field).read(value)
            if read == "" and field.required and event.status != DRAFT:
                raise FieldError(EMPTY, N_("cannot be empty."))
        except FieldError as invalid:
            problems.add(name, invalid if name == field.key else inside(field.key, invalid))
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
    """The parameter, the field and the value of each. An unknown field beside the others is none; within them it is
    wrong."""
    given = values.get(FIELD)
    for name, value in given.items() if isinstance(given, dict) else ():
        if not name:  # all of them
            yield from ((FIELD, field, "") for field in defined if field.key in event.custom_fields)
        elif (field := defined.find(name)) is not None:
            yield FIELD, field, value
        else:
            problems.add(FIELD, FieldError(UNKNOWN, N_("has an unknown field: {name}."), name=name[:60]))
    for name in values:
        if name.startswith(PREFIX) and (field := defined.find(name)) is not None:
            yield name, field, values[name]


def check_required(defined: CustomFields, caller: Caller, values: Values) -> None:
    """A new event, unless it is a draft, needs a value of each field that is required."""
    status = values.get("status") or (PUBLISH if may_publish(caller) else DRAFT)
    given = values.get(FIELD)
    sent = {*values, *(given if isinstance(given, dict) else ())}
    missing = [field.key for field in defined if field.required and sent.isdisjoint((field.key, field.name))]
    if missing and status != DRAFT:
        raise ApiError(MISSING_PARAM, {"params": missing}, names=", ".join(missing))


def known(defined: CustomFields, values: custom_fields.Values) -> custom_fields.Values:
    """Those values of which there is a field."""
    return {key: value for key, value in values.items() if defined.find(key) is not None}
