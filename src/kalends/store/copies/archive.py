"""A backup: the whole calendar as one SQLite file, and the images that it names, in a tar file."""

import hashlib
import io
import os
import tarfile
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec

from kalends import __version__
from kalends.store.copies import copying
from kalends.store.engine.migrating import migrate
from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import Session, Store, StoreUnavailable
from kalends.store.files.media_files import MediaFiles, MissingFile
from kalends.store.rows import media, site
from kalends.values import dates

DATABASE, IMAGES, MANIFEST = "kalends.db", "media/", "kalends.json"  # in this order
BLOCK = 1 << 20
LAST_BACKUP = "last_backup"  # the key of the site under which its time is kept

Advance = Callable[[int], None]


def nothing(steps: int) -> None:
    """For callers who show no progress."""


class Manifest(msgspec.Struct):
    """The last entry of a backup; `digest` is that of everything before it."""

    version: str
    events: int
    images: int
    digest: str


def take_snapshot(store: Store, file: Path, advance: Advance = nothing) -> SqliteStore:
    """A consistent copy in an SQLite file, of any kind of store; reads and writes go on meanwhile."""
    is_complete, taken = store.copy_to_file(file), SqliteStore(file)
    if not is_complete:
        migrate(taken, "")
        copying.copy(store, taken, advance, may_change=True)
    return taken


def write_archive(
    target: Path, taken: SqliteStore, files: MediaFiles, advance: Advance = nothing
) -> tuple[Manifest, list[str]]:
    """Writes the database, then the images that it names. Returns the names of missing images too."""
    with taken.read() as session:
        names = media.all_files(session)
        events = copying.rows(session, "event")
    taken.close()  # so that the database is one file
    digest = hashlib.sha256()
    missing: list[str] = []
    # It contains hashes of passwords.
    descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as raw:
        with tarfile.open(fileobj=raw, mode="w:gz" if target.suffix == ".gz" else "w:") as archive:
            archive.add(taken.path, DATABASE, filter=_private)
            with taken.path.open("rb") as database:
                while block := database.read(BLOCK):
                    digest.update(block)
            for name in names:
                try:
                    data = files.read(name)
                except MissingFile:
                    missing.append(name)
                    continue
                digest.update(data)
                _add(archive, IMAGES + name, data)
                advance(1)
            manifest = Manifest(__version__, events, len(names) - len(missing), digest.hexdigest())
            _add(archive, MANIFEST, msgspec.json.encode(manifest))
        raw.flush()
        os.fsync(raw.fileno())
    return manifest, missing


def note(store: Store, clock: Callable[[], datetime]) -> None:
    """Keeps the time of a backup that was sent or written whole, which the admin shows. If the store cannot be
    written, there is one all the same."""
    with suppress(StoreUnavailable), store.write() as session:
        site.write(session, LAST_BACKUP, dates.text(clock()))


def last_backup(session: Session) -> str | None:
    return site.read(session, LAST_BACKUP)


def _private(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mode, entry.uid, entry.gid, entry.uname, entry.gname = 0o600, 0, 0, "", ""
    return entry


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = _private(tarfile.TarInfo(name))
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))
