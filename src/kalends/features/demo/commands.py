"""`kalends demo`: fills an empty calendar with half a year of a town's events."""

import click
from rich.console import Console

from kalends.bootstrap import make_administrator
from kalends.calendar.access import SERVICE, Caller
from kalends.calendar.service import Calendar
from kalends.cli.opening import administrator, open_calendar, show_password
from kalends.cli.options import settings_from, with_settings
from kalends.cli.progress import progress
from kalends.contract.roles import Role
from kalends.features.demo.filling import Filling, has_events
from kalends.settings import SettingError


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
    build_town(calendar, console)
    calendar.store.close()
    show_password(console, first)


def fill_if_empty(calendar: Calendar, console: Console) -> None:
    """The events of a made-up town, unless there are others."""
    if not has_events(calendar, SERVICE):
        build_town(calendar, console)


def build_town(calendar: Calendar, console: Console) -> None:
    """Fills an empty calendar that has an administrator."""
    filling = Filling(calendar, administrator(calendar))
    with progress("Building a town", len(filling)) as advance:
        filling.run(lambda: advance(1))
    console.print(
        f"[bold]Merrowhaven[/] is in the calendar: {len(filling.events)} events, {len(filling.venues)} venues, "
        f"{len(filling.organizers)} organizers, {len(filling.images)} images."
    )
