"""`kalends backup` and `kalends restore`: a whole calendar with its images as one file, for any kind of store."""

import sys
import tempfile
from functools import partial
from pathlib import Path

import click

from kalends.bootstrap import media_files, system_clock
from kalends.cli.opening import existing_store, open_store
from kalends.cli.options import settings_from, with_settings
from kalends.cli.progress import progress
from kalends.store.copies import copying, restoring
from kalends.store.copies.archive import ENDINGS, ENDINGS_IN_WORDS, note, write_archive
from kalends.store.copies.restoring import BadArchive
from kalends.store.files.media_files import install_file
from kalends.store.rows import media

__all__ = ["BadArchive", "backup", "restore"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@with_settings
def backup(file: Path, **overrides: str | None) -> None:
    """Write the whole calendar with its images into one FILE (.tar, .tar.gz or .tgz). The server may keep running."""
    settings = settings_from(overrides)
    if not file.name.lower().endswith(ENDINGS):
        raise BadArchive(f"{file} is no name for a backup, which ends in {ENDINGS_IN_WORDS}")
    if file.exists():
        raise BadArchive(f"{file} exists already, and a backup replaces nothing")
    store = existing_store(settings)
    with store.read() as session:
        steps = len(media.all_files(session))
    if not settings.is_embedded:
        steps += 2 * copying.size(store)
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".kalends-") as folder:
            unfinished = Path(folder) / file.name
            with progress("Copying", steps) as advance:
                manifest, missing = write_archive(unfinished, store, media_files(settings), Path(folder), advance)
            install_file(unfinished, file)
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
    with progress("Copying", None) as advance:
        manifest = restoring.restore(
            file, settings.data, partial(open_store, settings), media_files(settings), advance
        )
    click.echo(f"The calendar of {file} is back: {manifest.events} events, {manifest.images} files of images.")
