"""Keeps series without an end filled, some occurrences in each transaction, so that no other writer waits long.

Any number of processes may do it: each looks again under the writers' lock what is left to do.
"""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.series import following, occurrences
from kalends.calendar.series.edit import template_links
from kalends.calendar.storing import batches
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.statuses import TRASH
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import series
from kalends.store.rows.records import Event, Series
from kalends.values import dates, moments

AT_ONCE = 50  # occurrences in a transaction
SLACK = timedelta(days=1)  # a series is not extended for less than this

log = logging.getLogger("kalends")


def fill_all(transactions: Transactions) -> Iterator[int]:
    """Extends every series that needs it; the number of new occurrences after each transaction."""
    id: int | None = 0
    while id is not None:
        with transactions.store.read() as session:
            horizon = moments.months_later(transactions.clock(), transactions.settings.recurrence_months)
            id = series.filled_before(session, dates.text(horizon - SLACK), id)
        if id is not None:
            yield from _fill(transactions, id)


def _fill(transactions: Transactions, id: int) -> Iterator[int]:
    """Extends one series. If that fails, the others still are."""
    try:
        with transactions.store.read() as session:  # most often nothing is to be done, and no writer has to wait
            is_left = _is_due(_work(transactions, session), id)
        while is_left:
            with transactions.store.write() as session:
                count, is_left = fill_next(_work(transactions, session), id)
            yield count
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("the series %d cannot be extended", id)


def _work(transactions: Transactions, session: Session) -> UnitOfWork:
    return UnitOfWork(session, ANONYMOUS, transactions.clock(), transactions.settings)


def _is_due(work: UnitOfWork, id: int) -> bool:
    found = series.find(work.session, id)
    return found is not None and _missing(work, found)[0] > found.filled_to


def fill_next(work: UnitOfWork, id: int) -> tuple[int, bool]:
    """Adds the next occurrences of a series, as its template is now; how many, and whether there are more to add."""
    found = series.find(work.session, id)
    if found is None:
        return 0, False
    end, missing = _missing(work, found)
    if end <= found.filled_to:
        return 0, False
    following.follow_stored(work, found)
    now, later = missing[:AT_ONCE], missing[AT_ONCE:]
    found.filled_to = dates.text(now[-1]) if later else end
    events = [occurrences.occurrence(work, found, start) for start in now]
    _add(work, found, events)
    return len(events), bool(later)


def _missing(work: UnitOfWork, found: Series) -> tuple[str, list[datetime]]:
    """The dates that a series is still to have, and up to when it then has them."""
    known = series.original_starts(work.session, found.id)
    rule = occurrences.recurrence_of(found)
    # One without events is no series.
    if found.status == TRASH or not known or not occurrences.is_endless(rule):
        return "", []
    plan = occurrences.plan(work, rule, found.template.event, found.filled_to)
    return plan.end, [
        start for start in plan.starts if (text := dates.text(start)) > found.filled_to and text not in known
    ]


def _add(work: UnitOfWork, found: Series, events: list[Event]) -> None:
    occurrences.name_all(work.session, events, found.template.event.slug)
    first = series.first_event(work.session, found.id)
    series.update(work.session, found)
    batches.take_ids(work, events)
    for event in events:
        event.post_parent = 0 if first is None else first[0]
    batches.insert(work, events, template_links(work, found))
