"""The tool that shows what an import would do, from a text or an address. Nothing is stored."""

import tempfile
from contextlib import suppress
from pathlib import Path

from kalends.calendar.access import Caller, may_manage_site, require
from kalends.calendar.admission import FETCH, WORKER
from kalends.contract.errors import EMPTY, WRONG_FORMAT, FieldError, Problems
from kalends.contract.fields import Field
from kalends.contract.types import Type, short_text
from kalends.contract.types.scalars import Url
from kalends.features.assistants.model import Arguments, Assistant, Tool
from kalends.features.assistants.reading import read_arguments
from kalends.features.assistants.results import ALWAYS, LARGEST, Json, size_of
from kalends.features.assistants.schemas import input_schema, output_schema
from kalends.features.importing import jobs, rehearsal
from kalends.features.importing.applying.report import ACTIONS
from kalends.features.importing.job_rows import READY, ImportJob
from kalends.features.importing.jobs import JobOptions
from kalends.features.importing.records.record import SourceError
from kalends.store.files.media_files import refused

LONGEST_FILE = 4 * 1024 * 1024
LABEL = "the text"
SEPARATORS = (",", ";", "\t")
LINES = 10


class FileText(Type):
    """A whole file."""

    def read(self, value: object) -> str:
        return short_text(value, LONGEST_FILE)

    def schema(self) -> dict[str, object]:
        return {"type": "string"}


FIELDS = (
    Field("text", FileText(), "The file itself: iCalendar, a table (CSV), or an export in JSON or of WordPress."),
    Field("address", Url(), "Or where it is: a calendar file (.ics), or the site of another calendar."),
)
TEXTS = {"type": "array", "items": {"type": "string"}}
OUTCOME = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": [*ACTIONS]},
        "kind": {"type": "string"},
        "name": {"type": "string"},
        "where": {"type": "string"},
        "details": TEXTS,
    },
    "required": ["action", "kind", "name"],
}


def _allowed(caller: Caller) -> bool:
    return may_manage_site(caller) and not caller.read_only


def _run(assistant: Assistant, arguments: Arguments) -> Json:
    require(_allowed(assistant.caller), assistant.caller)
    reading = read_arguments(FIELDS, arguments)
    text, address = str(reading.values.get("text", "")), str(reading.values.get("address", ""))
    if not text.strip() and not address:
        reading.problems.add("text", FieldError(EMPTY, "or address must be given."))
    reading.problems.raise_any()
    if address:
        job = _job(assistant, jobs.kind_of_address(address), address, address)
        with WORKER.released(FETCH):
            return _preview(assistant, job)
    kind = jobs.kind_of("", text[:1000].encode()) or _table(text)
    path = _file(assistant, text)
    try:
        return _preview(assistant, _job(assistant, kind, LABEL, path))
    finally:
        with suppress(OSError):
            Path(path).unlink()


def _table(text: str) -> str:
    first = text.lstrip().split("\n", LINES)[:LINES]  # a title can stand above the headings
    if any(separator in line for line in first for separator in SEPARATORS):
        return "csv"
    problems = Problems()
    sentence = (
        "is no file that can be imported: send iCalendar, CSV with a first line of names, JSON or a WordPress export."
    )
    problems.add("text", FieldError(WRONG_FORMAT, sentence))
    raise problems.error()


def _file(assistant: Assistant, text: str) -> str:
    folder = jobs.folder_of(assistant.calendar)
    try:
        with tempfile.NamedTemporaryFile("w", dir=folder, encoding="utf-8", errors="replace", delete=False) as file:
            file.write(text)
    except OSError as error:
        raise refused("files to import", folder, error) from error
    return file.name


def _job(assistant: Assistant, kind: str, label: str, source: str) -> ImportJob:
    return ImportJob(0, assistant.caller.user, kind, label, source, "", READY, 0, 0, "", "", "")


def _preview(assistant: Assistant, job: ImportJob) -> Json:
    try:
        tried = rehearsal.preview(assistant.calendar, assistant.caller, job, JobOptions())
    except SourceError as error:
        problems = Problems()
        name = "address" if job.kind in (jobs.SITE, jobs.CALENDAR) else "text"
        problems.add(name, FieldError(WRONG_FORMAT, "cannot be imported: {reason}", reason=str(error.message)))
        raise problems.error() from None
    records: list[Json] = []
    result = assistant.base() | {"remarks": [str(remark)[:200] for remark in tried.remarks[:5]], "records": records}
    for one in tried.outcomes:
        shown: Json = {"action": one.action, "kind": one.kind, "name": one.name[:200], "where": str(one.where)[:100]}
        shown["details"] = [str(detail)[:200] for detail in one.details[:5]]
        if size_of(result | {"records": [*records, shown]}) > LARGEST:
            break
        records.append(shown)
    return result


PREVIEW_IMPORT = Tool(
    "preview_import",
    "Preview an import",
    "What would become of the first records of a calendar file, a table or another calendar if it were imported here."
    " Nothing is changed; the import itself is made in the admin, or with kalends import.",
    lambda: input_schema(FIELDS),
    lambda: output_schema(
        {**ALWAYS, "remarks": TEXTS, "records": {"type": "array", "items": OUTCOME}},
        [*ALWAYS, "remarks", "records"],
        {},
    ),
    _run,
    _allowed,
    leaves_site=True,
    advice={
        401: "Give the client of this server a token of an administrator of this calendar.",
        403: "Only administrators import. Create the events one by one with create_event instead.",
    },
)
