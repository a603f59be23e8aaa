"""Mends series: what is there stays, and nothing new is published."""

from bisect import bisect
from dataclasses import replace

from kalends.calendar.consistency import series as checked
from kalends.calendar.series import occurrences, one
from kalends.calendar.series.edit import SeriesEdit, remove
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.statuses import TRASH
from kalends.store.consistency.problem import Problem
from kalends.store.rows import media, series
from kalends.values import dates
from kalends.values.recurrence import Recurrence, RecurrenceError


def remove_empty(work: UnitOfWork, problem: Problem) -> None:
    """Without events nobody can see or change it, and filled it would publish what nobody made."""
    found = series.find(work.session, problem.id)
    if found is not None and not series.events(work.session, problem.id):
        remove(work, found)


def fit_rule(work: UnitOfWork, problem: Problem) -> None:
    """Makes the rule say what there is: dates without an event become exceptions, events without a date dates. Raises
    RecurrenceError if no rule says it."""
    edit = SeriesEdit.load(work, problem.id)
    live, first = [event for event in edit.events if event.status != TRASH], edit.template.start_local
    if edit.template.status == TRASH and live:
        one.revive(edit, live[0])
    try:
        lacking, others = checked.differences(edit.series, edit.events)
    except RecurrenceError:
        if not checked.has_end(edit.series):
            raise
        starts = [dates.from_text(event.original_start) for event in live]
        edit.set_recurrence(Recurrence(dates=tuple(start for start in starts if dates.text(start) != first)))
        lacking, others = checked.differences(edit.series, edit.events)
    lacking = _without_later(edit, lacking)
    rule = edit.recurrence
    edit.set_recurrence(replace(rule, exceptions=(*rule.exceptions, *map(dates.from_text, lacking))))
    for event in live:
        if event.original_start in others:
            one.bring_back(edit, event)
    edit.save()


def _without_later(edit: SeriesEdit, lacking: list[str]) -> list[str]:
    """Dates that an earlier version left out, because the series had as many as it may have, and never came back to:
    the filler makes them. The others nobody wants."""
    known = [event.original_start for event in edit.events]
    left_out = [start for start in lacking if start not in known and bisect(known, start) >= occurrences.MOST]
    if not left_out or not occurrences.is_endless(edit.recurrence):
        return lacking
    edit.series.filled_to = known[bisect(known, left_out[0]) - 1]
    return [start for start in lacking if start < left_out[0]]


def name_first(work: UnitOfWork, problem: Problem) -> None:
    """Every date knows the first one of its series."""
    SeriesEdit.load(work, problem.id).save()


def mend_template(work: UnitOfWork, problem: Problem) -> None:
    """Later dates get what dates show that have nothing of their own, and so do those of them that got less."""
    edit = SeriesEdit.load(work, problem.id)
    template = edit.series.template
    if template.event.image is not None and media.find(work.session, template.event.image) is None:
        template.event.image = None
    for kind, ids in template.links.items():
        usable = checked.usable(work.session, kind, ids)
        if not usable.issuperset(ids):
            shown = checked.shown_targets(work.session, edit.events, kind)
            # Dates that were made since have less than those that a merge has changed.
            wanted = max(reversed([*shown.values()]), key=len, default=[id for id in ids if id in usable])
            template.links[kind] = wanted
            for event in (id for id, targets in shown.items() if targets != wanted):
                edit.linked[event] = {**edit.linked.get(event, {}), kind: wanted}
    edit.save()
