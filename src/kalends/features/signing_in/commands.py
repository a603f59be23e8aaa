"""`kalends user reset-factors`: for somebody who has lost every second factor."""

import click

from kalends.calendar.access import SERVICE
from kalends.cli.opening import existing_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.cli.user import find_user
from kalends.features.signing_in import factors


@click.command("reset-factors")
@click.argument("name")
@with_settings
def reset_factors(name: str, **overrides: str | None) -> None:
    """Take all second factors from NAME, whose sessions end."""
    calendar = existing_calendar(settings_from(overrides))
    with calendar.writing(SERVICE) as work:
        factors.reset(work, find_user(work, name))
    click.echo(f"{name} signs in with the password alone, and can set up a new second factor.")
