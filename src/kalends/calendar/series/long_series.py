"""One date of a very long series goes to the trash, comes back or is deleted, without a look at all others.

They only change if another date becomes the first: that is the parent of all, and each takes it over in steps
(sharing.py).
"""

from collections.abc import Collection

import msgspec

from kalends.calendar.fragments import rendering
from kalends.calendar.posts import posts
from kalends.calendar.series import following, sharing
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.series.exceptions import bring_back, cancel, revive
from kalends.calendar.series.pending_change import Left, pending, trash
from kalends.calendar.storing import batches
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.store.rows import series
from kalends.store.rows.event_batches import Change
from kalends.store.rows.records import Event, Series


def is_long(work: UnitOfWork, event: Event) -> bool:
    """Whether it is done here. A change of all statuses that is under way has to be taken over first."""
    left = pending(work.session, event.series or 0)
    return (left is None or not left.is_followed) and sharing.is_long(work, event.series or 0, event)


def change(work: UnitOfWork, found: Series, change: Change) -> None:
    """Stores a date that goes to the trash, or comes back from it. Raises RecurrenceError."""
    event, first, rule = change.after, _first(work, found), found.recurrence
    edit = SeriesEdit(work, found, [event], {event.id: change.before})
    if event.status == TRASH:
        cancel(edit, event)
    else:
        if edit.template.status == TRASH:
            others = series.original_starts(work.session, found.id) - {event.original_start}
            revive(edit, event, others)
        bring_back(edit, event)
    parent = _first_with(work, found, event)
    event.post_parent = 0 if event.id == parent else parent
    batches.update(work, [change])
    _store(edit, event, rule)
    if parent != first:
        sharing.ask(work, found.id, Left([], [], work.caller.user, parent=parent))


def delete(work: UnitOfWork, event: Event) -> None:
    """Deletes a date for good; the series does not make it again. The first is only gone when no other one has it as
    its parent."""
    found = series.find(work.session, event.series or 0)
    if found is None:
        raise LookupError(event.series)
    rule, edit = found.recurrence, SeriesEdit(work, found, [event], {})
    cancel(edit, event)
    if event.id != _first(work, found):
        posts.delete_for_good(work, EVENT, event)
        _store(edit, event, rule)
        return
    if event.status != TRASH:
        before = msgspec.structs.replace(event)
        trash(event)
        batches.update(work, [Change(before, event)])
    _store(edit, event, rule)
    left = Left([], [], work.caller.user, parent=_first(work, found, but=[event.id]), removes=(event.id,))
    sharing.ask(work, found.id, left)


def _first(work: UnitOfWork, found: Series, but: Collection[int] = ()) -> int:
    """The parent of all other dates."""
    first = series.first_event(work.session, found.id, but)
    return 0 if first is None else first[0]


def _first_with(work: UnitOfWork, found: Series, event: Event) -> int:
    """The same when a date is stored as it is now."""
    other = series.first_event(work.session, found.id, but=[event.id])
    if other is None:
        return event.id
    id, status = other
    if (event.status == TRASH) != (status == TRASH):
        return id if event.status == TRASH else event.id
    start = series.original_start(work.session, id)
    return min((event.original_start, event.id), (start, id))[1]


def _store(edit: SeriesEdit, event: Event, rule_before: str) -> None:
    """Stores the series after the date."""
    work, found = edit.work, edit.series
    ahead = series.statuses_ahead(work.session, found.id, work.now_text)
    edit.stop_or_go_on(ahead, lambda: series.original_starts(work.session, found.id))
    found.rev = event.rev
    series.update(work.session, found)
    following.follow_stored(work, found)
    if found.recurrence != rule_before:
        is_public = any(status == PUBLISH for _, status in series.owners(work.session, found.id))
        batches.note_rule(work, found.id, public=is_public)
    rendering.render_series(work.session, work.settings, found)
