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

DATABASE, IMAGES, MANIFEST = "kalends.db", "media/", "kalends.json"  # the last one ends it
COMPRESSED = (".gz", ".tgz")
ENDINGS = (".tar", ".tar.gz", ".tgz")  # of its name, which says whether it is compressed
ENDINGS_IN_WORDS = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
MOST_SNAPSHOTS = 5  # of one backup
BLOCK = 1 << 20
LAST_BACKUP = "last_backup"  # the key of the site under which its time is kept

Advance = Callable[[int], None]


def nothing(rows: int) -> None:
    """For callers who show no progress."""


class BackupManifest(msgspec.Struct):
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
    target: Path, store: Store, files: MediaFiles, folder: Path, advance: Advance = nothing
) -> tuple[BackupManifest, list[str]]:
    """Writes the images of a snapshot, and then the snapshot itself, which is made in `folder`. Returns the names of
    missing images too. An image that is deleted before it was written is no missing one: then a later snapshot, which
    names it no more, takes the place of the first."""
    # It contains hashes of passwords.
    descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as raw:
        with tarfile.open(fileobj=raw, mode="w:gz" if target.suffix in COMPRESSED else "w:") as opened:
            archive = _Archive(opened)
            for number in range(MOST_SNAPSHOTS):
                taken = take_snapshot(store, folder / f"{number}-{DATABASE}", advance)
                with taken.read() as session:
                    names, events = media.all_files(session), copying.rows(session, "event")
                taken.close()  # so that the database is one file
                missing = archive.add_images(names, files, advance)
                if not missing or _are_named(missing, store):
                    break
            archive.add_file(DATABASE, taken.path)
            manifest = BackupManifest(__version__, events, len(names) - len(missing), archive.digest.hexdigest())
            archive.add(MANIFEST, msgspec.json.encode(manifest))
        raw.flush()
        os.fsync(raw.fileno())
    return manifest, missing


def _are_named(missing: list[str], store: Store) -> bool:
    """Whether the records of these images are all still there: then the files are lost."""
    with store.read() as session:
        return set(media.all_files(session)).issuperset(missing)


class _Archive:
    """What was written into a backup so far."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self.digest = hashlib.sha256()
        self._archive = archive
        self._images: set[str] = set()

    def add_images(self, names: list[str], files: MediaFiles, advance: Advance) -> list[str]:
        """Adds those that it does not have yet; the names of missing ones."""
        missing: list[str] = []
        for name in names:
            if name in self._images:
                continue
            try:
                self.add(IMAGES + name, files.read(name))
            except MissingFile:
                missing.append(name)
                continue
            self._images.add(name)
            advance(1)
        return missing

    def add_file(self, name: str, path: Path) -> None:
        self._archive.add(path, name, filter=_private)
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                self.digest.update(block)

    def add(self, name: str, data: bytes) -> None:
        self.digest.update(data)
        entry = _private(tarfile.TarInfo(name))
        entry.size = len(data)
        self._archive.addfile(entry, io.BytesIO(data))


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
