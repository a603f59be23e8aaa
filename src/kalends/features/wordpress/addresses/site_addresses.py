"""The namespaces `wp/v2` and `tec/v1` as tables: all their addresses, and their OpenAPI documents."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from kalends.contract import errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG
from kalends.contract.interfaces import Interface
from kalends.contract.json_schema import EMPTY_LIST, OBJECT, Key, Representation, Schema, many, or_null, ref
from kalends.contract.operations.model import ALWAYS, BODY, ID, LANG, WRITE, Address, Operation, envelope
from kalends.contract.representations import ERROR, ERROR_DATA, PROBLEM_DETAIL
from kalends.contract.types import Unspecified
from kalends.contract.types.texts import Choice
from kalends.features.changes.addresses import ANSWER, Requests
from kalends.features.changes.errors import BATCH_TOO_LARGE
from kalends.features.wordpress import errors as wp_errors
from kalends.features.wordpress import filters, site
from kalends.features.wordpress.addresses.record_addresses import (
    BY_ID,
    LIST_ERRORS,
    MEDIA,
    RECORDS,
    TEC_NAMESPACE,
    TEC_RECORDS,
    CollectionAddresses,
    deleted_name,
    operation_of,
    refused,
)
from kalends.features.wordpress.records import tec_records, wp_records
from kalends.features.wordpress.site_data import WP_NAMESPACE
from kalends.features.wordpress.tables import PROPERTY, RENDERED, Namespace
from kalends.languages import N_

WP_ROOT, TEC_ROOT = f"/{WP_NAMESPACE}", f"/{TEC_NAMESPACE}"


def _read(
    path: str, name: str, summary: str, parameters: Sequence[Field], response: Schema, *possible: ErrorType
) -> Address:
    """An address that is only read; the beginning of its path is its namespace."""
    namespace = "/".join(path.split("/")[1:3])
    return Address(path, (operation_of(namespace, name, summary, parameters, response, possible),), namespace)


_USER, _CONTEXT = ref("WpUser"), (filters.CONTEXT,)
_LIST_USERS = N_("List the users that have published something")
_NO_CALLER = (wp_errors.NOT_LOGGED_IN, errors.LOGIN_NEEDED, errors.INVALID_PARAM)
_NO_USER = (wp_errors.NO_USER, errors.INVALID_PARAM, *refused("view_user"))
USERS = _read(f"{WP_ROOT}/users", "list_users", _LIST_USERS, filters.USER_FILTERS, many(_USER), *LIST_ERRORS)
ME = _read(f"{WP_ROOT}/users/me", "read_me", N_("Read the current user"), _CONTEXT, _USER, *_NO_CALLER)
USER = _read(f"{WP_ROOT}/users{BY_ID}", "read_user", N_("Read one user"), (ID, *_CONTEXT), _USER, *_NO_USER)
_DESCRIBED = N_("Describe the site")


def _described(part: site.SiteTable) -> tuple[Address, Address]:
    """A table of the site: all of it, and one row by its name."""
    view, record, path = (errors.INVALID_PARAM, *refused("view")), ref(part.table.name), f"{WP_ROOT}/{part.route}"
    by_name: Schema = {"type": "object", "additionalProperties": record}
    chosen = (Field("type", Unspecified(), PROPERTY),) if part.has_types else ()
    named = (Field("name", Unspecified(), PROPERTY, required=True), *_CONTEXT)
    return (
        _read(path, f"read_{part.route}", _DESCRIBED, (*_CONTEXT, *chosen), by_name, *view),
        _read(rf"{path}/(?P<name>[\w-]+)", f"read_{part.name}", _DESCRIBED, named, record, part.unknown, *view),
    )


SITE = {part: _described(part) for part in site.TABLES}
SETTINGS = _read(f"{WP_ROOT}/settings", "read_settings", _DESCRIBED, (), ref("WpSettings"), *WRITE[:2])
_FOUND, _NO_PAGE = many(ref("WpFound")), (errors.INVALID_PARAM, wp_errors.NO_SUCH_PAGE)
SEARCH = _read(
    f"{WP_ROOT}/search", "list_found", N_("Search events and terms"), filters.SEARCH_FILTERS, _FOUND, *_NO_PAGE
)

# What WordPress has and a calendar has not: lists that are empty.
NOTHING = {
    "posts": wp_errors.NO_POST,
    "pages": wp_errors.NO_POST,
    "categories": wp_errors.NO_TERM,
    "comments": wp_errors.NO_COMMENT,
}


def _empty(route: str) -> tuple[Address, Address]:
    path, summary, listed = (
        f"{WP_ROOT}/{route}",
        N_("Empty: a calendar has none of these"),
        (*_CONTEXT, *filters.PAGING),
    )
    return (
        _read(path, f"list_no_{route}", summary, listed, EMPTY_LIST, errors.INVALID_PARAM),
        _read(path + BY_ID, f"read_no_{route}", summary, (ID,), OBJECT, NOTHING[route]),
    )


EMPTY = {route: _empty(route) for route in NOTHING}


def _index(root: str) -> Address:
    return _read(root, "read_namespace", N_("The index of the namespace"), (LANG,), OBJECT)


def _deleted(name: str) -> Representation:
    """What is left of a record that was deleted for good."""
    keys = (
        Key("deleted", {"type": "boolean", "const": True}, N_("Whether it was deleted for good.")),
        Key("previous", ref(name), N_("The record as it was.")),
    )
    return Representation(deleted_name(name), N_("What is left of a record that was deleted for good."), keys)


def _of_records(*found: CollectionAddresses) -> Iterator[Address]:
    return chain.from_iterable((one.all, one.one) for one in found)


_TABLES = (*wp_records.TABLES.values(), wp_records.MEDIA_TABLE)
_OTHER_TABLES = (
    *(*wp_records.META.values(), wp_records.USER_TABLE),
    *(*(part.table for part in site.TABLES), site.SETTINGS_TABLE, site.FOUND_TABLE),
)
WP = Namespace(
    WP_NAMESPACE,
    (
        _index(WP_ROOT),
        *_of_records(*RECORDS.values(), MEDIA),
        *(USERS, ME, USER, *chain.from_iterable(SITE.values())),
        *(SETTINGS, SEARCH, *chain.from_iterable(EMPTY.values())),
    ),
    (
        *(table.representation for table in _TABLES),
        *(_deleted(table.name) for table in _TABLES),
        RENDERED,
        *(table.representation for table in _OTHER_TABLES),
    ),
)

_READ_DOCS = N_("Read the OpenAPI document of tec/v1")
_DOCS = Operation("tec_read_docs", _READ_DOCS, ("GET",), (LANG,), OBJECT, ALWAYS, headers=(ETAG,))
TEC_DOCS = Address(f"{TEC_ROOT}/docs", (_DOCS,), TEC_NAMESPACE)
TEC = Namespace(
    TEC_NAMESPACE,
    (
        _index(TEC_ROOT),
        *_of_records(*TEC_RECORDS.values()),
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
            (
                errors.MISSING_PARAM,
                BATCH_TOO_LARGE,
                wp_errors.NOT_IN_BATCHES,
                *BODY,
                *WRITE,
                *ALWAYS,
            ),
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
