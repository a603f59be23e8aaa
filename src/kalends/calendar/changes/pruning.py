"""Forgets what readers of changes are no longer told, as work for later."""

from datetime import timedelta

from kalends.calendar.background.kinds import Done, Kind, Run
from kalends.calendar.transactions import Transactions
from kalends.languages import N_
from kalends.store.query import changes
from kalends.values import dates

REST = 3600.0  # seconds between two looks


def work_for_later(calendar: Transactions) -> Kind:
    def run(run: Run) -> Done:
        while prune(calendar):
            run.pause()
        return Done()

    return Kind("changes", N_("Changes that are no longer reported"), run, every=REST)


def prune(calendar: Transactions) -> bool:
    """Forgets some of what is older than the setting says; whether there may be more."""
    before = dates.text(calendar.clock() - timedelta(days=calendar.settings.changes_days))
    with calendar.store.read() as session:
        if not changes.is_prunable(session, before):
            return False
    with calendar.store.write() as session:
        return changes.prune(session, before)
