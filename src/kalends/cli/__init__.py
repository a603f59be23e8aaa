"""The command `kalends`: one module for each subcommand."""

import sys
from importlib import import_module

import click

from kalends import __version__
from kalends.feature import features
from kalends.user_error import UserError

# The modules of the core's subcommands. Each is imported when it is needed: the server alone takes half a second.
COMMANDS = {
    "serve": "serve",
    "backup": "backup",
    "restore": "backup",
    "move": "move",
    "user": "user",
    "token": "token",
}


class Commands(click.Group):
    """The subcommands: those of the core, then those of features."""

    def list_commands(self, context: click.Context) -> list[str]:
        return [*COMMANDS, *(name for feature in features() for name in feature.commands if " " not in name)]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in COMMANDS:
            command: click.Command = getattr(import_module(f"{__name__}.{COMMANDS[name]}"), name)
            return command
        return next((one.load(one.commands[name]) for one in features() if name in one.commands), None)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kalends")
def kalends() -> None:
    """Kalends, a calendar events server."""


def main() -> None:
    """Runs a command; an error that the user can fix ends it with one line."""
    try:
        kalends()
    except UserError as error:
        sys.exit(f"kalends: {error}")
