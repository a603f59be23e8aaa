"""What `kalends check` looks at in the tables of sources, and how it is repaired."""

from collections.abc import Iterator

from kalends.calendar.access import UnitOfWork
from kalends.features.consistency.checking import Check
from kalends.features.consistency.store.problem import Problem
from kalends.features.sources import rows, rules
from kalends.features.sources.rows import TASK, SourceStatus
from kalends.store.engine.store import Session
from kalends.store.rows import tasks, users


def _authors(session: Session) -> Iterator[Problem]:
    for source in rows.everyone(session):
        if users.find_user(session, source.author) is None:
            sentence = f"The source {source.id} has the author {source.author}, which does not exist."
            yield Problem(TASK, source.author, sentence)


def _times(session: Session) -> Iterator[Problem]:
    """A source without a state, or one that nothing will read."""
    states = rows.states(session)
    for source in rows.everyone(session):
        if source.id not in states or (source.active and tasks.find(session, TASK, str(source.id)) is None):
            yield Problem(TASK, source.id, f"The source {source.id} is active, and nothing reads it.")


def _schedule(work: UnitOfWork, problem: Problem) -> None:
    source = rows.find(work.session, problem.id)
    if source is None:
        return
    if problem.id not in rows.states(work.session):
        rows.add_state(work.session, SourceStatus(id=problem.id))
    if source.active:
        tasks.ensure(work.session, TASK, str(problem.id), work.now_text)


def _orphans(session: Session) -> Iterator[Problem]:
    for table, count in rows.count_orphans(session).items():
        if count:
            yield Problem(table, 0, f"{count} rows of {table} belong to no source.")


CHECKS = (
    Check("authors of sources", _authors, lambda work, one: rules.replace_author(work, one.id)),
    Check("times of sources", _times, _schedule),
    Check("rows of sources", _orphans, lambda work, one: rows.delete_orphans(work.session)),
)
