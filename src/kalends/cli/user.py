"""`kalends user`: people and their roles."""

import sys

import click

from kalends.calendar import people
from kalends.calendar.access import ROLE_WORDS
from kalends.cli.opening import open_calendar
from kalends.cli.options import settings_from, with_settings


@click.group()
def user() -> None:
    """People and their roles."""


@user.command()
@click.argument("name")
@click.option("--role", required=True, metavar="ROLE", help=f"One of: {', '.join(ROLE_WORDS)}.")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@with_settings
def add(name: str, role: str, password_stdin: bool, **overrides: str | None) -> None:
    """Add somebody."""
    calendar = open_calendar(settings_from(overrides))
    people.check_name(name)
    people.check_role(role)
    password = read_password(password_stdin)
    with calendar.store.write() as session:
        added = people.add_user(session, name, role, password, calendar.clock())
    click.echo(f"Added {added.name} ({added.role}), id {added.id}.")


def read_password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise people.BadUser("no terminal to ask for the password; pipe it in with --password-stdin")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password
