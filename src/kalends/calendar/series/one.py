"""Changes one occurrence of a series. What is set on it becomes its own; in the trash, it is an exception."""

from dataclasses import replace

from kalends.calendar.posts import posts
from kalends.calendar.posts.publication import move_status
from kalends.calendar.series import fields, following, occurrences
from kalends.calendar.series.edit import SeriesEdit, Targets, remove
from kalends.calendar.storing import batches
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.store.rows import series
from kalends.store.rows.event_batches import Change
from kalends.store.rows.records import Event
from kalends.values import dates


def change(work: UnitOfWork, before: Event, event: Event, names: set[str], targets: Targets) -> None:
    """Stores a changed occurrence. `names` are the fields that changed, besides the links."""
    found = series.find(work.session, event.series or 0)
    if found is None:
        raise LookupError(event.series)
    expected = occurrences.occurrence(work, found, dates.from_text(event.original_start))
    fields.mark_own(event, names, expected)
    fields.mark_own_links(event, targets, found.template)
    if (before.status == TRASH) == (event.status == TRASH):
        batches.update(work, [Change(before, event, targets)])
        if not following.FOLLOWED.isdisjoint(names):
            following.follow_stored(work, series.find(work.session, found.id) or found)
        return
    edit = SeriesEdit.load(work, found.id)
    edit.put(before, event)
    if targets:
        edit.linked[event.id] = targets
    if event.status == TRASH:
        cancel(edit, event)
    else:
        if edit.template.status == TRASH:
            revive(edit, event)
        bring_back(edit, event)
    edit.save()


def delete(work: UnitOfWork, event: Event) -> None:
    """Deletes an occurrence for good; the series does not make it again."""
    edit = SeriesEdit.load(work, event.series or 0)
    cancel(edit, event)
    edit.events = [other for other in edit.events if other.id != event.id]
    posts.delete_for_good(work, EVENT, event)
    edit.series.rev = event.rev
    if edit.events:
        edit.save()
    else:
        remove(work, edit.series)


def cancel(edit: SeriesEdit, event: Event) -> None:
    """Makes an occurrence an exception of the rule."""
    start, rule = dates.from_text(event.original_start), edit.recurrence
    if start not in rule.exceptions and gives(edit, event):
        edit.set_recurrence(replace(rule, exceptions=(*rule.exceptions, start)))


def revive(edit: SeriesEdit, event: Event) -> None:
    """Brings a series back that is in the trash as a whole, with one occurrence: the others are exceptions, and one
    without an end gets none beyond those that it has."""
    move_status(edit.work, edit.template, event.status)
    event.own_fields = [name for name in event.own_fields if name != "status"]
    rule, others = edit.recurrence, {other.original_start for other in edit.events if other is not event}
    given = sorted(map(dates.from_text, occurrences.given(rule, edit.template, others)))
    rule = replace(rule, exceptions=(*rule.exceptions, *given))
    if rule.rule is not None and occurrences.is_endless(rule):
        last = dates.from_text(edit.events[-1].original_start)
        rule = replace(rule, rule=replace(rule.rule, until=last))
        edit.series.filled_to = series.COMPLETE
    edit.set_recurrence(rule)


def bring_back(edit: SeriesEdit, event: Event) -> None:
    """Makes an event from the trash an occurrence again: no longer an exception, or else a date besides the rule."""
    start, rule = dates.from_text(event.original_start), edit.recurrence
    rule = replace(rule, exceptions=tuple(when for when in rule.exceptions if when != start))
    edit.set_recurrence(rule)
    if not gives(edit, event):
        edit.set_recurrence(replace(rule, dates=(*rule.dates, start)))


def gives(edit: SeriesEdit, event: Event) -> bool:
    """Whether the recurrence has an occurrence when this event was."""
    return bool(occurrences.given(edit.recurrence, edit.template, [event.original_start]))
