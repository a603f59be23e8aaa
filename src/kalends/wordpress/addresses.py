"""The namespaces `wp/v2` and `tec/v1` as tables: all their addresses, and their OpenAPI documents."""

from collections.abc import Sequence
from dataclasses import replace

from kalends.contract import errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG
from kalends.contract.interfaces import Interface
from kalends.contract.json_schema import EMPTY_LIST, OBJECT, Key, Representation, Schema, many, or_null, ref
from kalends.contract.operations.batch import ANSWER, Requests
from kalends.contract.operations.model import ALWAYS, BODY, ID, LANG, WRITE, Address, Operation, envelope
from kalends.contract.representations import ERROR, ERROR_DATA, PROBLEM_DETAIL
from kalends.contract.texts import Choice
from kalends.contract.types import Unspecified
from kalends.languages import N_
from kalends.wordpress import errors as wp_errors
from kalends.wordpress import filters, site, tec_records, wp_media, wp_records
from kalends.wordpress.record_addresses import (
    BY_ID,
    LIST_ERRORS,
    MEDIA,
    RECORDS,
    TEC_NAMESPACE,
    TEC_RECORDS,
    deleted_name,
    operation_of,
    refused,
)
from kalends.wordpress.site_data import WP_NAMESPACE
from kalends.wordpress.tables import PROPERTY, RENDERED, Namespace

WP_ROOT, TEC_ROOT = f"/{WP_NAMESPACE}", f"/{TEC_NAMESPACE}"


def _read(
    path: str,
    name: str,
    summary: str,
    parameters: Sequence[Field],
    response: Schema,
    *possible: ErrorType,
    verb: str = "read",
    namespace: str = WP_NAMESPACE,
) -> Address:
    """An address that is only read."""
    operation = operation_of(namespace, verb, name, summary, parameters, response, possible)
    return Address(f"/{namespace}{path}", (operation,), namespace)


_INDEX = N_("The index of the namespace")
USERS = _read(
    "/users",
    "users",
    N_("List the users that have published something"),
    filters.USER_FILTERS,
    many(ref("WpUser")),
    *LIST_ERRORS,
    verb="list",
)
ME = _read(
    "/users/me",
    "me",
    N_("Read the current user"),
    (filters.CONTEXT,),
    ref("WpUser"),
    *(wp_errors.NOT_LOGGED_IN, errors.LOGIN_NEEDED, errors.INVALID_PARAM),
)
USER = _read(
    f"/users{BY_ID}",
    "user",
    N_("Read one user"),
    (ID, filters.CONTEXT),
    ref("WpUser"),
    *(wp_errors.NO_USER, errors.INVALID_PARAM, *refused("view_user")),
)
_DESCRIBED = N_("Describe the site")


def _described(part: "site.SiteTable") -> tuple[Address, Address]:
    """A table of the site: all of it, and one row by its name."""
    view, record = (errors.INVALID_PARAM, *refused("view")), ref(part.table.name)
    by_name: Schema = {"type": "object", "additionalProperties": record}
    chosen = (Field("type", Unspecified(), PROPERTY),) if part.has_types else ()
    word = Field("name", Unspecified(), PROPERTY, required=True)
    return (
        _read(f"/{part.route}", part.route, _DESCRIBED, (filters.CONTEXT, *chosen), by_name, *view),
        _read(
            rf"/{part.route}/(?P<name>[\w-]+)",
            part.name,
            _DESCRIBED,
            (word, filters.CONTEXT),
            record,
            *(part.unknown, *view),
        ),
    )


SITE = {part: _described(part) for part in site.TABLES}
SETTINGS = _read("/settings", "settings", _DESCRIBED, (), ref("WpSettings"), *WRITE[:2])
SEARCH = _read(
    "/search",
    "found",
    N_("Search events and terms"),
    filters.SEARCH_FILTERS,
    many(ref("WpFound")),
    *(errors.INVALID_PARAM, wp_errors.NO_SUCH_PAGE),
    verb="list",
)

# What WordPress has and a calendar has not: lists that are empty.
NOTHING = {
    "posts": wp_errors.NO_POST,
    "pages": wp_errors.NO_POST,
    "categories": wp_errors.NO_TERM,
    "comments": wp_errors.NO_COMMENT,
}


def _empty(route: str) -> tuple[Address, Address]:
    name, summary = f"no_{route}", N_("Empty: a calendar has none of these")
    listed = (filters.CONTEXT, *filters.PAGING)
    return (
        _read(f"/{route}", name, summary, listed, EMPTY_LIST, errors.INVALID_PARAM, verb="list"),
        _read(f"/{route}{BY_ID}", name, summary, (ID,), OBJECT, NOTHING[route]),
    )


