"""The history of a record: who changed what and when, and the way back to an earlier version."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import msgspec

from kalends.calendar.posts import posts, terms
from kalends.calendar.series import operations
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import NOT_FOUND, ApiError
from kalends.contract.fields import Values, read_update
from kalends.contract.kinds import EVENT, Kind
from kalends.store.rows import history, links
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import terms as stored_terms

MOST = 100  # versions of a record that are shown

# Columns under other names than the fields of the contract, and those that nobody sets.
FIELD_OF = {"start_local": "start_date", "end_local": "end_date"}
LINK_FIELD_OF = {"venue": "venue", "organizer": "organizer", "category": "categories", "tag": "tags"}
DERIVED = frozenset(
    {"modified_utc", "start_utc", "end_utc", "ticketed", "trashed_from", "waiting"}
    | {"series", "original_start", "own_fields"}
)


class Edit(NamedTuple):
    """A change: the fields that differ, as they were before and after."""

    rev: int
    at: str
    actor: int
    fields: Mapping[str, tuple[object, object]]


def edits(work: UnitOfWork, kind: Kind, id: int) -> list[Edit]:
    """The changes of a record that the caller can edit, newest first."""
    after = values_of(kind, _current(work, kind, id))
    found = []
    for version in history.versions(work.session, kind.name, id, MOST):
        before = values_of(kind, version.data)
        changed = {name: (before.get(name), after[name]) for name in after if before.get(name) != after[name]}
        found.append(Edit(version.rev, version.at, version.actor, changed))
        after = before
    return found


def restore(work: UnitOfWork, kind: Kind, id: int, rev: int) -> None:
    """Makes a record what it was before a change. Records that it named and that are gone stay away."""
    _current(work, kind, id)
    version = history.find(work.session, kind.name, id, rev)
    if version is None:
        raise ApiError(NOT_FOUND[kind.name])
    sent = {name: value for name, value in values_of(kind, version.data).items() if name != "author"}
    if kind is EVENT:
        sent |= {name: _existing(work, linked, sent.get(name)) for linked, name in LINK_FIELD_OF.items()}
    reading = read_update(kind.fields, {name: "" if value is None else value for name, value in sent.items()})
    if kind.is_term:
        terms.update(work, kind, id, reading)
    else:
        operations.update(work, kind, id, reading)


def values_of(kind: Kind, data: Mapping[str, Any]) -> Values:
    """A version as the fields of the contract."""
    values: Values = {}
    for column, value in data.items():
        if column == "name":
            values[kind.name_field] = value
        elif column == "links":
            values |= {LINK_FIELD_OF[linked]: ids for linked, ids in value.items()}
        elif column not in DERIVED:
            values[FIELD_OF.get(column, column)] = value
    return values


def _current(work: UnitOfWork, kind: Kind, id: int) -> dict[str, Any]:
    record: Any = terms.read(work, kind, id) if kind.is_term else posts.writable(work, kind, id)
    data = {name: value for name, value in msgspec.structs.asdict(record).items() if name not in history.NOT_KEPT}
    if kind is EVENT:
        data["links"] = links.all_targets(work.session, id)
    return data


def _existing(work: UnitOfWork, kind: str, ids: object) -> list[int]:
    wanted = cast(Sequence[int], ids or ())
    is_term = kind in history.TERM_KINDS
    known: Mapping[int, object] = (
        stored_terms.find_many(work.session, kind, wanted)
        if is_term
        else stored_posts.find_many(work.session, kind, wanted)
    )
    return [id for id in wanted if id in known]
