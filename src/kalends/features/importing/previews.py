"""Previews of imports from an address, made in the background: another server may take long to answer, and the person
may be gone by then. The page asks for the result."""

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from kalends.calendar.access import Caller, may_manage_site, require
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.background.task_kinds import Done
from kalends.calendar.service import Calendar
from kalends.contract.errors import ApiError
from kalends.features.importing import job_rows as import_jobs
from kalends.features.importing import jobs
from kalends.features.importing.applying.report import Outcome
from kalends.features.importing.job_rows import READY, RUNNING, ImportJob
from kalends.features.importing.jobs import NOBODY, JobOptions, Login
from kalends.features.importing.records.messages import Message, from_json, to_json
from kalends.features.importing.records.record import SourceError
from kalends.languages import N_
from kalends.values import dates

KIND = "preview"  # of work for later
KEY = "preview"  # in the report of a job
BUSY = N_("the server is busy; try again in a moment")

log = logging.getLogger("kalends")


class Previewed(NamedTuple):
    """What an import recognises, what would become of its first records, and why it cannot be read."""

    remarks: Sequence[str] = ()
    outcomes: Sequence[Outcome] = ()
    problem: str = ""
    login: str = ""  # the user name with which it was read; the password is not kept


def is_remote(job: ImportJob) -> bool:
    return job.kind in (jobs.SITE, jobs.CALENDAR)


def begin(calendar: Calendar, caller: Caller, job: ImportJob, options: JobOptions, login: Login = NOBODY) -> bool:
    """Makes the preview of a job in the background; False if the job is under way already."""
    require(may_manage_site(caller), caller)
    if not jobs.hold(calendar, KIND, job, options, import_jobs.PREVIEWING):
        return False
    calendar.background.begin(KIND, str(job.id), lambda run: _make(calendar, caller, job, options, login))
    return True


def found(job: ImportJob) -> Previewed | None:
    """The last preview of a job since it ran."""
    stored = _report(job).get(KEY)
    if stored is None:
        return None
    outcomes = [
        Outcome(**one | {"where": from_json(one["where"]), "details": [*map(from_json, one["details"])]})
        for one in stored["outcomes"]
    ]
    remarks = [*map(from_json, stored["remarks"])]
    return Previewed(remarks, outcomes, from_json(stored["problem"]), stored.get("login", ""))


def made(calendar: Calendar, caller: Caller, job: ImportJob, options: JobOptions, login: Login = NOBODY) -> Previewed:
    try:
        return Previewed(*jobs.preview(calendar, caller, job, options, login))
    except SourceError as error:
        return Previewed(problem=error.message)


def _make(calendar: Calendar, caller: Caller, job: ImportJob, options: JobOptions, login: Login) -> Done:
    try:
        slot = WORKER.enter(FETCH, f"account {caller.user}")
        try:
            preview = made(calendar, caller, job, options, login)
        finally:
            WORKER.leave(slot)
    except ApiError:
        preview = Previewed(problem=Message(BUSY))
    except Exception:
        log.exception("the preview of the import %d failed", job.id)
        preview = Previewed(problem=Message(jobs.FAILED_SENTENCE))
    kept = _as_json(preview._replace(login=login.name))
    report = msgspec.json.encode(_report(job) | {KEY: kept}).decode()
    state = READY if job.state in (RUNNING, import_jobs.PREVIEWING) else job.state
    at = dates.text(calendar.clock())
    return Done(also=lambda session: import_jobs.finish_preview(session, job.id, state, report, at))


def _report(job: ImportJob) -> dict[str, Any]:
    report: dict[str, Any] = msgspec.json.decode(job.report) if job.report else {}
    return report


def _as_json(preview: Previewed) -> dict[str, Any]:
    outcomes = [one.as_json(to_json) | {"start": one.start, "venue": one.venue} for one in preview.outcomes]
    remarks = [*map(to_json, preview.remarks)]
    return {"remarks": remarks, "outcomes": outcomes, "problem": to_json(preview.problem), "login": preview.login}
