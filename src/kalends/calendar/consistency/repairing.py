"""Mends what a check has found, through the calendar's own operations, a few problems in each transaction."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from kalends.calendar.access import SERVICE
from kalends.calendar.consistency import checking, fragments, series
from kalends.calendar.fragments import rendering
from kalends.calendar.posts import posts, terms
from kalends.calendar.storing.waiting import publish_shown
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import EVENT, KIND_OF
from kalends.store.consistency import (
    categories,
    custom_values,
    link_copies,
    references,
    revisions,
    searching,
    times,
    totals,
    waiting,
)
from kalends.store.consistency.problem import Problem
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import fragments as stored_fragments
from kalends.store.rows import journal, links, merges, texts
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import series as stored_series
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.records import Event
from kalends.store.search import word_index

AT_ONCE = 25  # problems of one transaction
PAUSE = 0.01  # seconds between two transactions, for other writers to have their turn
ROUNDS = 5  # what is mended may show something else

log = logging.getLogger("kalends")

Repair = Callable[[UnitOfWork, Problem], None]
Check = Callable[[Session], Iterator[Problem]]


class Outcome(NamedTuple):
    """What was mended, and what is left."""

    mended: list[Problem]
    left: list[Problem]


def repair(calendar: Transactions) -> Outcome:
    """Mends all that can be mended. What is computed from the records comes after the records."""
    stages: tuple[Check, ...] = (
        checking.damage,
        checking.disagreements,
        lambda session: fragments.rendered(session, calendar.settings),
    )
    mended: list[Problem] = []
    left: list[Problem] = []
    for stage in stages:
        outcome = _mend(calendar, stage)
        mended += outcome.mended
        left += outcome.left
    return Outcome(mended, left)


def _mend(calendar: Transactions, check: Check) -> Outcome:
    mended: list[Problem] = []
    for _ in range(ROUNDS):
        with calendar.store.read() as session:
            found = list(dict.fromkeys(check(session)))
        wanted = [problem for problem in found if problem.repairable]
        if not wanted or (mended and set(wanted) <= set(mended)):
            break
        mended += wanted
        _repair_all(calendar, wanted)
    return Outcome([problem for problem in dict.fromkeys(mended) if problem not in found], found)


def _repair_all(calendar: Transactions, wanted: Sequence[Problem]) -> None:
    """Several problems of one record are mended together."""
    by_record = list({(problem.check, problem.kind, problem.id): problem for problem in wanted}.values())
    for first in range(0, len(by_record), AT_ONCE):
        if first:
            time.sleep(PAUSE)
        _repair_some(calendar, by_record[first : first + AT_ONCE])
    if any(problem.check == searching.WORDS for problem in wanted):
        for _ in word_index.rebuild(calendar.store):
            time.sleep(PAUSE)


def _repair_some(calendar: Transactions, wanted: Sequence[Problem]) -> None:
    """In one transaction; each in its own if one of them fails."""
    try:
        with calendar.writing(SERVICE) as work:
            for problem in wanted:
                REPAIRS[problem.check](work, problem)
            # Whatever is kept of responses is dropped, also where no record has changed.
            journal.record(work.session, "site", 0, journal.UPDATE, public=True, at=work.now_text)
    except StoreUnavailable:
        raise
    except Exception:
        if len(wanted) == 1:
            log.exception("this cannot be mended: %s", wanted[0].sentence)
            return
        for problem in wanted:
            _repair_some(calendar, [problem])


def _without_image(work: UnitOfWork, problem: Problem) -> None:
    kind = KIND_OF[problem.kind]
    post = posts.find(work, kind, problem.id)
    before = msgspec.structs.replace(post)
    post.image = None
    posts.save(work, kind, before, post, {})


def _without_parent(work: UnitOfWork, problem: Problem) -> None:
    if problem.kind != EVENT.name:
        _place(work, problem)
        return
    event = posts.find(work, EVENT, problem.id)
    assert isinstance(event, Event)
    if event.series is not None:
        series.name_first(work, problem._replace(id=event.series))
        return
    before = msgspec.structs.replace(event)
    event.post_parent = 0
    posts.save(work, EVENT, before, event, {})


def _place(work: UnitOfWork, problem: Problem) -> None:
    parent = categories.new_parent(work.session, problem.id)
    if parent is not None:
        terms.place(work, problem.id, parent)


def _publish(work: UnitOfWork, problem: Problem) -> None:
    events = stored_posts.find_many(
        work.session, EVENT.name, links.events_of(work.session, problem.kind, problem.id)
    ).values()
    publish_shown(work, [event for event in events if isinstance(event, Event)])


def _rewrite(work: UnitOfWork, problem: Problem) -> None:
    kind = KIND_OF[problem.kind]
    if kind.is_term:
        terms.rewrite(work, kind, problem.id)
        return
    post = stored_posts.find(work.session, kind.name, problem.id)
    if post is None:
        texts.erase(work.session, kind.name, problem.id)
    else:
        posts.rewrite(work, kind, post)


def _render(work: UnitOfWork, problem: Problem) -> None:
    session, settings = work.session, work.settings
    if problem.kind == stored_fragments.SERIES:
        found = stored_series.find(session, problem.id)
        if found is None:
            stored_fragments.delete(session, problem.id)
        else:
            rendering.render_series(session, settings, found)
        return
    kind = KIND_OF[problem.kind]
    if kind.is_term:
        term = stored_terms.find(session, kind.name, problem.id)
        if term is not None:
            rendering.render_term(session, settings, kind, term)
            return
    else:
        post = stored_posts.find(session, kind.name, problem.id)
        if post is not None:
            rendering.render_post(session, settings, kind.name, post)
            return
    rendering.remove(work, kind.name, problem.id)


REPAIRS: dict[str, Repair] = {
    references.IMAGE: _without_image,
    references.PARENT: _without_parent,
    references.REDIRECT: lambda work, found: references.forget_redirects(work.session, found.kind, found.id),
    references.MERGE: lambda work, found: merges.forget(work.session, found.kind, found.id),
    references.HISTORY: lambda work, found: references.forget_versions(work.session, found.kind, found.id),
    references.LINK: lambda work, found: references.forget_links(work.session, found.kind, found.id),
    categories.TREE: _place,
    series.WITHOUT_EVENTS: series.remove_empty,
    series.DATES: series.fit_rule,
    series.FIRST: series.name_first,
    series.TEMPLATE: series.mend_template,
    waiting.OVERDUE: _publish,
    times.TIMES: _rewrite,
    link_copies.COPIES: _rewrite,
    custom_values.ROWS: _rewrite,
    revisions.CHANGE: _rewrite,
    revisions.SERIES_CHANGE: lambda work, found: revisions.note_last_change(work.session, found.id),
    revisions.SEQUENCE: lambda work, found: revisions.take_up(work.session, found.kind, found.id),
    searching.DERIVED: _rewrite,
    searching.WORDS: lambda work, found: word_index.mark_for_rebuild(work.session, found.kind),
    totals.TOTALS: lambda work, found: totals.recount(work.session, found.kind, found.id),
    fragments.RENDERED: _render,
}
