"""What an import would do: every record of a file, or the first ones of an address, without writing anything. What
somebody should look at comes first."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kalends.calendar.access import Caller, may_manage_site, require
from kalends.calendar.service import Calendar
from kalends.contract.kinds import EVENT
from kalends.features.importing.applying.report import RecordOutcome, Report, is_remarkable
from kalends.features.importing.job_rows import ImportJob
from kalends.features.importing.jobs import CALENDAR, NOBODY, SITE, JobOptions, SiteLogin, source_of
from kalends.features.importing.matching import likeness
from kalends.features.importing.matching.likeness import Alike, Former
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.unknown_choices import UnknownChoice
from kalends.features.importing.run import Import
from kalends.features.importing.sources.csv_table import CsvTable

FIRST = 8  # records without a problem that are shown, and all that are read of an address
FIRST_UNDERSTOOD = 40  # of those that a person should look at, since something does not stand there as it was taken
MOST_COMPARED = 2000


class RehearsedImport(NamedTuple):
    """What an import recognises and would do. `total`: events, or records of a table of others; None of an address,
    of which only the first are read. `gone`: what the file had before and has no more."""

    remarks: Sequence[str] = ()
    outcomes: Sequence[RecordOutcome] = ()  # those with a problem first
    total: int | None = None
    problems: int = 0
    counts: Mapping[str, int] = {}  # of those by what would become of them
    alike: Sequence[Alike] = ()
    gone: Sequence[Former] = ()
    choices: Sequence[UnknownChoice] = ()  # words that are no choices of their custom field


class _Watched:
    """What a rehearsal keeps of its outcomes."""

    def __init__(self) -> None:
        self.first: list[RecordOutcome] = []
        self.understood: list[RecordOutcome] = []
        self.created: list[RecordOutcome] = []

    def __call__(self, outcome: RecordOutcome) -> None:
        if not is_remarkable(outcome):
            shown, most = (self.understood, FIRST_UNDERSTOOD) if outcome.understood else (self.first, FIRST)
            if len(shown) < most:
                shown.append(outcome)
        if outcome.kind == EVENT.name and len(self.created) < MOST_COMPARED:
            self.created.append(outcome)


def preview(
    calendar: Calendar, caller: Caller, job: ImportJob, options: JobOptions, login: SiteLogin = NOBODY
) -> RehearsedImport:
    """Tries an import. Raises SourceError."""
    require(may_manage_site(caller), caller)
    warnings, watched = list[ImportMessage](), _Watched()
    source = source_of(calendar, job, options, login, warnings.append, hurried=True)
    source.prepare()
    is_whole = not is_remote(job)
    dry = replace(options.applying, dry_run=True)
    importer = Import(calendar, caller, dry, watch=watched, with_images=False)
    report = importer.run(source, most=None if is_whole else FIRST)
    counts = counts_of(report)
    found = RehearsedImport(
        remarks=[*warnings, *source.remarks, *report.losses.messages()],
        outcomes=[*report.remarkable, *watched.understood, *watched.first],
        total=sum(counts.values()) if is_whole else None,
        problems=len(report.remarkable) + report.omitted,
        counts=counts,
        choices=source.unknown_choices if isinstance(source, CsvTable) else (),
    )
    if not is_whole:
        return found
    gone = calendar.read(caller, likeness.no_longer_there, source.name, importer.seen)
    same = likeness.alike(watched.created, gone)
    used = {one.former.id for one in same}
    return found._replace(alike=same, gone=[one for one in gone if one.id not in used])


def counts_of(report: Report) -> dict[str, int]:
    """How many records a file has, by what becomes of them: its events, unless it has none."""
    events = {action: count for (action, kind), count in report.counts.items() if kind == EVENT.name and count}
    if events:
        return events
    found: dict[str, int] = {}
    for (action, _), count in report.counts.items():
        found[action] = found.get(action, 0) + count
    return found


def is_remote(job: ImportJob) -> bool:
    return job.kind in (SITE, CALENDAR)
