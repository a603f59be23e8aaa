"""Repairs what checks have found, check by check, a few problems in each transaction, so that the service goes on."""

import logging
from collections.abc import Sequence
from typing import NamedTuple

from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.background import long_work
from kalends.calendar.deadline import Deadline
from kalends.calendar.transactions import Transactions
from kalends.features.consistency.checking import Check, Repair, checks
from kalends.features.consistency.store import searching
from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import journal
from kalends.store.search import word_index

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
                    long_work.pause()
            found = _problems(calendar, check)
            repaired[check.name] = [problem for problem in wanted if problem not in found]
        remaining[check.name] = found
    return Outcome(*({name: some for name, some in part.items() if some} for part in (repaired, remaining)))


def _problems(calendar: Transactions, check: Check) -> list[Problem]:
    with calendar.store.read() as session:
        return list(dict.fromkeys(check.find(session)))


def _repair_all(calendar: Transactions, repair: Repair, wanted: Sequence[Problem]) -> None:
    """Several problems of one record are repaired together."""
    left = list({(problem.kind, problem.id): problem for problem in wanted}.values())

    def part(work: UnitOfWork, until: Deadline) -> bool:
        for some in until.slices(left[:]):
            for problem in some:
                _repair(work, repair, problem)
            del left[: len(some)]
        # Whatever is kept of responses is dropped, also where no record has changed.
        journal.record(work.session, "site", 0, journal.UPDATE, public=True, at=work.now_text)
        return bool(left)

    long_work.run_parts(calendar, SERVICE, part)


def _repair(work: UnitOfWork, repair: Repair, problem: Problem) -> None:
    """If it fails, the others are repaired all the same."""
    try:
        with work.session.savepoint():
            repair(work, problem)
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("this cannot be repaired: %s", problem.sentence)
