"""From settings to a store, media files and a calendar, for the server, the commands, the tests and bench/."""

import ctypes
import gc
import secrets
import sys
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from kalends.calendar import signing
from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import event_passwords, one_time_links, users
from kalends.calendar.accounts.sessions import FIRST_START
from kalends.calendar.admission import WORKER
from kalends.calendar.images.image_files import DistantFiles
from kalends.calendar.service import Calendar
from kalends.calendar.site_settings import SITE_ID
from kalends.calendar.transactions import Clock
from kalends.settings import SettingError, Settings
from kalends.store.engine.migrating import migrate
from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles, MediaFolder
from kalends.store.rows import site
from kalends.values import dates

FIRST_ADMINISTRATOR = "admin"
# Requests and imports create hardly any reference cycles; with Python's defaults the collector took a tenth of a
# list's time.
GC_THRESHOLDS = (5_000, 10, 10)
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # of mallopt(3)
LARGE_BLOCK = 1024 * 1024
ARENAS = 2


class SystemClock:
    """The present in UTC, to the second. The `datetime` is built once a second, since every request asks."""

    def __init__(self) -> None:
        self._known = (0, datetime.min)

    def __call__(self) -> datetime:
        second, known = int(time.time()), self._known
        if known[0] != second:
            known = self._known = (second, datetime.fromtimestamp(second, UTC).replace(tzinfo=None))
        return known[1]


system_clock = SystemClock()


@dataclass(frozen=True)
class FirstStart:
    """The administrator that the first start of a calendar has added."""

    name: str
    password: str  # empty when it came from the settings


def collect_garbage_rarely() -> None:
    """For processes with much to do, once everything is loaded."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def configure_malloc() -> None:
    """Memory for large bodies goes back to the system as soon as it is free. By itself the C library learns from the
    first one to keep the next, in each of its arenas: half a gigabyte after some dozens of uploads. An arena also
    keeps what many small blocks needed, so there are few: each kept 20 MB after batches of 4.6 MB."""
    with suppress(AttributeError, OSError):  # another C library
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        library.mallopt(M_TRIM_THRESHOLD, 2 * LARGE_BLOCK)
        library.mallopt(M_ARENA_MAX, ARENAS)


def client_of_thread() -> str:
    return WORKER.client


def make_store(settings: Settings) -> Store:
    """SQLite in a file, unless the settings name a PostgreSQL server. It is not migrated here."""
    if settings.is_embedded:
        return SqliteStore(settings.database_path, client_of_thread)
    # Imported here: with SQLite, psycopg would only take memory.
    from kalends.store.engine.postgresql import PostgresStore

    return PostgresStore(
        settings.database,
        settings.database_replica,
        size=settings.database_connections,
        timeout=settings.database_timeout,
        whose=client_of_thread,
    )


def media_files(settings: Settings) -> MediaFiles:
    """Where the image files are: a folder, unless the settings name a bucket."""
    if not settings.media:
        return MediaFolder(settings.data / "media")
    try:
        # Imported here: boto3 is an optional dependency.
        from kalends.store.files.media_bucket import MediaBucket
    except ModuleNotFoundError as missing:
        raise SettingError(
            f"the setting media names a bucket, and {missing.name} is not installed: in a clone of Kalends, run"
            f" {sys.executable} -m pip install --require-hashes -r requirements-s3.txt"
        ) from None
    return DistantFiles(MediaBucket(settings.media, settings.media_endpoint, settings.media_region))


def make_calendar(settings: Settings, clock: Clock = system_clock, store: Store | None = None) -> Calendar:
    """The calendar on a store that is already migrated."""
    return Calendar(store or make_store(settings), media_files(settings), settings, clock)


def open_store(settings: Settings) -> Store:
    """The store with every migration applied; a new SQLite file is created if there is none."""
    _create_data_folder(settings)
    store = make_store(settings)
    try:
        migrate(store, dates.text(system_clock()))
    except BaseException:
        store.close()
        raise
    return store


def open_calendar(settings: Settings, clock: Clock = system_clock) -> Calendar:
    """The calendar with every migration applied; a new one is created if there is none."""
    calendar = make_calendar(settings, clock, open_store(settings))
    with calendar.store.write() as session:
        event_passwords.make_salt(session)
        signing.make_secret(session)
        site.write_once(session, SITE_ID, str(uuid.uuid4()))
    return calendar


def make_administrator(calendar: Calendar) -> FirstStart | None:
    """Adds the first administrator; None when there are users already."""
    chosen = calendar.settings.admin_password
    password = chosen or secrets.token_urlsafe(12)
    with calendar.writing(SERVICE) as work:
        if users.everybody(work):
            return None
        users.add_user(work, FIRST_ADMINISTRATOR, "administrator", password)
        if not chosen:
            site.write(work.session, FIRST_START, FIRST_ADMINISTRATOR)
    return FirstStart(FIRST_ADMINISTRATOR, "" if chosen else password)


def first_link(calendar: Calendar) -> str | None:
    """The secret of a link by which the first administrator chooses a password, until somebody has signed in. Each
    start makes a new one, and ends the one before."""
    with calendar.store.read() as session:
        if site.read(session, FIRST_START) is None:
            return None
    with calendar.writing(SERVICE) as work:
        user = users.find_user_by_name(work, site.read(work.session, FIRST_START) or "")
        return None if user is None else one_time_links.reset(work, user)


def _create_data_folder(settings: Settings) -> None:
    try:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        if settings.is_embedded:
            _refuse_lost_database(settings)
            settings.database_path.touch(mode=0o600)
    except OSError as error:
        place = error.filename or settings.data
        what = "the database" if place == str(settings.database_path) else "the data folder"
        raise SettingError(f"{what} {place} cannot be used: {error.strerror}") from None


def _refuse_lost_database(settings: Settings) -> None:
    """An empty file beside images is what is left of a calendar, and not a new one."""
    path, images = settings.database_path, settings.data / "media"
    if not settings.media and path.exists() and path.stat().st_size == 0 and any(images.glob("*")):
        raise SettingError(
            f"the database {path} is empty, but there are images in {images}: restore a backup,"
            f" or remove the empty file to begin a new calendar"
        )
