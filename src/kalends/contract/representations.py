"""The responses as tables: every key of every representation, its schema and its meaning."""

from kalends.contract.json_schema import (
    DATE,
    FLAG,
    NUMBER,
    OBJECT,
    TEXT,
    URL,
    WHOLE,
    Key,
    Representation,
    Schema,
    either,
    many,
    or_null,
    ref,
)
from kalends.contract.kinds import COMPANIONS, TERMS
from kalends.contract.kinds.events import EVENT_KEYS, OCCURRENCES_KEY
from kalends.contract.kinds.terms import CATEGORY_KEYS, NOT_EMBEDDED
from kalends.contract.roles import ROLE_WORDS
from kalends.contract.types.tickets import TICKET
from kalends.contract.user_fields import TOKEN_PURPOSES
from kalends.feature import declared
from kalends.languages import N_
from kalends.values.custom_fields import PREFIX, TYPES

EVENT = Representation(
    "Event",
    N_("An event. Flags are null and details empty when it is protected by a password."),
    (*EVENT_KEYS, OCCURRENCES_KEY),
)
RECURRENCE = Representation(
    "Recurrence",
    N_("How a series repeats."),
    (
        Key("rule", TEXT, N_("The rule, as iCalendar writes it after RRULE; empty when there are only dates.")),
        Key("dates", many(DATE), N_("Further starts, in the time zone of the series.")),
        Key("exceptions", many(DATE), N_("Starts that are left out, in the time zone of the series.")),
    ),
)
COMPANION_OF = {
    kind.name: Representation(kind.name.title(), kind.says.about, tuple(kind.keys)) for kind in COMPANIONS
}
TERM = Representation("Term", N_("A category or a tag."), CATEGORY_KEYS)
EMBEDDED_TERM = Representation(
    "EmbeddedTerm",
    N_("A category or a tag as an event shows it."),
    tuple(key for key in CATEGORY_KEYS if key.name not in NOT_EMBEDDED),
)
REPEATED_WRITE = Representation(
    "RepeatedWrite",
    N_("The answer to a repeated write whose first answer had a secret that is shown only once."),
    (
        Key("repeated", {"type": "boolean", "const": True}, N_("It was done when it was sent first.")),
        Key("url", URL, N_("The address of the record.")),
    ),
)
FIELD_TYPE = {"type": "string", "enum": list(TYPES)}
CUSTOM_FIELD = Representation(
    "CustomField",
    N_("A further field of events."),
    (
        Key(
            "key",
            {"type": "string", "pattern": f"^{PREFIX}[1-9][0-9]*$"},
            N_("The key, given once and for ever."),
        ),
        Key("name", TEXT, N_("The name in filters.")),
        Key("label", TEXT, N_("What people call the field.")),
        Key("type", FIELD_TYPE, N_("What its values are.")),
        Key("options", many(TEXT), N_("What can be chosen.")),
        Key("public", FLAG, N_("Whether everybody reads its values.")),
        Key("required", FLAG, N_("Whether an event needs a value, unless it is a draft.")),
        Key("position", WHOLE, N_("Its place among the fields.")),
        Key("filter", FLAG, N_("Whether the public calendar can be filtered by it.")),
        Key("submit", FLAG, N_("Whether the public form for events asks for it.")),
    ),
)
CUSTOM_VALUE = Representation(
    "CustomValue",
    N_("The value of a custom field."),
    (
        Key("label", TEXT, N_("What people call the field.")),
        Key("value", either(TEXT, NUMBER), N_("The value; several choices are separated by |.")),
    ),
)
TERM_URLS = Representation(
    "TermUrls",
    N_("The addresses of a term."),
    (
        Key("self", URL, N_("The term itself.")),
        Key("collection", URL, N_("All terms of its kind.")),
        Key("up", URL, N_("The parent category."), False),
    ),
)
IMAGE_SIZE = Representation(
    "ImageSize",
    N_("One size of an image."),
    (
        Key("width", WHOLE, N_("The width in pixels.")),
        Key("height", WHOLE, N_("The height in pixels.")),
        Key("mime-type", TEXT, N_("The media type of the file.")),
        Key("filesize", WHOLE, N_("The size of the file in bytes.")),
        Key("url", URL, N_("The address of the file.")),
    ),
)
IMAGE = Representation(
    "Image",
    N_("A stored image."),
    (
        Key("url", URL, N_("The address of the file.")),
        Key("id", WHOLE, N_("The id of the image.")),
        Key("extension", TEXT, N_("The file name extension.")),
        Key("width", WHOLE, N_("The width in pixels.")),
        Key("height", WHOLE, N_("The height in pixels.")),
        Key("filesize", WHOLE, N_("The size of the file in bytes.")),
        Key(
            "sizes",
            {"type": "object", "additionalProperties": ref("ImageSize")},
            N_("Smaller sizes by name: medium, medium_large, large, thumbnail."),
            False,
        ),
    ),
)
PART = {"type": "string", "pattern": "^[0-9]+$"}
DATE_DETAILS = Representation(
    "DateDetails",
    N_("A date and time in its parts, with leading zeros."),
    (
        Key("year", PART, N_("The year.")),
        Key("month", PART, N_("The month.")),
        Key("day", PART, N_("The day.")),
        Key("hour", PART, N_("The hour.")),
        Key("minutes", PART, N_("The minutes.")),
        Key("seconds", PART, N_("The seconds.")),
    ),
)
COST_DETAILS = Representation(
    "CostDetails",
    N_("A cost in its parts."),
    (
        Key("currency_symbol", TEXT, N_("The symbol that was written with the cost.")),
        Key("currency_code", TEXT, N_("The code of the currency, when it is known.")),
        Key(
            "currency_position",
            {"type": "string", "enum": ["", "prefix", "postfix"]},
            N_("Where the symbol was written."),
        ),
        Key("values", many(TEXT), N_("The amounts in ascending order; a text is its slug.")),
    ),
)
USER = Representation(
    "User",
    N_("A user account."),
    (
        Key("id", WHOLE, N_("The id of the user.")),
        Key("name", TEXT, N_("The name to log in with.")),
        Key("role", {"type": "string", "enum": list(ROLE_WORDS)}, N_("The role, which decides the rights.")),
        Key("email", TEXT, N_("The address that gets messages; empty is none.")),
        Key("created_utc", DATE, N_("When it was created, in UTC.")),
        Key("read_only", FLAG, N_("Whether the credential is read-only; only present for the current user."), False),
        Key("valid_tokens", WHOLE, N_("How many tokens stay valid; only after a new password."), False),
        Key(
            "valid_application_passwords",
            WHOLE,
            N_("How many application passwords stay valid; only after a new password."),
            False,
        ),
    ),
)
TOKEN = Representation(
    "Token",
    N_("A credential of a user."),
    (
        Key("id", WHOLE, N_("The id of the token.")),
        Key("name", TEXT, N_("What the token is for.")),
        Key("purpose", {"type": "string", "enum": list(TOKEN_PURPOSES)}, N_("What it is used for.")),
        Key("read_only", FLAG, N_("Whether the token may only read.")),
        Key("created_utc", DATE, N_("When it was created, in UTC.")),
        Key("expires_utc", or_null(DATE), N_("When it expires, in UTC, or null.")),
        Key("used_utc", or_null(DATE), N_("When it was last used, in UTC, or null.")),
        Key("token", TEXT, N_("The token itself; shown only once, when it is created."), False),
    ),
)
LINKS: Schema = {
    "type": "object",
    "additionalProperties": many({"type": "object", "properties": {"href": URL}, "required": ["href"]}),
}
ARGUMENT: Schema = {
    "type": "object",
    "properties": {
        "required": FLAG,
        "default": {},
        "type": TEXT,
        "description": TEXT,
        "items": {"type": "object", "properties": {"type": TEXT}, "required": ["type"]},
    },
    "required": ["required", "description"],
}
ENDPOINT: Schema = {
    "type": "object",
    "properties": {"methods": many(TEXT), "args": {"type": "object", "additionalProperties": ARGUMENT}},
    "required": ["methods", "args"],
}
ROUTE = Representation(
    "Route",
    N_("A route of the index."),
    (
        Key("namespace", TEXT, N_("The namespace.")),
        Key("methods", many(TEXT), N_("The methods of the address.")),
        Key("endpoints", many(ENDPOINT), N_("The parameters, by method.")),
        Key("_links", LINKS, N_("Related addresses."), False),
    ),
)
INDEX = Representation(
    "Index",
    N_("The index of the namespace"),
    (
        Key("namespace", TEXT, N_("The namespace.")),
        Key(
            "routes",
            {"type": "object", "additionalProperties": ref("Route")},
            N_("The routes, by pattern."),
        ),
        Key("_links", LINKS, N_("Related addresses.")),
    ),
)
PROBLEM_DETAIL = Representation(
    "ProblemDetail",
    N_("What is wrong with one parameter."),
    (
        Key("code", TEXT, N_("The kind of problem.")),
        Key("message", TEXT, N_("The error message.")),
        Key("data", OBJECT, N_("The name of the parameter.")),
    ),
)
ERROR_DATA = Representation(
    "ErrorData",
    N_("Details of an error."),
    (
        Key("status", WHOLE, N_("The HTTP status of the response.")),
        Key(
            "params",
            either(many(TEXT), {"type": "object", "additionalProperties": TEXT}),
            N_("The names of missing parameters, or a message for each invalid one."),
            False,
        ),
        Key(
            "details",
            {"type": "object", "additionalProperties": ref("ProblemDetail")},
            N_("Each invalid parameter, with its error."),
            False,
        ),
        Key("term_id", WHOLE, N_("The existing term."), False),
        Key("json_error_code", WHOLE, N_("The number of the JSON error."), False),
        Key("json_error_message", TEXT, N_("The message of the JSON parser."), False),
        Key(
            "request_id",
            TEXT,
            N_("The id of the request in the log; include it when you report the error."),
            False,
            True,
        ),
    ),
)
ERROR = Representation(
    "Error",
    N_("An error."),
    (
        Key("code", TEXT, N_("The error code, for programs.")),
        Key("message", TEXT, N_("The error message, for people.")),
        Key("data", ref("ErrorData"), N_("Details of the error.")),
    ),
)

