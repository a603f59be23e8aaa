"""One import in the admin: its preview, progress that survives a reload, its report."""

from collections.abc import Mapping
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
from kalends.features.importing.job_rows import PREVIEWING, READY, RUNNING, ImportJob, is_interrupted
from kalends.features.importing.jobs import JobOptions, SiteLogin
from kalends.features.importing.records.cells import LONGEST_MENDED, MOST_MENDED
from kalends.features.importing.rehearsal import is_remote
from kalends.features.importing.sources.cell_places import row_and_place
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.table_template import template
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
    is_other_sheet = form.text("sheet") != form.text("shown_sheet")
    options = JobOptions(
        columns={} if is_other_sheet else dict(zip(form.all("header[]"), form.all("column[]"), strict=False)),
        theirs=form.is_checked("theirs"),
        keep_ids=form.is_checked("keep_ids"),
        as_drafts=form.is_checked("as_drafts"),
        with_images=not form.is_checked("without_images"),
        dates=form.text("dates") if form.text("dates") in DATE_ORDERS else "",
        same=same_in(form),
        choices=choices_in(form),
        sheet=form.text("sheet"),
        year=year_in(form),
        mended={} if is_other_sheet else mended_in(form, jobs.options_of(job).mended),
    )
    if not is_remote(job):
        jobs.keep_options(request.calendar, request.caller, job, options)
    login = SiteLogin(form.text("login"), form.text("login_password")) if form.text("login") else jobs.NOBODY
    if form.text("do") == "start" and not is_other_sheet:
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


def year_in(form: Form) -> int:
    """The year of dates without one; 0 if nobody told it."""
    written = form.text("year")
    return int(written) if len(written) == 4 and written.isascii() and written.isdigit() else 0


def mended_in(form: Form, before: Mapping[str, str]) -> dict[str, str]:
    """What somebody wrote instead of cells, with what was written earlier."""
    found = dict(before)
    for place, was, text in zip(form.all("cell[]"), form.all("cell_was[]"), form.all("cell_text[]"), strict=False):
        if row_and_place(place) is not None and text != was and len(text) <= LONGEST_MENDED:
            found[place] = text
    return dict(list(found.items())[-MOST_MENDED:])


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
    is_under_way = state_of(request, job) in (RUNNING, PREVIEWING)
    shown = ImportPage(
        job=job,
        state=state_of(request, job),
        options=options,
        preview=preview,
        table=table_of(request, job, options) if job.kind == "csv" and not is_under_way else None,
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


def show_template(request: AdminRequest) -> None:
    """A table to be filled in. Spreadsheets know its encoding by the mark at the beginning."""
    request.resp.content_type = "text/csv; charset=UTF-8"
    request.resp.set_header("Content-Disposition", 'attachment; filename="events.csv"')
    request.resp.data = f"\ufeff{template(request.language, request.calendar.clock().year + 1)}".encode()


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
