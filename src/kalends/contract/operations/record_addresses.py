"""The operations of each kind of record."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from kalends.contract import errors
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG, LINK, LOCATION, READ_HEADERS, TOTALS, WARNING, Header
from kalends.contract.json_schema import TEXT, ref
from kalends.contract.kinds import EVENT, Kind, common
from kalends.contract.operations.model import (
    CALENDAR_TYPE,
    ID,
    SLUG,
    Address,
    Operation,
    envelope,
    operation,
    optional,
)
from kalends.contract.representations import RECORD_OF, list_keys
from kalends.languages import N_

BY_EXTERNAL = "_by_external"
BY_EXTERNAL_SUMMARY = {
    "read": N_("Read the record with this id at its source"),
    "delete": N_("Delete the record with this id at its source"),
}


@cache
def collection(kind: Kind) -> Address:
    record = ref(RECORD_OF[kind.name].name)
    listed = envelope(list_keys(kind.plural, record))
    no_page = () if kind.is_term else (errors.NO_SUCH_PAGE[kind.name],)
    return Address(
        f"/{kind.plural}",
        (
            operation(
                f"list_{kind.plural}",
                kind.says.operations["list"],
                kind.filters,
                listed,
                *(errors.INVALID_PARAM, *no_page),
                headers=(*READ_HEADERS, LINK, *TOTALS),
            ),
            _operation("create", kind, "", kind.fields, *_write_errors(kind), headers=(LOCATION, ETAG, WARNING)),
        ),
        kind.plural,
        response_keys=_response_keys(kind),
    )


@cache
def item(kind: Kind) -> Address:
    password = (common.PASSWORD,) if kind is EVENT else ()
    force = () if kind.is_term else (common.FORCE,)
    scope, of_update = ((common.SCOPE,), (common.SCOPE_OF_UPDATE,)) if kind is EVENT else ((), ())
    return Address(
        rf"/{kind.plural}/(?P<id>\d+)",
        (
            _read(kind, "", (ID, *password)),
            _delete(kind, "", (ID, *password, *force, *scope)),
            _update(kind, "", (ID, *password, *optional(kind.fields), *of_update)),
        ),
        kind.plural,
        response_keys=_response_keys(kind),
    )


@cache
def item_by_slug(kind: Kind) -> Address:
    password = (common.PASSWORD_BY_SLUG,) if kind is EVENT else ()
    scope, of_update = ((common.SCOPE,), (common.SCOPE_OF_UPDATE,)) if kind is EVENT else ((), ())
    # In an update of an event the field of that name renames it, so the path's own is not declared again.
    fields = optional(kind.fields)
    named = fields if kind is EVENT else (SLUG, *(field for field in fields if field.name != "slug"))
    return Address(
        rf"/{kind.plural}/by-slug/(?P<slug>[^/]+)",
        (
            _read(kind, "_by_slug", (SLUG, *password)),
            _delete(kind, "_by_slug", (SLUG, *password, common.FORCE, *scope)),
            _update(kind, "_by_slug", (*named, *of_update)),
        ),
        kind.plural,
        response_keys=_response_keys(kind),
    )


@cache
def item_by_external(kind: Kind) -> Address:
    """A record by its source and its id there: a client of another program need not keep our ids."""
    named = tuple(replace(field, required=True) for field in common.EXTERNAL)
    fields = tuple(field for field in optional(kind.fields) if field.name not in ("source", "external_id"))
    possible = (*_write_errors(kind), *_precondition(kind))
    scope = (common.SCOPE_BY_EXTERNAL,) if kind is EVENT else ()
    put = _operation("put", kind, BY_EXTERNAL, (*named, *fields, *scope), *possible, headers=(ETAG, WARNING))
    force = () if kind.is_term else (common.FORCE,)
    return Address(
        rf"/{kind.plural}/by-external/(?P<source>[^/]+)/(?P<external_id>.+)",
        (
            _read(kind, BY_EXTERNAL, named),
            _delete(kind, BY_EXTERNAL, (*named, *force, *scope)),
            replace(put, may_create=True),
        ),
        kind.plural,
        extension=True,
        response_keys=_response_keys(kind),
    )


def _response_keys(kind: Kind) -> tuple[str, ...]:
    return tuple(key.name for key in kind.keys)


def _read(kind: Kind, suffix: str, parameters: Sequence[Field]) -> Operation:
    error_types = [errors.NOT_FOUND[kind.name]]
    # By its slug, or its id at its source, a record that one may not read is not there at all.
    if not (kind.is_term or suffix):
        error_types.append(errors.NOT_ACCESSIBLE[kind.name])
    if kind is EVENT:
        error_types += [] if suffix else [errors.NO_LONGER_AVAILABLE]
        if suffix != BY_EXTERNAL:  # what one cannot read all of hides where it comes from
            error_types.append(errors.PASSWORD_PROTECTED)
        error_types.append(errors.INVALID_PARAM)
    return _operation("read", kind, suffix, parameters, *error_types, headers=READ_HEADERS)


def _update(kind: Kind, suffix: str, parameters: Sequence[Field]) -> Operation:
    possible = (errors.NOT_FOUND[kind.name], *_write_errors(kind), *_precondition(kind))
    return _operation("update", kind, suffix, parameters, *possible, headers=(ETAG, WARNING))


def _delete(kind: Kind, suffix: str, parameters: Sequence[Field]) -> Operation:
    in_trash = () if kind.is_term else (errors.INVALID_PARAM, errors.IN_TRASH[kind.name])
    return _operation(
        "delete", kind, suffix, parameters, errors.NOT_FOUND[kind.name], *in_trash, *_precondition(kind)
    )


def _operation(
    verb: str,
    kind: Kind,
    suffix: str,
    parameters: Sequence[Field],
    *possible: ErrorType,
    headers: Sequence[Header] = (),
) -> Operation:
    name, record = f"{verb}_{kind.name}{suffix}", ref(RECORD_OF[kind.name].name)
    summary = BY_EXTERNAL_SUMMARY.get(verb) if suffix == BY_EXTERNAL else None
    return operation(
        name, summary or kind.says.operations[verb + suffix], parameters, record, *possible, headers=headers
    )


def _precondition(kind: Kind) -> tuple[ErrorType, ...]:
    return () if kind.is_term else (errors.PRECONDITION_FAILED,)


def _write_errors(kind: Kind) -> tuple[ErrorType, ...]:
    if kind.is_term:
        return (errors.TERM_EXISTS,)
    return (errors.FOREIGN_AUTHOR, errors.NEW_TERM) if kind is EVENT else (errors.FOREIGN_AUTHOR,)


# A feed has no pages and whole series, and programs sort what they get.
NOT_IN_FEEDS = ("page", "per_page", "orderby", "order", "collapse")
_FEED = operation(
    "feed_events",
    N_("List events as an iCalendar feed"),
    tuple(field for field in EVENT.filters if field.name not in NOT_IN_FEEDS),
    TEXT,
    errors.INVALID_PARAM,
    headers=(ETAG,),
)
FEED = Address("/events.ics", (replace(_FEED, media_type=CALENDAR_TYPE),), EVENT.plural, extension=True)
