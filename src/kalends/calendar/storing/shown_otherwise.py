"""A feature has changed, in a table of its own, what it adds to records: whoever keeps them has to hear of it."""

from collections.abc import Sequence

from kalends.calendar.access import UnitOfWork
from kalends.calendar.storing import rendering
from kalends.contract.kinds import Kind
from kalends.contract.statuses import PUBLISH
from kalends.store.rows import journal, posts, series, terms
from kalends.store.rows.records import Companion, Event


def shown_otherwise(work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> None:
    """These records have changed for all who read them: they get another `rev` and time of change, no answer that was
    kept is used any more, and `/changes`, webhooks and feeds tell of them. They are as they were, so there is no
    version of them in the history, and nobody gets mail. A feature calls this in the transaction of its own change;
    one that is shown nowhere is only written to its table."""
    if kind.is_term:
        known = terms.find_many(work.session, kind.name, ids)
        journal.record_shown(work.session, kind.name, [(id, True) for id in sorted(known)], work.now_text)
        for term in terms.find_many(work.session, kind.name, known).values():
            rendering.refresh_term(work, kind, term)
        return
    found = posts.find_many(work.session, kind.name, ids)
    changes = [(id, found[id].status == PUBLISH) for id in sorted(found)]
    journal.record_shown(work.session, kind.name, changes, work.now_text)
    changed = posts.find_many(work.session, kind.name, found).values()
    events = [post for post in changed if isinstance(post, Event)]
    for id in {event.series for event in events if event.series is not None}:
        series.record_change(work.session, id, max(event.rev for event in events if event.series == id))
    if events:
        rendering.refresh_events(work, events)
    for post in changed:
        if isinstance(post, Companion):
            rendering.refresh(work, kind.name, post)
