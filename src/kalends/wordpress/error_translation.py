"""Errors of the core as those of WordPress, by the tables of the contract."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from kalends.calendar.access import Caller
from kalends.contract.errors import (
    FORBIDDEN,
    INVALID_PARAM,
    LOGIN_NEEDED,
    MISSING_PARAM,
    ApiError,
    ErrorType,
    FieldError,
)
from kalends.wordpress.errors import OF_PROBLEMS, REFUSED, UNREADABLE
from kalends.wordpress.fields import Meta
from kalends.wordpress.tables import MappedField


@contextmanager
def as_wordpress(
    table: Mapping[ErrorType, ErrorType], action: str, caller: Caller, mapped: Sequence[MappedField] = ()
) -> Iterator[None]:
    """While this lasts, an error of the core is raised as that of WordPress. `action` is what is tried, and `mapped`
    has the names of the fields that the client knows."""
    try:
        yield
    except ApiError as api_error:
        found = api_error.error_type
        if found in (LOGIN_NEEDED, FORBIDDEN):
            raise refuse(action, caller) from None
        if found in UNREADABLE:
            raise refuse("read", caller) from None
        if found is INVALID_PARAM:
            raise _renamed(api_error.data["problems"], mapped) from None  # type: ignore[arg-type]
        if found is MISSING_PARAM or found not in table:
            raise
        data, headers, advice = api_error.data, api_error.headers, api_error.advice
        raise ApiError(table[found], data, headers, advice, **api_error.arguments) from None


def refuse(action: str, caller: Caller) -> ApiError:
    """The caller may not do this: 401 for an anonymous one, 403 for a known one."""
    return ApiError(REFUSED[action][401 if caller.is_anonymous else 403])


def _renamed(problems: Mapping[str, FieldError], mapped: Sequence[MappedField]) -> ApiError:
    """Problems of the core's fields, under the names that the client sent."""
    if len(problems) == 1:
        [(name, problem)] = problems.items()
        if (name, problem.code) in OF_PROBLEMS:
            return ApiError(OF_PROBLEMS[name, problem.code])
    names: dict[str, str] = {}
    for one in mapped:
        inner = [meta.core for meta in one.field.type.fields] if isinstance(one.field.type, Meta) else [one.core]
        names |= dict.fromkeys(inner, one.field.name)
    by_name = {names.get(name, name): problem for name, problem in problems.items()}
    return ApiError(INVALID_PARAM, {"problems": by_name}, names=", ".join(by_name))
