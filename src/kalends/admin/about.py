"""The state of the server as a list of checks, each with a sentence and a mark, and a backup as a download."""

import platform
import shutil
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import ClassVar, NamedTuple

from babel.numbers import format_decimal

from kalends import __version__
from kalends.admin import setting_fields
from kalends.admin.request import AdminRequest
from kalends.admin.setting_fields import ABOUT, Tabs
from kalends.calendar.editing.dashboard import StoreState, store_state
from kalends.contract.errors import STORAGE_FULL, UNAVAILABLE, ApiError
from kalends.http.messages import long_responses
from kalends.http.middleware.logs import log
from kalends.languages import N_, translate
from kalends.settings import Settings
from kalends.site import times
from kalends.site.forms.form import Form
from kalends.store.copies import archive
from kalends.store.files.media_files import OpenFile
from kalends.values import dates, zones

STALE = timedelta(days=30)  # a backup older than this is worth a word
LITTLE = 0.1  # of the disk
GOOD, WARN, BAD, NO_MARK = "good", "warn", "bad", ""
MARKS = {NO_MARK: "", GOOD: N_("Good"), WARN: N_("Needs attention"), BAD: N_("Problem")}

_one_at_a_time = threading.Lock()


class Disk(NamedTuple):
    """Bytes of the disk and of the database on it; that of another server has none here."""

    free: int
    total: int
    database: int | None


@dataclass(frozen=True, slots=True)
class ServerCheck:
    label: str
    value: str
    mark: str
    mark_label: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class AboutPage:
    template: ClassVar[str] = "admin/about.html"

    tabs: Tabs
    checks: Sequence[ServerCheck]


def checks(state: StoreState, settings: Settings, disk: Disk, now: datetime, language: str) -> Sequence[ServerCheck]:
    def check(label: str, value: str, mark: str = NO_MARK, advice: str = "") -> ServerCheck:
        advice = translate(advice, language) if mark in (WARN, BAD) else ""
        return ServerCheck(translate(label, language), value, mark, translate(MARKS[mark], language), advice)

    zone, backup, share = settings.timezone, state.last_backup, disk.free / disk.total
    is_stale = backup is None or dates.from_text(backup) < now - STALE
    shown_backup = times.site_moment(backup, zone, language) if backup else translate(N_("Never"), language)
    schema = translate(N_("schema {number}"), language).format(number=state.schema)
    database = "PostgreSQL" if disk.database is None else f"SQLite, {megabytes(disk.database, language)}"
    return [
        check(N_("Version"), f"Kalends {__version__}, Python {platform.python_version()}"),
        check(N_("Database"), f"{database}, {schema}"),
        check(N_("Events"), format_decimal(state.events, locale=times.locale(language))),
        check(
            N_("Time zone"),
            f"{zone}, {times.time(zones.to_local(now, zone), language)}",
            WARN if zone == "UTC" else GOOD,
            N_("Most calendars are in the zone of a place. Choose it in the settings of the calendar."),
        ),
        check(
            N_("Free disk space"),
            megabytes(disk.free, language),
            BAD if share < LITTLE / 5 else WARN if share < LITTLE else GOOD,
            N_("When the disk is full, nothing can be saved."),
        ),
        check(
            N_("Last backup"),
            shown_backup,
            WARN if is_stale else GOOD,
            N_("Download a backup from time to time, and keep it on another machine."),
        ),
        check(
            N_("Public address"),
            settings.base_url or translate(N_("As the browser asks for it"), language),
        ),
    ]


def megabytes(size: int, language: str) -> str:
    for unit, bytes_ in (("GB", 1 << 30), ("MB", 1 << 20)):
        if size >= bytes_:
            return f"{format_decimal(round(size / bytes_, 1), locale=times.locale(language))} {unit}"
    return f"{format_decimal(max(1, size >> 10), locale=times.locale(language))} KB"


def show_about(request: AdminRequest) -> None:
    """The version, and whether the server is well."""
    settings, usage = request.settings, shutil.disk_usage(request.settings.data)
    size = settings.database_path.stat().st_size if settings.is_embedded else None
    state, now = request.read(store_state), request.calendar.clock()
    found = checks(state, settings, Disk(usage.free, usage.total, size), now, request.language)
    request.answer(AboutPage(setting_fields.tabs(ABOUT, request.root_path, request.language), found))


def show_no_backup(request: AdminRequest) -> None:
    request.go(f"/admin/settings/{ABOUT}")


def send_backup(request: AdminRequest, form: Form) -> None:
    """The whole calendar with its images as one file, which `kalends restore` reads."""
    if not _one_at_a_time.acquire(blocking=False):
        raise ApiError(UNAVAILABLE, headers={"Retry-After": "60"})
    try:
        folder = tempfile.TemporaryDirectory(prefix="kalends-")
        file = Path(folder.name) / "backup.tar.gz"
        try:
            calendar = request.calendar
            _, missing = archive.write_archive(file, calendar.store, calendar.files, Path(folder.name))
        except BaseException:
            folder.cleanup()
            raise
    except OSError as error:
        log.warning("a backup cannot be written: %s", error)
        raise ApiError(STORAGE_FULL) from None
    finally:
        _one_at_a_time.release()
    if missing:
        log.warning("%d files of images are missing, and the backup is without them", len(missing))
    resp = request.resp
    resp.content_type = "application/gzip"
    resp.set_header(
        "Content-Disposition", f'attachment; filename="kalends-{request.calendar.clock():%Y-%m-%d}.tar.gz"'
    )
    opened = file.open("rb")

    def close() -> None:
        opened.close()
        folder.cleanup()

    when_sent = partial(archive.note, request.calendar.store, request.calendar.clock)
    long_responses.send(request.req, resp, OpenFile(file.stat().st_size, opened.read, close), when_sent)
