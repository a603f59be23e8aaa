"""The namespace `tec/v1` as a table: its addresses and their operations."""

from collections.abc import Sequence
from dataclasses import replace

from kalends.contract import common, errors
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG, LINK, LOCATION, TOTALS, WARNING
from kalends.contract.interfaces import Interface
from kalends.contract.json_schema import EMPTY_LIST, OBJECT, many, ref
from kalends.contract.kinds import EVENT, POSTS, Kind
from kalends.contract.operations import Address, Operation
from kalends.contract.operations.model import ALWAYS, BODY, ID, LANG, WRITE
from kalends.contract.operations.records import SUMMARIES
from kalends.contract.representations import ERROR, ERROR_DATA, PROBLEM_DETAIL
from kalends.languages import N_
from kalends.wordpress import errors as wp_errors
from kalends.wordpress import tec_fields, tec_keys
from kalends.wordpress.model import Namespace
from kalends.wordpress.wp_keys import RENDERED

TEC_NAMESPACE = "tec/v1"
ROOT = f"/{TEC_NAMESPACE}"
BY_ID = r"/(?P<id>\d+)"
UPDATE_METHODS = ("PUT", "PATCH")
COUNTS = tuple(header for header in TOTALS if header.name.startswith("X-WP-"))

# Without LOGIN_NEEDED, which says that everybody has to log in: only what is not public is 401 here.
_READ_ERRORS = (wp_errors.NO_POST, errors.NO_ROUTE, errors.INVALID_PARAM, errors.FORBIDDEN)
_WRITE_ERRORS = (*BODY, *WRITE, errors.NEW_TERM, errors.FOREIGN_AUTHOR)


def create_fields(kind: Kind) -> tuple[Field, ...]:
    return tuple(
        replace(one.field, required=one.field.name in tec_fields.REQUIRED[kind])
        for one in tec_fields.POST_FIELDS[kind]
    )


def update_fields(kind: Kind) -> tuple[Field, ...]:
    return tuple(one.field for one in tec_fields.POST_FIELDS[kind])


def read_parameters(kind: Kind) -> tuple[Field, ...]:
    return (common.PASSWORD,) if kind is EVENT else ()


def _collection(kind: Kind) -> Address:
    record = ref(tec_keys.record_name(kind))
    return Address(
        f"{ROOT}/{kind.plural}",
        (
            Operation(
                f"tec_list_{kind.plural}",
                SUMMARIES["list", kind],
                ("GET",),
                tec_fields.FILTERS[kind],
                many(record),
                (errors.INVALID_PARAM, wp_errors.TEC_NO_SUCH_PAGE, *ALWAYS),
                headers=(ETAG, LINK, *COUNTS, WARNING),
            ),
            Operation(
                f"tec_create_{kind.name}",
                SUMMARIES["create", kind],
                ("POST",),
                create_fields(kind),
                record,
                (errors.MISSING_PARAM, *_WRITE_ERRORS, *ALWAYS),
                201,
                (LOCATION,),
            ),
        ),
        TEC_NAMESPACE,
    )


def _item(kind: Kind) -> Address:
    record = ref(tec_keys.record_name(kind))
    with_password = (wp_errors.WRONG_POST_PASSWORD,) if kind is EVENT else ()
    return Address(
        f"{ROOT}/{kind.plural}{BY_ID}",
        (
            Operation(
                f"tec_read_{kind.name}",
                SUMMARIES["read", kind],
                ("GET",),
                (ID, *read_parameters(kind)),
                record,
                (*_READ_ERRORS, *with_password, *ALWAYS),
                headers=(ETAG, LINK, WARNING),
            ),
            Operation(
                f"tec_delete_{kind.name}",
                SUMMARIES["delete", kind],
                ("DELETE",),
                (ID, replace(common.FORCE, extension=False)),
                EMPTY_LIST,
                (*_READ_ERRORS, wp_errors.ALREADY_TRASHED, *WRITE, *ALWAYS),
            ),
            Operation(
                f"tec_update_{kind.name}",
                SUMMARIES["update", kind],
                UPDATE_METHODS,
                (ID, *update_fields(kind)),
                record,
                (wp_errors.NO_POST, errors.NO_ROUTE, *_WRITE_ERRORS, *ALWAYS),
            ),
        ),
        TEC_NAMESPACE,
    )


COLLECTIONS = {kind: _collection(kind) for kind in POSTS}
ITEMS = {kind: _item(kind) for kind in POSTS}
DOCS = Address(
    f"{ROOT}/docs",
    (
        Operation(
            "tec_read_docs",
            N_("Read the OpenAPI document of tec/v1"),
            ("GET",),
            (LANG,),
            OBJECT,
            ALWAYS,
            headers=(ETAG,),
        ),
    ),
    TEC_NAMESPACE,
)
INDEX = Address(
    ROOT,
    (
        Operation(
            "tec_read_namespace",
            N_("The index of the namespace"),
            ("GET",),
            (LANG,),
            OBJECT,
            ALWAYS,
            headers=(ETAG, LINK, WARNING),
        ),
    ),
    TEC_NAMESPACE,
)
_ADDRESSES: Sequence[Address] = (
    INDEX,
    *(address for kind in POSTS for address in (COLLECTIONS[kind], ITEMS[kind])),
    DOCS,
)

TEC = Namespace(TEC_NAMESPACE, _ADDRESSES, tec_keys.REPRESENTATIONS)
# The document of this namespace alone, whose paths begin below it.
TEC_INTERFACE = Interface(
    TEC_NAMESPACE,
    N_("Addresses of WordPress"),
    N_(
        "What clients of WordPress expect around the API: the same records, with the same rights, under the addresses"
        " and in the forms of WordPress."
    ),
    tuple(replace(address, pattern=address.pattern.removeprefix(ROOT) or "/") for address in _ADDRESSES),
    (*tec_keys.REPRESENTATIONS, RENDERED, ERROR, ERROR_DATA, PROBLEM_DETAIL),
    error_names=wp_errors.error_names(),
)
