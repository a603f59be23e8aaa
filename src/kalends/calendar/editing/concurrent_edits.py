"""Two people edit the same: who has changed it last, and an event as it was when the other one began."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from kalends.calendar.access import UnitOfWork, may_edit_others, may_manage_site, may_upload, require
from kalends.calendar.posts import posts, terms
from kalends.contract.kinds import EVENT, KIND_OF, Kind
from kalends.store.rows import change_notes, history
from kalends.store.rows.records import Event, Post, Term


class Earlier(NamedTuple):
    """An event as it was. `linked`: ids by kind; whether its recurrence is known, and is that of now."""

    event: Event
    linked: Mapping[str, Sequence[int]]
    is_rule_known: bool
    has_rule_of_now: bool


def event_as_of(work: UnitOfWork, id: int, rev: int) -> Earlier | None:
    """An event that the caller can edit, as it was after a change; None if that is not known, or not for the
    caller."""
    now = editable(work, EVENT, id)
    data = history.state_after(work.session, EVENT.name, id, rev)
    if data is None or not (reads_all_versions(work, EVENT) or data["author"] == work.caller.user):
        return None
    event = msgspec.convert(data | {"id": id, "rev": rev}, Event)
    assert isinstance(now, Event)
    if event.series is None:
        return Earlier(event, data["links"], is_rule_known=True, has_rule_of_now=False)
    last = change_notes.last_cause(work.session, change_notes.SERIES, event.series)
    is_same = event.series == now.series and last <= rev
    return Earlier(event, data["links"], is_rule_known=is_same, has_rule_of_now=is_same)


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


def editable(work: UnitOfWork, kind: Kind, id: int) -> Post | Term:
    """A record, if the caller can edit it."""
    if kind.is_term:
        terms.require_right(work, kind)
        return terms.read(work, kind, id)
    return posts.writable(work, kind, id)


def reads_all_versions(work: UnitOfWork, kind: Kind) -> bool:
    """Whether the caller reads versions of whoever the author was: a new author may not have been able to read what
    was there before. Categories and tags belong to nobody."""
    return kind.is_term or may_edit_others(work.caller)
