"""Import in the admin: an address or a file, a preview, progress that survives a reload, a report."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import falcon
import msgspec

from kalends.calendar.access import may_manage_users
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.contract.scalars import is_web_address
from kalends.exporting import csv_columns
from kalends.importing import jobs, messages
from kalends.importing.jobs import JobOptions
from kalends.importing.record import SourceError
from kalends.importing.report import CONFLICT, CREATED, DELETED, SKIPPED, UNCHANGED, UPDATED, Outcome
from kalends.importing.sources.csv_dates import DAY_FIRST, MONTH_FIRST
from kalends.importing.sources.csv_table import CsvTable
from kalends.languages import N_, translate
from kalends.pages.admin import import_columns
from kalends.server.admin.legacy import AdminRequest, FormScreen, LegacyScreen
from kalends.server.forms import GENERAL, Form, read_large
from kalends.store.rows import import_jobs
from kalends.store.rows.import_jobs import RUNNING, ImportJob
from kalends.values import names

PATH = "/admin/import"
LARGEST_FILE = 200 * 1024 * 1024
SHOWN = 10
LONGEST_ADDRESS = 2000
COMMAND_LINE = re.compile(r"\s*[(（][^()（）]*(?:--|`kalends )[^()（）]*[)）]")
DATE_ORDERS = {
    "": N_("As recognised"),
    DAY_FIRST: N_("Day, month, year"),
    MONTH_FIRST: N_("Month, day, year"),
}
ACTIONS = {
    CREATED: N_("Created"),
    UPDATED: N_("Updated"),
    UNCHANGED: N_("Unchanged"),
    DELETED: N_("Deleted"),
    CONFLICT: N_("Changed on both sides"),
    SKIPPED: N_("Left out"),
}
INTERRUPTED = "interrupted"
STATES = {
    "ready": N_("Not started yet"),
    "running": N_("Running"),
    "done": N_("Done"),
    "failed": N_("Failed"),
    INTERRUPTED: N_("Interrupted"),
}


class Imports(FormScreen):
    """The form, and the imports of late."""

    entry = "import"
    title = N_("Import and export")
    right = staticmethod(may_manage_users)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        self.render(visit, None)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        """Takes an address or a file, and leads to its preview."""
        job = self.from_address(visit, form) if form.text("address") else self.from_file(visit, form)
        if job is None:
            self.render(visit, form)
        else:
            visit.go(f"{PATH}/{job}")

    def from_address(self, visit: AdminRequest, form: Form) -> int | None:
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
        return jobs.add(visit.calendar, visit.caller, jobs.kind_of_address(address), parts.hostname or "", address)

    def from_file(self, visit: AdminRequest, form: Form) -> int | None:
        file = next((file for file in form.files.get("file", ()) if file.saved is not None), None)
        head = file.saved.read(1000) if file is not None and file.saved is not None else b""
        if file is None or file.saved is None or not head:
            form.refuse("file", N_("Choose a file, or write an address."))
            return None
        kind = jobs.kind_of(file.name, head)
        if kind is None:
            form.refuse("file", N_("This is no calendar file, table, WordPress export or export of Kalends."))
            return None
        path = jobs.keep_file(visit.calendar, kind, Path(file.saved.name))
        return jobs.add(visit.calendar, visit.caller, kind, Path(file.name).name[:200], str(path))

    def render(self, visit: AdminRequest, form: Form | None) -> None:
        found = jobs.latest(visit.calendar, visit.caller, SHOWN)
        listed = [
            (job.id, job.label, visit.say(STATES[state_of(visit, job)]), visit.frame.day_and_time(job.created_utc))
            for job in found
        ]
        labels = {"address": visit.say(N_("Address")), "file": visit.say(N_("File"))}
        visit.render("admin/import.html", status=400 if form else 200, form=form, jobs=listed, labels=labels)

    def largest_form(self, visit: AdminRequest) -> int:
        return LARGEST_FILE

    def receive(self, visit: AdminRequest) -> Form:
        return read_large(visit.req, self.largest_form(visit), jobs.folder_of(visit.calendar), visit.language)


class Import(FormScreen):
    """One import: its preview, its progress, or its report."""

    entry = "import"
    title = N_("Import")
    right = staticmethod(may_manage_users)
    keeps_form = False  # it may have the password of another site

    def show(self, visit: AdminRequest, **params: Any) -> None:
        self.render(visit, job_of(visit, params["id"]))

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        """Starts it, or shows the preview again with the chosen columns."""
        job = job_of(visit, params["id"])
        options = JobOptions(
            columns=dict(zip(form.all("header[]"), form.all("column[]"), strict=False)),
            theirs=form.is_checked("theirs"),
            keep_ids=form.is_checked("keep_ids"),
            with_images=not form.is_checked("without_images"),
            dates=form.text("dates") if form.text("dates") in DATE_ORDERS else "",
        )
        login = jobs.Login(form.text("login"), form.text("login_password")) if form.text("login") else jobs.NOBODY
        if form.text("do") != "start":
            self.render(visit, job, options, form, login)
            return
        jobs.start(visit.calendar, visit.caller, job, options, login)
        visit.go(f"{PATH}/{job.id}")

    def render(
        self,
        visit: AdminRequest,
        job: ImportJob,
        chosen: JobOptions | None = None,
        form: Form | None = None,
        login: jobs.Login = jobs.NOBODY,
    ) -> None:
        options, state = chosen or jobs.options_of(job), state_of(visit, job)
        form, say = form or Form(visit.language), sayer(visit)
        remarks, outcomes = list[str](), list[Outcome]()
        is_readable = state != import_jobs.FAILED
        if state in (import_jobs.READY, INTERRUPTED) or chosen is not None:
            try:
                remarks, outcomes = jobs.preview(visit.calendar, visit.caller, job, options, login)
                is_readable = True
            except SourceError as error:
                form.errors[GENERAL] = say(error.message)
                is_readable = False
        table = table_of(visit, job, options) if job.kind == "csv" else None
        visit.render(
            "admin/import_job.html",
            title=job.label,
            job=job,
            form=form,
            no_form=Form(visit.language),
            is_readable=is_readable,
            has_login=job.kind == jobs.SITE,
            login_warning=say(jobs.login_warning(job) or ""),
            is_running=state == RUNNING,
            is_interrupted=state == INTERRUPTED,
            state=visit.say(STATES[state]),
            chosen_options=options,
            remarks=[say(remark) for remark in remarks],
            outcomes=[row(outcome, say) for outcome in outcomes],
            columns=columns_of(table, options) if table else [],
            fields=fields_of(table, visit) if table else [],
            orders=[(order, visit.say(sentence)) for order, sentence in DATE_ORDERS.items()],
            actions={action: visit.say(sentence) for action, sentence in ACTIONS.items()},
            report=report_of(job, say),
        )


def state_of(visit: AdminRequest, job: ImportJob) -> str:
    return INTERRUPTED if jobs.is_interrupted(visit.calendar, job) else job.state


def sayer(visit: AdminRequest) -> Callable[[str], str]:
    """Says a text in the language of the reader, if it is a sentence of the catalogs, without hints for the command
    line."""

    def without_hints(sentence: str) -> str:
        return COMMAND_LINE.sub("", translate(sentence, visit.language))

    return lambda text: str(messages.in_language(text, without_hints))


def row(outcome: Outcome, say: Callable[[str], str]) -> dict[str, object]:
    """A record of the preview: its name, where it stands, and what would happen."""
    return {
        "name": outcome.name,
        "where": say(outcome.where),
        "action": outcome.action,
        "details": [say(detail) for detail in outcome.details],
    }


def report_of(job: ImportJob, say: Callable[[str], str]) -> dict[str, Any] | None:
    """The report of a job in the language of the reader."""
    if not job.report:
        return None

    def read(stored: object) -> str:
        return say(messages.from_json(stored))

    report: dict[str, Any] = msgspec.json.decode(job.report)
    report["problem"] = read(report["problem"]) if report.get("problem") else ""
    report["remarks"] = [read(remark) for remark in report["remarks"]]
    for record in report["records"]:
        record["where"] = read(record["where"])
        record["details"] = [read(detail) for detail in record["details"]]
    return report


class ImportReport(LegacyScreen):
    """The report as a file."""

    right = staticmethod(may_manage_users)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        job = job_of(visit, params["id"])
        visit.resp.content_type = falcon.MEDIA_JSON
        visit.resp.set_header("Content-Disposition", f'attachment; filename="import-{job.id}.json"')
        visit.resp.data = msgspec.json.encode(report_of(job, sayer(visit)) or {})


def job_of(visit: AdminRequest, id: int) -> ImportJob:
    job = jobs.find(visit.calendar, visit.caller, id)
    if job is None:
        raise ApiError(NO_ROUTE)
    return job


def table_of(visit: AdminRequest, job: ImportJob, options: JobOptions) -> CsvTable:
    """A table as far as it can be read: its header, and what its columns are taken for."""
    table = CsvTable(Path(job.place), visit.settings.timezone, options.columns, options.dates, job.label)
    with suppress(SourceError):  # the preview says what is wrong
        table.prepare()
    return table


def fields_of(table: CsvTable, visit: AdminRequest) -> list[tuple[str, str]]:
    """What a column can mean, by its label."""
    fields = [
        (field, import_columns.label(table.kind, field, visit.say)) for field in csv_columns.COLUMNS[table.kind.name]
    ]
    return sorted(fields, key=lambda found: names.sort_key(found[1]))


def columns_of(table: CsvTable, options: JobOptions) -> list[tuple[str, str]]:
    """The headers of a table, each with the field that it is taken for."""
    by_place = {place: field for field, place in table.places.items()}
    named = enumerate(table.header)
    return [(header, by_place.get(number) or options.columns.get(header, "")) for number, header in named]
