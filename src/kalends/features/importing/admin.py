"""Import in the admin: an address or a file, a preview, progress that survives a reload, a report."""

from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import falcon
import msgspec

from kalends.admin.navigation import SITE, Entry
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.calendar import access
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.contract.scalars import is_web_address
from kalends.features.importing import admin_pages as view
from kalends.features.importing import jobs, previews
from kalends.features.importing import undo_admin as import_undo
from kalends.features.importing.admin_pages import INTERRUPTED
from kalends.features.importing.job_rows import PREVIEWING, READY, ImportJob, is_interrupted
from kalends.features.importing.jobs import JobOptions, Login
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.undo import undoing
from kalends.languages import N_
from kalends.settings import Settings
from kalends.site.forms.form import Form, read_large

PATH = "/admin/import"
LARGEST_FILE = 200 * 1024 * 1024
SHOWN = 10
LONGEST_ADDRESS = 2000


def show_all(request: AdminRequest) -> None:
    """The form, and the imports of late."""
    calendar, caller = request.calendar, request.caller
    found = jobs.latest(calendar, caller, SHOWN)
    rows = [view.job_row(job, state_of(request, job), undoing.of_job(calendar, caller, job.id)) for job in found]
    rows += [view.entry_row(entry) for entry in undoing.entries(calendar, caller, SHOWN) if not entry.job]
    request.answer(view.ImportsPage(sorted(rows, key=lambda row: row.at, reverse=True)[:SHOWN]))


def add(request: AdminRequest, form: Form) -> None:
    """Takes an address or a file, and leads to its preview."""
    job = from_address(request, form) if form.text("address") else from_file(request, form)
    if job is not None:
        request.go(f"{PATH}/{job}")


def from_address(request: AdminRequest, form: Form) -> int | None:
    address = form.text("address")[:LONGEST_ADDRESS]
    address = address if "://" in address else f"https://{address}"
    scheme, _, rest = address.partition("://")
    if not is_web_address(f"https://{rest}" if scheme.lower() == "webcal" else address):
        form.refuse("address", N_("must be an address that starts with http:// or https://."))
        return None
    parts = urlsplit(address)
    if "@" in parts.netloc:  # a password, which would be stored
        form.refuse("address", N_("it is not a plain http or https address"))
        return None
    calendar, caller = request.calendar, request.caller
    id = jobs.add(calendar, caller, jobs.kind_of_address(address), parts.hostname or "", address)
    previews.begin(calendar, caller, job_of(request, id), JobOptions())
    return id


def from_file(request: AdminRequest, form: Form) -> int | None:
    file = next((file for file in form.files.get("file", ()) if file.saved is not None), None)
    head = file.saved.read(1000) if file is not None and file.saved is not None else b""
    if file is None or file.saved is None or not head:
        form.refuse("file", N_("Choose a file, or enter an address."))
        return None
    kind = jobs.kind_of(file.name, head)
    if kind is None:
        form.refuse("file", N_("This is not a calendar file, table, WordPress export or Kalends export."))
        return None
    path = jobs.keep_file(request.calendar, kind, Path(file.saved.name))
    return jobs.add(request.calendar, request.caller, kind, Path(file.name).name[:200], str(path))


def largest_file(settings: Settings) -> int:
    return LARGEST_FILE


def receive(request: AdminRequest, largest: int) -> Form:
    return read_large(request.req, largest, jobs.folder_of(request.calendar), request.language)


def show(request: AdminRequest, id: int) -> None:
    """One import: its preview, its progress, or its report."""
    job = job_of(request, id)
    page(request, job, jobs.options_of(job), is_read=state_of(request, job) in (READY, INTERRUPTED))


def act(request: AdminRequest, form: Form, id: int) -> None:
    """Starts it, or shows the preview again with the chosen columns."""
    job = job_of(request, id)
    options = JobOptions(
        columns=dict(zip(form.all("header[]"), form.all("column[]"), strict=False)),
        theirs=form.is_checked("theirs"),
        keep_ids=form.is_checked("keep_ids"),
        as_drafts=form.is_checked("as_drafts"),
        with_images=not form.is_checked("without_images"),
        dates=form.text("dates") if form.text("dates") in view.DATE_ORDERS else "",
    )
    login = Login(form.text("login"), form.text("login_password")) if form.text("login") else jobs.NOBODY
    if form.text("do") == "start":
        jobs.start(request.calendar, request.caller, job, options, login)
    elif previews.is_remote(job):
        previews.begin(request.calendar, request.caller, job, options, login)
    else:
        page(request, job, options, is_read=True)
        return
    request.go(f"{PATH}/{job.id}")


def page(request: AdminRequest, job: ImportJob, options: JobOptions, *, is_read: bool) -> None:
    """`is_read`: whether a preview of a file is made. That of an address was made before."""
    preview = previews.found(job)
    if is_read and not previews.is_remote(job):
        preview = previews.made(request.calendar, request.caller, job, options)
    table = table_of(request, job, options) if job.kind == "csv" else None
    runs = undoing.of_job(request.calendar, request.caller, job.id)
    shown = view.ImportPage(job, state_of(request, job), options, preview, table, request.language, runs)
    request.answer(shown, title=job.label)


def show_report(request: AdminRequest, id: int) -> None:
    """The report as a file."""
    job = job_of(request, id)
    request.resp.content_type = falcon.MEDIA_JSON
    request.resp.set_header("Content-Disposition", f'attachment; filename="import-{job.id}.json"')
    request.resp.data = msgspec.json.encode(view.report_of(job, request.language) or {})


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
    settings, place = request.settings, Path(job.place)
    table = CsvTable(
        place, settings.timezone, options.columns, options.dates, job.label, defined=settings.custom_fields
    )
    with suppress(SourceError):  # the preview says what is wrong
        table.read_header()
    return table


IMPORT = Entry("import", N_("Import and export"), "/admin/import", access.may_manage_users)
NAVIGATION = {SITE: (IMPORT,)}
SCREENS: dict[str, Screen] = {
    "/admin/import": Screen(IMPORT, show_all, add, largest=largest_file, receive=receive),
    # It may have the password of another site.
    "/admin/import/{id:digits}": Screen(IMPORT, show, act, N_("Import"), keeps_form=False),
    "/admin/import/{id:digits}/report": Screen(IMPORT, show_report),
    "/admin/import/undo/{id:digits}": Screen(IMPORT, import_undo.show, import_undo.act, N_("Undo this import")),
}
