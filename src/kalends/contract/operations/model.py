"""What an operation and an address of the interface are, and what many of them share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kalends.contract import errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import LANGUAGE, Header
from kalends.contract.json_schema import Key, Schema
from kalends.contract.numbers import Reference
from kalends.contract.texts import Slug
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


@dataclass(frozen=True, slots=True)
class Address:
    """A path below the namespace, as a pattern of the index, with its operations."""

    pattern: str
    operations: Sequence[Operation]
    group: str
    extension: bool = False
    shown: Sequence[str] = ()  # the keys of its records: a client may send back what it has read

    @property
    def methods(self) -> list[str]:
        return [method for operation in self.operations for method in operation.methods]


ID = Field("id", Reference(1), N_("The id of the record."), required=True)
SLUG = Field("slug", Slug(), N_("The slug of the record."), required=True)
LANG = LANGUAGE.field


def envelope(keys: Sequence[Key]) -> Schema:
    """The schema of a response that is not a record."""
    return {
        "type": "object",
        "properties": {key.name: key.schema for key in keys},
        "required": [key.name for key in keys if key.always],
    }


def optional(fields: Sequence[Field]) -> tuple[Field, ...]:
    """The fields of a record as an update takes them."""
    return tuple(replace(field, required=False) for field in fields)
