"""Forgets, as work for later, what is kept beside the journal: versions of records, and notes for those who follow
the changes."""

from collections.abc import Callable
from datetime import timedelta

from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import Pause
from kalends.calendar.background.task_kinds import Done, Run, TaskKind
from kalends.calendar.deadline import Deadline
from kalends.calendar.transactions import Transactions
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import change_notes, history
from kalends.values import dates

REST = 3600.0  # seconds between two looks


def kinds(calendar: Transactions) -> tuple[TaskKind, ...]:
    """The kinds of this work."""

    def notes(run: Run) -> Done:
        forget_notes(calendar, run.pause)
        return Done()

    def versions(run: Run) -> Done:
        forget_versions(calendar, run.pause)
        return Done()

    def of_deleted(run: Run) -> Done:
        """Versions of a deleted record that has thousands of them."""
        kind, _, id = run.task.key.partition("/")
        _in_parts(calendar, lambda session: not history.forget_some(session, kind, int(id)), run.pause)
        return Done()

    return (
        TaskKind("changes", N_("Forget old changes that were kept for programs"), notes, every=REST),
        TaskKind("history", N_("Forget old versions of events and other records"), versions, every=REST),
        TaskKind(history.FORGETTING, N_("Forget old versions of what was deleted"), of_deleted, longest=0.0),
    )


def forget_notes(calendar: Transactions, between: Pause = long_work.pause) -> None:
    """Notes that are older than the setting says."""
    _forget_older(calendar, calendar.settings.changes_days, change_notes.is_prunable, change_notes.prune, between)


def forget_versions(calendar: Transactions, between: Pause = long_work.pause) -> None:
    """Versions that are older than the setting says."""
    _forget_older(calendar, calendar.settings.history_days, history.is_prunable, history.prune, between)


def _forget_older(
    calendar: Transactions,
    days: int,
    is_prunable: Callable[[Session, str], bool],
    prune: Callable[[Session, str], bool],
    between: Pause,
) -> None:
    before = dates.text(calendar.clock() - timedelta(days=days))
    with calendar.store.read() as session:  # the writers' lock is taken only when there is something to do
        if not is_prunable(session, before):
            return
    _in_parts(calendar, lambda session: prune(session, before), between)


def _in_parts(calendar: Transactions, forget_some: Callable[[Session], bool], between: Pause) -> None:
    """`forget_some`: whether there may be more."""

    def part(work: UnitOfWork, until: Deadline) -> bool:
        return until.repeat(lambda: forget_some(work.session))

    long_work.run_parts(calendar, SERVICE, part, between=between)
