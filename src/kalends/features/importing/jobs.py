"""Imports that run in the background of the service: prepared, previewed, started, watched."""

import logging
import os
import shutil
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import msgspec

from kalends.calendar.access import Caller, may_manage_site, require, require_to_read
from kalends.calendar.background.task_kinds import Done, Run, TaskKind
from kalends.calendar.service import Calendar
from kalends.contract.errors import ApiError, ErrorType
from kalends.contract.fields import read_update
from kalends.features.custom_fields import rules as custom_fields
from kalends.features.custom_fields.contract import DEFINITION_FIELDS
from kalends.features.importing import job_rows as import_jobs
from kalends.features.importing.applying import images
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.applying.report import Report
from kalends.features.importing.job_rows import DONE, FAILED, RUNNING, STALE, ImportJob
from kalends.features.importing.matching import likeness
from kalends.features.importing.records.messages import ImportMessage, to_json
from kalends.features.importing.records.record import ImportSource, SourceError
from kalends.features.importing.records.unknown_choices import Meanings, added
from kalends.features.importing.run import Import
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsAddress, IcsFile, is_calendar
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.sources.site import RemoteSite
from kalends.features.importing.sources.spreadsheet_parts import MIME_TYPE
from kalends.features.importing.sources.table_rows import TableChoices
from kalends.features.importing.sources.web_addresses import unencrypted
from kalends.features.importing.sources.web_client import WebClient
from kalends.features.importing.sources.wxr import WxrFile
from kalends.languages import N_
from kalends.store.files.media_files import refused
from kalends.store.rows import tasks
from kalends.values import dates

KIND_OF_NAME = {".ics": "ics", ".json": "json", ".zip": "json", ".xml": "wxr"}
KIND_OF_NAME |= dict.fromkeys((".csv", ".tsv", ".txt"), "csv")
SPREADSHEETS = (
    ".xlsx",
    ".xlsm",
    ".xls",
    ".xlsb",
    ".ods",
)  # archives, as exports are; what reads tables tells them apart
SPREADSHEET_PARTS = (b"[Content_Types].xml", MIME_TYPE.encode())  # by which one without such a name is known
SITE = "site"
CALENDAR = "calendar"  # the address of a calendar file
PAST_MONTHS = 12  # of occurrences of a rule that no series can have
KIND = "import"  # of work for later
MOST_GONE = 1000  # events in a report that are no longer in the file
RETENTION = timedelta(days=30)  # the file of an import
FAILED_SENTENCE = N_("the import failed; the log of the server says why")
GONE = N_("{file} is no longer on this server; choose it again")
# Imports and previews of addresses that are under way at a time, on all nodes: each has a thread, and writes.
MOST_OF_ONE, MOST_OF_ALL = 3, 8
# No operation of the interface imports, so its table of errors has none of this.
TOO_MANY_IMPORTS = ErrorType(
    "too_many_imports",
    429,
    N_("Too many imports are under way: at most {of_one} of one person, {of_all} in all. Wait until one has ended."),
)

Warn = Callable[[ImportMessage], None]

log = logging.getLogger("kalends")


class JobOptions(msgspec.Struct, frozen=True):
    """What a person chose for an import."""

    columns: Mapping[str, str] = {}  # of a table: header → field
    theirs: bool = False
    keep_ids: bool = False
    as_drafts: bool = False
    with_images: bool = True
    source: str = ""
    dates: str = ""  # of a table: the order of day and month, if it is not to be recognised
    same: Mapping[str, str] = {}  # events of the file that are those of before, by their ids there
    choices: Meanings = {}  # of a table: what words mean that are no choices of their custom field
    sheet: str = ""  # of a spreadsheet, if not the first one
    year: int = 0  # of dates of a table without one
    mended: Mapping[str, str] = {}  # of a table: what is meant by cells, by what they are called

    @property
    def applying(self) -> ImportOptions:
        return ImportOptions(theirs=self.theirs, keep_ids=self.keep_ids, as_drafts=self.as_drafts, same=self.same)

    @property
    def table(self) -> TableChoices:
        return TableChoices(self.sheet, self.year, self.mended)


class SiteLogin(NamedTuple):
    """A user of the site that is imported. The password is never stored: a person writes it for each run."""

    name: str = ""
    password: str = ""


NOBODY = SiteLogin()


def folder_of(calendar: Calendar) -> Path:
    """Where files of imports are, those that arrive among them."""
    folder = calendar.settings.data / "imports"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise refused("files to import", folder, error) from error
    return folder


