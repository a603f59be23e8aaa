"""Repairs what checks have found, check by check, a few problems in each transaction, so that the service goes on."""

import logging
import time
from collections.abc import Sequence
from typing import NamedTuple

from kalends.calendar.access import SERVICE
from kalends.calendar.transactions import Transactions
from kalends.features.consistency.checking import Check, Repair, checks
from kalends.features.consistency.store import searching
from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import journal
from kalends.store.search import word_index

AT_ONCE = 25  # problems of one transaction
PAUSE = 0.01  # seconds between two transactions, for other writers to have their turn

log = logging.getLogger("kalends")

Found = dict[str, list[Problem]]  # by the names of the checks


class Outcome(NamedTuple):
    repaired: Found
    remaining: Found


def repair(calendar: Transactions) -> Outcome:
    """Repairs all that can be computed anew."""
    repaired: Found = {}
    remaining: Found = {}
    for check in checks(calendar.settings):
        found = _problems(calendar, check)
        wanted = [problem for problem in found if problem.repairable]
        if wanted and check.repair is not None:
            _repair_all(calendar, check.repair, wanted)
            if check.find is searching.words:
                for _ in word_index.rebuild(calendar.store):
                    time.sleep(PAUSE)
            found = _problems(calendar, check)
            repaired[check.name] = [problem for problem in wanted if problem not in found]
        remaining[check.name] = found
    return Outcome(*({name: some for name, some in part.items() if some} for part in (repaired, remaining)))


def _problems(calendar: Transactions, check: Check) -> list[Problem]:
    with calendar.store.read() as session:
        return list(dict.fromkeys(check.find(session)))


def _repair_all(calendar: Transactions, repair: Repair, wanted: Sequence[Problem]) -> None:
    """Several problems of one record are repaired together."""
    by_record = list({(problem.kind, problem.id): problem for problem in wanted}.values())
    for first in range(0, len(by_record), AT_ONCE):
        if first:
            time.sleep(PAUSE)
        _repair_some(calendar, repair, by_record[first : first + AT_ONCE])


def _repair_some(calendar: Transactions, repair: Repair, wanted: Sequence[Problem]) -> None:
    """In one transaction; each in its own if one of them fails."""
    try:
        with calendar.writing(SERVICE) as work:
            for problem in wanted:
                repair(work, problem)
            # Whatever is kept of responses is dropped, also where no record has changed.
            journal.record(work.session, "site", 0, journal.UPDATE, public=True, at=work.now_text)
    except StoreUnavailable:
        raise
    except Exception:
        if len(wanted) == 1:
            log.exception("this cannot be repaired: %s", wanted[0].sentence)
            return
        for problem in wanted:
            _repair_some(calendar, repair, [problem])
