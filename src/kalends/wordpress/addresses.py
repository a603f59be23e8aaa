"""The namespaces `wp/v2` and `tec/v1` as tables: their addresses and operations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kalends.contract import common, errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG, LINK, LOCATION, TOTALS, WARNING
from kalends.contract.interfaces import Interface
from kalends.contract.json_schema import EMPTY_LIST, OBJECT, Key, Representation, Schema, either, many, ref
from kalends.contract.kinds import CATEGORY, EVENT, KINDS, POSTS, Kind
from kalends.contract.operations import WRITE, Address, File, Operation
from kalends.contract.operations.model import ALWAYS, BODY, ID, LANG, UPDATE_METHODS
from kalends.contract.operations.records import SUMMARIES
from kalends.contract.representations import ERROR, ERROR_DATA, PROBLEM_DETAIL
from kalends.contract.types import Unspecified
from kalends.languages import N_
from kalends.wordpress import errors as wp_errors
from kalends.wordpress import filters, site, tec_records, wp_records
from kalends.wordpress.errors import REFUSED
from kalends.wordpress.fields import MEDIA_FIELDS, POST_FIELDS, TEC_FIELDS, TEC_REQUIRED, TERM_FIELDS
from kalends.wordpress.site_data import TAXONOMY_OF, TYPE_OF, WP_NAMESPACE
from kalends.wordpress.tables import PROPERTY, MappedField, Namespace, Table

TEC_NAMESPACE = "tec/v1"
WP_ROOT, TEC_ROOT = f"/{WP_NAMESPACE}", f"/{TEC_NAMESPACE}"
BY_ID = r"/(?P<id>\d+)"
FORCE = replace(common.FORCE, extension=False)
COUNTS = tuple(header for header in TOTALS if header.name.startswith("X-WP-"))
HEADERS = {
    "list": (ETAG, LINK, *COUNTS, WARNING),
    "read": (ETAG, LINK, WARNING),
    "create": (LOCATION, WARNING),
    "update": (WARNING,),
}
METHODS = {"create": ("POST",), "update": UPDATE_METHODS, "delete": ("DELETE",)}
VERBS = ("list", "create", "read", "delete", "update")

Errors = Mapping[str, Sequence[ErrorType]]  # by the verb of an operation


def _operation(
    namespace: str,
    verb: str,
    name: str,
    summary: str,
    parameters: Sequence[Field],
    response: Schema,
    possible: Sequence[ErrorType],
) -> Operation:
    """An operation; its methods, its headers and how any request may fail are decided by its verb."""
    found = [*possible, *((errors.NO_ROUTE,) if ID in parameters else ())]
    if verb in METHODS:
        found += [errors.LOGIN_NEEDED, errors.CROSS_SITE]  # the first of them says that one has to log in
    methods = METHODS.get(verb, ("GET",))
    if (namespace, verb) == (TEC_NAMESPACE, "update"):
        methods = ("PUT", "PATCH")
    return Operation(
        f"{namespace.partition('/')[0]}_{verb}_{name}",
        summary,
        methods,
        parameters,
        response,
        (*found, *ALWAYS),
        201 if verb == "create" else 200,
        HEADERS.get(verb, ()),
    )


def fields_of(mapped: Sequence[MappedField], *required: str) -> tuple[Field, ...]:
    return tuple(replace(one.field, required=one.field.name in required) for one in mapped)


@dataclass(frozen=True, eq=False)
class Collection:
    """Records that are listed, created, read, changed and deleted: their addresses, and what is sent to them."""

    namespace: str
    route: str
    names: tuple[str, str]  # of one and of several, in the names of operations
    summaries: Mapping[str, str]  # by verb
    table: Table  # of a record
    deleted: Schema
    filters: Sequence[Field]
    new: Sequence[Field]
    changes: Sequence[Field]
    shown: Sequence[Field]  # the parameters of a read
    errors: Errors

    @cached_property
    def all(self) -> Address:
        operations = (
            self._operation("list", self.filters, many(self._record)),
            self._operation("create", self.new, self._record),
        )
        return self._address("", operations)

    @cached_property
    def one(self) -> Address:
        operations = (
            self._operation("read", (ID, *self.shown), self._record),
            self._operation("delete", (ID, FORCE), self.deleted),
            self._operation("update", (ID, *self.changes), self._record),
        )
        return self._address(BY_ID, operations)

    @property
    def _record(self) -> Schema:
        return ref(self.table.name)

    def _address(self, path: str, operations: Sequence[Operation]) -> Address:
        shown = tuple(row.name for row in self.table.rows)
        return Address(f"/{self.namespace}/{self.route}{path}", operations, self.namespace, shown=shown)

    def _operation(self, verb: str, fields: Sequence[Field], response: Schema) -> Operation:
        name = self.names[verb == "list"]
        return _operation(self.namespace, verb, name, self.summaries[verb], fields, response, self.errors[verb])


def _refused(*actions: str) -> tuple[ErrorType, ...]:
    return tuple(error_type for action in actions for error_type in REFUSED[action].values())


_LIST_ERRORS = (errors.INVALID_PARAM, *_refused("context"))
_PAGED_ERRORS = (*_LIST_ERRORS, wp_errors.NO_SUCH_PAGE, wp_errors.NO_SEARCH_TERM)
_AUTHOR_ERRORS = (wp_errors.INVALID_AUTHOR, wp_errors.CANNOT_EDIT_OTHERS)
_WRITE_ERRORS = (*BODY, *_AUTHOR_ERRORS, wp_errors.CANNOT_PUBLISH)
_NEW_ERRORS = (errors.MISSING_PARAM, wp_errors.POST_EXISTS, wp_errors.EMPTY_CONTENT)
_POST_ERRORS: Errors = {
    "list": _PAGED_ERRORS,
    "create": (*_NEW_ERRORS, *_WRITE_ERRORS, *_refused("create")),
    "read": (wp_errors.NO_POST, *_LIST_ERRORS, *_refused("read")),
    "delete": (wp_errors.NO_POST, errors.INVALID_PARAM, wp_errors.ALREADY_TRASHED, *_refused("delete")),
    "update": (wp_errors.NO_POST, *_WRITE_ERRORS, *_refused("edit")),
}
_MEDIA_ERRORS: Errors = {
    "list": _PAGED_ERRORS,
    "create": (
        *(errors.TOO_LARGE, errors.IMAGE_TOO_LARGE, errors.STORAGE_FULL, *wp_errors.OF_UPLOADS),
        *_refused("create"),
    ),
    "read": (wp_errors.NO_POST, *_LIST_ERRORS),
    "delete": (wp_errors.NO_POST, errors.INVALID_PARAM, wp_errors.NO_TRASH, *_refused("delete")),
    "update": (wp_errors.NO_POST, *BODY, *_AUTHOR_ERRORS, *_refused("edit")),
}
# Without LOGIN_NEEDED in reads, which says that everybody has to log in: only what is not public is 401 there.
_TEC_READ_ERRORS = (wp_errors.NO_POST, errors.INVALID_PARAM, errors.FORBIDDEN)
_TEC_WRITE_ERRORS = (*BODY, *WRITE, errors.NEW_TERM, errors.FOREIGN_AUTHOR)
_TEC_ERRORS: Errors = {
    "list": (errors.INVALID_PARAM, wp_errors.TEC_NO_SUCH_PAGE),
    "create": (errors.MISSING_PARAM, *_TEC_WRITE_ERRORS),
    "read": _TEC_READ_ERRORS,
    "delete": (*_TEC_READ_ERRORS, wp_errors.ALREADY_TRASHED, *WRITE),
    "update": (wp_errors.NO_POST, *_TEC_WRITE_ERRORS),
}


def _term_errors(kind: Kind) -> Errors:
    parent = wp_errors.NO_PARENT_TERM if kind is CATEGORY else wp_errors.NOT_HIERARCHICAL
    written = (*BODY, errors.TERM_EXISTS, parent)
    return {
        "list": _LIST_ERRORS,
        "create": (errors.MISSING_PARAM, *written, *_refused("create")),
        "read": (wp_errors.NO_TERM, *_LIST_ERRORS),
        "delete": (wp_errors.NO_TERM, errors.INVALID_PARAM, wp_errors.NO_TRASH, *_refused("delete")),
        "update": (wp_errors.NO_TERM, *written, *_refused("update")),
    }


def _with_password(kind: Kind, found: Errors) -> Errors:
    return found | {"read": (*found["read"], wp_errors.WRONG_POST_PASSWORD)} if kind is EVENT else found  # type: ignore[operator]


def _records(namespace: str, kind: Kind) -> Collection:
    """The records of a kind in one of the namespaces."""
    is_tec, password = namespace == TEC_NAMESPACE, (common.PASSWORD,) if kind is EVENT else ()
    table = tec_records.TABLES[kind] if is_tec else wp_records.TABLES[kind]
    gone = ref(_deleted_name(table.name))
    gone = gone if kind.is_term else either(ref(table.name), gone)
    mapped = TEC_FIELDS[kind] if is_tec else (TERM_FIELDS if kind.is_term else POST_FIELDS)[kind]
    required = TEC_REQUIRED[kind] if is_tec else ("name" if kind.is_term else "title",)
    found = _TEC_ERRORS if is_tec else _term_errors(kind) if kind.is_term else _POST_ERRORS
    return Collection(
        namespace,
        kind.plural if is_tec else (TAXONOMY_OF if kind.is_term else TYPE_OF)[kind].route,
        (kind.name, kind.plural),
        {verb: SUMMARIES[verb, kind] for verb in VERBS},
        table,
        EMPTY_LIST if is_tec else gone,
        (filters.TEC_FILTERS if is_tec else filters.FILTERS)[kind],
        fields_of(mapped, *required),
        fields_of(mapped),
        password if is_tec else (*filters.ANSWER, *password),
        _with_password(kind, found),
    )


def _deleted_name(record: str) -> str:
    return f"{record}Deleted"


RECORDS = {kind: _records(WP_NAMESPACE, kind) for kind in KINDS}
TEC_RECORDS = {kind: _records(TEC_NAMESPACE, kind) for kind in POSTS}
MEDIA = Collection(
    WP_NAMESPACE,
    "media",
    ("media", "media"),
    {
        "list": N_("List images"),
        "create": N_("Upload an image"),
        "read": N_("Read one image"),
        "delete": N_("Delete an image"),
        "update": N_("Change an image"),
    },
    wp_records.MEDIA_TABLE,
    ref(_deleted_name(wp_records.MEDIA_TABLE.name)),
    filters.MEDIA_FILTERS,
    (Field("file", File(), N_("The image to store."), required=True),),
    fields_of(MEDIA_FIELDS),
    filters.ANSWER,
    _MEDIA_ERRORS,
)


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
    operation = _operation(namespace, verb, name, summary, parameters, response, possible)
    return Address(f"/{namespace}{path}", (operation,), namespace)


_INDEX = N_("The index of the namespace")
USERS = _read(
    "/users",
    "users",
    N_("List the users that have published something"),
    filters.USER_FILTERS,
    many(ref("WpUser")),
    *_LIST_ERRORS,
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
    *(wp_errors.NO_USER, errors.INVALID_PARAM, *_refused("view_user")),
)
_DESCRIBED = N_("Describe the site")


def _described(part: "site.SiteTable") -> tuple[Address, Address]:
    """A table of the site: all of it, and one row by its name."""
    view, record = (errors.INVALID_PARAM, *_refused("view")), ref(part.table.name)
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
    return Representation(_deleted_name(name), N_("What is left of a record that was deleted for good."), keys)


_TABLES = (*wp_records.POST_TABLES.values(), *wp_records.TERM_TABLES.values(), wp_records.MEDIA_TABLE)
_OTHER_TABLES = (
    *(*wp_records.META.values(), wp_records.USER_TABLE),
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
        wp_records.RENDERED,
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
    tuple(address for namespace in NAMESPACES for address in namespace.addresses),
    (*(shape for namespace in NAMESPACES for shape in namespace.representations), *_ERRORS),
    error_names=wp_errors.error_names(),
)
# The document of this namespace alone, whose paths begin below it.
TEC_INTERFACE = Interface(
    TEC_NAMESPACE,
    _SUMMARY,
    _ABOUT,
    tuple(replace(address, pattern=address.pattern.removeprefix(TEC_ROOT) or "/") for address in TEC.addresses),
    (*TEC.representations, wp_records.RENDERED, *_ERRORS),
    error_names=wp_errors.error_names(),
)
