"""The command `kalends`: one module for each subcommand."""

import sys

import click

from kalends import __version__
from kalends.calendar.accounts.users import BadUser
from kalends.cli.backup import BadArchive, backup, restore
from kalends.cli.demo import demo
from kalends.cli.exporting import export
from kalends.cli.importing import import_
from kalends.cli.move import move
from kalends.cli.serve import serve
from kalends.cli.sync import sync
from kalends.cli.token import token
from kalends.cli.user import user
from kalends.exporting.errors import ExportError
from kalends.importing.record import SourceError
from kalends.settings import SettingError
from kalends.store.engine.copying import CopyFailed, NotEmpty
from kalends.store.engine.migrating import NewerSchema
from kalends.store.engine.store import StoreRefused, StoreUnavailable

# Errors that the user can fix; the message says how.
USER_ERRORS = (
    *(SettingError, BadUser, NewerSchema, StoreRefused, StoreUnavailable, NotEmpty, CopyFailed, BadArchive),
    *(SourceError, ExportError),
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kalends")
def kalends() -> None:
    """Kalends, a calendar events server."""


kalends.add_command(serve)
kalends.add_command(demo)
kalends.add_command(backup)
kalends.add_command(restore)
kalends.add_command(move)
kalends.add_command(import_)
kalends.add_command(export)
kalends.add_command(sync)
kalends.add_command(user)
kalends.add_command(token)


def main() -> None:
    """Runs a command; an error that the user can fix ends it with one line."""
    try:
        kalends()
    except USER_ERRORS as error:
        sys.exit(f"kalends: {error}")