def store_file(calendar: Calendar, kind: str, file: Path) -> Path:
    """Keeps the file of an import, which may be repeated for a while, under a name that stays when `file` is gone;
    and removes those that are older."""
    folder = folder_of(calendar)
    for old in folder.iterdir():
        with suppress(FileNotFoundError):  # another worker was quicker
            if datetime.fromtimestamp(old.stat().st_mtime, UTC).replace(tzinfo=None) < calendar.clock() - RETENTION:
                old.unlink()
    path = folder / f"{uuid.uuid4()}.{kind}"
    try:
        os.link(file, path)
    except OSError:  # a file system without such names
        _copy(file, path)
    return path


def _copy(file: Path, path: Path) -> None:
    try:
        shutil.copyfile(file, path)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise refused("files to import", path.parent, error) from error


def kind_of(name: str, head: bytes) -> str | None:
    """The kind of a file, by its content and else by its name: what reads that kind says what is wrong with it."""
    extension = Path(name).suffix.lower()
    if extension in SPREADSHEETS or (head[:2] == b"PK" and any(part in head for part in SPREADSHEET_PARTS)):
        return "csv"
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:15].upper() == b"BEGIN:VCALENDAR":
        return "ics"
    if start[:2] == b"PK" or start[:1] == b"{":
        return "json"
    if start[:5] == b"<?xml" or start[:4] == b"<rss":
        return "wxr"
    return KIND_OF_NAME.get(extension)


def kind_of_address(address: str) -> str:
    return CALENDAR if is_calendar(address) else SITE


def source_of(
    calendar: Calendar, job: ImportJob, options: JobOptions, login: SiteLogin, warn: Warn, *, hurried: bool = False
) -> ImportSource:
    """`hurried`: a person waits for it, so a site that does not answer is not waited for."""
    zone = calendar.settings.timezone
    path = Path(job.place)
    if job.kind not in (SITE, CALENDAR) and not path.exists():
        raise SourceError(GONE, file=job.label)
    if job.kind == SITE:
        client = WebClient(*login, allow_private=False, warn=warn, hurried=hurried)
        return RemoteSite(job.place, client, zone, options.source)
    if job.kind == CALENDAR:
        client = WebClient("", "", allow_private=False, hurried=hurried)
        return IcsAddress(job.place, client, zone, *window(calendar), options.source)
    if job.kind == "wxr":
        return WxrFile(path, zone, options.source, job.label)
    if job.kind == "csv":
        defined = calendar.settings.custom_fields
        name = options.source or job.label
        return CsvTable(
            path, zone, options.columns, options.dates, name, job.label, defined, options.choices, options.table
        )
    if job.kind == "ics":
        return IcsFile(path, zone, *window(calendar), options.source or job.label, job.label)
    return KalendsJson(path, options.source, job.label)


def window(calendar: Calendar) -> tuple[datetime, datetime]:
    """Of which time occurrences are imported one by one, where their rule can have no series."""
    now = calendar.clock()
    return dates.months_later(now, -PAST_MONTHS), dates.months_later(now, calendar.settings.recurrence_months)


def options_of(job: ImportJob) -> JobOptions:
    return msgspec.json.decode(job.options, type=JobOptions) if job.options else JobOptions()


def add(calendar: Calendar, caller: Caller, kind: str, label: str, source: str) -> int:
    """Prepares an import from a file or an address; the number of its job."""
    require(may_manage_site(caller), caller)
    with calendar.store.write() as session:
        return import_jobs.add(session, caller.user, kind, label, source, "", dates.text(calendar.clock()))


def find(calendar: Calendar, caller: Caller, id: int) -> ImportJob | None:
    require_to_read(may_manage_site(caller), caller)
    with calendar.store.read() as session:
        return import_jobs.find(session, id)


def latest(calendar: Calendar, caller: Caller, most: int) -> list[ImportJob]:
    require_to_read(may_manage_site(caller), caller)
    with calendar.store.read() as session:
        return import_jobs.latest(session, most)


def keep_options(calendar: Calendar, caller: Caller, job: ImportJob, options: JobOptions) -> None:
    """Notes what a person has chosen, for the next look at the job."""
    require(may_manage_site(caller), caller)
    with calendar.store.write() as session:
        import_jobs.set_options(session, job.id, msgspec.json.encode(options).decode())


def login_warning(job: ImportJob) -> ImportMessage | None:
    """What a person should know before writing a login for a site."""
    return unencrypted(job.place) if job.kind == SITE else None


