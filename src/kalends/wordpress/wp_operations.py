"""The namespace `wp/v2` as a table: its addresses, their operations, and the representations they respond with."""

from collections.abc import Sequence
from dataclasses import replace

from kalends.contract import common, errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG, LINK, LOCATION, TOTALS, WARNING
from kalends.contract.json_schema import EMPTY_LIST, OBJECT, Representation, Schema, many, ref
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.contract.operations import WRITE, Address, File, Operation
from kalends.contract.operations.model import ALWAYS, BODY, ID, LANG, UPDATE_METHODS
from kalends.contract.operations.records import SUMMARIES
from kalends.contract.texts import Line
from kalends.contract.types import Unspecified
from kalends.languages import N_
from kalends.wordpress import errors as wp_errors
from kalends.wordpress import wp_filters, wp_keys
from kalends.wordpress.errors import REFUSED
from kalends.wordpress.model import MappedField, Namespace, representation
from kalends.wordpress.site_tables import (
    CATEGORIES,
    EVENTS,
    ORGANIZERS,
    TAGS,
    VENUES,
    WP_NAMESPACE,
    PostType,
    Taxonomy,
)
from kalends.wordpress.wp_fields import POST_FIELDS, TERM_FIELDS

ROOT = f"/{WP_NAMESPACE}"
BY_ID = r"/(?P<id>\d+)"
COUNTS = tuple(header for header in TOTALS if header.name.startswith("X-WP-"))
LIST_HEADERS = (ETAG, LINK, *COUNTS, WARNING)
READ_HEADERS = (ETAG, LINK, WARNING)

FORCE = replace(common.FORCE, extension=False)
PASSWORD = common.PASSWORD
FILTERS = {
    EVENT: wp_filters.EVENT_FILTERS,
    VENUE: wp_filters.POST_FILTERS,
    ORGANIZER: wp_filters.POST_FILTERS,
    CATEGORY: wp_filters.CATEGORY_FILTERS,
    TAG: wp_filters.TERM_FILTERS,
}
POST_KEYS = {
    kind: wp_keys.post_keys(type_, wp_keys.META_NAMES[kind.name])
    for kind, type_ in ((EVENT, EVENTS), (VENUE, VENUES), (ORGANIZER, ORGANIZERS))
}
TERM_KEYS = {kind: wp_keys.term_keys(taxonomy) for kind, taxonomy in ((CATEGORY, CATEGORIES), (TAG, TAGS))}

_CONTEXT_ERRORS = tuple(REFUSED["context"].values())
_LIST_ERRORS = (errors.INVALID_PARAM, *_CONTEXT_ERRORS)


def _refused(*actions: str) -> tuple[ErrorType, ...]:
    return tuple(error_type for action in actions for error_type in REFUSED[action].values())


def _fields(mapped: Sequence[MappedField], *required: str) -> tuple[Field, ...]:
    return tuple(replace(one.field, required=one.field.name in required) for one in mapped)


def _operation(
    verb: str,
    name: str,
    summary: str,
    methods: Sequence[str],
    parameters: Sequence[Field],
    response: Schema,
    error_types: Sequence[ErrorType],
    status: int = 200,
) -> Operation:
    """An operation; what its headers are and how any request may fail is decided by its verb."""
    headers = {"list": LIST_HEADERS, "read": READ_HEADERS, "create": (LOCATION,)}.get(verb, ())
    possible = [*error_types, *((errors.NO_ROUTE,) if ID in parameters else ())]
    if verb not in ("list", "read"):
        possible += [errors.LOGIN_NEEDED, errors.CROSS_SITE]  # the first of them says that one has to log in
    return Operation(
        f"wp_{verb}_{name}", summary, methods, parameters, response, (*possible, *ALWAYS), status, headers
    )


# Events, venues and organizers


def post_collection(type_: PostType, kind: Kind) -> Address:
    record = ref(wp_keys.record_name(kind))
    write_errors = (*BODY, *_refused("create"), *_POST_WRITE_ERRORS, wp_errors.POST_EXISTS, wp_errors.EMPTY_CONTENT)
    return Address(
        f"{ROOT}/{type_.route}",
        (
            _operation(
                "list",
                kind.plural,
                SUMMARIES["list", kind],
                ("GET",),
                FILTERS[kind],
                many(record),
                (*_LIST_ERRORS, wp_errors.NO_SUCH_PAGE, wp_errors.NO_SEARCH_TERM),
            ),
            _operation(
                "create",
                kind.name,
                SUMMARIES["create", kind],
                ("POST",),
                _fields(POST_FIELDS[kind], "title"),
                record,
                (errors.MISSING_PARAM, *write_errors),
                201,
            ),
        ),
        WP_NAMESPACE,
    )


