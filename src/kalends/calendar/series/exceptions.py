"""Single dates of a series as exceptions of its rule: those that do not take place, and those that come back."""

from collections.abc import Collection
from dataclasses import replace

from kalends.calendar.posts.apply_fields import move_status
from kalends.calendar.series import new_occurrences
from kalends.calendar.series.edit import SeriesEdit
from kalends.store.rows import series
from kalends.store.rows.records import Event
from kalends.values import dates


def cancel(edit: SeriesEdit, event: Event) -> None:
    """Makes an occurrence an exception of the rule."""
    start, rule = dates.from_text(event.original_start), edit.recurrence
    if start not in rule.exceptions and gives(edit, event):
        edit.set_recurrence(replace(rule, exceptions=(*rule.exceptions, start)))


def revive(edit: SeriesEdit, event: Event, others: Collection[str]) -> None:
    """Brings a series back that is in the trash as a whole, with one occurrence: the others, by their times in the
    rule, are exceptions, and one without an end gets none beyond those that it has."""
    move_status(edit.work, edit.template, event.status)
    event.own_fields = [name for name in event.own_fields if name != "status"]
    rule = edit.recurrence
    given = sorted(map(dates.from_text, new_occurrences.given(rule, edit.template, others)))
    rule = replace(rule, exceptions=(*rule.exceptions, *given))
    if rule.rule is not None and new_occurrences.is_endless(rule):
        last = dates.from_text(max((event.original_start, *others)))
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
    return bool(new_occurrences.given(edit.recurrence, edit.template, [event.original_start]))
