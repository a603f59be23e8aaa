"""The rows of a table that have a problem, as a table to be mended and imported again."""

import csv
import io
from collections.abc import Iterable, Mapping

from kalends.admin.request import AdminRequest
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.features.exporting.csv_export import quoted
from kalends.features.importing import previews
from kalends.features.importing.admin import import_job, import_page
from kalends.features.importing.applying.report import RecordOutcome, is_remarkable
from kalends.features.importing.job_rows import DONE, FAILED
from kalends.features.importing.jobs import options_of
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import SourceError
from kalends.languages import N_

PROBLEM = N_("Problem")


def show_rows(request: AdminRequest, id: int) -> None:
    """The rows as they stand in the file, each with what is wrong with it. Spreadsheets know its encoding by the
    mark at the beginning."""
    job = import_job.job_of(request, id)
    if job.kind != "csv":
        raise ApiError(NO_ROUTE)
    if job.state in (DONE, FAILED):
        messages = messages_of_report(request, job.report)
    else:
        preview = previews.found(job) or previews.made(request.calendar, request.caller, job, options_of(job))
        messages = by_row(filter(is_remarkable, preview.tried.outcomes), request.language)
    table = import_job.table_of(request, job, options_of(job))
    text = io.StringIO()
    text.write("\ufeff")
    writer = csv.writer(text, delimiter=table.separator)
    writer.writerow([*map(quoted, table.header), request.say(PROBLEM)])
    try:
        for number, row in table.numbered_rows():
            if number in messages:
                filled = [*row, *[""] * (len(table.header) - len(row))]
                writer.writerow([*map(quoted, filled), quoted(messages[number])])
    except SourceError as gone:
        raise ApiError(NO_ROUTE) from gone
    request.resp.content_type = "text/csv; charset=UTF-8"
    request.resp.set_header("Content-Disposition", f'attachment; filename="import-{job.id}-problems.csv"')
    request.resp.data = text.getvalue().encode()


def messages_of_report(request: AdminRequest, report: str) -> Mapping[int, str]:
    stored = import_page.stored_report(report)
    found = [previews.outcome_of(one) for one in stored.get("records", ())]
    return by_row(found, request.language)


def by_row(outcomes: Iterable[RecordOutcome], language: str) -> Mapping[int, str]:
    """What is said of rows, by their numbers."""
    found = dict[int, list[str]]()
    for outcome in outcomes:
        number = outcome.where.arguments.get("row") if isinstance(outcome.where, ImportMessage) else None
        if number is not None:
            details = [import_page.said(detail, language) for detail in outcome.details]
            found.setdefault(int(str(number)), []).extend(details)
    return {number: "; ".join(dict.fromkeys(details)) for number, details in found.items()}
