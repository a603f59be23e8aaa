"""Tells the followers of an event what changed of what everybody can see, and when it does not take place."""

from kalends.calendar.mail import facts, follows, kinds, outbox
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.statuses import PUBLISH
from kalends.store.rows import follows as rows
from kalends.store.rows.records import Event

Changes = list[tuple[Event | None, Event | None]]


def tell(work: UnitOfWork, changes: Changes) -> None:
    """`changes`: events as they were and as they are."""
    if not rows.has_any_of_events(work.session):
        return
    by_id = {one.id: (before, after) for before, after in changes if (one := after or before) is not None}
    for follow in rows.of_events(work.session, list(by_id)):
        before, after = by_id[follow.event or 0]
        if _shown(before) == _shown(after) or not (is_public(before) or is_public(after)):
            continue
        event = after if after is not None and is_public(after) else before
        assert event is not None
        names = facts.venue_names(work.session, [event])
        told = {
            "event": facts.event_facts(event, names.get(event.id, "")),
            "gone": not is_public(after),
            "end": follows.end_path(work, follow),
        }
        outbox.put(work, kinds.EVENT_NEWS, follow.address, follow.language, told, follow=follow.id, event=event.id)
        if after is not None:
            rows.reschedule(work.session, follow.id, follows.next_of_event(after, work.now))


def is_public(event: Event | None) -> bool:
    return event is not None and event.status == PUBLISH


def _shown(event: Event | None) -> tuple[object, ...]:
    """What followers hear of; nothing of an event that is not public."""
    if event is None or not is_public(event):
        return ()
    status = "" if event.password is not None else event.event_status
    return (event.name, event.start_utc, event.end_utc, event.timezone, event.all_day, status)
