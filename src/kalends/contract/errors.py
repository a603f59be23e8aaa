"""The errors of the interface as values: each has a code, a status and a sentence, and none is a surprise."""

from collections.abc import Mapping
from dataclasses import dataclass, field


def N_(text: str) -> str:
    """Marks a sentence for the translation catalogs; it is translated where it leaves the service."""
    return text


@dataclass(frozen=True, slots=True)
class Fault:
    """One row of the error table."""

    code: str
    status: int
    message: str


class Refusal(Exception):
    """A request that ends in an error of the table, with what the client is told about it."""

    def __init__(
        self,
        fault: Fault,
        data: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        advice: "Invalid | None" = None,
        **arguments: object,
    ) -> None:
        super().__init__(fault.code)
        self.fault = fault
        self.data = dict(data or {})
        self.headers = dict(headers or {})
        self.advice = advice  # a sentence on what to do instead
        self.arguments = arguments


class Invalid(ValueError):
    """A value that does not fit its parameter: a detail code and a sentence with its arguments."""

    def __init__(self, code: str, message: str, **arguments: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.arguments = arguments


@dataclass(slots=True)
class Problems:
    """Everything wrong with one request, gathered so that it can be reported together."""

    by_name: dict[str, Invalid] = field(default_factory=dict)

    def add(self, name: str, invalid: Invalid) -> None:
        self.by_name.setdefault(name, invalid)

    def __contains__(self, name: str) -> bool:
        return name in self.by_name

    def __bool__(self) -> bool:
        return bool(self.by_name)

    def raise_any(self) -> None:
        if self.by_name:
            raise Refusal(INVALID_PARAM, {"problems": self.by_name}, names=", ".join(self.by_name))


def faults() -> dict[str, Fault]:
    """Every row of the table, by the name it has here: `LOGIN_NEEDED`, `NOT_FOUND-event`."""
    found: dict[str, Fault] = {}
    for name, value in globals().items():
        if isinstance(value, Fault):
            found[name] = value
        elif isinstance(value, dict):
            found |= {f"{name}-{kind}": fault for kind, fault in value.items() if isinstance(fault, Fault)}
    return found


# Detail codes of a single parameter.
WRONG_TYPE = "rest_invalid_type"
NOT_IN_ENUM = "rest_not_in_enum"
OUT_OF_BOUNDS = "rest_out_of_bounds"
WRONG_FORMAT = "rest_invalid_format"
EMPTY = "rest_empty"
UNKNOWN = "rest_unknown_record"

INVALID_JSON = Fault("rest_invalid_json", 400, N_("The body is not valid JSON: {reason}"))
INVALID_BODY = Fault("rest_invalid_body", 400, N_("The body cannot be read: {reason}"))
MISSING_PARAM = Fault("rest_missing_callback_param", 400, N_("Missing: {names}."))
INVALID_PARAM = Fault("rest_invalid_param", 400, N_("Not accepted: {names}."))
MARKS_IN_ADDRESS = Fault(
    "rest_invalid_param", 400, N_("The address has more than {maximum} combining marks in a row.")
)
TERM_EXISTS = Fault("term_exists", 400, N_("A term with this name exists already under the same parent."))

BAD_USER = Fault("rest_invalid_user", 400, N_("This cannot be done: {reason}."))

BAD_HOST = Fault("rest_invalid_host", 400, N_("The request must have one Host header."))

LOG_IN_HOW = N_(
    "Log in to do this: send the Authorization header with HTTP Basic (your user name and an application password)"
    " or with a Bearer token."
)
LOGIN_NEEDED = Fault("rest_forbidden", 401, LOG_IN_HOW)
BAD_CREDENTIALS = Fault("rest_forbidden", 401, N_("The Authorization header cannot be read."))
WRONG_PASSWORD = Fault("incorrect_password", 401, N_("The user name or the password is wrong."))
INVALID_TOKEN = Fault("invalid_token", 401, N_("The token is wrong, expired or revoked."))

FORBIDDEN = Fault("rest_forbidden", 403, N_("You may not do this."))
FOREIGN_AUTHOR = Fault("rest_forbidden", 403, N_("You may not give a record to another author."))
NEW_TERM = Fault("rest_forbidden", 403, N_("You may not create this term: {name}."))
CROSS_SITE = Fault(
    "rest_cross_site",
    403,
    N_("A page of another site cannot write here with remembered credentials; send JSON, or use a token."),
)
PASSWORD_PROTECTED = Fault("event-password-protected", 403, N_("This event is protected by a password."))

NO_ROUTE = Fault("rest_no_route", 404, N_("There is nothing at this address."))
NO_METHOD = Fault("rest_no_route", 405, N_("This address does not take {method}; it takes {allow}."))
NO_MEDIA = Fault("rest-media-not-found", 404, N_("There is no such image."))
NO_USER = Fault("rest-user-not-found", 404, N_("There is no such user."))
NO_TOKEN = Fault("rest-token-not-found", 404, N_("There is no such token."))
NO_NAMESPACE = Fault("rest_invalid_namespace", 404, N_("There is no such namespace."))

PRECONDITION_FAILED = Fault("precondition_failed", 412, N_("The record has changed since you read it."))
TOO_LARGE = Fault("too_large", 413, N_("The body is larger than the {limit} bytes this service takes."))
IMAGE_TOO_LARGE = Fault("too_large", 413, N_("The image has too many pixels, or takes too long to read."))
WRONG_MEDIA_TYPE = Fault("unsupported_media_type", 415, N_("The body must be one of: {accepted}."))
TOO_MANY = Fault("too_many_requests", 429, N_("Too many attempts; try again in {seconds} seconds."))
HEADERS_TOO_LARGE = Fault("headers_too_large", 431, N_("The request's headers are too large."))
INTERNAL = Fault("internal_server_error", 500, N_("Something went wrong on our side."))
STORAGE_FULL = Fault("insufficient_storage", 507, N_("There is no room left to store this."))
UNAVAILABLE = Fault("service_unavailable", 503, N_("The service is busy; try again shortly."))

NOT_FOUND = {
    "event": Fault("rest-event-not-found", 404, N_("There is no such event.")),
    "venue": Fault("rest-venue-not-found", 404, N_("There is no such venue.")),
    "organizer": Fault("rest-organizer-not-found", 404, N_("There is no such organizer.")),
    "category": Fault("rest-category-not-found", 404, N_("There is no such category.")),
    "tag": Fault("rest-tag-not-found", 404, N_("There is no such tag.")),
}
NOT_ACCESSIBLE = {
    "event": Fault("event-not-accessible", 403, N_("This event is not public.")),
    "venue": Fault("venue-not-accessible", 403, N_("This venue is not public.")),
    "organizer": Fault("organizer-not-accessible", 403, N_("This organizer is not public.")),
}
NO_LONGER_AVAILABLE = Fault("event-no-longer-available", 403, N_("This event is no longer available."))
IN_TRASH = {
    "event": Fault("event-is-in-trash", 410, N_("This event is in the trash already.")),
    "venue": Fault("venue-is-in-trash", 410, N_("This venue is in the trash already.")),
    "organizer": Fault("organizer-is-in-trash", 410, N_("This organizer is in the trash already.")),
}
NO_SUCH_PAGE = {
    "event": Fault("event-archive-page-not-found", 404, N_("The list of events has no such page.")),
    "venue": Fault("venue-archive-page-not-found", 404, N_("The list of venues has no such page.")),
    "organizer": Fault("organizer-archive-page-not-found", 404, N_("The list of organizers has no such page.")),
}
