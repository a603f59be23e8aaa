"""Gives categories the events of those below them after the tree has changed, some in each transaction, so that no
other writer waits long.

The transaction that moves a category does it for a few links. If there are more, it adds a task for each category
that does not have its events yet. They follow in further transactions, before the client is answered; what a kill
leaves, or of very many links the rest, is done as work for later. Any number of processes may do it: each looks under
the writers' lock which links differ from the tree as it is then. Until the end, lists of a category have events of
what was moved away from it, or lack those of what was moved to it; links do not decide which readers see an event.
"""

import logging
import time
from collections.abc import Iterable
from datetime import timedelta

from kalends.calendar.background.task_kinds import Done, Kind, Run
from kalends.calendar.transactions import PAUSE, Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import CATEGORY
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import history, journal, tasks, terms
from kalends.values import dates

AT_ONCE = 1000  # links of one transaction
MOST = 20_000  # links of a category for which a client waits
PATIENCE = timedelta(seconds=30)  # until another process goes on with it

log = logging.getLogger("kalends")


def work_for_later(transactions: Transactions) -> Kind:
    """Goes on with categories that a process has not finished."""

    def run(run: Run) -> Done:
        while step(transactions, int(run.task.key)):
            run.pause()
        return Done()

    return Kind(tasks.GATHERING, CATEGORY.plural_label, run, longest=PATIENCE.total_seconds())


def gather(work: UnitOfWork, categories: Iterable[int]) -> None:
    """Gives categories the events that they are to have, or leaves that to `finish`."""
    left, due = AT_ONCE, dates.text(work.now + PATIENCE)
    for category in sorted(categories):
        left -= terms.gather(work.session, category, left)
        if left == 0:
            tasks.add(work.session, tasks.GATHERING, str(category), due)
            work.ungathered.add(category)


def finish(transactions: Transactions, category: int) -> None:
    """Does the rest before the client hears of it; of very many links, most are left to the background, and so is
    what fails."""
    changed = 0
    try:
        while changed < MOST and (count := step(transactions, category)):
            changed += count
            time.sleep(PAUSE)
    except StoreUnavailable as error:
        log.warning("the category %d has its events later: %s", category, error)


def step(transactions: Transactions, category: int) -> int:
    """Changes some links of a category in a transaction of its own; how many, 0 when nothing is left to do."""
    with transactions.store.write() as session:
        count = terms.gather(session, category, AT_ONCE)
        if count < AT_ONCE:
            tasks.remove(session, tasks.GATHERING, str(category))
        if count:  # what is kept of lists is not valid any more
            at = dates.text(transactions.clock())
            journal.record(session, history.GATHERED, category, journal.UPDATE, public=True, at=at)
    return count if count == AT_ONCE else 0
