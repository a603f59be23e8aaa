"""Who may import and undo it: for tests/calendar/access/test_rights_without_a_record.py."""

from tests.calendar.access.operations_stage import Cases

from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.contract.roles import Role
from kalends.features.importing import jobs, previews, rehearsal
from kalends.features.importing.job_rows import ImportJob
from kalends.features.importing.jobs import JobOptions
from kalends.features.importing.run import Import
from kalends.features.importing.undo import undoing


def cases(calendar: Calendar, caller: Caller, role: Role) -> Cases:
    manages = role is Role.ADMINISTRATOR
    job = ImportJob(1, 1, "json", "", "nowhere.json", "", "new", 0, 0, "", "", "")
    found: Cases = {
        "import by a command": (lambda: Import(calendar, caller), role >= Role.EDITOR),
        "imports": (lambda: jobs.latest(calendar, caller, 5), manages),
        "one import": (lambda: jobs.find(calendar, caller, 1), manages),
        "imports that can be undone": (lambda: undoing.entries(calendar, caller, 5), manages),
        "runs of an import": (lambda: undoing.of_job(calendar, caller, 1), manages),
        "new import": (lambda: jobs.add(calendar, caller, "ics", "a.ics", "/a.ics"), manages),
    }
    if manages:
        return found
    return found | {
        "preview of an import": (lambda: rehearsal.preview(calendar, caller, job, JobOptions()), False),
        "preview of an address": (lambda: previews.begin(calendar, caller, job, JobOptions()), False),
        "import": (lambda: jobs.start(calendar, caller, job, JobOptions()), False),
        "a run of an import": (lambda: undoing.find(calendar, caller, 1), False),
        "what undoing would do": (lambda: undoing.plan(calendar, caller, 1), False),
        "undo an import": (lambda: undoing.start(calendar, caller, 1), False),
        "undo it to the end": (lambda: undoing.finish(calendar, caller, 1), False),
    }
