"""`kalends token`: credentials for programs."""

import click

from kalends.calendar import people
from kalends.calendar.people import BadUser
from kalends.cli.opening import open_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.store import people as stored_people


@click.group()
def token() -> None:
    """Credentials for programs."""


@token.command()
@click.argument("name")
@click.option("--label", default="command line", show_default=True, help="What the token is for.")
@with_settings
def add(name: str, label: str, **overrides: str | None) -> None:
    """Make a token for the user NAME and print it, once."""
    calendar = open_calendar(settings_from(overrides))
    with calendar.store.write() as session:
        user = stored_people.find_user_by_name(session, name)
        if user is None:
            raise BadUser(f"there is no user {name!r}")
        clear, _ = people.add_token(session, user, label, calendar.clock())
    click.echo(clear)
