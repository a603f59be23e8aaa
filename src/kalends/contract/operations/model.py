"""What an operation and an address of the interface are, and what many of them share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kalends.contract import errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import LANGUAGE, Header
from kalends.contract.json_schema import WHOLE, Key, Schema, many
from kalends.contract.types.numbers import Reference
from kalends.contract.types.texts import Slug
from kalends.languages import N_

NAMESPACE = "calendar/events/v1"
COMPAT_ROOT = "/wp-json"
COMPAT_NAMESPACE = "tribe/events/v1"

UPDATE_METHODS = ("POST", "PUT", "PATCH")
JSON_TYPE = "application/json"
CALENDAR_TYPE = "text/calendar"

# The errors of any request, of those with a body, and of those that write.
ALWAYS = (
    errors.MARKS_IN_ADDRESS,
    errors.BAD_HOST,
    errors.INVALID_BODY,
    errors.BAD_CREDENTIALS,
    errors.WRONG_PASSWORD,
    errors.INVALID_TOKEN,
    errors.TOO_MANY,
    errors.HEADERS_TOO_LARGE,
    errors.INTERNAL,
    errors.UNAVAILABLE,
)
BODY = (
    errors.INVALID_JSON,
    errors.INVALID_PARAM,
    errors.BODY_TOO_SLOW,
    errors.TOO_LARGE,
    errors.WRONG_MEDIA_TYPE,
)
WRITE = (errors.LOGIN_NEEDED, errors.FORBIDDEN, errors.CROSS_SITE, errors.SESSION_TOKEN)


# What an operation does is the first word of its name. All others than these read.
METHODS = {
    "create": ("POST",),
    "send": ("POST",),
    "test": ("POST",),
    "rotate": ("POST",),
    "resend": ("POST",),
    "run": ("POST",),
    "put": ("PUT",),
    "update": UPDATE_METHODS,
    "delete": ("DELETE",),
}
NEW = (errors.MISSING_PARAM, *BODY)
WITH_BODY = {"create": NEW, "send": NEW, "put": NEW, "update": BODY}


@dataclass(frozen=True, slots=True)
class Operation:
    """Some methods of an address that do one thing. `name` is unique within the interface."""

    name: str
    summary: str
    methods: Sequence[str]
    parameters: Sequence[Field]
    response: Schema
    error_types: Sequence[ErrorType]
    status: int = 200
    headers: Sequence[Header] = ()
    media_type: str = JSON_TYPE
    may_create: bool = False  # answers 201 with a new record where there was none
    shows_secret: bool = False  # once: a repetition is answered with the address of the record


@dataclass(frozen=True, slots=True)
class Address:
    """A path below the namespace, as a pattern of the index, with its operations."""

    pattern: str
    operations: Sequence[Operation]
    group: str
    extension: bool = False
    response_keys: Sequence[str] = ()  # the keys of its records: a client may send back what it has read
    asks_again: bool = False  # whether a session has to show again who it is before it writes here

    @property
    def methods(self) -> list[str]:
        return [method for operation in self.operations for method in operation.methods]


ID = Field("id", Reference(1), N_("The id of the record."), required=True)
SLUG = Field("slug", Slug(), N_("The slug of the record."), required=True)
LANG = LANGUAGE.field


def operation(
    name: str,
    summary: str,
    parameters: Sequence[Field],
    response: Schema,
    *possible: ErrorType,
    headers: Sequence[Header] = (),
    restricted: bool = False,
    shows_secret: bool = False,
) -> Operation:
    """An operation; its methods, its status and how any of its kind may fail are decided by what it does. `possible`
    are its own errors; `restricted`: a read that needs a right, as writes do."""
    verb = name.partition("_")[0]
    return Operation(
        name,
        summary,
        METHODS.get(verb, ("GET",)),
        parameters,
        response,
        (
            *((errors.NO_ROUTE,) if ID in parameters else ()),  # what is not digits is another address
            *possible,
            *WITH_BODY.get(verb, ()),
            *(WRITE if restricted or verb in METHODS else ()),
            *ALWAYS,
        ),
        201 if verb == "create" else 200,
        headers,
        shows_secret=shows_secret,
    )


def extension(
    pattern: str, *operations: Operation, response_keys: Sequence[str] = (), asks_again: bool = False
) -> Address:
    """An address that the interface is extended by; the beginning of its path is its group."""
    group = pattern.split("/")[1]
    return Address(pattern, operations, group, True, response_keys, asks_again)


def envelope(keys: Sequence[Key]) -> Schema:
    """The schema of a response that is not a record."""
    return {
        "type": "object",
        "properties": {key.name: key.schema for key in keys},
        "required": [key.name for key in keys if key.always],
    }


def counted(name: str, record: Schema, meaning: str) -> Schema:
    """The schema of a response that has all records of a kind."""
    total = Key("total", WHOLE, N_("How many records there are in all."))
    return envelope((Key(name, many(record), meaning), total))


def optional(fields: Sequence[Field]) -> tuple[Field, ...]:
    """The fields of a record as an update takes them."""
    return tuple(replace(field, required=False) for field in fields)
