"""The settings as options of every command, generated from their table."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from kalends.settings import RENAMED, TABLE, Row, Settings, load, option_name

F = TypeVar("F", bound=Callable[..., Any])


def with_settings(command: F) -> F:
    """Adds an option for every setting to a command, which receives them as `overrides`."""
    for row in reversed(TABLE.values()):
        # Other users of the machine can read a command line.
        if not row.secret:
            command = _option(row)(command)
    for earlier in RENAMED:
        command = click.option(option_name(earlier), earlier, hidden=True)(command)
    return command


def _option(row: Row) -> Callable[[F], F]:
    """The option of a setting; one that is a list may be given several times."""
    separator = row.kind.separator

    def joined(context: click.Context, parameter: click.Parameter, values: Any) -> str | None:
        return (separator.join(values) or None) if separator else values

    return click.option(
        row.option, row.key, metavar="VALUE", help=row.meaning, multiple=bool(separator), callback=joined
    )


def settings_from(overrides: dict[str, str | None]) -> Settings:
    return load(None, overrides, os.environ, warn=lambda line: click.echo(f"Warning: {line}", err=True))
