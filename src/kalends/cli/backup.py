"""`kalends backup` and `kalends restore`: a whole calendar with its images as one file, for any kind of store."""

import hashlib
import io
import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click
import msgspec

from kalends import __version__
from kalends.bootstrap import media_files
from kalends.cli.opening import existing_store, open_store
from kalends.cli.options import settings_from, with_settings
from kalends.cli.progress import progress
from kalends.store.engine import copying
from kalends.store.engine.copying import copy_file
from kalends.store.engine.migrating import migrate
from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles, MissingFile
from kalends.store.rows import media
from kalends.user_error import UserError

DATABASE, IMAGES, MANIFEST = "kalends.db", "media/", "kalends.json"  # in this order
BLOCK = 1 << 20


class BadArchive(UserError):
    """A file that cannot be written or restored; the message is one line."""


class Manifest(msgspec.Struct):
    """The last entry of a backup; `digest` is that of everything before it."""

    version: str
    events: int
    images: int
    digest: str


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@with_settings
def backup(file: Path, **overrides: str | None) -> None:
    """Write the whole calendar with its images into one FILE (.tar or .tar.gz). The server may keep running."""
    settings = settings_from(overrides)
    if file.exists():
        raise BadArchive(f"{file} exists already, and a backup replaces nothing")
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".kalends-") as folder:
            unfinished = Path(folder) / file.name
            taken = take_snapshot(existing_store(settings), Path(folder) / DATABASE)
            manifest, missing = write_archive(unfinished, taken, media_files(settings))
            os.link(unfinished, file)
    except OSError as error:
        raise BadArchive(f"{file} cannot be written: {error.strerror}") from None
    click.echo(f"{file} holds the calendar: {manifest.events} events, {manifest.images} files of images.")
    if missing:
        click.echo(f"kalends: {len(missing)} files of images are missing, and the backup is without them", err=True)
        sys.exit(1)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@with_settings
def restore(file: Path, **overrides: str | None) -> None:
    """Restore a backup FILE into an empty database, with its images."""
    settings = settings_from(overrides)
    with opened(file) as archive:
        manifest = checked(archive)
    with opened(file) as archive, tempfile.TemporaryDirectory(prefix="kalends-") as folder:
        read_archive(archive, open_store(settings), media_files(settings), Path(folder) / DATABASE)
    click.echo(f"The calendar of {file} is back: {manifest.events} events, {manifest.images} files of images.")


def take_snapshot(store: Store, file: Path) -> SqliteStore:
    """A consistent copy in an SQLite file, of any kind of store; reads and writes go on meanwhile."""
    is_complete, taken = store.copy_to_file(file), SqliteStore(file)
    if not is_complete:
        migrate(taken, "")
        with progress("Copying", 2 * copying.size(store)) as advance:
            copying.copy(store, taken, advance, may_change=True)
    return taken


def write_archive(target: Path, taken: SqliteStore, files: MediaFiles) -> tuple[Manifest, list[str]]:
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
            with progress("Images", len(names)) as advance:
                for name in names:
                    try:
                        data = files.read(name)
                    except MissingFile:
                        click.echo(f"kalends: the image {name} is missing", err=True)
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


@contextmanager
def opened(file: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(file, "r|*") as archive:
            yield archive
    except (OSError, tarfile.TarError, EOFError) as error:
        raise BadArchive(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def checked(archive: tarfile.TarFile) -> Manifest:
    """Reads a backup; it is whole if it ends with the digest of what was read."""
    digest = hashlib.sha256()
    for entry in archive:
        part = archive.extractfile(entry)
        if part is None:
            break
        if entry.name == MANIFEST:
            manifest = msgspec.json.decode(part.read(), type=Manifest)
            if manifest.digest == digest.hexdigest():
                return manifest
            break
        while block := part.read(BLOCK):
            digest.update(block)
    raise BadArchive("this is not a whole backup of Kalends; nothing was restored")


def read_archive(archive: tarfile.TarFile, target: Store, files: MediaFiles, file: Path) -> None:
    """Images first: they do no harm without records, and the records are copied in one transaction."""
    with target.read() as session:
        copying.refuse_unless_empty(session)
    files.check()
    for entry in archive:
        part = archive.extractfile(entry)
        if part is not None and entry.name == DATABASE:
            with file.open("wb") as database:
                shutil.copyfileobj(part, database, BLOCK)
        elif part is not None and entry.name.startswith(IMAGES):
            copy_file(entry.name.removeprefix(IMAGES), part.read(), files)
    with closing(SqliteStore(file)) as source:
        migrate(source, "")
        with progress("Copying", 2 * copying.size(source)) as advance:
            copying.copy(source, target, advance)


def _private(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mode, entry.uid, entry.gid, entry.uname, entry.gname = 0o600, 0, 0, "", ""
    return entry


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = _private(tarfile.TarInfo(name))
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))
