"""Makes the dates of series, some in each transaction, so that no other writer waits long: those that a change has
left, and those of series without an end for which it is time.

Any number of processes may do it: each looks again under the writers' lock what is left to do.
"""

import logging
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from kalends.calendar.access import ANONYMOUS, UnitOfWork
from kalends.calendar.background import long_work
from kalends.calendar.background.task_kinds import Done, Kind, Run
from kalends.calendar.series import following, new_occurrences, series_change
from kalends.calendar.series.new_occurrences import Plan
from kalends.calendar.storing import batches
from kalends.calendar.transactions import Transactions
from kalends.contract.statuses import TRASH
from kalends.languages import N_
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import series
from kalends.store.rows.records import Event, Series
from kalends.values import dates, moments

REST = 300.0  # seconds between two looks at all series
SLACK = timedelta(days=1)  # a series is not extended for less than this

log = logging.getLogger("kalends")


def work_for_later(transactions: Transactions) -> Kind:
    """Adds the occurrences for which it is time, to series without an end."""

    def run(run: Run) -> Done:
        count = 0
        for added in fill_all(transactions):
            count += added
            run.pause()
        if count:
            log.info("%d occurrences were added to series that have no end", count)
        return Done()

    return Kind("series", N_("Dates of series"), run, every=REST)


def fill_all(transactions: Transactions) -> Iterator[int]:
    """Extends every series that needs it; the number of new occurrences after each transaction."""
    id: int | None = 0
    while id is not None:
        with transactions.store.read() as session:
            horizon = moments.months_later(transactions.clock(), transactions.settings.recurrence_months)
            id = series.filled_before(session, dates.text(horizon - SLACK), id)
        if id is not None:
            yield from _fill(transactions, id)


def ask(work: UnitOfWork, id: int) -> None:
    """Makes the dates that a change of a series has left, right after its transaction, before its client hears of it;
    what fails is left to the background."""

    def finish(transactions: Transactions) -> list[range]:
        try:
            for _ in _fill(transactions, id, is_due=True):
                long_work.pause()
        except StoreUnavailable as error:
            log.warning("the other dates of the series %d are made later: %s", id, error)
        return []

    work.follow_ups["series", str(id)] = finish


def _fill(transactions: Transactions, id: int, *, is_due: bool = False) -> Iterator[int]:
    """Extends one series. If that fails, the others still are. `is_due`: it is known that there is something to do;
    else, which is most often, no writer has to wait for the look."""
    try:
        if not is_due:
            with transactions.store.read() as session:
                is_due = _is_due(_work(transactions, session), id)
        while is_due:
            with transactions.store.write() as session:
                count, is_due = fill_next(_work(transactions, session), id)
            yield count
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("the series %d cannot be extended", id)


def _work(transactions: Transactions, session: Session) -> UnitOfWork:
    return UnitOfWork(session, ANONYMOUS, transactions.clock(), transactions.settings)


def _is_due(work: UnitOfWork, id: int) -> bool:
    found = series.find(work.session, id)
    return found is not None and _due(work, found) is not None


def fill_next(work: UnitOfWork, id: int) -> tuple[int, bool]:
    """Adds the next occurrences of a series, as its template is now; how many, and whether there are more to add."""
    found = series.find(work.session, id)
    if found is None:
        return 0, False
    plan = _due(work, found)
    if plan is None:
        return 0, False
    following.follow_stored(work, found)
    known = series.original_starts(work.session, found.id, after=found.filled_to)
    starts, found.filled_to = next_dates(
        work, plan, known, new_occurrences.at_once(found.template.event), after=found.filled_to
    )
    events = [new_occurrences.occurrence(work, found, at) for at in starts]
    _add(work, found, events)
    return len(events), found.filled_to != plan.end


def next_dates(
    work: UnitOfWork, plan: Plan, known: Collection[str], most: int, after: str = ""
) -> tuple[list[datetime], str]:
    """The dates after a time that one transaction makes, what is over last; and up to when the series surely has its
    dates then, so early that `fill_all` goes on with it if some are left. `known`: those that are there."""
    missing = [
        start for start in (*plan.ahead, *plan.over) if (text := dates.text(start)) > after and text not in known
    ]
    now, rest = sorted(missing[:most]), missing[most:]
    return now, dates.text(min(min(rest) - timedelta(seconds=1), work.now)) if rest else plan.end


def _due(work: UnitOfWork, found: Series) -> Plan | None:
    """The dates that a series is to have, if it does not have all of them yet."""
    # One without events is no series.
    if found.status == TRASH or series.first_event(work.session, found.id) is None:
        return None
    if series_change.is_pending(work.session, found.id):  # the first date, and more, may be another one after it
        return None
    rule = new_occurrences.recurrence_of(found)
    # What was accepted when somebody asked for it is not refused here.
    most = new_occurrences.MOST + new_occurrences.MOST_OVER
    plan = new_occurrences.plan(work, rule, found.template.event, found.filled_to, known=most)
    return plan if plan.end > found.filled_to else None


def _add(work: UnitOfWork, found: Series, events: list[Event]) -> None:
    new_occurrences.name_all(work.session, events, found.template.event.slug)
    first = series.first_event(work.session, found.id)
    series.update(work.session, found)
    batches.take_ids(work, events)
    for event in events:
        event.post_parent = 0 if first is None else first[0]
    batches.insert(work, events, new_occurrences.links_of_template(work, found))
