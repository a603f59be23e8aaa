"""The page of an import: what its preview, its progress and its report tell, in the language of the reader."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from kalends.admin.record_names import NAMES
from kalends.contract.kinds import EVENT
from kalends.features.exporting import csv_columns
from kalends.features.importing import jobs
from kalends.features.importing.admin.column_labels import column_label
from kalends.features.importing.applying.report import (
    CONFLICT,
    CREATED,
    DELETED,
    SKIPPED,
    UNCHANGED,
    UPDATED,
    RecordOutcome,
    is_remarkable,
)
from kalends.features.importing.brought import PREFIX
from kalends.features.importing.job_rows import FAILED, PREVIEWING, RUNNING, ImportJob
from kalends.features.importing.jobs import JobOptions
from kalends.features.importing.matching.likeness import Former
from kalends.features.importing.previews import Previewed
from kalends.features.importing.records import cells, messages
from kalends.features.importing.records.unknown_choices import ADD
from kalends.features.importing.rehearsal import RehearsedImport, is_remote
from kalends.features.importing.run_rows import UNDOING, UNDONE, ImportRun
from kalends.features.importing.sources import csv_header
from kalends.features.importing.sources.csv_table import NO_YEARS, YEARS, CsvTable
from kalends.features.importing.sources.written_dates import DAY_FIRST, MONTH_FIRST
from kalends.languages import N_, translate
from kalends.site import times
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
ADD_CHOICE = N_("Add it as a new choice")
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
FILE_IS_READ = N_("The file is being read")
SHOWN = 50  # problems, and events that are not in the file any more


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
    runs: Sequence[ImportRun] = ()  # that changed something, newest first
    same: Mapping[str, str] | None = None  # what a person has said to be the same; None until then
    drafts: int = 0  # of its events
    remembered: str = ""  # the import that columns and choices are from

    @property
    def undo(self) -> ImportRun | None:
        """The run that can be undone: the last one that is not undone yet."""
        return next((run for run in self.runs if not run.state), None)

    @property
    def undone(self) -> ImportRun | None:
        """The last run, if it was undone, or is just now."""
        return self.runs[0] if self.runs and self.runs[0].state else None

    @property
    def state_name(self) -> str:
        is_file = self.state == PREVIEWING and not is_remote(self.job)
        return FILE_IS_READ if is_file else STATES[self.state]

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
    def tried(self) -> RehearsedImport:
        return self.preview.tried if self.preview else RehearsedImport()

    @property
    def remarks(self) -> list[str]:
        return [self.say(remark) for remark in self.tried.remarks]

    @property
    def problems(self) -> list[dict[str, object]]:
        """The records that somebody should look at: what they are called, where they stand, and why."""
        return [self._line(outcome) for outcome in self.tried.outcomes if is_remarkable(outcome)][:SHOWN]

    @property
    def outcomes(self) -> list[dict[str, object]]:
        """The first of the others."""
        return [self._line(outcome) for outcome in self.tried.outcomes if not is_remarkable(outcome)]

    def _line(self, outcome: RecordOutcome) -> dict[str, object]:
        return {
            "name": outcome.name if outcome.name != outcome.where else "",
            "where": self.say(outcome.where),
            "action": outcome.action,
            "details": [self.say(detail) for detail in outcome.details],
            "kind_name": translate(NAMES[outcome.kind], self.language) if outcome.kind != EVENT.name else "",
            "start": start_of(outcome.start, self.language, is_day=outcome.all_day),
            "place": outcome.venue,
            "wrong": self._wrong(outcome),
            "understood": [self.say(one) for one in outcome.understood],
        }

    def _wrong(self, outcome: RecordOutcome) -> list[tuple[str, str, str]]:
        """The cells of a row that can be mended on the page: what each is called, its heading, its text."""
        found = cells.wrong_cells(outcome.details) if self.job.kind == "csv" else []
        return [(one.place, self.say(one.column), one.text) for one in found]

    @property
    def mended(self) -> list[tuple[str, str]]:
        """The cells that were mended, and are not wrong again."""
        wrong = {place for line in self.problems for place, *_ in self._listed(line["wrong"])}
        return [(place, text) for place, text in self.options.mended.items() if place not in wrong]

    @staticmethod
    def _listed(wrong: object) -> list[tuple[str, str, str]]:
        return wrong if isinstance(wrong, list) else []

    @property
    def has_wrong_cells(self) -> bool:
        return any(line["wrong"] for line in self.problems)

    @property
    def asks_for_year(self) -> bool:
        """Whether some dates of the table have none."""
        told = (remark.sentence for remark in self.tried.remarks if isinstance(remark, messages.ImportMessage))
        return bool(self.options.year) or any(sentence in (YEARS, NO_YEARS) for sentence in told)

    @property
    def sheets(self) -> list[tuple[str, str]]:
        """Those of a spreadsheet that has several."""
        found = self.table.sheets if self.table else ()
        return [(name, name) for name in found] if len(found) > 1 else []

    @property
    def alike(self) -> list[dict[str, object]]:
        """New events that may be some of those that were imported before."""
        return [
            {
                "value": msgspec.json.encode([one.external_id, one.former.external_id]).decode(),
                "name": one.name,
                "start": start_of(one.start, self.language),
                "former": one.former,
                "former_start": start_of(one.former.start, self.language),
                "is_chosen": one.is_sure if self.same is None else one.external_id in self.same,
            }
            for one in self.tried.alike
        ]

    @property
    def unknown_choices(self) -> list[dict[str, object]]:
        """Words of the table that are no choices of their custom field: each can be added, or mean another."""
        by_key = {field.key: field for field in self.table.defined} if self.table else {}
        return [
            {
                "one": one,
                "meanings": [
                    (ADD, translate(ADD_CHOICE, self.language)),
                    *((option, option) for option in by_key[one.key].options),
                ],
                "chosen": self.options.choices.get(one.key, {}).get(one.word, ""),
            }
            for one in self.tried.choices
            if one.key in by_key
        ]

    @property
    def gone(self) -> list[tuple[str, str, str]]:
        """What was imported before and is not in the file any more: address, name and start."""
        return [self._former(one) for one in self.tried.gone[:SHOWN]]

    @property
    def gone_in_report(self) -> list[tuple[str, str, str]]:
        """The same of what was imported."""
        return [self._former(Former(**one)) for one in (self.report or {}).get("gone", ())[:SHOWN]]

    def _former(self, one: Former) -> tuple[str, str, str]:
        return f"/admin/events/{one.id}", one.name, start_of(one.start, self.language)

    @property
    def has_events(self) -> bool:
        """Whether something of it is there."""
        return bool(self.undo)

    @property
    def events_path(self) -> str:
        """Its events in the table."""
        return f"/admin/events?of={PREFIX}{self.job.id}&when=all"

    @property
    def drafts_path(self) -> str:
        return f"{self.events_path}&status=draft"

    @property
    def rows_path(self) -> str:
        """Where the rows with a problem are, as a table; empty of what is no table."""
        return f"{PATH}/{self.job.id}/rows" if self.job.kind == "csv" else ""

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
    def columns(self) -> list[dict[str, str]]:
        """The columns of a table, each with the field that it is taken for; and its first values if nothing tells
        what it is."""
        if self.table is None:
            return []
        by_place = {place: field for field, place in self.table.places.items()}
        found = []
        for place, name in self.table.columns.items():
            chosen = by_place.get(place) or self.options.columns.get(name, "")
            sample = "" if chosen else self.table.samples.get(place, "")
            found.append({"name": str(name), "label": self.say(name), "chosen": chosen, "samples": sample})
        return found

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


def start_of(written: str, language: str, *, is_day: bool = False) -> str:
    """When an event of the source begins, as it was understood; else as it is written there."""
    try:
        found = dates.read(written)
    except dates.NotADate:
        return written
    if not isinstance(found, dates.Wall):
        return written
    has_time = found.has_time and not is_day
    return times.moment(dates.text(found.at), language) if has_time else times.day(found.at.date(), language)


def said(text: str, language: str) -> str:
    """A text in the language of the reader if it is a sentence of the catalogs; hints for the command line go."""
    return str(messages.in_language(text, lambda sentence: COMMAND_LINE.sub("", translate(sentence, language))))


def stored_report(written: str) -> dict[str, Any]:
    """The report of a job as it is stored."""
    found: dict[str, Any] = msgspec.json.decode(written) if written else {}
    return found


def report_of(job: ImportJob, language: str) -> dict[str, Any] | None:
    """The report of a job in the language of the reader."""
    if not job.report:
        return None

    def read(stored: object) -> str:
        return said(messages.from_json(stored), language)

    report = stored_report(job.report)
    if "counts" not in report:  # there is only a preview
        return None
    report["problem"] = read(report["problem"]) if report.get("problem") else ""
    report["remarks"] = [read(remark) for remark in report["remarks"]]
    for record in report["records"]:
        is_nameless = record["name"] == messages.from_json(record["where"])
        record["where"] = read(record["where"])
        record["name"] = "" if is_nameless else record["name"]
        record["details"] = [read(detail) for detail in record["details"]]
    return report