def post_item(type_: PostType, kind: Kind) -> Address:
    name = wp_keys.record_name(kind)
    password, with_password = ((PASSWORD,), (wp_errors.WRONG_POST_PASSWORD,)) if kind is EVENT else ((), ())
    return Address(
        f"{ROOT}/{type_.route}{BY_ID}",
        (
            _operation(
                "read",
                kind.name,
                SUMMARIES["read", kind],
                ("GET",),
                (ID, *wp_filters.ANSWER, *password),
                ref(name),
                (wp_errors.NO_POST, errors.INVALID_PARAM, *_refused("read"), *_CONTEXT_ERRORS, *with_password),
            ),
            _operation(
                "delete",
                kind.name,
                SUMMARIES["delete", kind],
                ("DELETE",),
                (ID, FORCE),
                {"anyOf": [ref(name), ref(f"{name}{wp_keys.DELETED_NAME}")]},
                (wp_errors.NO_POST, errors.INVALID_PARAM, wp_errors.ALREADY_TRASHED, *_refused("delete")),
            ),
            _operation(
                "update",
                kind.name,
                SUMMARIES["update", kind],
                UPDATE_METHODS,
                (ID, *_fields(POST_FIELDS[kind])),
                ref(name),
                (wp_errors.NO_POST, *BODY, *_refused("edit"), *_POST_WRITE_ERRORS),
            ),
        ),
        WP_NAMESPACE,
    )


_POST_WRITE_ERRORS = (wp_errors.INVALID_AUTHOR, wp_errors.CANNOT_PUBLISH, wp_errors.CANNOT_EDIT_OTHERS)


# Categories and tags


def term_collection(taxonomy: Taxonomy, kind: Kind) -> Address:
    record = ref(wp_keys.record_name(kind))
    return Address(
        f"{ROOT}/{taxonomy.route}",
        (
            _operation(
                "list",
                kind.plural,
                SUMMARIES["list", kind],
                ("GET",),
                FILTERS[kind],
                many(record),
                _LIST_ERRORS,
            ),
            _operation(
                "create",
                kind.name,
                SUMMARIES["create", kind],
                ("POST",),
                _fields(TERM_FIELDS[kind], "name"),
                record,
                (errors.MISSING_PARAM, *BODY, *_term_errors(kind), *_refused("create")),
                201,
            ),
        ),
        WP_NAMESPACE,
    )


def term_item(taxonomy: Taxonomy, kind: Kind) -> Address:
    name = wp_keys.record_name(kind)
    return Address(
        f"{ROOT}/{taxonomy.route}{BY_ID}",
        (
            _operation(
                "read",
                kind.name,
                SUMMARIES["read", kind],
                ("GET",),
                (ID, *wp_filters.ANSWER),
                ref(name),
                (wp_errors.NO_TERM, errors.INVALID_PARAM, *_CONTEXT_ERRORS),
            ),
            _operation(
                "delete",
                kind.name,
                SUMMARIES["delete", kind],
                ("DELETE",),
                (ID, FORCE),
                ref(f"{name}{wp_keys.DELETED_NAME}"),
                (wp_errors.NO_TERM, errors.INVALID_PARAM, wp_errors.NO_TRASH, *_refused("delete")),
            ),
            _operation(
                "update",
                kind.name,
                SUMMARIES["update", kind],
                UPDATE_METHODS,
                (ID, *_fields(TERM_FIELDS[kind])),
                ref(name),
                (wp_errors.NO_TERM, *BODY, *_term_errors(kind), *_refused("update")),
            ),
        ),
        WP_NAMESPACE,
    )


def _term_errors(kind: Kind) -> tuple[ErrorType, ...]:
    """A parent that is not there, or cannot be."""
    parent = wp_errors.NO_PARENT_TERM if kind is CATEGORY else wp_errors.NOT_HIERARCHICAL
    return (errors.TERM_EXISTS, parent)


# Images

