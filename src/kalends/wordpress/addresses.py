"""The namespaces `wp/v2` and `tec/v1` as tables: their addresses and operations."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from kalends.contract import common, errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG, LINK, LOCATION, TOTALS, WARNING
from kalends.contract.interfaces import Interface
from kalends.contract.json_schema import EMPTY_LIST, OBJECT, Key, Representation, Schema, either, many, ref
from kalends.contract.kinds import CATEGORY, EVENT, POSTS, TERMS, Kind
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
from kalends.wordpress.tables import PROPERTY, MappedField, Namespace

TEC_NAMESPACE = "tec/v1"
WP_ROOT, TEC_ROOT = f"/{WP_NAMESPACE}", f"/{TEC_NAMESPACE}"
BY_ID = r"/(?P<id>\d+)"
FORCE = replace(common.FORCE, extension=False)
COUNTS = tuple(header for header in TOTALS if header.name.startswith("X-WP-"))
HEADERS = {"list": (ETAG, LINK, *COUNTS, WARNING), "read": (ETAG, LINK, WARNING), "create": (LOCATION,)}
METHODS = {"create": ("POST",), "update": UPDATE_METHODS, "delete": ("DELETE",)}

_CONTEXT_ERRORS = tuple(REFUSED["context"].values())
_LIST_ERRORS = (errors.INVALID_PARAM, *_CONTEXT_ERRORS)
_PAGED_ERRORS = (wp_errors.NO_SUCH_PAGE, wp_errors.NO_SEARCH_TERM)
_AUTHOR_ERRORS = (wp_errors.INVALID_AUTHOR, wp_errors.CANNOT_EDIT_OTHERS)


def _refused(*actions: str) -> tuple[ErrorType, ...]:
    return tuple(error_type for action in actions for error_type in REFUSED[action].values())


def update_fields(mapped: Sequence[MappedField], *required: str) -> tuple[Field, ...]:
    return tuple(replace(one.field, required=one.field.name in required) for one in mapped)


def _operation(
    verb: str,
    name: str,
    summary: str,
    parameters: Sequence[Field],
    response: Schema,
    error_types: Sequence[ErrorType],
) -> Operation:
    """An operation of wp/v2; its methods, its headers and how any request may fail are decided by its verb."""
    possible = [*error_types, *((errors.NO_ROUTE,) if ID in parameters else ())]
    if verb not in HEADERS or verb == "create":
        possible += [errors.LOGIN_NEEDED, errors.CROSS_SITE]  # the first of them says that one has to log in
    return Operation(
        f"wp_{verb}_{name}",
        summary,
        METHODS.get(verb, ("GET",)),
        parameters,
        response,
        (*possible, *ALWAYS),
        201 if verb == "create" else 200,
        HEADERS.get(verb, ()),
    )


def _wp_address(path: str, *operations: Operation) -> Address:
    return Address(f"{WP_ROOT}{path}", operations, WP_NAMESPACE)


@dataclass(frozen=True)
class Collection:
    """Records that are listed, created, read, changed and deleted: what its operations take and how they may fail."""

    route: str
    name: str
    plural: str
    summaries: dict[str, str]
    record: Schema
    deleted: Schema
    filters: Sequence[Field]
    new: Sequence[Field]  # what creates a record
    changes: Sequence[Field]
    unknown: ErrorType
    list_errors: Sequence[ErrorType] = ()
    create_errors: Sequence[ErrorType] = ()
    read_errors: Sequence[ErrorType] = ()
    change_errors: Sequence[ErrorType] = ()
    delete_errors: Sequence[ErrorType] = ()
    password: Sequence[Field] = ()
    all: Address = field(init=False)
    one: Address = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "all", self._all())
        object.__setattr__(self, "one", self._one())

    @property
    def shown(self) -> tuple[Field, ...]:
        """The parameters of a read."""
        return (*filters.ANSWER, *self.password)

    def _all(self) -> Address:
        found = (errors.MISSING_PARAM, *BODY) if self.changes is not _MEDIA_CHANGES else ()
        return _wp_address(
            f"/{self.route}",
            self._operation("list", self.plural, self.filters, many(self.record), (*_LIST_ERRORS, *self.list_errors)),
            self._operation("create", self.name, self.new, self.record, (*found, *self.create_errors)),
        )

    def _one(self) -> Address:
        read = (self.unknown, errors.INVALID_PARAM, *_CONTEXT_ERRORS, *self.read_errors)
        delete = (self.unknown, errors.INVALID_PARAM, *_refused("delete"), *self.delete_errors)
        change = (self.unknown, *BODY, *self.change_errors)
        return _wp_address(
            f"/{self.route}{BY_ID}",
            self._operation("read", self.name, (ID, *self.shown), self.record, read),
            self._operation("delete", self.name, (ID, FORCE), self.deleted, delete),
            self._operation("update", self.name, (ID, *self.changes), self.record, change),
        )

    def _operation(
        self, verb: str, name: str, fields: Sequence[Field], response: Schema, possible: Sequence[ErrorType]
    ) -> Operation:
        return _operation(verb, name, self.summaries[verb], fields, response, possible)


VERBS = ("list", "create", "read", "delete", "update")
_POST_WRITE_ERRORS = (*_AUTHOR_ERRORS, wp_errors.CANNOT_PUBLISH)
_MEDIA_CHANGES = update_fields(MEDIA_FIELDS)


def _deleted_name(record: str) -> str:
    return f"{record}Deleted"


def _posts(kind: Kind) -> Collection:
    record = wp_records.record_name(kind)
    is_event = kind is EVENT
    return Collection(
        TYPE_OF[kind].route,
        kind.name,
        kind.plural,
        {verb: SUMMARIES[verb, kind] for verb in VERBS},
        ref(record),
        either(ref(record), ref(_deleted_name(record))),
        filters.FILTERS[kind],
        update_fields(POST_FIELDS[kind], "title"),
        update_fields(POST_FIELDS[kind]),
        wp_errors.NO_POST,
        list_errors=_PAGED_ERRORS,
        create_errors=(
            *(*_refused("create"), *_POST_WRITE_ERRORS),
            *(wp_errors.POST_EXISTS, wp_errors.EMPTY_CONTENT),
        ),
        read_errors=(*_refused("read"), *((wp_errors.WRONG_POST_PASSWORD,) if is_event else ())),
        change_errors=(*_refused("edit"), *_POST_WRITE_ERRORS),
        delete_errors=(wp_errors.ALREADY_TRASHED,),
        password=(common.PASSWORD,) if is_event else (),
    )


def _terms(kind: Kind) -> Collection:
    record = wp_records.record_name(kind)
    parent = wp_errors.NO_PARENT_TERM if kind is CATEGORY else wp_errors.NOT_HIERARCHICAL
    return Collection(
        TAXONOMY_OF[kind].route,
        kind.name,
        kind.plural,
        {verb: SUMMARIES[verb, kind] for verb in VERBS},
        ref(record),
        ref(_deleted_name(record)),
        filters.FILTERS[kind],
        update_fields(TERM_FIELDS[kind], "name"),
        update_fields(TERM_FIELDS[kind]),
        wp_errors.NO_TERM,
        create_errors=(errors.TERM_EXISTS, parent, *_refused("create")),
        change_errors=(errors.TERM_EXISTS, parent, *_refused("update")),
        delete_errors=(wp_errors.NO_TRASH,),
    )


RECORDS = {kind: _posts(kind) for kind in POSTS} | {kind: _terms(kind) for kind in TERMS}
MEDIA = Collection(
    "media",
    "media",
    "media",
    {
        "list": N_("List images"),
        "create": N_("Upload an image"),
        "read": N_("Read one image"),
        "delete": N_("Delete an image"),
        "update": N_("Change an image"),
    },
    ref("WpMedia"),
    ref(_deleted_name("WpMedia")),
    filters.MEDIA_FILTERS,
    (Field("file", File(), N_("The image to store."), required=True),),
    _MEDIA_CHANGES,
    wp_errors.NO_POST,
    list_errors=_PAGED_ERRORS,
    create_errors=(
        *(errors.TOO_LARGE, errors.IMAGE_TOO_LARGE, errors.STORAGE_FULL, *wp_errors.OF_UPLOADS),
        *_refused("create"),
    ),
    change_errors=(*_refused("edit"), *_AUTHOR_ERRORS),
    delete_errors=(wp_errors.NO_TRASH,),
)


def _read(
    path: str,
    name: str,
    summary: str,
    parameters: Sequence[Field],
    response: Schema,
    *possible: ErrorType,
    verb: str = "read",
) -> Address:
    """An address that is only read."""
    return _wp_address(path, _operation(verb, name, summary, parameters, response, possible))


WP_INDEX = _read("", "namespace", N_("The index of the namespace"), (LANG,), OBJECT)
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
        WP_INDEX,
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

# tec/v1. Without LOGIN_NEEDED, which says that everybody has to log in: only what is not public is 401 there.
_TEC_READ_ERRORS = (wp_errors.NO_POST, errors.NO_ROUTE, errors.INVALID_PARAM, errors.FORBIDDEN)
_TEC_WRITE_ERRORS = (*BODY, *WRITE, errors.NEW_TERM, errors.FOREIGN_AUTHOR)


def _tec_operation(
    verb: str,
    kind: Kind,
    methods: Sequence[str],
    parameters: Sequence[Field],
    response: Schema,
    *possible: ErrorType,
) -> Operation:
    return Operation(
        f"tec_{verb}_{kind.plural if verb == 'list' else kind.name}",
        SUMMARIES[verb, kind],
        methods,
        parameters,
        response,
        (*possible, *ALWAYS),
        201 if verb == "create" else 200,
        HEADERS.get(verb, ()),
    )


@dataclass(frozen=True)
class TecCollection:
    """The addresses of a kind in tec/v1, and what is sent to them."""

    kind: Kind
    new: Sequence[Field]
    changes: Sequence[Field]
    shown: Sequence[Field]  # the parameters of a read
    all: Address
    one: Address


def _tec_collection(kind: Kind) -> TecCollection:
    record, mapped = ref(tec_records.record_name(kind)), TEC_FIELDS[kind]
    new, changes = update_fields(mapped, *TEC_REQUIRED[kind]), update_fields(mapped)
    shown = (common.PASSWORD,) if kind is EVENT else ()
    with_password = (wp_errors.WRONG_POST_PASSWORD,) if kind is EVENT else ()
    listed = (errors.INVALID_PARAM, wp_errors.TEC_NO_SUCH_PAGE)
    deleted = (*_TEC_READ_ERRORS, wp_errors.ALREADY_TRASHED, *WRITE)
    changed = (wp_errors.NO_POST, errors.NO_ROUTE, *_TEC_WRITE_ERRORS)
    all = (
        _tec_operation("list", kind, ("GET",), filters.TEC_FILTERS[kind], many(record), *listed),
        _tec_operation("create", kind, ("POST",), new, record, errors.MISSING_PARAM, *_TEC_WRITE_ERRORS),
    )
    one = (
        _tec_operation("read", kind, ("GET",), (ID, *shown), record, *_TEC_READ_ERRORS, *with_password),
        _tec_operation("delete", kind, ("DELETE",), (ID, FORCE), EMPTY_LIST, *deleted),
        _tec_operation("update", kind, ("PUT", "PATCH"), (ID, *changes), record, *changed),
    )
    path = f"{TEC_ROOT}/{kind.plural}"
    return TecCollection(
        kind, new, changes, shown, Address(path, all, TEC_NAMESPACE), Address(path + BY_ID, one, TEC_NAMESPACE)
    )


def _tec_read(path: str, name: str, summary: str, *headers: object) -> Address:
    operation = Operation(name, summary, ("GET",), (LANG,), OBJECT, ALWAYS, headers=headers)  # type: ignore[arg-type]
    return Address(f"{TEC_ROOT}{path}", (operation,), TEC_NAMESPACE)


TEC_RECORDS = {kind: _tec_collection(kind) for kind in POSTS}
TEC_DOCS = _tec_read("/docs", "tec_read_docs", N_("Read the OpenAPI document of tec/v1"), ETAG)
TEC = Namespace(
    TEC_NAMESPACE,
    (
        _tec_read("", "tec_read_namespace", N_("The index of the namespace"), ETAG, LINK, WARNING),
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
