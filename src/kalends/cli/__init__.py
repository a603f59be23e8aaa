"""The command `kalends`: one module for each subcommand."""

import sys
from importlib import import_module

import click

from kalends import __version__
from kalends.user_error import UserError

# The module of each subcommand. It is imported when it is needed: the server alone takes half a second.
COMMANDS = {
    "serve": "cli.serve",
    "demo": "features.demo.commands",
    "backup": "cli.backup",
    "restore": "cli.backup",
    "move": "cli.move",
    "check": "features.consistency.commands",
    "import": "features.importing.commands",
    "export": "features.exporting.commands",
    "sync": "features.importing.sync_command",
    "user": "cli.user",
    "token": "cli.token",
    "mcp": "features.assistants.commands",
    "mail": "features.mail.commands",
}


class Commands(click.Group):
    """The subcommands, in the order of the table."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(
            import_module(f"kalends.{COMMANDS[name]}"), {"import": "import_"}.get(name, name)
        )
        return command


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
