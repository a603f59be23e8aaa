"""Restores a backup: everything in it is checked before anything is written."""

import hashlib
import lzma
import shutil
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec

from kalends.store.copies import copying
from kalends.store.copies.archive import (
    BLOCK,
    DATABASE,
    ENDINGS_IN_WORDS,
    IMAGES,
    MANIFEST,
    Advance,
    BackupManifest,
    nothing,
)
from kalends.store.copies.copying import copy_file
from kalends.store.engine.migrating import migrate
from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import StorageRefused, Store, StoreDamaged
from kalends.store.files.media_files import BadFileName, MediaFiles, MediaUnavailable, parts_of
from kalends.store.rows import media
from kalends.user_error import UserError

# The copy of the database has hashes of passwords, so it is made where the database itself may be. What a restore
# that was killed left there goes with the next one.
FOLDER = ".restoring"
LARGEST_MANIFEST = 10_000


class BadArchive(UserError):
    """A file that cannot be written or restored; the message is one line."""


def restore(
    file: Path, data: Path, open_target: Callable[[], Store], files: MediaFiles, advance: Advance = nothing
) -> BackupManifest:
    """Restores a backup into an empty store, which is opened, and made, when the backup is known to be whole.
    `data`: the data folder."""
    with _private_folder(data / FOLDER) as folder:
        taken = folder / DATABASE
        with opened(file) as archive:
            manifest = checked(archive, taken)
        with closing(SqliteStore(taken)) as source:
            _check_database(source, file)
            target = open_target()
            with target.read() as session:
                copying.refuse_unless_empty(session)
            files.check()
            _copy(file, source, target, files, advance)
    return manifest


@contextmanager
def opened(file: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(file, "r|*") as archive:
            yield archive
    except tarfile.ReadError:
        raise BadArchive(f"{file} is no backup of Kalends, which ends in {ENDINGS_IN_WORDS}") from None
    except (OSError, tarfile.TarError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise BadArchive(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def checked(archive: tarfile.TarFile, database: Path) -> BackupManifest:
    """Reads a backup and takes its database out; it is whole if it ends with the digest of what was read."""
    digest, has_database = hashlib.sha256(), False
    for entry in archive:
        part = archive.extractfile(entry) if entry.isfile() else None
        if part is None:
            break
        if entry.name == MANIFEST:
            manifest = _manifest(part.read(LARGEST_MANIFEST))
            if has_database and manifest is not None and manifest.digest == digest.hexdigest():
                return manifest
            break
        if entry.name == DATABASE:
            has_database = entry.size > 0
            _extract(part, database, digest)
        elif not _is_image(entry.name):
            break
        while block := part.read(BLOCK):
            digest.update(block)
    raise BadArchive("this is not a whole backup of Kalends; nothing was restored")


def _manifest(data: bytes) -> BackupManifest | None:
    try:
        return msgspec.json.decode(data, type=BackupManifest)
    except msgspec.MsgspecError:
        return None


def _is_image(name: str) -> bool:
    try:
        parts_of(name.removeprefix(IMAGES))
    except BadFileName:
        return False
    return name.startswith(IMAGES)


def _extract(part: IO[bytes], database: Path, digest: "hashlib._Hash") -> None:
    while block := part.read(BLOCK):
        digest.update(block)
        try:
            with database.open("ab") as file:
                file.write(block)
        except OSError as error:
            raise BadArchive(f"{database} cannot be written: {error.strerror}") from None


def _check_database(source: SqliteStore, file: Path) -> None:
    with _naming_archive(file):
        with source.read() as session:
            is_calendar = session.has_table("migration") and session.has_table("event")
        if not is_calendar:
            raise BadArchive(f"the database in {file} is empty; nothing was restored")
        migrate(source, "")


def _copy(file: Path, source: SqliteStore, target: Store, files: MediaFiles, advance: Advance) -> None:
    """Images first: they do no harm without records, and the records are copied in one transaction."""
    with source.read() as session:
        named = set(media.all_files(session))
    saved: list[str] = []
    try:
        with opened(file) as archive:
            for entry in archive:
                name = entry.name.removeprefix(IMAGES)
                # An image that was deleted while the backup was made is in it, but no record names it.
                if entry.name.startswith(IMAGES) and name in named and (part := archive.extractfile(entry)):
                    if copy_file(name, part.read(), files):
                        saved.append(name)
                    advance(1)
        with _naming_archive(file):
            copying.copy(source, target, advance)
    except BaseException:
        for name in saved:
            with suppress(MediaUnavailable):
                files.remove(name)
        raise


@contextmanager
def _naming_archive(file: Path) -> Iterator[None]:
    """The person knows the backup, and not the copy that is read."""
    try:
        yield
    except (StoreDamaged, StorageRefused) as error:
        raise BadArchive(f"the database in {file} cannot be restored: {error.__cause__}") from error


@contextmanager
def _private_folder(folder: Path) -> Iterator[Path]:
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise BadArchive(f"{folder} cannot be made: {error.strerror}") from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
