"""The table of checks: what is looked at, and what computes it anew. What needs judgement is only told.

A repair goes check by check, a few problems in each transaction, so that the service goes on.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.background import long_work
from kalends.calendar.deadline import Deadline
from kalends.calendar.transactions import Transactions
from kalends.feature import declared
from kalends.features.consistency import fragments, renewing, series
from kalends.features.consistency.store import derived_data, references, revisions, searching
from kalends.features.consistency.store import derived_data as waiting
from kalends.features.consistency.store.problem import Problem
from kalends.settings import Settings
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import journal, merges
from kalends.store.search import word_index

log = logging.getLogger("kalends")

Found = dict[str, list[Problem]]  # by the names of the checks
Find = Callable[[Session], Iterator[Problem]]
Repair = Callable[[UnitOfWork, Problem], None]


class Check(NamedTuple):
    """`repair` computes anew what is derived from records, or removes a reference to what is not there. Without one,
    people have to judge."""

    name: str
    find: Find
    repair: Repair | None = None


# In the order in which they are repaired: what others are computed from comes first.
CHECKS = (
    Check("references", references.others),
    Check("images", references.images, renewing.without_image),
    Check("parents", references.parents, renewing.without_parent),
    Check("links", references.linked, lambda work, one: references.forget_links(work.session, one.kind, one.id)),
    Check(
        "old addresses",
        references.redirects,
        lambda work, one: references.forget_redirects(work.session, one.kind, one.id),
    ),
    Check("merges", references.merges, lambda work, one: merges.forget(work.session, one.kind, one.id)),
    Check(
        "versions", references.histories, lambda work, one: references.forget_versions(work.session, one.kind, one.id)
    ),
    Check("tree of categories", derived_data.tree),
    Check("dates of series", series.dates_of_series),
    Check("authors of series", series.template_authors),
    Check("first dates", series.first_dates, series.name_first),
    Check("templates of series", series.templates, series.renew_template),
    Check("venues and organizers that wait", waiting.overdue),
    Check("times", derived_data.times, renewing.rewrite),
    Check("copies", derived_data.copies, renewing.rewrite),
    Check("categories above", derived_data.implied, renewing.rewrite),
    Check("custom values", derived_data.rows, renewing.rewrite),
    Check("changes", revisions.changes, renewing.rewrite),
    Check(
        "changes of series",
        revisions.series_changes,
        lambda work, one: revisions.note_last_change(work.session, one.id),
    ),
    Check(
        "sequences", revisions.sequences, lambda work, one: revisions.continue_after(work.session, one.kind, one.id)
    ),
    Check("free numbers", revisions.gaps, lambda work, one: revisions.close_gap(work.session, one.kind, one.id)),
    Check("texts and keys", searching.records, renewing.rewrite),
    Check("rows of the word index", searching.rows_twice, renewing.rewrite),
    Check("words", searching.words, lambda work, one: word_index.mark_for_rebuild(work.session, one.kind)),
    Check("totals", derived_data.totals, lambda work, one: derived_data.recount(work.session, one.kind, one.id)),
)


def checks(settings: Settings) -> tuple[Check, ...]:
    """All of them. What readers are shown depends on the settings."""
    own = [check for added in declared("checks") for check in added]
    return (*CHECKS, *own, Check("shown", lambda session: fragments.rendered(session, settings), renewing.render))


def problems(session: Session, settings: Settings) -> Found:
    """Everything that is wrong in a store, as one snapshot shows it, by the names of the checks."""
    found = {check.name: list(dict.fromkeys(check.find(session))) for check in checks(settings)}
    return {name: some for name, some in found.items() if some}


class CheckOutcome(NamedTuple):
    repaired: Found
    remaining: Found


def repair(calendar: Transactions) -> CheckOutcome:
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
    return CheckOutcome(*({name: some for name, some in part.items() if some} for part in (repaired, remaining)))


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
