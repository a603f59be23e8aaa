"""The records of `wp/v2` and `tec/v1` as tables: their addresses and operations, and how they may fail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kalends.contract import errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG, LINK, LOCATION, TOTALS, WARNING
from kalends.contract.json_schema import EMPTY_LIST, Schema, either, many, ref
from kalends.contract.kinds import CATEGORY, EVENT, KINDS, POSTS, Kind, common
from kalends.contract.operations.image_addresses import File
from kalends.contract.operations.model import ALWAYS, BODY, ID, UPDATE_METHODS, WRITE, Address, Operation
from kalends.features.wordpress import errors as wp_errors
from kalends.features.wordpress import filters
from kalends.features.wordpress.errors import REFUSED
from kalends.features.wordpress.records import tec_records, wp_records
from kalends.features.wordpress.records.fields import MEDIA_FIELDS, TEC_FIELDS, TEC_REQUIRED, WP_FIELDS
from kalends.features.wordpress.site_data import PART_OF, WP_NAMESPACE
from kalends.features.wordpress.tables import MappedField, ResponseTable
from kalends.languages import N_

TEC_NAMESPACE = "tec/v1"
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


def operation_of(
    namespace: str,
    name: str,
    summary: str,
    parameters: Sequence[Field],
    response: Schema,
    possible: Sequence[ErrorType],
) -> Operation:
    """An operation; its methods, its headers and how any request may fail are decided by the first word of its
    name."""
    verb = name.partition("_")[0]
    found = [*possible, *((errors.NO_ROUTE,) if ID in parameters else ())]
    if verb in METHODS:
        found += [errors.LOGIN_NEEDED, errors.CROSS_SITE]  # the first of them says that one has to log in
    methods = METHODS.get(verb, ("GET",))
    if (namespace, verb) == (TEC_NAMESPACE, "update"):
        methods = ("PUT", "PATCH")
    full_name, status = f"{namespace.partition('/')[0]}_{name}", 201 if verb == "create" else 200
    headers = HEADERS.get(verb, ())
    return Operation(full_name, summary, methods, parameters, response, (*found, *ALWAYS), status, headers)


def fields_of(mapped: Sequence[MappedField], *required: str) -> tuple[Field, ...]:
    return tuple(replace(one.field, required=one.field.name in required) for one in mapped)


@dataclass(frozen=True, eq=False)
class CollectionAddresses:
    """Records that are listed, created, read, changed and deleted: their addresses, and what is sent to them."""

    kind: Kind | None  # None: images
    namespace: str
    route: str
    names: tuple[str, str]  # of one and of several, in the names of operations
    summaries: Mapping[str, str]  # by verb
    table: ResponseTable  # of a record
    deleted: Schema
    filters: Sequence[Field]
    mapped: Sequence[MappedField]  # what can be written
    new: Sequence[Field]
    read_parameters: Sequence[Field]  # the parameters of a read
    errors: Errors

    @cached_property
    def all(self) -> Address:
        record = ref(self.table.name)
        return self._address("", ("list", self.filters, many(record)), ("create", self.new, record))

    @cached_property
    def one(self) -> Address:
        record = ref(self.table.name)
        return self._address(
            BY_ID,
            ("read", (ID, *self.read_parameters), record),
            ("delete", (ID, FORCE), self.deleted),
            ("update", (ID, *fields_of(self.mapped)), record),
        )

    def _address(self, path: str, *parts: tuple[str, Sequence[Field], Schema]) -> Address:
        """An address with its operations: the verb of each, what it takes and what it responds."""
        operations = [
            operation_of(
                self.namespace,
                f"{verb}_{self.names[verb == 'list']}",
                *(self.summaries[verb], fields, response, self.errors[verb]),
            )
            for verb, fields, response in parts
        ]
        keys = [row.name for row in self.table.rows]
        return Address(f"/{self.namespace}/{self.route}{path}", operations, self.namespace, response_keys=keys)


def refused(action: str) -> tuple[ErrorType, ...]:
    return tuple(REFUSED[action].values())


LIST_ERRORS = (errors.INVALID_PARAM, *refused("context"))
_PAGED_ERRORS = (*LIST_ERRORS, wp_errors.NO_SUCH_PAGE, wp_errors.NO_SEARCH_TERM)
_AUTHOR_ERRORS = (wp_errors.INVALID_AUTHOR, wp_errors.CANNOT_EDIT_OTHERS)
_WRITE_ERRORS = (*BODY, *_AUTHOR_ERRORS, wp_errors.CANNOT_PUBLISH)
_NEW_ERRORS = (errors.MISSING_PARAM, wp_errors.POST_EXISTS, wp_errors.EMPTY_CONTENT)


def _errors(
    unknown: ErrorType,
    new: Sequence[ErrorType],
    written: Sequence[ErrorType],
    untrashed: ErrorType,
    read: Sequence[ErrorType] = (),
    listed: Sequence[ErrorType] = _PAGED_ERRORS,
    update: str = "edit",
) -> Errors:
    """How the operations of `wp/v2` may fail."""
    return {
        "list": listed,
        "create": (*new, *refused("create")),
        "read": (unknown, *LIST_ERRORS, *read),
        "delete": (unknown, errors.INVALID_PARAM, untrashed, *refused("delete")),
        "update": (unknown, *written, *refused(update)),
    }


_POST_ERRORS = _errors(
    *(wp_errors.NO_POST, (*_NEW_ERRORS, *_WRITE_ERRORS), _WRITE_ERRORS, wp_errors.ALREADY_TRASHED, refused("read")),
)
_UPLOAD_ERRORS = (errors.TOO_LARGE, errors.IMAGE_TOO_LARGE, errors.STORAGE_FULL, *wp_errors.OF_UPLOADS)
_MEDIA_ERRORS = _errors(wp_errors.NO_POST, _UPLOAD_ERRORS, (*BODY, *_AUTHOR_ERRORS), wp_errors.NO_TRASH)
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
    new = (errors.MISSING_PARAM, *written)
    return _errors(wp_errors.NO_TERM, new, written, wp_errors.NO_TRASH, listed=LIST_ERRORS, update="update")


def _records(namespace: str, kind: Kind) -> CollectionAddresses:
    """The records of a kind in one of the namespaces."""
    is_tec, password = namespace == TEC_NAMESPACE, (common.PASSWORD,) if kind is EVENT else ()
    table = tec_records.TABLES[kind] if is_tec else wp_records.TABLES[kind]
    gone = ref(deleted_name(table.name))
    mapped = TEC_FIELDS[kind] if is_tec else WP_FIELDS[kind]
    required = TEC_REQUIRED[kind] if is_tec else ("name" if kind.is_term else "title",)
    found = _TEC_ERRORS if is_tec else _term_errors(kind) if kind.is_term else _POST_ERRORS
    if kind is EVENT:
        found = {**found, "read": (*found["read"], wp_errors.WRONG_POST_PASSWORD)}
    return CollectionAddresses(
        kind,
        namespace,
        kind.plural if is_tec else PART_OF[kind].route,
        (kind.name, kind.plural),
        {verb: kind.says.operations[verb] for verb in VERBS},
        table,
        EMPTY_LIST if is_tec else gone if kind.is_term else either(ref(table.name), gone),
        (filters.TEC_FILTERS if is_tec else filters.FILTERS)[kind],
        mapped,
        fields_of(mapped, *required),
        password if is_tec else (*filters.ANSWER, *password),
        found,
    )


def deleted_name(record: str) -> str:
    return f"{record}Deleted"


RECORDS = {kind: _records(WP_NAMESPACE, kind) for kind in KINDS}
TEC_RECORDS = {kind: _records(TEC_NAMESPACE, kind) for kind in POSTS}
MEDIA = CollectionAddresses(
    None,
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
    ref(deleted_name(wp_records.MEDIA_TABLE.name)),
    filters.MEDIA_FILTERS,
    MEDIA_FIELDS,
    (Field("file", File(), N_("The image to store."), required=True),),
    filters.ANSWER,
    _MEDIA_ERRORS,
)
