"""Previews of imports from an address and of large files, made in the background: they may take long, and the person
may be gone by then. The page asks for the result."""

import logging
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from kalends.calendar.access import Caller, may_manage_site, require
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.background.task_kinds import Done
from kalends.calendar.service import Calendar
from kalends.contract.errors import ApiError
from kalends.features.importing import job_rows as import_jobs
from kalends.features.importing import jobs, rehearsal
from kalends.features.importing.applying.report import RecordOutcome
from kalends.features.importing.job_rows import READY, RUNNING, ImportJob
from kalends.features.importing.jobs import NOBODY, JobOptions, SiteLogin
from kalends.features.importing.matching.likeness import Alike, Former
from kalends.features.importing.records.messages import ImportMessage, from_json, to_json
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.records.unknown_choices import UnknownChoice
from kalends.features.importing.rehearsal import RehearsedImport, is_remote
from kalends.languages import N_
from kalends.values import dates

KIND = "preview"  # of work for later
KEY = "preview"  # in the report of a job
LARGEST_AT_ONCE = 100_000  # bytes of a file whose preview a person waits for
BUSY = N_("the server is busy; try again in a moment")

log = logging.getLogger("kalends")


class Previewed(NamedTuple):
    """What an import would do, and why it cannot be read."""

    tried: RehearsedImport = RehearsedImport()
    problem: str = ""
    login: str = ""  # the user name with which it was read; the password is not kept


def is_slow(job: ImportJob) -> bool:
    """Whether nobody waits for the preview."""
    path = Path(job.place)
    return is_remote(job) or (path.exists() and path.stat().st_size > LARGEST_AT_ONCE)


def begin(calendar: Calendar, caller: Caller, job: ImportJob, options: JobOptions, login: SiteLogin = NOBODY) -> bool:
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
    tried = RehearsedImport(
        remarks=[*map(from_json, stored["remarks"])],
        outcomes=[outcome_of(one) for one in stored["outcomes"]],
        alike=msgspec.convert(stored["alike"], list[Alike]),
        gone=msgspec.convert(stored["gone"], list[Former]),
        choices=msgspec.convert(stored["choices"], list[UnknownChoice]),
        **{name: stored[name] for name in ("total", "problems", "counts")},
    )
    return Previewed(tried, from_json(stored["problem"]), stored.get("login", ""))


def outcome_of(stored: dict[str, Any]) -> RecordOutcome:
    """What became of a record, as it was stored."""
    messages = {"where": from_json(stored["where"]), "details": [*map(from_json, stored["details"])]}
    messages |= {"understood": [*map(from_json, stored.get("understood", ()))]}
    return RecordOutcome(**stored | messages)


def made(
    calendar: Calendar, caller: Caller, job: ImportJob, options: JobOptions, login: SiteLogin = NOBODY
) -> Previewed:
    try:
        return Previewed(rehearsal.preview(calendar, caller, job, options, login))
    except SourceError as error:
        return Previewed(problem=error.message)


def _make(calendar: Calendar, caller: Caller, job: ImportJob, options: JobOptions, login: SiteLogin) -> Done:
    try:
        slot = WORKER.enter(FETCH, f"account {caller.user}")
        try:
            preview = made(calendar, caller, job, options, login)
        finally:
            WORKER.leave(slot)
    except ApiError:
        preview = Previewed(problem=ImportMessage(BUSY))
    except Exception:
        log.exception("the preview of the import %d failed", job.id)
        preview = Previewed(problem=ImportMessage(jobs.FAILED_SENTENCE))
    kept = _as_json(preview._replace(login=login.name))
    report = msgspec.json.encode(_report(job) | {KEY: kept}).decode()
    state = READY if job.state in (RUNNING, import_jobs.PREVIEWING) else job.state
    at = dates.text(calendar.clock())
    return Done(also=lambda session: import_jobs.finish_preview(session, job.id, state, report, at))


def _report(job: ImportJob) -> dict[str, Any]:
    report: dict[str, Any] = msgspec.json.decode(job.report) if job.report else {}
    return report


def _as_json(preview: Previewed) -> dict[str, Any]:
    tried = preview.tried
    beside = ("start", "venue", "all_day", "external_id")
    outcomes = [
        one.as_json(to_json)
        | {name: getattr(one, name) for name in beside}
        | {"understood": [*map(to_json, one.understood)]}
        for one in tried.outcomes
    ]
    return {
        **{name: getattr(tried, name) for name in ("total", "problems", "counts", "alike", "gone", "choices")},
        "remarks": [*map(to_json, tried.remarks)],
        "outcomes": outcomes,
        "problem": to_json(preview.problem),
        "login": preview.login,
    }
