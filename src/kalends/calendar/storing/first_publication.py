"""Venues and organizers that came with an event: public with the first public event that shows them, at its second.

Until then such a record is a draft that waits. A status that a person gives it ends the waiting.
"""

from collections.abc import Iterable, Sequence

import msgspec

from kalends import hooks
from kalends.calendar.access import PUBLIC, UnitOfWork
from kalends.calendar.storing import rendering
from kalends.contract.kinds import EVENT, KIND_OF, Kind
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PUBLISH, TRASH
from kalends.store.rows import journal, links, posts
from kalends.store.rows.records import Companion, Event, Post

UNPUBLISHED = (DRAFT, PENDING)


def is_public(event: Event) -> bool:
    """Whether everybody reads an event, and sees what it shows."""
    return PUBLIC.can_read(event) and PUBLIC.can_unmask(event)


def publish_companions(work: UnitOfWork, events: Iterable[Event]) -> None:
    """After events were stored: publishes what waits for them, if they are public."""
    shown = [event.id for event in events if is_public(event)]
    for kind, record in _pending_companions(work, shown):
        if record.status in UNPUBLISHED:
            after = FUTURE if record.date_utc > work.now_text else PUBLISH
            _change(work, kind, record, status=after, waiting=False)


def hide_companion(work: UnitOfWork, kind: str, record: Companion, status: str) -> None:
    """Takes back that a record became public with an event: it waits for one again."""
    _change(work, kind, record, status=status, waiting=True)


def comes_with(work: UnitOfWork, events: Sequence[Event]) -> list[tuple[Kind, Companion]]:
    """What becomes public with events, of those records that the caller can read."""
    found = _pending_companions(work, [event.id for event in events])
    return [
        (KIND_OF[kind], record)
        for kind, record in found
        if record.status in UNPUBLISHED and work.visibility.can_read(record)
    ]


def version(work: UnitOfWork, rev: int, events: Sequence[int]) -> int:
    """The version of events as a person sees them who may publish them: `rev` is their own, or that of their series.
    What becomes public with them counts, too."""
    return max([rev, *links.last_changes(work.session, events).values()])


def is_approved(work: UnitOfWork, kind: Kind, record: Post) -> bool:
    """Whether somebody who may publish has decided about a record that waits: it becomes public by itself, or is
    shown to who has the password of an event."""
    return isinstance(record, Companion) and record.waiting and links.is_approved(work.session, kind.name, record.id)


def trash_companions(work: UnitOfWork, events: Sequence[Event]) -> None:
    """After events were declined: what came with them and is shown by no other event goes to the trash, too."""
    ids = [event.id for event in events]
    for kind, record in _pending_companions(work, ids):
        if record.status in UNPUBLISHED and not links.is_linked_elsewhere(work.session, kind, record.id, ids):
            _change(work, kind, record, status=TRASH, trashed_from=record.status)


def end_if_public(work: UnitOfWork, kind: Kind, record: Companion) -> None:
    """Before a record is stored that a person brings back from the trash: what a public event shows does not wait for
    one, and has the status that the person gave it."""
    if record.waiting and links.has_public_event(work.session, kind.name, record.id):
        record.waiting = False


def restore_companions(work: UnitOfWork, events: Sequence[int]) -> None:
    """After events came back from the trash: so does what went there with them."""
    for kind, record in _pending_companions(work, events):
        if record.status == TRASH:
            _change(work, kind, record, status=record.trashed_from or DRAFT, trashed_from="")


def restore_shown(work: UnitOfWork, events: Sequence[int]) -> None:
    """After events were stored that name what went to the trash with others: it is there again for those that are."""
    if all(record.status != TRASH for _, record in _pending_companions(work, events)):
        return
    found = posts.find_many(work.session, EVENT.name, events).values()
    live = [event for event in found if isinstance(event, Event) and event.status != TRASH]
    restore_companions(work, [event.id for event in live])
    publish_companions(work, live)


def _pending_companions(work: UnitOfWork, events: Sequence[int]) -> list[tuple[str, Companion]]:
    found = []
    for kind, id in links.linked_from(work.session, events) if events else ():
        record = posts.find(work.session, kind, id)
        assert isinstance(record, Companion)
        found.append((kind, record))
    return found


def _change(work: UnitOfWork, kind: str, record: Companion, **values: object) -> None:
    store(work, kind, record, msgspec.structs.replace(record, modified_utc=work.now_text, **values))


def store(work: UnitOfWork, kind: str, before: Companion, after: Companion, *, was_public: bool = False) -> None:
    """Stores a venue or an organizer as it is to be, with a row of the journal, which is public where the record is,
    or where it `was_public` and somebody has changed that."""
    public = was_public or after.status == PUBLISH
    after.rev = journal.record(work.session, kind, after.id, journal.UPDATE, public=public, at=work.now_text)
    posts.update(work.session, kind, after)
    for tell in hooks.stored:
        tell(work, KIND_OF[kind], [hooks.Stored(before, after)])
    rendering.refresh(work, kind, after)
