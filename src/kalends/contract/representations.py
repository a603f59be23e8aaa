"""The responses as tables: every key of every representation, its schema and its meaning."""

from kalends.contract.json_schema import (
    DATE,
    EMPTY_LIST,
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
from kalends.contract.roles import ROLE_WORDS
from kalends.contract.statuses import EVENT_STATUSES, STATUSES
from kalends.contract.users import TOKEN_PURPOSES
from kalends.languages import N_


def _publication_keys() -> tuple[Key, ...]:
    return (
        Key("author", {"type": "string", "pattern": "^[0-9]+$"}, N_("The id of the author.")),
        Key("status", {"type": "string", "enum": list(STATUSES)}, N_("The status of the record.")),
        Key("date", DATE, N_("The publication date, in the site's time zone.")),
        Key("date_utc", DATE, N_("The publication date in UTC.")),
        Key("modified", DATE, N_("When the record last changed, in the site's time zone.")),
        Key("modified_utc", DATE, N_("When the record last changed, in UTC.")),
    )


ID_KEY = Key("id", WHOLE, N_("The id of the record."))
PAGE_KEY = Key("url", URL, N_("The public page of the record."))
GLOBAL_KEYS = (
    Key("global_id", TEXT, N_("An id that is unique across sites.")),
    Key("global_id_lineage", many(TEXT), N_("The global ids that the record has had.")),
)
REV_KEY = Key(
    "rev", WHOLE, N_("The revision: a number that increases with every change in the calendar."), extension=True
)


def _external_keys(*, always: bool) -> tuple[Key, ...]:
    return (
        Key("source", TEXT, N_("The calendar or program that the record comes from."), always, True),
        Key("external_id", TEXT, N_("The id that the record has at its source."), always, True),
    )


JSON_LD_KEY = Key("json_ld", OBJECT, N_("The record as schema.org describes it; only when it is read alone."), False)


def _venue_or_organizer_keys(name: str, meaning: str) -> tuple[Key, ...]:
    """The first keys of venues and organizers."""
    return (
        ID_KEY,
        *_publication_keys(),
        PAGE_KEY,
        Key(name, TEXT, meaning),
        Key("description", TEXT, N_("The description, as safe HTML."), False),
        Key("excerpt", TEXT, N_("A short text about the record."), False, True),
        Key("slug", TEXT, N_("The name of the record in its address.")),
        Key("image", ref("Image"), N_("The featured image."), False),
    )


EVENT = Representation(
    "Event",
    N_("An event. Flags are null and details empty when it is protected by a password."),
    (
        ID_KEY,
        *GLOBAL_KEYS,
        *_publication_keys(),
        PAGE_KEY,
        Key("rest_url", URL, N_("The address of the event in the API.")),
        Key("title", TEXT, N_("The title, as plain text.")),
        Key("description", TEXT, N_("The description, as safe HTML.")),
        Key("excerpt", TEXT, N_("A short text about the record.")),
        Key("slug", TEXT, N_("The name of the record in its address.")),
        Key("image", either(ref("Image"), {"const": False}), N_("The featured image, or false.")),
        Key("all_day", or_null(FLAG), N_("Whether the event lasts the whole day.")),
        Key("start_date", DATE, N_("The start on the event's own clock.")),
        Key("start_date_details", ref("DateDetails"), N_("The same date in its parts.")),
        Key("end_date", DATE, N_("The end on the event's own clock.")),
        Key("end_date_details", ref("DateDetails"), N_("The same date in its parts.")),
        Key("utc_start_date", DATE, N_("The start in UTC.")),
        Key("utc_start_date_details", ref("DateDetails"), N_("The same date in its parts.")),
        Key("utc_end_date", DATE, N_("The end in UTC.")),
        Key("utc_end_date_details", ref("DateDetails"), N_("The same date in its parts.")),
        Key("timezone", TEXT, N_("The time zone of the event.")),
        Key("timezone_abbr", TEXT, N_("The short name of the time zone at the start.")),
        Key("cost", TEXT, N_("The cost as it is shown; empty when there is none.")),
        Key("cost_details", ref("CostDetails"), N_("The cost in its parts.")),
        Key("website", TEXT, N_("The web address of the event; empty when there is none.")),
        Key("show_map", or_null(FLAG), N_("Whether to show a map.")),
        Key("show_map_link", or_null(FLAG), N_("Whether to show a link to a map.")),
        Key("hide_from_listings", or_null(FLAG), N_("Whether the event is left out of lists.")),
        Key("sticky", or_null(FLAG), N_("Whether the event stays on top in the calendar.")),
        Key("featured", or_null(FLAG), N_("Whether the event is featured on the site.")),
        Key("categories", many(ref("EmbeddedTerm")), N_("The categories, by name.")),
        Key("tags", many(ref("EmbeddedTerm")), N_("The tags, by name.")),
        Key(
            "venue",
            either(ref("Venue"), many(ref("Venue"))),
            N_("The venue; an empty array when there is none, an array when there are several."),
        ),
        Key("organizer", many(ref("Organizer")), N_("The organizers, in the order given.")),
        Key("custom_fields", EMPTY_LIST, N_("Always empty.")),
        Key(
            "event_status",
            {"type": ["string", "null"], "enum": [*EVENT_STATUSES, None]},
            N_("Whether the event takes place as planned."),
            extension=True,
        ),
        Key("ticketed", or_null(FLAG), N_("Whether the event has tickets."), extension=True),
        Key("tickets", many(ref("Ticket")), N_("The tickets of the event."), extension=True),
        Key("post_parent", WHOLE, N_("The id of the event that this one belongs to, or 0."), extension=True),
        Key("series", or_null(WHOLE), N_("The number of the series that the event belongs to."), extension=True),
        Key(
            "recurrence",
            either(ref("Recurrence"), {"type": "null"}),
            N_("How the series repeats; null for a single event."),
            extension=True,
        ),
        Key(
            "original_start",
            or_null(DATE),
            N_("The start that the recurrence gives this occurrence, wherever it was moved to."),
            extension=True,
        ),
        *_external_keys(always=True),
        REV_KEY,
        JSON_LD_KEY,
        Key(
            "occurrences",
            WHOLE,
            N_("How many occurrences of the series are in the list; only with collapse=series."),
            False,
            True,
        ),
    ),
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
VENUE = Representation(
    "Venue",
    N_("A venue. Keys without a value are absent."),
    (
        *_venue_or_organizer_keys("venue", N_("The name of the venue.")),
        Key("address", TEXT, N_("The street address."), False),
        Key("city", TEXT, N_("The city."), False),
        Key("country", TEXT, N_("The country."), False),
        Key("province", TEXT, N_("The province."), False),
        Key("state", TEXT, N_("The state."), False),
        Key("zip", TEXT, N_("The ZIP or postal code."), False),
        Key("phone", TEXT, N_("The phone number."), False),
        Key("website", TEXT, N_("The web address of the venue."), False),
        Key("stateprovince", TEXT, N_("The state or province, whichever applies."), False),
        Key("geo_lat", NUMBER, N_("The latitude."), False, True),
        Key("geo_lng", NUMBER, N_("The longitude."), False, True),
        *_external_keys(always=False),
        JSON_LD_KEY,
        Key("show_map", FLAG, N_("Whether events at the venue show a map.")),
        Key("show_map_link", FLAG, N_("Whether events at the venue link to a map.")),
        *GLOBAL_KEYS,
        REV_KEY,
    ),
)
ORGANIZER = Representation(
    "Organizer",
    N_("An organizer. Keys without a value are absent."),
    (
        *_venue_or_organizer_keys("organizer", N_("The name of the organizer.")),
        Key("phone", TEXT, N_("The phone number."), False),
        Key("website", TEXT, N_("The web address of the organizer."), False),
        Key("email", TEXT, N_("The e-mail address."), False),
        *_external_keys(always=False),
        JSON_LD_KEY,
        *GLOBAL_KEYS,
        REV_KEY,
    ),
)


NOT_EMBEDDED = ("count", "meta", "source", "external_id", "rev")


def _term_keys(*, embedded: bool) -> tuple[Key, ...]:
    keys = (
        ID_KEY,
        Key("count", WHOLE, N_("How many published events have the term.")),
        Key("description", TEXT, N_("The description, as safe HTML.")),
        Key("name", TEXT, N_("The name of the term.")),
        Key("slug", TEXT, N_("The name of the record in its address.")),
        Key("taxonomy", {"type": "string", "enum": ["event_category", "event_tag"]}, N_("The kind of term.")),
        Key("parent", WHOLE, N_("The id of the parent category, 0 at the top; tags have none."), False),
        Key("color", TEXT, N_("The colour of the events of a category, as #rrggbb; tags have none."), False, True),
        Key("meta", EMPTY_LIST, N_("Always empty.")),
        PAGE_KEY,
        Key("urls", ref("TermUrls"), N_("The addresses of the term in the API.")),
        *_external_keys(always=True),
        REV_KEY,
    )
    return tuple(key for key in keys if not (embedded and key.name in NOT_EMBEDDED))


TERM = Representation("Term", N_("A category or a tag."), _term_keys(embedded=False))
EMBEDDED_TERM = Representation(
    "EmbeddedTerm", N_("A category or a tag as an event shows it."), _term_keys(embedded=True)
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
TICKET = Representation(
    "Ticket",
    N_("A ticket of an event."),
    (
        Key("name", TEXT, N_("The name of the ticket.")),
        Key("price", TEXT, N_("The price as a decimal number.")),
        Key("currency", TEXT, N_("The code of the currency, when it is known.")),
        Key("url", TEXT, N_("Where the ticket is sold.")),
        Key("capacity", or_null(WHOLE), N_("How many there are; null if unknown.")),
        Key("starts", TEXT, N_("When the sale starts, on the event's own clock.")),
        Key("ends", TEXT, N_("When the sale ends, on the event's own clock.")),
    ),
)
USER = Representation(
    "User",
    N_("A user account."),
    (
        Key("id", WHOLE, N_("The id of the user.")),
        Key("name", TEXT, N_("The name to log in with.")),
        Key("role", {"type": "string", "enum": list(ROLE_WORDS)}, N_("The role, which decides the rights.")),
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

REPRESENTATIONS = (
    EVENT,
    VENUE,
    ORGANIZER,
    TERM,
    EMBEDDED_TERM,
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
)
RECORD_OF = {"event": EVENT, "venue": VENUE, "organizer": ORGANIZER, "category": TERM, "tag": TERM}


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
