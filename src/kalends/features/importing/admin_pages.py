"""Imports as the admin shows them: those of late, and one with its preview, its progress or its report."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import msgspec

from kalends.admin.record_names import NAMES
from kalends.contract.kinds import EVENT, VENUE, Kind
from kalends.features.exporting import csv_columns
from kalends.features.importing import jobs
from kalends.features.importing.applying.report import (
    CONFLICT,
    CREATED,
    DELETED,
    SKIPPED,
    UNCHANGED,
    UPDATED,
)
from kalends.features.importing.job_rows import DONE, FAILED, PREVIEWING, RUNNING, ImportJob
from kalends.features.importing.jobs import JobOptions
from kalends.features.importing.previews import Previewed
from kalends.features.importing.records import messages
from kalends.features.importing.sources import csv_header
from kalends.features.importing.sources.csv_dates import DAY_FIRST, MONTH_FIRST
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.undo.change_rows import UNDOING, UNDONE, Entry
from kalends.languages import N_, translate
from kalends.site import times
from kalends.values import dates, names

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
BY_COMMAND = N_("Done on the command line")
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


class ImportRow(NamedTuple):
    """An import in the list of those of late. `undo`: the number of the run that can be undone, or 0."""

    label: str
    path: str
    state: str
    at: str
    undo: int


def job_row(job: ImportJob, state: str, runs: Sequence[Entry]) -> ImportRow:
    """One of the admin, with its runs."""
    is_undone = bool(runs) and runs[0].state and state == DONE
    undoable = next((run.id for run in runs if not run.state), 0) if state in (DONE, FAILED, INTERRUPTED) else 0
    name = STATES[runs[0].state if is_undone else state]
    return ImportRow(job.label, f"/admin/import/{job.id}", name, job.created_utc, undoable)


def entry_row(entry: Entry) -> ImportRow:
    """One that was made by a command."""
    state = STATES[entry.state] if entry.state else BY_COMMAND
    path = f"/admin/import/undo/{entry.id}"
    return ImportRow(entry.label, path, state, entry.began_utc, 0 if entry.state else entry.id)


@dataclass(frozen=True, slots=True)
class ImportsPage:
    template: ClassVar[str] = "features/importing/import.html"

    rows: Sequence[ImportRow]


@dataclass(frozen=True, slots=True)
class ImportPage:
    template: ClassVar[str] = "features/importing/import_job.html"
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
                "place": outcome.place,
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