_UPLOAD_ERRORS = (
    errors.TOO_LARGE,
    errors.IMAGE_TOO_LARGE,
    errors.STORAGE_FULL,
    wp_errors.NO_DISPOSITION,
    wp_errors.BAD_DISPOSITION,
    wp_errors.NO_CONTENT_TYPE,
    wp_errors.NO_DATA,
    wp_errors.WRONG_HASH,
    wp_errors.NOT_AN_IMAGE,
)
MEDIA_FIELDS = (
    MappedField(Field("author", common.publication()[0].type, common.publication()[0].meaning), "author"),
    MappedField(Field("alt_text", Line(), N_("What the image shows, in words.")), "alt"),
)
MEDIA = Address(
    f"{ROOT}/media",
    (
        _operation(
            "list",
            "media",
            N_("List images"),
            ("GET",),
            wp_filters.MEDIA_FILTERS,
            many(ref("WpMedia")),
            (*_LIST_ERRORS, wp_errors.NO_SUCH_PAGE, wp_errors.NO_SEARCH_TERM),
        ),
        _operation(
            "create",
            "media",
            N_("Upload an image"),
            ("POST",),
            (Field("file", File(), N_("The image to store."), required=True),),
            ref("WpMedia"),
            (*_UPLOAD_ERRORS, *_refused("create")),
            201,
        ),
    ),
    WP_NAMESPACE,
)
MEDIA_ITEM = Address(
    f"{ROOT}/media{BY_ID}",
    (
        _operation(
            "read",
            "media",
            N_("Read one image"),
            ("GET",),
            (ID, *wp_filters.ANSWER),
            ref("WpMedia"),
            (wp_errors.NO_POST, errors.INVALID_PARAM, *_CONTEXT_ERRORS),
        ),
        _operation(
            "delete",
            "media",
            N_("Delete an image"),
            ("DELETE",),
            (ID, FORCE),
            ref(f"WpMedia{wp_keys.DELETED_NAME}"),
            (wp_errors.NO_POST, errors.INVALID_PARAM, wp_errors.NO_TRASH, *_refused("delete")),
        ),
        _operation(
            "update",
            "media",
            N_("Change an image"),
            UPDATE_METHODS,
            (ID, *_fields(MEDIA_FIELDS)),
            ref("WpMedia"),
            (
                wp_errors.NO_POST,
                *BODY,
                *_refused("edit"),
                wp_errors.INVALID_AUTHOR,
                wp_errors.CANNOT_EDIT_OTHERS,
            ),
        ),
    ),
    WP_NAMESPACE,
)

# Users, and the site

USERS = Address(
    f"{ROOT}/users",
    (
        _operation(
            "list",
            "users",
            N_("List the users that have published something"),
            ("GET",),
            wp_filters.USER_FILTERS,
            many(ref("WpUser")),
            _LIST_ERRORS,
        ),
    ),
    WP_NAMESPACE,
)
ME = Address(
    f"{ROOT}/users/me",
    (
        _operation(
            "read",
            "me",
            N_("Read the current user"),
            ("GET",),
            (wp_filters.CONTEXT,),
            ref("WpUser"),
            (wp_errors.NOT_LOGGED_IN, errors.LOGIN_NEEDED, errors.INVALID_PARAM),
        ),
    ),
    WP_NAMESPACE,
)
USER = Address(
    f"{ROOT}/users{BY_ID}",
    (
        _operation(
            "read",
            "user",
            N_("Read one user"),
            ("GET",),
            (ID, wp_filters.CONTEXT),
            ref("WpUser"),
            (wp_errors.NO_USER, errors.INVALID_PARAM, *_refused("view_user")),
        ),
    ),
    WP_NAMESPACE,
)


def _described(
    path: str, name: str, summaries: tuple[str, str], record: str, unknown: ErrorType
) -> tuple[Address, Address]:
    """A table of the site: all of it, and one row by its name."""
    word = Field("name", Unspecified(), N_("A property of this part of the site."), required=True)
    view = (errors.INVALID_PARAM, *_refused("view"))
    by_name: Schema = {"type": "object", "additionalProperties": ref(record)}
    type_filter = (Field("type", Unspecified(), N_("A property of this part of the site.")),)
    own = type_filter if path == "taxonomies" else ()
    return (
        Address(
            f"{ROOT}/{path}",
            (_operation("read", path, summaries[0], ("GET",), (wp_filters.CONTEXT, *own), by_name, view),),
            WP_NAMESPACE,
        ),
        Address(
            rf"{ROOT}/{path}/(?P<name>[\w-]+)",
            (
                _operation(
                    "read", name, summaries[1], ("GET",), (word, wp_filters.CONTEXT), ref(record), (unknown, *view)
                ),
            ),
            WP_NAMESPACE,
        ),
    )


