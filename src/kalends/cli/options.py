"""The settings as options of every command, generated from their table."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from kalends.settings import RENAMED, TABLE, SettingRow, Settings, load, option_name

F = TypeVar("F", bound=Callable[..., Any])

LISTED = "List the settings, each of which is an option of this command too, and exit."
WHERE = ("data", "database")  # the settings that say which calendar a command works on


def with_settings(command: F) -> F:
    """Adds an option for every setting to a command, which receives them as `overrides`. Its help shows its own
    options and those that name the calendar; the others are listed by `--help-settings`."""
    list_settings = click.option(
        "--help-settings", is_flag=True, is_eager=True, expose_value=False, callback=_show_settings, help=LISTED
    )
    command = list_settings(command)
    for row in reversed(TABLE.values()):
        # Other users of the machine can read a command line.
        if not row.secret:
            command = _option(row)(command)
    for earlier in RENAMED:
        command = click.option(option_name(earlier), earlier, hidden=True)(command)
    return command


def _show_settings(context: click.Context, parameter: click.Parameter, is_asked: bool) -> None:
    if not is_asked or context.resilient_parsing:
        return
    formatter = context.make_formatter()
    with formatter.section("Settings, also as variables KALENDS_… and in kalends.toml"):
        formatter.write_dl([(f"{row.option} VALUE", row.meaning) for row in TABLE.values() if not row.secret])
    click.echo(formatter.getvalue().rstrip())
    context.exit()


def _option(row: SettingRow) -> Callable[[F], F]:
    """The option of a setting; one that is a list may be given several times."""
    separator = row.kind.separator

    def joined(context: click.Context, parameter: click.Parameter, values: Any) -> str | None:
        return (separator.join(values) or None) if separator else values

    return click.option(
        row.option,
        row.key,
        metavar="VALUE",
        help=row.meaning,
        multiple=bool(separator),
        callback=joined,
        hidden=row.key not in WHERE,
    )


def settings_from(overrides: dict[str, str | None]) -> Settings:
    return load(None, overrides, os.environ, warn=lambda line: click.echo(f"Warning: {line}", err=True))
