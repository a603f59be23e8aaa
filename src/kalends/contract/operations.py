"""Every operation of the interface: the methods of an address, what they take and what they answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kalends.contract import common, errors, representations
from kalends.contract.errors import N_, ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import (
    CONTENT_LANGUAGE,
    ETAG,
    LANGUAGE,
    LINK,
    LOCATION,
    READ_HEADERS,
    TOTALS,
    WARNING,
    Header,
)
from kalends.contract.kinds import CATEGORY, EVENT, KINDS, ORGANIZER, TAG, VENUE, Kind
from kalends.contract.numbers import Reference
from kalends.contract.representations import OBJECT, RECORD_OF, TEXT, Key, Schema, list_keys, many, ref
from kalends.contract.texts import Slug
from kalends.contract.types import Type, Unspecified
from kalends.contract.users import REASSIGN, TOKEN_FIELDS, USER_FIELDS

NAMESPACE = "calendar/events/v1"
COMPAT_ROOT = "/wp-json"
COMPAT_NAMESPACE = "tribe/events/v1"

UPDATE_METHODS = ("POST", "PUT", "PATCH")
JSON_TYPE = "application/json"
CALENDAR_TYPE = "text/calendar"

# What may go wrong with any request, and with any that has a body.
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
    errors.TOO_LARGE,
    errors.WRONG_MEDIA_TYPE,
)
WRITE = (errors.LOGIN_NEEDED, errors.FORBIDDEN, errors.CROSS_SITE)


@dataclass(frozen=True, slots=True)
class Operation:
    """Some methods of an address that do one thing. `name` is unique within the interface."""

    name: str
    summary: str
    methods: Sequence[str]
    parameters: Sequence[Field]
    answer: Schema
    error_types: Sequence[ErrorType]
    status: int = 200
    headers: Sequence[Header] = ()
    media_type: str = JSON_TYPE


@dataclass(frozen=True, slots=True)
class Address:
    """A path below the namespace, as a pattern of the index, with its operations."""

    pattern: str
    operations: Sequence[Operation]
    group: str
    extension: bool = False

    @property
    def methods(self) -> list[str]:
        return [method for operation in self.operations for method in operation.methods]


SUMMARIES = {
    ("list", EVENT): N_("List events"),
    ("list", VENUE): N_("List venues"),
    ("list", ORGANIZER): N_("List organizers"),
    ("list", CATEGORY): N_("List event categories"),
    ("list", TAG): N_("List event tags"),
    ("create", EVENT): N_("Create an event"),
    ("create", VENUE): N_("Create a venue"),
    ("create", ORGANIZER): N_("Create an organizer"),
    ("create", CATEGORY): N_("Create an event category"),
    ("create", TAG): N_("Create an event tag"),
    ("read", EVENT): N_("Read one event"),
    ("read", VENUE): N_("Read one venue"),
    ("read", ORGANIZER): N_("Read one organizer"),
    ("read", CATEGORY): N_("Read one event category"),
    ("read", TAG): N_("Read one event tag"),
    ("update", EVENT): N_("Update an event"),
    ("update", VENUE): N_("Update a venue"),
    ("update", ORGANIZER): N_("Update an organizer"),
    ("update", CATEGORY): N_("Update an event category"),
    ("update", TAG): N_("Update an event tag"),
    ("delete", EVENT): N_("Delete an event"),
    ("delete", VENUE): N_("Delete a venue"),
    ("delete", ORGANIZER): N_("Delete an organizer"),
    ("delete", CATEGORY): N_("Delete an event category"),
    ("delete", TAG): N_("Delete an event tag"),
    ("read_by_slug", EVENT): N_("Read an event by its slug"),
    ("read_by_slug", VENUE): N_("Read a venue by its slug"),
    ("read_by_slug", ORGANIZER): N_("Read an organizer by its slug"),
    ("update_by_slug", EVENT): N_("Update an event by its slug"),
    ("update_by_slug", VENUE): N_("Update a venue by its slug"),
    ("update_by_slug", ORGANIZER): N_("Update an organizer by its slug"),
    ("delete_by_slug", EVENT): N_("Delete an event by its slug"),
    ("delete_by_slug", VENUE): N_("Delete a venue by its slug"),
    ("delete_by_slug", ORGANIZER): N_("Delete an organizer by its slug"),
}

ID = Field("id", Reference(1), N_("The id of the record."), required=True)
SLUG = Field("slug", Slug(), N_("The slug of the record."), required=True)
LANG = LANGUAGE.field


def envelope(keys: Sequence[Key]) -> Schema:
    """An answer that is no record of its own."""
    return {
        "type": "object",
        "properties": {key.name: key.schema for key in keys},
        "required": [key.name for key in keys if key.always],
    }


def optional(fields: Sequence[Field]) -> tuple[Field, ...]:
    """The fields of a record as an update takes them."""
    return tuple(replace(field, required=False) for field in fields)


def collection(kind: Kind) -> Address:
    record = ref(RECORD_OF[kind.name].name)
    return Address(
        f"/{kind.plural}",
        (
            Operation(
                f"list_{kind.plural}",
                SUMMARIES["list", kind],
                ("GET",),
                kind.filters,
                envelope(list_keys(kind.plural, record)),
                (errors.INVALID_PARAM, *(() if kind.is_term else (errors.NO_SUCH_PAGE[kind.name],)), *ALWAYS),
                headers=(ETAG, LINK, *TOTALS, WARNING),
            ),
            Operation(
                f"create_{kind.name}",
                SUMMARIES["create", kind],
                ("POST",),
                kind.fields,
                record,
                (errors.MISSING_PARAM, *BODY, *(_term_faults(kind)), *WRITE, *ALWAYS),
                status=201,
                headers=(LOCATION,),
            ),
        ),
        kind.plural,
    )


def item(kind: Kind) -> Address:
    password = (common.PASSWORD,) if kind is EVENT else ()
    force = () if kind.is_term else (common.FORCE,)
    return Address(
        rf"/{kind.plural}/(?P<id>\d+)",
        (
            _read(kind, "", (ID, *password)),
            _delete(kind, "", (ID, *password, *force)),
            _update(kind, "", (ID, *password, *optional(kind.fields))),
        ),
        kind.plural,
    )


def item_by_slug(kind: Kind) -> Address:
    password = (common.PASSWORD_BY_SLUG,) if kind is EVENT else ()
    # In an update of an event the field of that name renames it, so the path's own is not declared again.
    fields = optional(kind.fields)
    named = fields if kind is EVENT else (SLUG, *(field for field in fields if field.name != "slug"))
    return Address(
        rf"/{kind.plural}/by-slug/(?P<slug>[^/]+)",
        (
            _read(kind, "_by_slug", (SLUG, *password)),
            _delete(kind, "_by_slug", (SLUG, *password, common.FORCE)),
            _update(kind, "_by_slug", named),
        ),
        kind.plural,
    )


def _read(kind: Kind, how: str, parameters: Sequence[Field]) -> Operation:
    error_types = [errors.NOT_FOUND[kind.name]]
    # By its slug a record that one may not read is not there at all.
    if not (kind.is_term or how):
        error_types.append(errors.NOT_ACCESSIBLE[kind.name])
    if kind is EVENT:
        error_types += [] if how else [errors.NO_LONGER_AVAILABLE]
        error_types += [errors.PASSWORD_PROTECTED, errors.INVALID_PARAM]
    return _operation("read", kind, how, ("GET",), parameters, (*error_types, *ALWAYS), READ_HEADERS)


def _update(kind: Kind, how: str, parameters: Sequence[Field]) -> Operation:
    error_types = (errors.NOT_FOUND[kind.name], *BODY, *_term_faults(kind), *_precondition(kind), *WRITE, *ALWAYS)
    return _operation("update", kind, how, UPDATE_METHODS, parameters, error_types)


def _delete(kind: Kind, how: str, parameters: Sequence[Field]) -> Operation:
    in_trash = () if kind.is_term else (errors.INVALID_PARAM, errors.IN_TRASH[kind.name])
    error_types = (errors.NOT_FOUND[kind.name], *in_trash, *_precondition(kind), *WRITE, *ALWAYS)
    return _operation("delete", kind, how, ("DELETE",), parameters, error_types)


def _operation(
    verb: str,
    kind: Kind,
    how: str,
    methods: Sequence[str],
    parameters: Sequence[Field],
    error_types: Sequence[ErrorType],
    headers: Sequence[Header] = (),
) -> Operation:
    name, record = f"{verb}_{kind.name}{how}", ref(RECORD_OF[kind.name].name)
    # What is not digits where an id belongs is another address.
    found = error_types if how else (errors.NO_ROUTE, *error_types)
    return Operation(name, SUMMARIES[verb + how, kind], methods, parameters, record, found, headers=headers)


def _precondition(kind: Kind) -> tuple[ErrorType, ...]:
    return () if kind.is_term else (errors.PRECONDITION_FAILED,)


def _term_faults(kind: Kind) -> tuple[ErrorType, ...]:
    if kind.is_term:
        return (errors.TERM_EXISTS,)
    return (errors.FOREIGN_AUTHOR, errors.NEW_TERM) if kind is EVENT else (errors.FOREIGN_AUTHOR,)


# A feed has no pages, and programs sort what they get.
FEED = Address(
    "/events.ics",
    (
        Operation(
            "feed_events",
            N_("List events as an iCalendar feed"),
            ("GET",),
            tuple(field for field in EVENT.filters if field.name not in ("page", "per_page", "orderby", "order")),
            TEXT,
            (errors.INVALID_PARAM, *ALWAYS),
            headers=(ETAG,),
            media_type=CALENDAR_TYPE,
        ),
    ),
    EVENT.plural,
    extension=True,
)


class File(Type):
    """The bytes of an upload."""

    def read(self, value: object) -> object:
        return value


INDEX = Address(
    "",
    (
        Operation(
            "index",
            N_("The index of the namespace"),
            ("GET",),
            (
                Field("namespace", Unspecified(), N_("The namespace to describe."), default=NAMESPACE),
                Field("context", Unspecified(), N_("How the index is to be used."), default="view"),
                LANG,
            ),
            ref("Index"),
            (errors.NO_NAMESPACE, *ALWAYS),
            headers=(ETAG, CONTENT_LANGUAGE),
        ),
    ),
    "interface",
)
DOC = Address(
    "/doc",
    (
        Operation(
            "doc",
            N_("The OpenAPI document"),
            ("GET",),
            (LANG,),
            OBJECT,
            ALWAYS,
            headers=(ETAG, CONTENT_LANGUAGE),
        ),
    ),
    "interface",
)
MEDIA = Address(
    "/media",
    (
        Operation(
            "create_media",
            N_("Upload an image"),
            ("POST",),
            (Field("file", File(), N_("The image to store."), required=True, extension=True),),
            ref("Image"),
            (
                errors.MISSING_PARAM,
                errors.TOO_LARGE,
                errors.IMAGE_TOO_LARGE,
                errors.WRONG_MEDIA_TYPE,
                errors.STORAGE_FULL,
                *WRITE,
                *ALWAYS,
            ),
            status=201,
            headers=(LOCATION,),
        ),
    ),
    "media",
    extension=True,
)
MEDIA_ITEM = Address(
    r"/media/(?P<id>\d+)",
    (
        Operation(
            "read_media",
            N_("Read one image"),
            ("GET",),
            (ID,),
            ref("Image"),
            (errors.NO_ROUTE, errors.NO_MEDIA, *ALWAYS),
            headers=(ETAG,),
        ),
    ),
    "media",
    extension=True,
)


def _admin(
    name: str,
    summary: str,
    methods: Sequence[str],
    parameters: Sequence[Field],
    answer: Schema,
    error_types: Sequence[ErrorType] = (),
    status: int = 200,
    headers: Sequence[Header] = (),
) -> Operation:
    found = (errors.NO_ROUTE, *error_types) if ID in parameters else error_types
    return Operation(name, summary, methods, parameters, answer, (*found, *WRITE, *ALWAYS), status, headers)


USERS = Address(
    "/users",
    (
        _admin(
            "list_users",
            N_("List the users"),
            ("GET",),
            (),
            envelope(
                (
                    Key("users", many(ref("User")), N_("The users.")),
                    Key("total", representations.WHOLE, N_("How many records there are in all.")),
                )
            ),
        ),
        _admin(
            "create_user",
            N_("Add a user"),
            ("POST",),
            USER_FIELDS,
            ref("User"),
            (errors.MISSING_PARAM, errors.BAD_USER, *BODY),
            201,
            (LOCATION,),
        ),
    ),
    "users",
    extension=True,
)
ME = Address(
    "/users/me",
    (Operation("read_me", N_("Read the current user"), ("GET",), (), ref("User"), (errors.LOGIN_NEEDED, *ALWAYS)),),
    "users",
    extension=True,
)
USER = Address(
    r"/users/(?P<id>\d+)",
    (
        _admin("read_user", N_("Read one user"), ("GET",), (ID,), ref("User"), (errors.NO_USER,)),
        _admin(
            "delete_user",
            N_("Remove a user"),
            ("DELETE",),
            (ID, REASSIGN),
            ref("User"),
            (errors.NO_USER, errors.BAD_USER, errors.INVALID_PARAM),
        ),
        _admin(
            "update_user",
            N_("Change a user"),
            UPDATE_METHODS,
            (ID, *optional(USER_FIELDS)),
            ref("User"),
            (errors.NO_USER, errors.BAD_USER, *BODY),
        ),
    ),
    "users",
    extension=True,
)
TOKENS = Address(
    r"/users/(?P<id>\d+)/tokens",
    (
        _admin(
            "list_tokens",
            N_("List the tokens of a user"),
            ("GET",),
            (ID,),
            envelope(
                (
                    Key("tokens", many(ref("Token")), N_("The tokens.")),
                    Key("total", representations.WHOLE, N_("How many records there are in all.")),
                )
            ),
            (errors.NO_USER,),
        ),
        _admin(
            "create_token",
            N_("Create a token, shown only once"),
            ("POST",),
            (ID, *TOKEN_FIELDS),
            ref("Token"),
            (errors.NO_USER, errors.BAD_USER, errors.MISSING_PARAM, *BODY),
            201,
        ),
    ),
    "users",
    extension=True,
)
TOKEN = Address(
    r"/users/(?P<id>\d+)/tokens/(?P<token>\d+)",
    (
        _admin(
            "delete_token",
            N_("Revoke a token"),
            ("DELETE",),
            (ID, Field("token", Reference(1), N_("The id of the token."), required=True)),
            ref("Token"),
            (errors.NO_USER, errors.NO_TOKEN),
        ),
    ),
    "users",
    extension=True,
)


def addresses() -> list[Address]:
    """Every address below the namespace, in the order of the index."""
    found = [INDEX, DOC]
    for kind in KINDS:
        found += [collection(kind), item(kind)]
        if not kind.is_term:
            found.append(item_by_slug(kind))
        if kind is EVENT:
            found.append(FEED)
    return [*found, MEDIA, MEDIA_ITEM, USERS, ME, USER, TOKENS, TOKEN]
