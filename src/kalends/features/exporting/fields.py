"""The fields of a record as a write takes them: what an export contains, and what an import compares."""

from collections.abc import Mapping, Sequence
from types import EllipsisType

from kalends.contract.fields import RecordField, arranged
from kalends.contract.kinds import CATEGORY, EVENT, KINDS, PEOPLE, VENUE, Kind
from kalends.contract.statuses import DRAFT, FUTURE, PRIVATE, PUBLISH
from kalends.store.rows.records import POST_TYPES, Companion, Event, Post, Term, Venue
from kalends.values import dates, zones

Fields = dict[str, object]

OCCURRENCE = "#"  # stands between the id of a series and the start of one of its occurrences
EXPORTED = {kind.name: [field for field in kind.fields if field.is_exported and field.stored] for kind in KINDS}
_POST = ("slug", "status", "date_utc", "description", "excerpt")
_PLACE = ("website", "stateprovince", "geo_lat", "geo_lng", "show_map", "show_map_link")
_TERM = ("name", "slug", "description", ...)
# By the type of record, in the order of exports. Tags have no field that categories have not.
_ORDERS: Mapping[type[Post | Term], tuple[Kind, Sequence[str | EllipsisType]]] = {
    Event: (EVENT, ("title", *_POST, ...)),
    Venue: (VENUE, ("venue", *_POST, ..., *_PLACE)),
    **{POST_TYPES[kind.name]: (kind, (kind.name_field, *_POST, ...)) for kind in PEOPLE},
    Term: (CATEGORY, _TERM),
}
_FIELDS = {
    record: [(field.name, field.stored) for field in arranged(EXPORTED[kind.name], order)]
    for record, (kind, order) in _ORDERS.items()
}


def fields_of(record: Post | Term) -> Fields:
    """Every field of a record except its links, its image, its author and where it comes from."""
    found = {name: getattr(record, column) for name, column in _FIELDS[type(record)]}
    if isinstance(record, Event):
        found["start_date"] = _moment(record.start_local, record.start_utc, record.timezone)
        found["end_date"] = _moment(record.end_local, record.end_utc, record.timezone)
    if isinstance(record, Term):
        return {name: value for name, value in found.items() if value or name in _TERM}
    return found


def is_flag(field: RecordField) -> bool:
    return field.type.control == "flag"


def identity(record: Post | Term, site_id: str) -> str:
    """What names a record in every calendar that it is copied to: its source, a slash, and its id there."""
    return f"{record.source}/{record.external_id}" if record.external_id else f"{site_id}/{record.id}"


def identity_parts(written: str) -> tuple[str, str]:
    """The source and the id there."""
    source, _, external_id = written.partition("/")
    return source.strip(), external_id.strip()


def status_without_password(record: Event) -> str:
    """The status for a form that has no passwords: what one protected does not become public."""
    return PRIVATE if record.password is not None and record.status in (PUBLISH, FUTURE) else record.status


def statuses_of(records: Sequence[Companion]) -> list[str]:
    """The statuses of linked records for a form that has only their names: none if all of them are public, or
    will be with the first public event that shows them."""
    found = [PUBLISH if one.waiting else DRAFT if one.status == FUTURE else one.status for one in records]
    return found if set(found) - {PUBLISH} else []


def _moment(local: str, utc: str, zone: str) -> str:
    """A time on the event's clock; with UTC where the clock shows it twice and the second time is meant."""
    if dates.text(zones.to_utc(dates.from_text(local), zone)) == utc:
        return local
    return f"{utc.replace(' ', 'T')}Z"
