"""`kalends move`: copies a whole calendar from one database to another, optionally with its images."""

from dataclasses import replace
from pathlib import Path

import click

from kalends.bootstrap import media_files
from kalends.cli.opening import existing_store, open_store
from kalends.cli.options import settings_from, with_settings
from kalends.cli.progress import progress
from kalends.contract.kinds import KINDS
from kalends.settings import TABLE, Settings
from kalends.store.copies import copying
from kalends.store.copies.copying import CopyFailed, copy_file
from kalends.store.engine.store import Store, StoreUnavailable
from kalends.store.files.media_files import MediaFiles, MediaFolder, MissingFile
from kalends.store.rows import media
from kalends.user_error import UserError

SHOWN = {kind.name: kind.plural for kind in KINDS}
SHOWN |= {"media": "images", "user": "users", "journal": "changes"}


@click.command()
@click.option("--to", "target", required=True, metavar="DATABASE", help="An empty one: postgresql://… or sqlite:///…")
@click.option("--to-media", metavar="PLACE", help="Copy the images too, to a folder or to s3://bucket/folder.")
@with_settings
def move(target: str, to_media: str | None, **overrides: str | None) -> None:
    """Copy the whole calendar into another database, and check that nothing is missing.

    The source stays as it is. Stop the server first: if the calendar changes meanwhile, the copy fails.
    """
    settings = settings_from(overrides)
    there = replace(settings, database=TABLE["database"].parse(target, "the option --to"), database_replica=())
    source, written = existing_store(settings), _target(there)
    if to_media is not None:
        images = media_target(to_media, settings.media_endpoint, settings.media_region)
        copy_images(source, media_files(settings), images)
    # Twice: everything is copied, and then read again in the target to be compared.
    with progress("Copying", 2 * copying.size(source)) as advance:
        sums = copying.copy(source, written, advance)
    found = ", ".join(f"{name}: {sums[table].rows}" for table, name in SHOWN.items())
    click.echo(f"The calendar is copied and compared: {found}.")
    click.echo(
        "From now on start Kalends with the new KALENDS_DATABASE" + (" and KALENDS_MEDIA." if to_media else ".")
    )


def _target(settings: Settings) -> Store:
    """The database to copy to. What is wrong with it must not read as if it were the calendar that is copied."""
    try:
        return open_store(settings)
    except (UserError, StoreUnavailable) as error:
        raise CopyFailed(f"the database of --to cannot be used: {error}") from error


def media_target(target: str, endpoint: str, region: str) -> MediaFiles:
    if not target.startswith("s3://"):
        return MediaFolder(Path(target))
    address = TABLE["media"].parse(target, "the option --to-media")
    from kalends.store.files.media_bucket import MediaBucket

    return MediaBucket(address, endpoint, region)


def copy_images(source: Store, here: MediaFiles, there: MediaFiles) -> None:
    """Copies every file that a record names."""
    there.check()
    with source.read() as session:
        names = media.all_files(session)
    with progress("Copying images", len(names)) as advance:
        for name in names:
            try:
                copy_file(name, here.read(name), there)
            except MissingFile:
                raise CopyFailed(f"the image {name} is missing") from None
            advance(1)
