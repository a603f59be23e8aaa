"""Forgets what nobody is told any more, as work for later: old changes, and versions of what was deleted."""

from datetime import timedelta

from kalends.calendar.background.task_kinds import Done, Kind, Run
from kalends.calendar.service import Calendar
from kalends.calendar.transactions import Transactions
from kalends.features.changes import idempotency
from kalends.features.changes import query as changes
from kalends.languages import N_
from kalends.store.rows import history
from kalends.values import dates

REST = 3600.0  # seconds between two looks


def register_tasks(calendar: Calendar) -> None:
    def forget_changes(run: Run) -> Done:
        while prune(calendar):
            run.pause()
        return Done()

    def forget_versions(run: Run) -> Done:
        kind, _, id = run.task.key.partition("/")
        while not forget_some(calendar, kind, int(id)):
            run.pause()
        return Done()

    calendar.background.register(
        Kind("changes", N_("Changes that are no longer reported"), forget_changes, every=REST),
        Kind(history.FORGETTING, N_("History"), forget_versions, longest=0.0),
        idempotency.forgetting(calendar),
    )


def prune(calendar: Transactions) -> bool:
    """Forgets some of what is older than the setting says; whether there may be more."""
    before = dates.text(calendar.clock() - timedelta(days=calendar.settings.changes_days))
    with calendar.store.read() as session:
        if not changes.is_prunable(session, before):
            return False
    with calendar.store.write() as session:
        return changes.prune(session, before)


def forget_some(calendar: Transactions, kind: str, id: int) -> bool:
    """Forgets some versions of a deleted record; whether that was all."""
    with calendar.store.write() as session:
        return history.forget_some(session, kind, id)
