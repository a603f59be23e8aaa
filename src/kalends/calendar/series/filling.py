"""Makes the dates of series in parts (long_work.py): those that a change has left, and those of series without an end
for which it is time.

Any number of processes may do it: each looks again under the writers' lock what is left to do.
"""

import logging
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import partial

from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import Pause
from kalends.calendar.background.task_kinds import Done, Run, TaskKind
from kalends.calendar.deadline import Deadline
from kalends.calendar.series import following, new_occurrences, series_change
from kalends.calendar.series.new_occurrences import OccurrencesPlan
from kalends.calendar.storing import batches
from kalends.calendar.transactions import Transactions
from kalends.contract.statuses import TRASH
from kalends.languages import N_
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import series
from kalends.store.rows.records import Event, Series
from kalends.values import dates

REST = 300.0  # seconds between two looks at all series
SLACK = timedelta(days=1)  # a series is not extended for less than this

log = logging.getLogger("kalends")


def work_for_later(transactions: Transactions) -> TaskKind:
    """Adds the occurrences for which it is time, to series without an end."""

    def run(run: Run) -> Done:
        if count := fill_all(transactions, run.pause):
            log.info("%d occurrences were added to series that have no end", count)
        return Done()

    return TaskKind("series", N_("Add the next dates of series"), run, every=REST)


def fill_all(transactions: Transactions, between: Pause | None = None) -> int:
    """Extends every series that needs it; the number of new occurrences."""
    id: int | None = 0
    count = 0
    while id is not None:
        with transactions.store.read() as session:
            horizon = dates.months_later(transactions.clock(), transactions.settings.recurrence_months)
            id = series.filled_before(session, dates.text(horizon - SLACK), id)
        if id is not None and (added := _fill(transactions, id, between)):
            count += added
            (between or long_work.pause)()
    return count


def ask(work: UnitOfWork, id: int) -> None:
    """Makes the dates that a change of a series has left, right after its transaction, before its client hears of it;
    what fails is left to the background."""

    def finish(transactions: Transactions) -> list[range]:
        try:
            _fill(transactions, id, is_due=True)
        except StoreUnavailable as error:
            log.warning("the other dates of the series %d are made later: %s", id, error)
        return []

    work.follow_ups["series", str(id)] = finish


def _fill(transactions: Transactions, id: int, between: Pause | None = None, *, is_due: bool = False) -> int:
    """Extends one series; by how many occurrences. If that fails, the others still are. `is_due`: it is known that
    there is something to do; else, which is most often, no writer has to wait for the look."""
    counts: list[int] = []

    def part(work: UnitOfWork, until: Deadline) -> bool:
        done, is_more = _add_some(work, id, until)
        counts.append(done)
        return is_more

    try:
        if not is_due:
            with transactions.store.read() as session:
                work = UnitOfWork(session, SERVICE, transactions.clock(), transactions.settings)
                is_due = _due(work, id) is not None
        if is_due:
            opening = partial(long_work.unnoticed, transactions)
            long_work.run_parts(transactions, SERVICE, part, between=between, opening=opening)
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("the series %d cannot be extended", id)
    return sum(counts)


def _add_some(work: UnitOfWork, id: int, until: Deadline) -> tuple[int, bool]:
    """Adds the next occurrences of a series, as its template is now; how many, and whether there are more to add."""
    if (due := _due(work, id)) is None:
        return 0, False
    found, plan = due
    following.follow_stored(work, found)
    known, done = series.original_starts(work.session, found.id, after=found.filled_to), 0
    missing, most = missing_dates(plan, known, after=found.filled_to), new_occurrences.at_once(found.template.event)
    while True:  # never few: the plan may have taken longer than the dates do
        starts = missing[done : done + most]
        done += len(starts)
        found.filled_to = filled_to(work, plan, missing[done:])
        _add(work, found, [new_occurrences.occurrence(work, found, at) for at in sorted(starts)])
        if done == len(missing) or until.is_over:
            return done, done < len(missing)


def missing_dates(plan: OccurrencesPlan, known: Collection[str], after: str = "") -> list[datetime]:
    """The dates after a time that are still to be made, what is over last. `known`: those that are there."""
    return [start for start in (*plan.ahead, *plan.over) if (text := dates.text(start)) > after and text not in known]


def filled_to(work: UnitOfWork, plan: OccurrencesPlan, rest: Sequence[datetime]) -> str:
    """Up to when a series surely has its dates, without the rest: so early that `fill_all` goes on with it."""
    return dates.text(min(min(rest) - timedelta(seconds=1), work.now)) if rest else plan.end


def _due(work: UnitOfWork, id: int) -> tuple[Series, OccurrencesPlan] | None:
    """A series and the dates that it is to have, if it does not have all of them yet."""
    found = series.find(work.session, id)
    # One without events is no series.
    if found is None or found.status == TRASH or series.first_event(work.session, found.id) is None:
        return None
    if series_change.is_pending(work.session, found.id):  # the first date, and more, may be another one after it
        return None
    rule = new_occurrences.recurrence_of(found)
    # What was accepted when somebody asked for it is not refused here.
    most = new_occurrences.MOST + new_occurrences.MOST_OVER
    plan = new_occurrences.plan(work, rule, found.template.event, found.filled_to, known=most)
    return (found, plan) if plan.end > found.filled_to else None


def _add(work: UnitOfWork, found: Series, events: list[Event]) -> None:
    new_occurrences.name_all(work.session, events, found.template.event.slug)
    first = series.first_event(work.session, found.id)
    series.update(work.session, found)
    batches.assign_ids(work, events)
    for event in events:
        event.post_parent = 0 if first is None else first[0]
    batches.insert(work, events, new_occurrences.links_of_template(work, found))
