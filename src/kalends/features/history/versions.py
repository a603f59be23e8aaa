"""The history of a record: who changed what and when. The way back is in `restoring.py`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from kalends.calendar.access import UnitOfWork
from kalends.calendar.editing.concurrent_edits import editable, reads_all_versions
from kalends.contract.errors import NOT_FOUND, ApiError
from kalends.contract.fields import Values
from kalends.contract.kinds import EVENT, KINDS, Kind
from kalends.contract.kinds.defined_fields import is_defined
from kalends.contract.kinds.events import LINK_OF
from kalends.contract.statuses import DRAFT, PENDING, PUBLISH
from kalends.features.history import series_rules
from kalends.store.rows import history, links, series, terms
from kalends.store.rows import posts as stored_posts
from kalends.store.rows.history import Version
from kalends.store.rows.records import DEFINED, Event, Post, Term

PER_PAGE = 50  # versions of a record
REST = 3600.0  # seconds between two looks for what is too old

# The fields by their columns; no password is kept, only whether there is one. Other columns nobody sets.
FIELD_OF = {kind: {field.stored: field.name for field in kind.fields if field.stored} for kind in KINDS}
FIELD_OF[EVENT]["protected"] = "post_password"
HIDDEN = object()  # instead of a value


class Edit(NamedTuple):
    """A change: the fields that differ, as they were before and after. What the record became when it was given away
    is HIDDEN to who had it."""

    rev: int
    at: str
    actor: int
    fields: Mapping[str, tuple[object, object]]
    is_offered: bool = True  # whether the way back is


class VersionPage(NamedTuple):
    """Some changes of a record, newest first. `before`: where the next page begins, if there are more; `rev`: the
    record's last change."""

    edits: list[Edit]
    before: int | None
    rev: int


def edits(work: UnitOfWork, kind: Kind, id: int, before: int | None = None) -> VersionPage:
    """The changes of a record that the caller can edit."""
    record = editable(work, kind, id)
    current = data_of(work, record)
    author = None if reads_all_versions(work, kind) else work.caller.user
    versions = history.versions(work.session, kind.name, id, PER_PAGE + 1, before=before, author=author)
    found = [_edit(work, kind, version, version.following or current, author) for version in versions]
    if isinstance(record, Event) and (of_series := series.find(work.session, record.series or 0)) is not None:
        found += [
            Edit(version.rev, version.at, version.actor, {series_rules.RULE: _sides(version, author)}, is_usable)
            for version, is_usable in series_rules.versions(work, of_series, PER_PAGE + 1, before, author)
        ]
        found.sort(key=lambda edit: -edit.rev)
    page = found[:PER_PAGE]
    return VersionPage(page, page[-1].rev if len(found) > PER_PAGE else None, record.rev)


def _sides(version: Version, author: int | None) -> tuple[object, object]:
    following = version.following or {}
    return version.data, following if author in (None, following["author"]) else HIDDEN


def version(work: UnitOfWork, kind: Kind, id: int, rev: int) -> Version:
    """What a change of a record has replaced, if the caller can edit the record and read that."""
    found = history.find(work.session, kind.name, id, rev)
    if found is None:
        raise ApiError(NOT_FOUND[kind.name])
    require_readable(work, kind, found)
    return found


def require_readable(work: UnitOfWork, kind: Kind, found: Version) -> None:
    if not (reads_all_versions(work, kind) or found.data["author"] == work.caller.user):
        raise ApiError(NOT_FOUND[kind.name])


def since_public(work: UnitOfWork, ids: Sequence[int]) -> dict[int, Edit]:
    """For events that were public and are not: all changes since then, as one. Without those that the caller cannot
    edit."""
    found = {}
    for id, event in stored_posts.find_many(work.session, EVENT.name, ids).items():
        if work.visibility.can_edit(event) and (edit := _since_public(work, id)) is not None:
            found[id] = edit
    return found


def since_sent_back(work: UnitOfWork, ids: Sequence[int]) -> dict[int, Edit]:
    """For events that were sent back from the review: what was changed in them since then. Without those that the
    caller cannot edit."""
    found = {}
    for id, event in stored_posts.find_many(work.session, EVENT.name, ids).items():
        if work.visibility.can_edit(event) and (edit := _since(work, id, _is_sent_back)) is not None:
            found[id] = edit
    return found


def _since_public(work: UnitOfWork, id: int) -> Edit | None:
    return _since(work, id, lambda edit: edit.fields.get("status", ("",))[0] == PUBLISH)


def _is_sent_back(edit: Edit) -> bool:
    return edit.fields.get("status") == (PENDING, DRAFT)


def _since(work: UnitOfWork, id: int, is_begin: Callable[[Edit], bool]) -> Edit | None:
    """All changes since one of an event, as one."""
    fields: dict[str, tuple[object, object]] = {}
    for edit in edits(work, EVENT, id).edits:
        for name, (before, after) in edit.fields.items():
            fields[name] = before, fields[name][1] if name in fields else after
        if is_begin(edit):
            changed = {name: sides for name, sides in fields.items() if name != "status" and sides[0] != sides[1]}
            return edit._replace(fields=changed)
    return None


def changed_fields(work: UnitOfWork, kind: Kind, version: Version) -> Mapping[str, tuple[object, object]]:
    """The fields that a change of a record is about, for somebody who reads all of them."""
    record: Post | Term | None = None
    if version.following is None:
        find = terms.find if kind.is_term else stored_posts.find
        record = find(work.session, kind.name, version.id)
    following = version.following or (None if record is None else data_of(work, record))
    return _edit(work, kind, version, following, None).fields if following is not None else {}


def values_of(kind: Kind, data: Mapping[str, Any]) -> Values:
    """A version as the fields of the contract."""
    values: Values = {}
    for column, value in data.items():
        if column == "links":
            values |= {LINK_OF[linked].name: ids for linked, ids in value.items()}
        elif column == DEFINED:
            values |= value  # each is a field
        elif column in FIELD_OF[kind]:
            values[FIELD_OF[kind][column]] = value
    return values


def alike(before: Values, after: Values) -> tuple[Values, Values]:
    """Two versions, each with every defined field of which the other one has a value."""
    defined = {name: "" for values in (before, after) for name in values if is_defined(name)}
    return defined | before, defined | after


def data_of(work: UnitOfWork, record: Post | Term) -> dict[str, Any]:
    """A record as a version of it is kept."""
    targets = links.all_targets(work.session, record.id) if isinstance(record, Event) else {}
    return history.version_data(record, targets)


def _edit(work: UnitOfWork, kind: Kind, version: Version, following: Mapping[str, Any], author: int | None) -> Edit:
    """`author`: who reads only what the record was while it was theirs."""
    before, after = alike(values_of(kind, version.data), values_of(kind, following))
    is_told = author is None or following["author"] == author
    was, now = version.data.get("series"), following.get("series")
    if was or now:
        before.pop("post_parent", None)  # the first date of the series, which nobody sets
    changed: dict[str, tuple[object, object]] = {
        name: (before[name], after[name] if is_told else HIDDEN)
        for name in after
        if name in before and before[name] != after[name]
    }
    is_offered = bool(changed)
    if was != now and is_told:
        rules = (series_rules.as_of(work, id, version.rev) if id else None for id in (was, now))
        changed[series_rules.RULE] = next(rules), next(rules)
    return Edit(version.rev, version.at, version.actor, changed, is_offered)
