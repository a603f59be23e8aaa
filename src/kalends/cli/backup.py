"""`kalends backup` and `kalends restore`: a whole calendar with its images as one file, for any kind of store."""

import hashlib
import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import click
import msgspec

from kalends.bootstrap import media_files, system_clock
from kalends.cli.opening import existing_store, open_store
from kalends.cli.options import settings_from, with_settings
from kalends.cli.progress import progress
from kalends.store.copies import copying
from kalends.store.copies.archive import (
    BLOCK,
    DATABASE,
    IMAGES,
    MANIFEST,
    Manifest,
    note,
    nothing,
    take_snapshot,
    write_archive,
)
from kalends.store.copies.copying import copy_file
from kalends.store.engine.migrating import migrate
from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles
from kalends.store.rows import media
from kalends.user_error import UserError


class BadArchive(UserError):
    """A file that cannot be written or restored; the message is one line."""


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
            store = existing_store(settings)
            bar = nullcontext(nothing) if settings.is_embedded else progress("Copying", 2 * copying.size(store))
            with bar as advance:
                taken = take_snapshot(store, Path(folder) / DATABASE, advance)
            with taken.read() as session:
                images = len(media.all_files(session))
            with progress("Images", images) as advance:
                manifest, missing = write_archive(unfinished, taken, media_files(settings), advance)
            os.link(unfinished, file)
        note(store, system_clock)
    except OSError as error:
        raise BadArchive(f"{file} cannot be written: {error.strerror}") from None
    click.echo(f"{file} holds the calendar: {manifest.events} events, {manifest.images} files of images.")
    for name in missing:
        click.echo(f"kalends: the image {name} is missing", err=True)
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
