"""`kalends export`: writes the calendar to a file."""

import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

from kalends.calendar.service import Calendar
from kalends.cli.opening import administrator, existing_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.contract.errors import ApiError
from kalends.contract.kinds import EVENT
from kalends.features.exporting import archive, csv_export, ics_export, json_export, wxr_export
from kalends.features.exporting.json_export import ImageName
from kalends.features.exporting.selection import NOT_FILTERS, ExportError, ExportSelection
from kalends.languages import SOURCE
from kalends.present.addresses import Addresses
from kalends.present.error_sentences import message_of, sentences_of
from kalends.store.rows import media

PRIVATE = 0o600  # it may have drafts, and digests of passwords

Command = Callable[..., Any]
F = TypeVar("F", bound=Command)
# The setting of this name is an option already, and does the same.
FILTERS = {field.name: field for field in EVENT.filters if field.name not in {*NOT_FILTERS, "geoloc_radius"}}
OTHER_NAMES = {"country": "in-country"}  # where a setting of that name does something else
output = click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Else standard output.")


def with_filters(command: F) -> F:
    """The filters of the list of events as options."""
    for name, field in reversed(FILTERS.items()):
        option = OTHER_NAMES.get(name, name.replace("_", "-"))
        command = click.option(f"--{option}", f"filter_{name}", metavar="VALUE", help=field.meaning)(command)
    return command


@click.group("export")
def export() -> None:
    """Write the calendar to a file: everything except the trash, or the events of a filter."""


def export_command(name: str, extra_options: Callable[[Command], Command] = lambda command: command) -> Command:
    """A form of the export, with the options that all have, and perhaps one of its own."""
    return lambda command: export.command(name)(output(extra_options(with_filters(with_settings(command)))))


@export_command(
    "json", click.option("--with-images", is_flag=True, help="Write a zip archive that has the images too.")
)
def export_json(with_images: bool, **options: Any) -> None:
    """Everything, for another Kalends: `kalends import json` makes the same calendar of it."""
    target, selection = opened(options)
    if with_images:
        if target is None:
            raise click.UsageError("An archive needs --output FILE.")
        write(target, lambda file: archive.write(selection, file))
        return
    names = image_addresses(selection.calendar)
    write(target, lambda file: write_pieces(file, json_export.write(selection, names)))


@export_command("csv")
def export_csv(**options: Any) -> None:
    """The events as a table, for spreadsheets and The Events Calendar."""
    target, selection = opened(options)
    names = image_addresses(selection.calendar)
    write(target, lambda file: write_pieces(file, csv_export.write(selection, names)))


@export_command("ics")
def export_ics(**options: Any) -> None:
    """The events as iCalendar, for other calendar programs."""
    target, selection = opened(options)
    write(target, lambda file: write_pieces(file, ics_export.write(selection, base_url_of(selection))))


@export_command("wxr")
def export_wxr(**options: Any) -> None:
    """Everything for WordPress with The Events Calendar: its importer reads the file."""
    target, selection = opened(options)
    names = image_addresses(selection.calendar)
    write(target, lambda file: write_pieces(file, wxr_export.write(selection, base_url_of(selection), names)))


def base_url_of(selection: ExportSelection) -> str:
    return selection.calendar.settings.base_url or "http://localhost"


def opened(options: dict[str, Any]) -> tuple[Path | None, ExportSelection]:
    """Where to write, and what."""
    target = options.pop("output")
    filters = {name: options.pop(f"filter_{name}") for name in FILTERS}
    calendar = existing_calendar(settings_from(options))
    chosen = {name: value for name, value in filters.items() if value is not None}
    selection = ExportSelection(calendar, administrator(calendar), chosen)
    try:
        selection.check()
    except ApiError as refused:
        problems = refused.data.get("problems")
        sentences = (
            sentences_of(problems, SOURCE).values() if isinstance(problems, dict) else [message_of(refused, SOURCE)]
        )
        reasons = "; ".join(sentences)
        raise ExportError(f"a filter cannot be read: {reasons}") from None
    return target, selection


def image_addresses(calendar: Calendar) -> ImageName | None:
    """Images by their addresses, if the calendar knows its own."""
    base_url = calendar.settings.base_url
    if not base_url:
        with calendar.store.read() as session:
            has_images = media.is_any(session)
        if has_images:
            click.echo("Images are left out: use --with-images, or set the base URL.", err=True)
        return None
    addresses = Addresses(base_url, "", "")
    return lambda image: addresses.media(image.file)


def write_pieces(file: BinaryIO, pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        file.write(piece)


def write(target: Path | None, fill: Callable[[BinaryIO], None]) -> None:
    """Writes a file that is whole or not there; for the owner only."""
    if target is None:
        fill(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".kalends-", delete=False) as unfinished:
            try:
                fill(unfinished)  # type: ignore[arg-type]
                Path(unfinished.name).chmod(PRIVATE)
                Path(unfinished.name).replace(target)
            except BaseException:
                Path(unfinished.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror}") from None