def start(calendar: Calendar, caller: Caller, job: ImportJob, options: JobOptions, login: SiteLogin = NOBODY) -> bool:
    """Runs a job in the background; False if it runs already. This process runs it, as it has the login."""
    require(may_manage_site(caller), caller)
    if not hold(calendar, KIND, job, options, RUNNING):
        return False
    calendar.background.begin(KIND, str(job.id), _Run(calendar, caller, job, options, login))
    return True


def hold(calendar: Calendar, kind: str, job: ImportJob, options: JobOptions, state: str) -> bool:
    """Marks a job as under way in this process; False if it is already. Raises ApiError when too many are."""
    now, key = calendar.clock(), str(job.id)
    encoded, stale = msgspec.json.encode(options).decode(), dates.text(now - STALE)
    with calendar.store.write() as session:
        others = [user for id, user in import_jobs.under_way(session, stale) if id != job.id]
        if len(others) >= MOST_OF_ALL or others.count(job.user) >= MOST_OF_ONE:
            raise ApiError(TOO_MANY_IMPORTS, of_one=MOST_OF_ONE, of_all=MOST_OF_ALL)
        if not calendar.background.hold(session, kind, key):
            return False
        is_held = import_jobs.start(session, job.id, encoded, dates.text(now), stale, state)
        if not is_held:
            tasks.remove(session, kind, key)
    return is_held


def interrupted(calendar: Calendar, kind: str, label: str) -> TaskKind:
    """What another process does about a job whose process was killed: nobody else has its login, so a person is told
    and starts it again, and it goes on where it was."""

    def run(run: Run) -> Done:
        before = dates.text(calendar.clock() - STALE - timedelta(seconds=1))
        return Done(also=lambda session: import_jobs.interrupt(session, int(run.task.key), before))

    return TaskKind(kind, label, run, longest=0.0)


@dataclass
class _Run:
    """One run of a job."""

    _calendar: Calendar
    _caller: Caller
    _job: ImportJob
    _options: JobOptions
    _login: SiteLogin
    _done: int = 0
    _total: int = 0
    _report: Report = field(default_factory=Report)
    _gone: Sequence[Mapping[str, object]] = ()  # what the file had before and has no more
    _gone_count: int = 0

    def __call__(self, run: Run) -> Done:
        problem = None
        # A slow site or many images can take minutes between two batches.
        run.on_renewal = self._renew
        try:
            self._import()
        except SourceError as error:
            problem = to_json(error.message)
        except Exception:
            log.exception("the import %d failed", self._job.id)
            problem = to_json(ImportMessage(FAILED_SENTENCE))
        state, result = (FAILED if problem else DONE), self._report.as_json(to_json) | {"problem": problem}
        result |= {"gone": self._gone, "gone_count": self._gone_count}
        encoded = msgspec.json.encode(result).decode()
        at = dates.text(self._calendar.clock())
        return Done(also=lambda session: import_jobs.finish(session, self._job.id, state, encoded, at))

    def _import(self) -> None:
        warnings = list[ImportMessage]()
        self._add_choices()
        source = source_of(self._calendar, self._job, self._options, self._login, warnings.append)
        self._total = source.prepare() or 0
        self._renew()
        importer = Import(
            self._calendar,
            self._caller,
            self._options.applying,
            images.guarded_fetch(self._calendar, allow_private=False),
            with_images=self._options.with_images,
            job=self._job.id,
            progress=self._advance,
        )
        self._report = importer.report
        self._report.remarks += warnings
        importer.run(source)
        if self._job.kind not in (SITE, CALENDAR) and importer.is_from_the_beginning:
            found = self._calendar.read(self._caller, likeness.no_longer_there, source.name, importer.seen)
            self._gone = [one._asdict() for one in found[:MOST_GONE]]
            self._gone_count = len(found)

    def _add_choices(self) -> None:
        """Words of a table that somebody wants as choices become some, before the events that have them."""
        for key in self._options.choices:
            field = self._calendar.settings.custom_fields.find(key)
            options = added(field, self._options.choices) if field is not None else []
            if field is not None and options != [*field.options]:
                reading = read_update(DEFINITION_FIELDS, {"options": options})
                self._calendar.write(self._caller, custom_fields.change, key, reading)

    def _advance(self, count: int) -> None:
        self._done += count  # by the thread of the import alone
        self._renew()

    def _renew(self) -> None:
        total, at = max(self._total, self._done), dates.text(self._calendar.clock())
        with self._calendar.store.write() as session:
            import_jobs.progress(session, self._job.id, self._done, total, at)
