"""Import in the admin: an address or a file, and the imports of late."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple
from urllib.parse import urlsplit

from kalends.admin.request import AdminRequest
from kalends.contract.types.scalars import is_web_address
from kalends.features.importing import jobs, previews, remembering
from kalends.features.importing.admin.import_job import job_of, state_of
from kalends.features.importing.admin.import_page import INTERRUPTED, PATH, STATES
from kalends.features.importing.job_rows import DONE, FAILED, ImportJob
from kalends.features.importing.jobs import JobOptions
from kalends.features.importing.run_rows import ImportRun
from kalends.features.importing.undo import undoing
from kalends.languages import N_
from kalends.settings import Settings
from kalends.site.forms.form import Form, read_large

LARGEST_FILE = 200 * 1024 * 1024
SHOWN = 10
LONGEST_ADDRESS = 2000
BY_COMMAND = N_("Done on the command line")


class ImportRow(NamedTuple):
    """An import in the list of those of late. `undo`: the number of the run that can be undone, or 0."""

    label: str
    path: str
    state: str
    at: str
    undo: int


def job_row(job: ImportJob, state: str, runs: Sequence[ImportRun]) -> ImportRow:
    """One of the admin, with its runs."""
    is_undone = bool(runs) and runs[0].state and state == DONE
    undoable = next((run.id for run in runs if not run.state), 0) if state in (DONE, FAILED, INTERRUPTED) else 0
    name = STATES[runs[0].state if is_undone else state]
    return ImportRow(job.label, f"/admin/import/{job.id}", name, job.created_utc, undoable)


def command_row(run: ImportRun) -> ImportRow:
    """One that was made by a command."""
    state = STATES[run.state] if run.state else BY_COMMAND
    path = f"/admin/import/undo/{run.id}"
    return ImportRow(run.label, path, state, run.began_utc, 0 if run.state else run.id)


@dataclass(frozen=True, slots=True)
class ImportsPage:
    template: ClassVar[str] = "features/importing/admin/import_list.html"

    rows: Sequence[ImportRow]


def show_imports(request: AdminRequest) -> None:
    """The form, and the imports of late."""
    calendar, caller = request.calendar, request.caller
    found = jobs.latest(calendar, caller, SHOWN)
    rows = [job_row(job, state_of(request, job), undoing.of_job(calendar, caller, job.id)) for job in found]
    rows += [command_row(run) for run in undoing.entries(calendar, caller, SHOWN) if not run.job]
    request.answer(ImportsPage(sorted(rows, key=lambda row: row.at, reverse=True)[:SHOWN]))


def add(request: AdminRequest, form: Form) -> None:
    """Takes an address or a file, and leads to its pre"""
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
    path = jobs.store_file(request.calendar, kind, Path(file.saved.name))
    calendar, caller = request.calendar, request.caller
    id = jobs.add(calendar, caller, kind, Path(file.name).name[:200], str(path))
    job = job_of(request, id)
    if previews.is_slow(job):
        previews.begin(calendar, caller, job, remembering.options_for(calendar, caller, job)[0])
    return id


def largest_file(settings: Settings) -> int:
    return LARGEST_FILE


def receive(request: AdminRequest, largest: int) -> Form:
    return read_large(request.req, largest, jobs.folder_of(request.calendar), request.language)