_OF_THE_CORE = (
    EVENT,
    *COMPANION_OF.values(),
    TERM,
    EMBEDDED_TERM,
    REPEATED_WRITE,
    TERM_URLS,
    IMAGE,
    IMAGE_SIZE,
    DATE_DETAILS,
    COST_DETAILS,
    TICKET,
    RECURRENCE,
    USER,
    TOKEN,
    INDEX,
    ROUTE,
    ERROR,
    ERROR_DATA,
    PROBLEM_DETAIL,
    CUSTOM_VALUE,
)


def representations() -> tuple[Representation, ...]:
    """Those of the core, and those of features."""
    return _OF_THE_CORE + tuple(one for added in declared("representations") for one in added)


RECORD_OF = {"event": EVENT, **COMPANION_OF, **{kind.name: TERM for kind in TERMS}}


def list_keys(plural: str, item: Schema) -> tuple[Key, ...]:
    """The envelope of a list."""
    return (
        Key(plural, many(item), N_("The records of this page.")),
        Key("rest_url", URL, N_("The address of this page, with all filters that were applied.")),
        Key("next_rest_url", URL, N_("The address of the next page, when there is one."), False),
        Key("previous_rest_url", URL, N_("The address of the previous page, when there is one."), False),
        Key("total", WHOLE, N_("How many records there are in all.")),
        Key("total_pages", WHOLE, N_("How many pages there are.")),
    )
