"""The settings as options of every command, made from their one table."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from kalends.settings import TABLE, Settings, load

F = TypeVar("F", bound=Callable[..., Any])


def with_settings(command: F) -> F:
    """Gives a command an option a setting; it receives them as `overrides`."""
    for row in reversed(TABLE.values()):
        # A secret on a command line can be read by everybody on the machine.
        if not row.secret:
            option = click.option(row.option, row.key, metavar="VALUE", help=row.meaning)
            command = option(command)
    return command


def settings_from(overrides: dict[str, str | None]) -> Settings:
    return load(None, overrides, os.environ)