TYPES, TYPE = _described(
    "types", "type", (N_("Describe the site"), N_("Describe the site")), "WpType", wp_errors.NO_TYPE
)
SITE_TAXONOMIES, TAXONOMY = _described(
    "taxonomies",
    "taxonomy",
    (N_("Describe the site"), N_("Describe the site")),
    "WpTaxonomy",
    wp_errors.NO_TAXONOMY,
)
STATUSES, STATUS = _described(
    "statuses", "status", (N_("Describe the site"), N_("Describe the site")), "WpStatus", wp_errors.NO_STATUS
)
SETTINGS = Address(
    f"{ROOT}/settings",
    (
        _operation(
            "read",
            "settings",
            N_("Describe the site"),
            ("GET",),
            (),
            ref("WpSettings"),
            WRITE[:2],
        ),
    ),
    WP_NAMESPACE,
)
SEARCH = Address(
    f"{ROOT}/search",
    (
        _operation(
            "list",
            "found",
            N_("Search events and terms"),
            ("GET",),
            wp_filters.SEARCH_FILTERS,
            many(ref("WpFound")),
            (errors.INVALID_PARAM, wp_errors.NO_SUCH_PAGE),
        ),
    ),
    WP_NAMESPACE,
)


# What WordPress has and a calendar has not: lists that are empty.
NOTHING = {
    "posts": wp_errors.NO_POST,
    "pages": wp_errors.NO_POST,
    "categories": wp_errors.NO_TERM,
    "comments": wp_errors.NO_COMMENT,
}


def empty_collection(route: str) -> Address:
    summary = N_("Empty: a calendar has none of these")
    fields = (wp_filters.CONTEXT, *wp_filters.PAGING)
    operation = _operation("list", f"no_{route}", summary, ("GET",), fields, EMPTY_LIST, (errors.INVALID_PARAM,))
    return Address(f"{ROOT}/{route}", (operation,), WP_NAMESPACE)


def empty_item(route: str) -> Address:
    summary = N_("Empty: a calendar has none of these")
    operation = _operation("read", f"no_{route}", summary, ("GET",), (ID,), OBJECT, (NOTHING[route],))
    return Address(f"{ROOT}/{route}{BY_ID}", (operation,), WP_NAMESPACE)


INDEX = Address(
    ROOT,
    (_operation("read", "namespace", N_("The index of the namespace"), ("GET",), (LANG,), OBJECT, ()),),
    WP_NAMESPACE,
)

_RECORDS = [(EVENTS, EVENT), (VENUES, VENUE), (ORGANIZERS, ORGANIZER)]
_TERMS = [(CATEGORIES, CATEGORY), (TAGS, TAG)]
POSTS = {kind: (post_collection(type_, kind), post_item(type_, kind)) for type_, kind in _RECORDS}
TERMS = {kind: (term_collection(taxonomy, kind), term_item(taxonomy, kind)) for taxonomy, kind in _TERMS}
EMPTY = {route: (empty_collection(route), empty_item(route)) for route in NOTHING}


def _representations() -> tuple[Representation, ...]:
    records = [
        *(representation(wp_keys.record_name(kind), wp_keys.MEANING, keys) for kind, keys in POST_KEYS.items()),
        *(representation(wp_keys.record_name(kind), wp_keys.MEANING, keys) for kind, keys in TERM_KEYS.items()),
        wp_keys.MEDIA,
    ]
    return (
        *records,
        *(wp_keys.deleted(record.name) for record in records),
        *wp_keys.META,
        wp_keys.RENDERED,
        wp_keys.USER,
        wp_keys.TYPE,
        wp_keys.TAXONOMY,
        wp_keys.STATUS,
        wp_keys.SETTINGS,
        wp_keys.FOUND,
    )


WP = Namespace(
    WP_NAMESPACE,
    (
        INDEX,
        *(address for pair in (*POSTS.values(), *TERMS.values()) for address in pair),
        MEDIA,
        MEDIA_ITEM,
        USERS,
        ME,
        USER,
        TYPES,
        TYPE,
        SITE_TAXONOMIES,
        TAXONOMY,
        STATUSES,
        STATUS,
        SETTINGS,
        SEARCH,
        *(address for pair in EMPTY.values() for address in pair),
    ),
    _representations(),
)
