"""`kalends demo`: fills an empty calendar with half a year of a town's events."""

import click
from rich.console import Console

from kalends.bootstrap import FirstStart, make_administrator
from kalends.calendar.access import Caller
from kalends.calendar.accounts.users import BadUser
from kalends.calendar.service import Calendar
from kalends.cli.opening import open_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.cli.progress import progress
from kalends.contract.roles import Role
from kalends.demo.filling import Filling, has_events
from kalends.settings import SettingError
from kalends.store.rows import users as stored_users


@click.command()
@click.option("--if-empty", is_flag=True, help="Leave a calendar that has events alone, and call that a success.")
@with_settings
def demo(if_empty: bool, **overrides: str | None) -> None:
    """Fill an empty calendar with half a year of a town's events."""
    calendar = open_calendar(settings_from(overrides))
    data = calendar.settings.data
    # On a first start there is no administrator yet.
    if has_events(calendar, Caller(role=Role.ADMINISTRATOR)):
        if not if_empty:
            raise SettingError(f"the calendar in {data} has events already; the demo fills only an empty one")
        click.echo(f"The calendar in {data} has events already, so the demo leaves it alone.")
        return
    first = make_administrator(calendar)
    console = Console(highlight=False, soft_wrap=True)
    filling = Filling(calendar, administrator(calendar))
    with progress("Building a town", len(filling)) as advance:
        filling.run(lambda: advance(1))
    calendar.store.close()
    console.print(
        f"[bold]Merrowhaven[/] is in the calendar: {len(filling.events)} events, {len(filling.venues)} venues, "
        f"{len(filling.organizers)} organizers, {len(filling.images)} images."
    )
    show_password(console, first)


def administrator(calendar: Calendar) -> Caller:
    """The first administrator, who becomes the author of everything."""
    with calendar.store.read() as session:
        for user in stored_users.all_users(session):
            if user.role == Role.ADMINISTRATOR.word:
                return Caller(user.id, user.name, Role.ADMINISTRATOR)
    raise BadUser("there is no administrator; make one with `kalends user add NAME --role administrator`")


def show_password(console: Console, first: FirstStart | None) -> None:
    if first is not None and first.password:
        console.print(f"\nThe administrator is [bold]{first.name}[/], the password [bold]{first.password}[/]")
        console.print("It is shown only now, so keep it.")
