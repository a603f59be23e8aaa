"""Takes a split of a series back: the dates from there on become what they were, in the series that they were in."""

from typing import Any, NamedTuple

from kalends.calendar.access import UnitOfWork, may_edit, may_edit_others, require
from kalends.calendar.posts import posts
from kalends.calendar.series import series_change
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.storing import former_events
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.store.rows import history, journal, series
from kalends.store.rows.records import Event, Series
from kalends.values import recurrence
from kalends.values.recurrence import RecurrenceError


class Split(NamedTuple):
    """What was done: the series that it made and its last change; and of the series that it was made of the last
    change before, and the recurrence until then."""

    later: int
    rev: int
    before: int
    recurrence: str


def rejoin(work: UnitOfWork, split: Split) -> int:
    """How many dates are in their series again: none if one of the two parts was changed since, or if it is not known
    any more what the dates were."""
    later = series.find(work.session, split.later)
    if later is None or later.rev != split.rev:
        return 0
    events, states = series.events(work.session, later.id), _states(work, later, split.before)
    former = {data["series"] for data in states.values()}
    first = series.find(work.session, former.pop()) if len(former) == 1 else None
    if first is None or first.id == later.id or first.series_of != later.series_of or first.rev > split.rev:
        return 0
    if any(series_change.is_pending(work.session, one.id) for one in (first, later)):
        return 0
    new = [event for event in events if event.id not in states]
    if len(journal.created_since(work.session, EVENT.name, [event.id for event in new], split.before)) < len(new):
        return 0
    edit = SeriesEdit.load(work, first.id)
    back = _back(edit, [event for event in events if event.id in states], states)
    edit.require_rights()
    for event in (later.template.event, *new):
        require(may_edit(work.caller, event), work.caller)
    try:
        edit.set_recurrence(recurrence.parse(split.recurrence))
        edit.fill()
    except RecurrenceError:  # a form can say anything
        return 0
    for event in new:
        posts.delete_for_good(work, EVENT, event)
    edit.save(at_once=True)
    series_change.remove(work, later)
    return sum(event.status != TRASH for event in back)


def _states(work: UnitOfWork, later: Series, before: int) -> dict[int, dict[str, Any]]:
    """What the dates of a series were after a change, by their ids; of those that are new, nothing."""
    found = {
        event.id: state[1]
        for event in series.events(work.session, later.id)
        if (state := history.earliest(work.session, EVENT.name, event.id, before + 1)) is not None
    }
    # A new author may not have been able to read what was there before.
    for data in found.values():
        require(may_edit_others(work.caller) or data["author"] == work.caller.user, work.caller)
    return found


def _back(edit: SeriesEdit, events: list[Event], states: dict[int, dict[str, Any]]) -> list[Event]:
    """Adds dates to a series as they were in it."""
    changes = [former_events.change_back(edit.work, event, states[event.id]) for event in events]
    for change in changes:
        event = change.after
        event.status = edit.allowed(event.status)
        edit.before[event.id] = change.before
        edit.changed.add(event.id)
        edit.link(event.id, change.linked)
    back = [change.after for change in changes]
    edit.events = sorted([*edit.events, *back], key=lambda event: (event.original_start, event.id))
    return back
