"""The background work of imports."""

from kalends.calendar.service import Calendar
from kalends.features.importing import jobs, previews
from kalends.features.importing.undo import undoing
from kalends.languages import N_


def register_tasks(calendar: Calendar) -> None:
    calendar.background.register(
        jobs.interrupted(calendar, jobs.KIND, N_("Imports")),
        jobs.interrupted(calendar, previews.KIND, N_("Previews of imports")),
        undoing.UNDO.kind(calendar),
    )
