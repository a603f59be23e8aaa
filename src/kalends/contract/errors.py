"""The errors of the interface as a table: each has a code, a status and a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kalends.feature import declared
from kalends.languages import N_


@dataclass(frozen=True, slots=True)
class ErrorType:
    """One row of the error table."""

    code: str
    status: int
    message: str


class ApiError(Exception):
    """A request that ends in an error of the table, with what the client is told about it."""

    def __init__(
        self,
        error_type: ErrorType,
        data: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        advice: "FieldError | None" = None,
        **arguments: object,
    ) -> None:
        super().__init__(error_type.code)
        self.error_type = error_type
        self.data = dict(data or {})
        self.headers = dict(headers or {})
        self.advice = advice  # a sentence on what to do instead
        self.arguments = arguments


class FieldError(ValueError):
    """A value that does not fit its parameter: a detail code and a sentence with its arguments."""

    def __init__(self, code: str, message: str, **arguments: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.arguments = arguments


@dataclass(slots=True)
class Problems:
    """Everything wrong with one request, gathered so that it can be reported together."""

    by_name: dict[str, FieldError] = field(default_factory=dict)

    def add(self, name: str, invalid: FieldError) -> None:
        self.by_name.setdefault(name, invalid)

    def __contains__(self, name: str) -> bool:
        return name in self.by_name

    def __bool__(self) -> bool:
        return bool(self.by_name)

    def raise_any(self) -> None:
        if self.by_name:
            raise self.error()

    def error(self) -> ApiError:
        return ApiError(INVALID_PARAM, {"problems": self.by_name}, names=", ".join(self.by_name))


def error_types() -> dict[str, ErrorType]:
    """Every row of the table, those of features too, by the name it has in its module: `LOGIN_NEEDED`,
    `NOT_FOUND-event`."""
    found = error_types_in(globals())
    for added in declared("errors"):
        found |= added
    return found


def error_types_in(names: Mapping[str, object]) -> dict[str, ErrorType]:
    """The rows that a module has."""
    found: dict[str, ErrorType] = {}
    for name, value in names.items():
        if isinstance(value, ErrorType):
            found[name] = value
        elif isinstance(value, dict):
            found |= {
                f"{name}-{kind}": error_type
                for kind, error_type in value.items()
                if isinstance(error_type, ErrorType)
            }
    return found


# Detail codes of a single parameter.
WRONG_TYPE = "rest_invalid_type"
NOT_IN_ENUM = "rest_not_in_enum"
OUT_OF_BOUNDS = "rest_out_of_bounds"
WRONG_FORMAT = "rest_invalid_format"
EMPTY = "rest_empty"
UNKNOWN = "rest_unknown_record"
TAKEN = "rest_already_taken"

INVALID_JSON = ErrorType("rest_invalid_json", 400, N_("The body is not valid JSON: {reason}"))
INVALID_BODY = ErrorType("rest_invalid_body", 400, N_("The body cannot be read: {reason}"))
MISSING_PARAM = ErrorType("rest_missing_callback_param", 400, N_("Missing: {names}."))
INVALID_PARAM = ErrorType("rest_invalid_param", 400, N_("Not accepted: {names}."))
MARKS_IN_ADDRESS = ErrorType(
    "rest_invalid_param", 400, N_("The address has more than {maximum} combining marks in a row.")
)
TERM_EXISTS = ErrorType("term_exists", 400, N_("A term with this name exists already under the same parent."))


BAD_USER = ErrorType("rest_invalid_user", 400, N_("This cannot be done: {reason}."))


BAD_HOST = ErrorType("rest_invalid_host", 400, N_("The request must have one Host header."))

LOG_IN_HOW = N_(
    "Log in to do this: send the Authorization header with HTTP Basic (your user name and an application password)"
    " or with a Bearer token."
)
LOGIN_NEEDED = ErrorType("rest_forbidden", 401, LOG_IN_HOW)
BAD_CREDENTIALS = ErrorType("rest_forbidden", 401, N_("The Authorization header cannot be read."))
WRONG_PASSWORD = ErrorType("incorrect_password", 401, N_("The user name or the password is wrong."))
INVALID_TOKEN = ErrorType("invalid_token", 401, N_("The token is wrong, expired or revoked."))

FORBIDDEN = ErrorType("rest_forbidden", 403, N_("You may not do this."))
FOREIGN_AUTHOR = ErrorType("rest_forbidden", 403, N_("You may not give a record to another author."))
IMAGE_OF_OTHERS = ErrorType(
    "rest_forbidden", 403, N_("Records that you may not edit show this picture, so you may not delete it.")
)
NEW_TERM = ErrorType("rest_forbidden", 403, N_("You may not create this term: {name}."))
CROSS_SITE = ErrorType(
    "rest_cross_site",
    403,
    N_("Forms of other sites are not accepted with stored credentials; send JSON, or use a token."),
)
SESSION_TOKEN = ErrorType(
    "rest_cookie_invalid_nonce",
    403,
    N_("A change with a session needs the header X-Kalends-Token, with the token of the page."),
)
PASSWORD_PROTECTED = ErrorType("event-password-protected", 403, N_("This event is protected by a password."))

NO_ROUTE = ErrorType("rest_no_route", 404, N_("There is nothing at this address."))
NO_METHOD = ErrorType("rest_no_route", 405, N_("{method} is not allowed at this address. Allowed: {allow}."))
NO_MEDIA = ErrorType("rest-media-not-found", 404, N_("There is no such image."))
NO_USER = ErrorType("rest-user-not-found", 404, N_("There is no such user."))
NO_TOKEN = ErrorType("rest-token-not-found", 404, N_("There is no such token."))
NO_NAMESPACE = ErrorType("rest_invalid_namespace", 404, N_("There is no such namespace."))


BODY_TOO_SLOW = ErrorType("body_too_slow", 408, N_("The body arrived too slowly; it may take {seconds} seconds."))
PRECONDITION_FAILED = ErrorType("precondition_failed", 412, N_("The record has changed since you read it."))
INVALID_KEY = ErrorType(
    "idempotency_key_invalid", 400, N_("The header Idempotency-Key must be 1 to 255 visible ASCII characters.")
)
KEY_REUSED = ErrorType(
    "idempotency_key_reused", 422, N_("Another request was sent with this Idempotency-Key; choose a new one.")
)
TOO_LARGE = ErrorType("too_large", 413, N_("The body is larger than the {limit} bytes this service takes."))
IMAGE_TOO_LARGE = ErrorType("too_large", 413, N_("The image has too many pixels, or takes too long to read."))
WRONG_MEDIA_TYPE = ErrorType("unsupported_media_type", 415, N_("The body must be one of: {accepted}."))
TOO_MANY = ErrorType("too_many_requests", 429, N_("Too many attempts; try again in {seconds} seconds."))
HEADERS_TOO_LARGE = ErrorType("headers_too_large", 431, N_("The request's headers are too large."))
INTERNAL = ErrorType("internal_server_error", 500, N_("Something went wrong on our side."))
STORAGE_FULL = ErrorType("insufficient_storage", 507, N_("There is not enough storage space left for this."))
UNAVAILABLE = ErrorType("service_unavailable", 503, N_("The service is busy; try again shortly."))

NOT_FOUND = {
    "event": ErrorType("rest-event-not-found", 404, N_("There is no such event.")),
    "venue": ErrorType("rest-venue-not-found", 404, N_("There is no such venue.")),
    "organizer": ErrorType("rest-organizer-not-found", 404, N_("There is no such organizer.")),
    "category": ErrorType("rest-category-not-found", 404, N_("There is no such category.")),
    "tag": ErrorType("rest-tag-not-found", 404, N_("There is no such tag.")),
}
NOT_ACCESSIBLE = {
    "event": ErrorType("event-not-accessible", 403, N_("This event is not public.")),
    "venue": ErrorType("venue-not-accessible", 403, N_("This venue is not public.")),
    "organizer": ErrorType("organizer-not-accessible", 403, N_("This organizer is not public.")),
}
NO_LONGER_AVAILABLE = ErrorType("event-no-longer-available", 403, N_("This event is no longer available."))
IN_TRASH = {
    "event": ErrorType("event-is-in-trash", 410, N_("This event is in the trash already.")),
    "venue": ErrorType("venue-is-in-trash", 410, N_("This venue is in the trash already.")),
    "organizer": ErrorType("organizer-is-in-trash", 410, N_("This organizer is in the trash already.")),
}
NO_SUCH_PAGE = {
    "event": ErrorType("event-archive-page-not-found", 404, N_("The list of events has no such page.")),
    "venue": ErrorType("venue-archive-page-not-found", 404, N_("The list of venues has no such page.")),
    "organizer": ErrorType("organizer-archive-page-not-found", 404, N_("The list of organizers has no such page.")),
}
