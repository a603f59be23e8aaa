"""The events of an import, for the table of events: all of them, and those that nobody has published yet."""

from kalends.calendar.access import Caller, UnitOfWork, may_manage_site
from kalends.calendar.service import Calendar
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import DRAFT
from kalends.features.importing import job_rows, run_rows
from kalends.hooks import NamedEvents
from kalends.store.rows import posts

PREFIX = "import-"


def named_events(work: UnitOfWork, name: str) -> NamedEvents | None:
    """The events of `import-NUMBER`, as a filter of the table of events."""
    number = name.removeprefix(PREFIX)
    if number == name or not number.isdigit() or len(number) > 9 or not may_manage_site(work.caller):
        return None
    job = job_rows.find(work.session, int(number))
    return None if job is None else NamedEvents(job.label, run_rows.events_of_job(work.session, job.id))


def count_drafts(calendar: Calendar, caller: Caller, job: int) -> int:
    """How many events of an import nobody has published."""

    def count(work: UnitOfWork) -> int:
        found = named_events(work, f"{PREFIX}{job}")
        events = posts.find_many(work.session, EVENT.name, found.ids if found else [])
        return sum(event.status == DRAFT for event in events.values())

    return calendar.read(caller, count)
