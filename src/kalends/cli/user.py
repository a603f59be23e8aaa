"""`kalends user`: users and their roles."""

import sys

import click

from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.accounts import account_rules, credentials, users
from kalends.calendar.accounts.account_rules import BadUser
from kalends.cli.opening import existing_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.contract.roles import ROLE_WORDS
from kalends.feature import features
from kalends.store.rows.records import User

ROLE_HELP = f"One of: {', '.join(ROLE_WORDS)}."


class UserCommands(click.Group):
    """The subcommands of the core, then those of features."""

    def list_commands(self, context: click.Context) -> list[str]:
        added = (name for feature in features() for name in feature.commands)
        return [*super().list_commands(context), *(name[5:] for name in added if name.startswith("user "))]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        key = f"user {name}"
        added = (one.load(one.commands[key]) for one in features() if key in one.commands)
        return super().get_command(context, name) or next(added, None)


@click.group(cls=UserCommands)
def user() -> None:
    """Users and their roles."""


@user.command()
@click.argument("name")
@click.option("--role", required=True, metavar="ROLE", help=ROLE_HELP)
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@with_settings
def add(name: str, role: str, password_stdin: bool, **overrides: str | None) -> None:
    """Add a user."""
    calendar = existing_calendar(settings_from(overrides))
    account_rules.check_name(name)
    account_rules.check_role(role)
    password = read_password(password_stdin)
    with calendar.writing(SERVICE) as work:
        added = users.add_user(work, name, role, password)
    click.echo(f"Added {added.name} ({added.role}), id {added.id}.")


@user.command("list")
@with_settings
def list_users(**overrides: str | None) -> None:
    """List all users: id, name and role."""
    calendar = existing_calendar(settings_from(overrides))
    with calendar.reading_latest(SERVICE) as work:
        for found in users.everybody(work):
            click.echo(f"{found.id}\t{found.name}\t{found.role}")


@user.command()
@click.argument("name")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@with_settings
def passwd(name: str, password_stdin: bool, **overrides: str | None) -> None:
    """Give NAME a new password. The old one stops working at once."""
    calendar = existing_calendar(settings_from(overrides))
    with calendar.reading_latest(SERVICE) as work:
        find_user(work, name)
    password = read_password(password_stdin)
    with calendar.writing(SERVICE) as work:
        left = credentials.remaining(work, users.change_user(work, find_user(work, name), password=password))
    click.echo(f"Changed the password of {name}.")
    if left.tokens or left.application_passwords:
        click.echo(
            f"Still valid: {left.tokens} tokens and {left.application_passwords} application passwords. "
            f"`kalends token list {name}` shows them, `kalends token revoke {name} ID` ends one."
        )


@user.command()
@click.argument("name")
@click.argument("role")
@with_settings
def role(name: str, role: str, **overrides: str | None) -> None:
    """Give NAME another ROLE."""
    calendar = existing_calendar(settings_from(overrides))
    with calendar.writing(SERVICE) as work:
        users.change_user(work, find_user(work, name), role=role)
    click.echo(f"{name} is {role} now.")


@user.command()
@click.argument("name")
@click.argument("address")
@with_settings
def email(name: str, address: str, **overrides: str | None) -> None:
    """Give NAME the mail ADDRESS; "" takes it away."""
    calendar = existing_calendar(settings_from(overrides))
    with calendar.writing(SERVICE) as work:
        changed = users.change_user(work, find_user(work, name), email=address)
    click.echo(f"The address of {name} is {changed.email} now." if changed.email else f"{name} has no address now.")


@user.command()
@click.argument("name")
@click.option("--give-to", metavar="NAME", help="The user who becomes the author of the records.")
@with_settings
def remove(name: str, give_to: str | None, **overrides: str | None) -> None:
    """Remove NAME, with all tokens."""
    calendar = existing_calendar(settings_from(overrides))
    with calendar.reading(SERVICE) as work:
        successor = None if give_to is None else find_user(work, give_to).id
        removed = find_user(work, name).id
    given = users.remove_in_parts(calendar, SERVICE, removed, successor)
    click.echo(f"Removed {name}; {given} records went to {give_to}." if given else f"Removed {name}.")


def find_user(work: UnitOfWork, name: str) -> User:
    found = users.find_user_by_name(work, name)
    if found is None:
        raise BadUser("there is no user {name}", name=repr(name))
    return found


def read_password(from_stdin: bool) -> str:
    if from_stdin:
        try:
            return sys.stdin.buffer.readline().decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise BadUser("the password is not UTF-8 text") from None
    if not sys.stdin.isatty():
        raise BadUser("no terminal to ask for the password; pipe it in with --password-stdin")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password
