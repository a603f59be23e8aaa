"""The history of a record: who changed what and when. The way back is in `restoring.py`."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from kalends.calendar.access import may_edit_others, may_manage_site, may_upload, require
from kalends.calendar.posts import posts, terms
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import NOT_FOUND, ApiError
from kalends.contract.events import LINK_OF
from kalends.contract.fields import Values
from kalends.contract.kinds import EVENT, KIND_OF, KINDS, Kind
from kalends.features.changes.query import last_of_rule
from kalends.features.custom_fields.contract import CUSTOM_VALUES
from kalends.store.rows import history, links
from kalends.store.rows.history import Change, Version
from kalends.store.rows.records import Event, Post, Term
from kalends.values.custom_fields import PREFIX

PER_PAGE = 50  # versions of a record

# The fields by their columns; no password is kept, only whether there is one. Other columns nobody sets.
FIELD_OF = {kind: {field.stored: field.name for field in kind.fields if field.stored} for kind in KINDS}
FIELD_OF[EVENT]["protected"] = "post_password"
NOT_TOLD = object()  # instead of a value


class Edit(NamedTuple):
    """A change: the fields that differ, as they were before and after. What the record became when it was given away
    is NOT_TOLD to who had it."""

    rev: int
    at: str
    actor: int
    fields: Mapping[str, tuple[object, object]]


class Earlier(NamedTuple):
    """An event as it was. `linked`: ids by kind; whether its recurrence is known, and is that of now."""

    event: Event
    linked: Mapping[str, Sequence[int]]
    is_rule_known: bool
    has_rule_of_now: bool


class Page(NamedTuple):
    """Some changes of a record, newest first. `before`: where the next page begins, if there are more; `rev`: the
    record's last change."""

    edits: list[Edit]
    before: int | None
    rev: int


def edits(work: UnitOfWork, kind: Kind, id: int, before: int | None = None) -> Page:
    """The changes of a record that the caller can edit."""
    record = editable(work, kind, id)
    current = data_of(work, record)
    author = None if _reads_all(work, kind) else work.caller.user
    found = history.versions(work.session, kind.name, id, PER_PAGE + 1, before=before, author=author)
    page = found[:PER_PAGE]
    shown = [_edit(kind, version, version.following or current, author) for version in page]
    return Page(shown, page[-1].rev if len(found) > PER_PAGE else None, record.rev)


def version(work: UnitOfWork, kind: Kind, id: int, rev: int) -> Version:
    """What a change of a record has replaced, if the caller can edit the record and read that."""
    found = history.find(work.session, kind.name, id, rev)
    if found is None or not (_reads_all(work, kind) or found.data["author"] == work.caller.user):
        raise ApiError(NOT_FOUND[kind.name])
    return found


def event_as_of(work: UnitOfWork, id: int, rev: int) -> Earlier | None:
    """An event that the caller can edit, as it was after a change; None if that is not known, or not for the
    caller."""
    now = editable(work, EVENT, id)
    data = history.state_after(work.session, EVENT.name, id, rev)
    if data is None or not (_reads_all(work, EVENT) or data["author"] == work.caller.user):
        return None
    event = msgspec.convert(data | {"id": id, "rev": rev}, Event)
    assert isinstance(now, Event)
    if event.series is None:
        return Earlier(event, data["links"], is_rule_known=True, has_rule_of_now=False)
    is_same = event.series == now.series and last_of_rule(work.session, event.series) <= rev
    return Earlier(event, data["links"], is_rule_known=is_same, has_rule_of_now=is_same)


def changes(work: UnitOfWork, before: int | None, most: int) -> list[Change]:
    """Changes of anything, newest first."""
    require(may_edit_others(work.caller), work.caller)
    return history.changes(work.session, before, most)


def last_editor(work: UnitOfWork, kind: str, id: int) -> int:
    """Who changed something last, if that was lately; 0 otherwise. `kind` and `id` as the journal has them."""
    if kind in KIND_OF:
        editable(work, KIND_OF[kind], id)
    elif kind == "media":
        require(may_upload(work.caller), work.caller)
    else:
        is_own = kind == "user" and id == work.caller.user
        require(is_own or may_manage_site(work.caller), work.caller)
    return history.last_actor(work.session, kind, id)


def values_of(kind: Kind, data: Mapping[str, Any]) -> Values:
    """A version as the fields of the contract."""
    values: Values = {}
    for column, value in data.items():
        if column == "links":
            values |= {LINK_OF[linked].name: ids for linked, ids in value.items()}
        elif column == CUSTOM_VALUES.stored:
            values |= value  # each is a field
        elif column in FIELD_OF[kind]:
            values[FIELD_OF[kind][column]] = value
    return values


def alike(before: Values, after: Values) -> tuple[Values, Values]:
    """Two versions, each with every custom field of which the other one has a value."""
    custom = {name: "" for values in (before, after) for name in values if name.startswith(PREFIX)}
    return custom | before, custom | after


def editable(work: UnitOfWork, kind: Kind, id: int) -> Post | Term:
    """A record, if the caller can edit it."""
    if kind.is_term:
        terms.require_right(work, kind)
        return terms.read(work, kind, id)
    return posts.writable(work, kind, id)


def data_of(work: UnitOfWork, record: Post | Term) -> dict[str, Any]:
    """A record as a version of it is kept."""
    targets = links.all_targets(work.session, record.id) if isinstance(record, Event) else {}
    return history.kept(record, targets)


def _reads_all(work: UnitOfWork, kind: Kind) -> bool:
    """Whether the caller reads versions of whoever the author was: a new author may not have been able to read what
    was there before. Categories and tags belong to nobody."""
    return kind.is_term or may_edit_others(work.caller)


def _edit(kind: Kind, version: Version, following: Mapping[str, Any], author: int | None) -> Edit:
    """`author`: who reads only what the record was while it was theirs."""
    before, after = alike(values_of(kind, version.data), values_of(kind, following))
    is_told = author is None or following["author"] == author
    changed = {
        name: (before[name], after[name] if is_told else NOT_TOLD)
        for name in after
        if name in before and before[name] != after[name]
    }
    return Edit(version.rev, version.at, version.actor, changed)
