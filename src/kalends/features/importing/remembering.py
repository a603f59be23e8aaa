"""What somebody has chosen for a table, for the next one with the same columns."""

from contextlib import suppress
from pathlib import Path

from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.features.importing import jobs
from kalends.features.importing.job_rows import DONE, ImportJob
from kalends.features.importing.jobs import JobOptions
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.csv_table import CsvTable

LATEST = 50  # imports that are looked at


def options_for(calendar: Calendar, caller: Caller, job: ImportJob) -> tuple[JobOptions, str]:
    """What was chosen for the last table with these columns, and what that was called."""
    if job.kind != "csv":
        return JobOptions(), ""
    header = {*map(str, table_of(calendar, job, JobOptions()).columns.values())}
    for other in jobs.latest(calendar, caller, LATEST):
        chosen = jobs.options_of(other)
        if other.id != job.id and other.state == DONE and chosen.columns and {*chosen.columns} == header:
            kept = JobOptions(
                columns=chosen.columns, as_drafts=chosen.as_drafts, dates=chosen.dates, choices=chosen.choices
            )
            return kept, other.label
    return JobOptions(), ""


def table_of(calendar: Calendar, job: ImportJob, options: JobOptions) -> CsvTable:
    """A table as far as it can be read: its header, and what its columns are taken for."""
    settings, place = calendar.settings, Path(job.place)
    table = CsvTable(
        place,
        settings.timezone,
        options.columns,
        options.dates,
        job.label,
        defined=settings.custom_fields,
        chosen=options.table,
    )
    with suppress(SourceError):  # the preview says what is wrong
        table.read_header()
    return table
