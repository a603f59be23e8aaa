"""One import in the admin: its preview, progress that survives a reload, its report."""

from contextlib import suppress

import falcon
import msgspec

from kalends.admin.request import AdminRequest
from kalends.calendar.background.background import LEASE
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.features.importing import brought, jobs, previews, remembering
from kalends.features.importing.admin.import_page import (
    DATE_ORDERS,
    INTERRUPTED,
    PATH,
    UNDER_WAY,
    ImportPage,
    report_of,
)
from kalends.features.importing.job_rows import PREVIEWING, READY, ImportJob, is_interrupted
from kalends.features.importing.jobs import JobOptions, Login
from kalends.features.importing.rehearsal import is_remote
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.undo import undoing
from kalends.site.forms.form import Form


def show_import(request: AdminRequest, id: int) -> None:
    """One import: its preview, its progress, or its report."""
    job = job_of(request, id)
    options = jobs.options_of(job) if job.options else None
    page(request, job, options, is_read=state_of(request, job) in (READY, INTERRUPTED))


def act(request: AdminRequest, form: Form, id: int) -> None:
    """Starts it, or shows the preview again with the chosen columns."""
    job = job_of(request, id)
    options = JobOptions(
        columns=dict(zip(form.all("header[]"), form.all("column[]"), strict=False)),
        theirs=form.is_checked("theirs"),
        keep_ids=form.is_checked("keep_ids"),
        as_drafts=form.is_checked("as_drafts"),
        with_images=not form.is_checked("without_images"),
        dates=form.text("dates") if form.text("dates") in DATE_ORDERS else "",
        same=same_in(form),
        choices=choices_in(form),
    )
    if not is_remote(job):
        jobs.keep_options(request.calendar, request.caller, job, options)
    login = Login(form.text("login"), form.text("login_password")) if form.text("login") else jobs.NOBODY
    if form.text("do") == "start":
        if not jobs.start(request.calendar, request.caller, job, options, login):
            request.go(f"{PATH}/{job.id}", UNDER_WAY, kind="problem", seconds=round(LEASE.total_seconds()))
            return
    elif previews.is_slow(job):
        previews.begin(request.calendar, request.caller, job, options, login)
    else:
        page(request, job, options, is_read=True)
        return
    request.go(f"{PATH}/{job.id}")


def same_in(form: Form) -> dict[str, str]:
    """Which new events of a file somebody has said to be those of before."""
    found = dict[str, str]()
    for written in form.all("same"):
        with suppress(msgspec.DecodeError):
            now, before = msgspec.json.decode(written, type=tuple[str, str])
            found[now] = before
    return found


def choices_in(form: Form) -> dict[str, dict[str, str]]:
    """What words of a table mean that are no choices of their custom field."""
    found = dict[str, dict[str, str]]()
    for key, word, meaning in zip(
        form.all("choice_field[]"), form.all("choice_word[]"), form.all("choice[]"), strict=False
    ):
        found.setdefault(key, {})[word] = meaning
    return found


def page(request: AdminRequest, job: ImportJob, chosen: JobOptions | None, *, is_read: bool) -> None:
    """`chosen`: what a person has chosen for it; None until then. `is_read`: whether a preview of a small file is
    made. Any other was made before."""
    calendar, caller = request.calendar, request.caller
    options, remembered = chosen, ""
    if options is None:
        options, remembered = remembering.options_for(calendar, caller, job)
    preview = previews.found(job)
    if is_read and not previews.is_slow(job):
        preview = previews.made(calendar, caller, job, options)
    shown = ImportPage(
        job=job,
        state=state_of(request, job),
        options=options,
        preview=preview,
        table=table_of(request, job, options) if job.kind == "csv" else None,
        language=request.language,
        runs=undoing.of_job(calendar, caller, job.id),
        same=None if chosen is None else chosen.same,
        drafts=brought.count_drafts(calendar, caller, job.id),
        remembered=remembered,
    )
    request.answer(shown, title=job.label)


def show_report(request: AdminRequest, id: int) -> None:
    """The report as a file."""
    job = job_of(request, id)
    request.resp.content_type = falcon.MEDIA_JSON
    request.resp.set_header("Content-Disposition", f'attachment; filename="import-{job.id}.json"')
    request.resp.data = msgspec.json.encode(report_of(job, request.language) or {})


def job_of(request: AdminRequest, id: int) -> ImportJob:
    job = jobs.find(request.calendar, request.caller, id)
    if job is None:
        raise ApiError(NO_ROUTE)
    return job


def state_of(request: AdminRequest, job: ImportJob) -> str:
    if not is_interrupted(job, request.calendar.clock()):
        return job.state
    return READY if job.state == PREVIEWING else INTERRUPTED


def table_of(request: AdminRequest, job: ImportJob, options: JobOptions) -> CsvTable:
    """A table as far as it can be read: its header, and what its columns are taken for."""
    return remembering.table_of(request.calendar, job, options)
