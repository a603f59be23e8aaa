"""Forgets what nobody is told any more, as work for later: old changes."""

from datetime import timedelta

from kalends.calendar.access import SERVICE
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import Pause
from kalends.calendar.background.task_kinds import Done, Kind, Run
from kalends.calendar.service import Calendar
from kalends.calendar.transactions import Transactions
from kalends.features.changes import idempotency
from kalends.features.changes import query as changes
from kalends.languages import N_
from kalends.values import dates

REST = 3600.0  # seconds between two looks


def register_tasks(calendar: Calendar) -> None:
    def forget_changes(run: Run) -> Done:
        prune(calendar, run.pause)
        return Done()

    calendar.background.register(
        Kind("changes", N_("Forget old changes that were kept for programs"), forget_changes, every=REST),
        idempotency.forgetting(calendar),
    )


def prune(calendar: Transactions, between: Pause = long_work.pause) -> None:
    """Forgets what is older than the setting says."""
    before = dates.text(calendar.clock() - timedelta(days=calendar.settings.changes_days))
    with calendar.store.read() as session:
        if not changes.is_prunable(session, before):
            return
    long_work.run_parts(
        calendar,
        SERVICE,
        lambda work, until: until.repeat(lambda: changes.prune(work.session, before)),
        between=between,
    )
