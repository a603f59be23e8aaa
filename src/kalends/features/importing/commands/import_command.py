"""`kalends import`: brings records from a site or a file into the calendar."""

import sys
from pathlib import Path
from typing import Any

import click

from kalends.features.importing import jobs
from kalends.features.importing.commands.command_options import (
    CREDENTIALS,
    ImportCommand,
    import_command,
    with_options,
)
from kalends.features.importing.commands.undo_command import undo
from kalends.features.importing.sources import csv_header
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsAddress, IcsFile, is_address
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.sources.site import RemoteSite
from kalends.features.importing.sources.table_rows import TableChoices
from kalends.features.importing.sources.written_dates import DAY_FIRST, MONTH_FIRST
from kalends.features.importing.sources.wxr import WxrFile

file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.group("import")
def import_() -> None:
    """Bring records from a site or a file into the calendar. Repeat it at any time: nothing is added twice.

    The exit code is 0 if everything is here as it is there, 3 if something was left out or was changed on both sides,
    and 1 if nothing could be read.
    """


import_.add_command(undo)


@import_.command("site")
@click.argument("address", metavar="URL")
@with_options(*CREDENTIALS)
@import_command
def import_site(address: str, **options: Any) -> None:
    """Everything from a WordPress site with The Events Calendar, or from another Kalends, by its home address."""
    asked = ImportCommand.open(options)
    client = asked.client()
    zone = asked.calendar.settings.timezone
    asked.finish(asked.run(RemoteSite(address, client, zone, asked.options["source"])))


@import_.command("wxr")
@file_argument
@import_command
def import_wxr(file: Path, **options: Any) -> None:
    """The export file of WordPress (Tools > Export)."""
    asked = ImportCommand.open(options)
    asked.finish(asked.run(WxrFile(file, asked.calendar.settings.timezone, asked.options["source"])))


@import_.command("ics")
@click.argument("place", metavar="FILE|URL")
@import_command
def import_ics(place: str, **options: Any) -> None:
    """A calendar file of Google, Outlook, Apple or another program, or its address."""
    asked = ImportCommand.open(options)
    zone, window = asked.calendar.settings.timezone, jobs.window(asked.calendar)
    name = asked.options["source"]
    if is_address(place):
        source: IcsFile = IcsAddress(place, asked.client(), zone, *window, name)
    else:
        source = IcsFile(Path(place), zone, *window, name)
    asked.finish(asked.run(source))


@import_.command("csv")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--map",
    "columns",
    multiple=True,
    metavar="COLUMN=FIELD",
    help="What a column means, or COLUMN= to leave it out; repeatable.",
)
@click.option("--dates", type=click.Choice([DAY_FIRST, MONTH_FIRST]), default=None, help="The order of 3/4/2027.")
@click.option("--sheet", default="", metavar="NAME", help="The sheet of a spreadsheet, if not the first one.")
@click.option("--year", type=click.IntRange(1900, 9999), default=None, help="The year of dates without one.")
@click.option("--template", is_flag=True, help="Write an example to standard output instead.")
@import_command
def import_csv(
    file: Path | None,
    columns: tuple[str, ...],
    dates: str | None,
    sheet: str,
    year: int | None,
    template: bool,
    **options: Any,
) -> None:
    """A table of events, venues or organizers: a spreadsheet (.xlsx, .ods), or CSV as other programs write it."""
    if template:
        sys.stdout.write(csv_header.TEMPLATE)
        return
    if file is None:
        raise click.UsageError("Name the FILE to import, or use --template.")
    if wrong := [pair for pair in columns if "=" not in pair]:
        raise click.UsageError(f"--map is COLUMN=FIELD, and this is not: {wrong[0]}")
    asked = ImportCommand.open(options)
    chosen = {name.strip(): field.strip() for name, _, field in (pair.rpartition("=") for pair in columns)}
    zone = asked.calendar.settings.timezone
    defined = asked.calendar.settings.custom_fields
    choices, name = TableChoices(sheet, year or 0), asked.options["source"]
    asked.finish(asked.run(CsvTable(file, zone, chosen, dates or "", name, defined=defined, chosen=choices)))


@import_.command("json")
@file_argument
@import_command
def import_json(file: Path, **options: Any) -> None:
    """An export of Kalends, with or without its images."""
    asked = ImportCommand.open(options)
    asked.finish(asked.run(KalendsJson(file, asked.options["source"])))