EMPTY = {route: _empty(route) for route in NOTHING}


def _deleted(name: str) -> Representation:
    """What is left of a record that was deleted for good."""
    keys = (
        Key("deleted", {"type": "boolean", "const": True}, N_("Whether it was deleted for good.")),
        Key("previous", ref(name), N_("The record as it was.")),
    )
    return Representation(deleted_name(name), N_("What is left of a record that was deleted for good."), keys)


_TABLES = (*wp_records.TABLES.values(), wp_media.MEDIA_TABLE)
_OTHER_TABLES = (
    *(*wp_records.META.values(), wp_media.USER_TABLE),
    *(*(part.table for part in site.TABLES), site.SETTINGS_TABLE, site.FOUND_TABLE),
)
WP = Namespace(
    WP_NAMESPACE,
    (
        _read("", "namespace", _INDEX, (LANG,), OBJECT),
        *(address for found in (*RECORDS.values(), MEDIA) for address in (found.all, found.one)),
        *(USERS, ME, USER),
        *(address for pair in SITE.values() for address in pair),
        *(SETTINGS, SEARCH),
        *(address for pair in EMPTY.values() for address in pair),
    ),
    (
        *(table.representation for table in _TABLES),
        *(_deleted(table.name) for table in _TABLES),
        RENDERED,
        *(table.representation for table in _OTHER_TABLES),
    ),
)

_READ_DOCS = N_("Read the OpenAPI document of tec/v1")
TEC_DOCS = Address(
    f"{TEC_ROOT}/docs",
    (Operation("tec_read_docs", _READ_DOCS, ("GET",), (LANG,), OBJECT, ALWAYS, headers=(ETAG,)),),
    TEC_NAMESPACE,
)
TEC = Namespace(
    TEC_NAMESPACE,
    (
        _read("", "namespace", _INDEX, (LANG,), OBJECT, namespace=TEC_NAMESPACE),
        *(address for found in TEC_RECORDS.values() for address in (found.all, found.one)),
        TEC_DOCS,
    ),
    tuple(table.representation for table in tec_records.TABLES.values()),
)

NAMESPACES = (WP, TEC)
NORMAL, ALL_VALID = "normal", "require-all-validate"
MOST_IN_BATCH = 25
_CHECKED = N_("With require-all-validate, nothing is done unless all requests are valid.")
_REQUESTS = N_("The requests: path below /wp-json, method, body, headers.")
# As in WordPress it is in no namespace.
BATCH = Address(
    "/batch/v1",
    (
        Operation(
            "wp_send_batch",
            N_("Send several writes in one request"),
            ("POST",),
            (
                Field("validation", Choice(words=(ALL_VALID, NORMAL)), _CHECKED, default=NORMAL),
                Field("requests", Requests(MOST_IN_BATCH, "POST"), _REQUESTS, required=True),
            ),
            envelope(
                (
                    Key("failed", {"type": "string", "enum": ["validation"]}, _CHECKED, always=False),
                    Key("responses", many(or_null(ANSWER)), N_("The answers, in the order of the requests.")),
                )
            ),
            (errors.MISSING_PARAM, errors.BATCH_TOO_LARGE, wp_errors.NOT_IN_BATCHES, *BODY, *WRITE, *ALWAYS),
            status=207,
        ),
    ),
    "batch/v1",
)
_SUMMARY = N_("Addresses of WordPress")
_ABOUT = N_(
    "What clients of WordPress expect around the API: the same records, with the same rights, under the addresses"
    " and in the forms of WordPress."
)
_ERRORS = (ERROR, ERROR_DATA, PROBLEM_DETAIL)
COMPAT = Interface(
    "wp-json",
    _SUMMARY,
    _ABOUT,
    (*(address for namespace in NAMESPACES for address in namespace.addresses), BATCH),
    (*(shape for namespace in NAMESPACES for shape in namespace.representations), *_ERRORS),
    error_names=wp_errors.error_names(),
)
# The document of this namespace alone, whose paths begin below it.
TEC_INTERFACE = Interface(
    TEC_NAMESPACE,
    _SUMMARY,
    _ABOUT,
    tuple(replace(address, pattern=address.pattern.removeprefix(TEC_ROOT) or "/") for address in TEC.addresses),
    (*TEC.representations, RENDERED, *_ERRORS),
    error_names=wp_errors.error_names(),
)
