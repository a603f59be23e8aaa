"""One import in the admin: its preview, progress that survives a reload, its report."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import falcon
import msgspec

from kalends.admin.record_names import NAMES
from kalends.admin.request import AdminRequest
from kalends.calendar.background.background import LEASE
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.contract.kinds import EVENT, VENUE, Kind
from kalends.features.exporting import csv_columns
from kalends.features.importing import jobs, previews
from kalends.features.importing.applying.report import (
    CONFLICT,
    CREATED,
    DELETED,
    SKIPPED,
    UNCHANGED,
    UPDATED,
)
from kalends.features.importing.job_rows import FAILED, PREVIEWING, READY, RUNNING, ImportJob, is_interrupted
from kalends.features.importing.jobs import JobOptions, Login
from kalends.features.importing.previews import Previewed
from kalends.features.importing.records import messages
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources import csv_header
from kalends.features.importing.sources.csv_dates import DAY_FIRST, MONTH_FIRST
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.undo import undoing
from kalends.features.importing.undo.change_rows import UNDOING, UNDONE, Entry
from kalends.languages import N_, translate
from kalends.site import times
from kalends.site.forms.form import Form
from kalends.values import dates, names

PATH = "/admin/import"
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
NEW_FIELD = N_("A new custom field")
INTERRUPTED = "interrupted"
UNDER_WAY = N_("It is under way already. If its server has just ended, try again in {seconds} seconds.")
STATES = {
    "ready": N_("Not started yet"),
    "running": N_("Running"),
    PREVIEWING: N_("The address is being read"),
    "done": N_("Done"),
    "failed": N_("Failed"),
    INTERRUPTED: N_("Interrupted"),
    UNDOING: N_("Is being undone"),
    UNDONE: N_("Undone"),
}
# Columns of a table that are no fields by themselves.
COLUMN_LABELS = {
    "currency_code": N_("Currency"),
    "currency_symbol": N_("Currency"),
    "end_time": N_("End time"),
    "private": N_("Private"),
    "start_time": N_("Start time"),
}
# Of the venue of an event.
OF_VENUE = {
    "venue_address": "address",
    "venue_city": "city",
    "venue_country": "country",
    "venue_state": "stateprovince",
    "venue_zip": "zip",
}


@dataclass(frozen=True, slots=True)
class ImportPage:
    template: ClassVar[str] = "features/importing/admin/import_job.html"
    ACTIONS: ClassVar = ACTIONS

    job: ImportJob
    state: str
    options: JobOptions
    preview: Previewed | None  # None where nothing is read once more
    table: CsvTable | None  # of a table, as far as it can be read
    language: str
    runs: Sequence[Entry] = ()  # that changed something, newest first

    @property
    def undo(self) -> Entry | None:
        """The run that can be undone: the last one that is not undone yet."""
        return next((run for run in self.runs if not run.state), None)

    @property
    def undone(self) -> Entry | None:
        """The last run, if it was undone, or is just now."""
        return self.runs[0] if self.runs and self.runs[0].state else None

    @property
    def state_name(self) -> str:
        return STATES[self.state]

    @property
    def is_running(self) -> bool:
        return self.state in (RUNNING, PREVIEWING)

    @property
    def is_counted(self) -> bool:
        """Whether it is known how many records are done."""
        return self.state == RUNNING

    @property
    def is_interrupted(self) -> bool:
        return self.state == INTERRUPTED

    @property
    def is_readable(self) -> bool:
        return self.state != FAILED if self.preview is None else not self.preview.problem

    @property
    def problem(self) -> str:
        return self.say(self.preview.problem) if self.preview else ""

    @property
    def remarks(self) -> list[str]:
        return [self.say(remark) for remark in self.preview.remarks] if self.preview else []

    @property
    def outcomes(self) -> list[dict[str, object]]:
        """The first records: their names, where they stand, and what would happen."""
        return [
            {
                "name": outcome.name,
                "where": self.say(outcome.where),
                "action": outcome.action,
                "details": [self.say(detail) for detail in outcome.details],
                "kind_name": translate(NAMES[outcome.kind], self.language) if outcome.kind != EVENT.name else "",
                "start": start_of(outcome.start, self.language),
                "place": outcome.venue,
            }
            for outcome in (self.preview.outcomes if self.preview else ())
        ]

    @property
    def report(self) -> dict[str, Any] | None:
        return report_of(self.job, self.language)

    @property
    def has_login(self) -> bool:
        return self.job.kind == jobs.SITE

    @property
    def login(self) -> str:
        """The user name that was written for the preview, so that only the password has to be written again."""
        return self.preview.login if self.preview else ""

    @property
    def login_warning(self) -> str:
        return self.say(jobs.login_warning(self.job) or "")

    @property
    def columns(self) -> list[tuple[str, str]]:
        """The headers of a table, each with the field that it is taken for."""
        if self.table is None:
            return []
        by_place = {place: field for field, place in self.table.places.items()}
        named = enumerate(self.table.header)
        return [(header, by_place.get(number) or self.options.columns.get(header, "")) for number, header in named]

    @property
    def fields(self) -> list[tuple[str, str]]:
        """What a column of the table can mean, by its label."""
        if self.table is None:
            return []
        kind = self.table.kind
        fields = [(field, column_label(kind, field, self.language)) for field in csv_columns.COLUMNS[kind.name]]
        fields += [(field.key, field.label) for field in self.table.defined if kind is EVENT]
        new = [(csv_header.CUSTOM, translate(NEW_FIELD, self.language))] if kind is EVENT else []
        return new + sorted(fields, key=lambda found: names.sort_key(found[1]))

    @property
    def date_orders(self) -> list[tuple[str, str]]:
        return [(order, translate(sentence, self.language)) for order, sentence in DATE_ORDERS.items()]

    def say(self, text: str) -> str:
        return said(text, self.language)


def start_of(written: str, language: str) -> str:
    """When an event of the source begins, as it was understood; else as it is written there."""
    try:
        found = dates.read(written)
    except dates.NotADate:
        return written
    if not isinstance(found, dates.Wall):
        return written
    return times.moment(dates.text(found.at), language) if found.has_time else times.day(found.at.date(), language)


def said(text: str, language: str) -> str:
    """A text in the language of the reader if it is a sentence of the catalogs; hints for the command line go."""
    return str(messages.in_language(text, lambda sentence: COMMAND_LINE.sub("", translate(sentence, language))))


def report_of(job: ImportJob, language: str) -> dict[str, Any] | None:
    """The report of a job in the language of the reader."""
    if not job.report:
        return None

    def read(stored: object) -> str:
        return said(messages.from_json(stored), language)

    report: dict[str, Any] = msgspec.json.decode(job.report)
    if "counts" not in report:  # there is only a preview
        return None
    report["problem"] = read(report["problem"]) if report.get("problem") else ""
    report["remarks"] = [read(remark) for remark in report["remarks"]]
    for record in report["records"]:
        record["where"] = read(record["where"])
        record["details"] = [read(detail) for detail in record["details"]]
    return report


def column_label(kind: Kind, name: str, language: str) -> str:
    """What a column is called; by its own name where that is for programs."""
    if kind is EVENT and name in OF_VENUE:
        venue, part = EVENT.field("venue").label, VENUE.field(OF_VENUE[name]).label
        return f"{translate(venue, language)}: {translate(part, language)}"
    labels = COLUMN_LABELS | {field.name: field.label for field in kind.fields}
    return translate(labels[name], language) if name in labels else name


def show_import(request: AdminRequest, id: int) -> None:
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
        dates=form.text("dates") if form.text("dates") in DATE_ORDERS else "",
    )
    login = Login(form.text("login"), form.text("login_password")) if form.text("login") else jobs.NOBODY
    if form.text("do") == "start":
        if not jobs.start(request.calendar, request.caller, job, options, login):
            request.go(f"{PATH}/{job.id}", UNDER_WAY, kind="problem", seconds=round(LEASE.total_seconds()))
            return
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
    shown = ImportPage(job, state_of(request, job), options, preview, table, request.language, runs)
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
    settings, place = request.settings, Path(job.place)
    table = CsvTable(
        place, settings.timezone, options.columns, options.dates, job.label, defined=settings.custom_fields
    )
    with suppress(SourceError):  # the preview says what is wrong
        table.read_header()
    return table
