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

QUARTERS = 4


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
    total, done = len(filling), 0
    console.print(f"Filling the calendar with a made-up town, {total} steps.")

    def advance_all() -> None:
        nonlocal done
        done += 1
        advance(1)
        if not console.is_terminal and done * QUARTERS // total > (done - 1) * QUARTERS // total and done < total:
            console.print(f"{done * 100 // total} %")  # the bar is for terminals

    with progress("Building a town", total) as advance:
        filling.run(advance_all)
    events = len(filling.events) - filling.trashed
    console.print(
        f"[bold]Merrowhaven[/] is in the calendar: {events} events, {len(filling.venues)} venues, "
        f"{len(filling.organizers)} organizers, {len(filling.images)} images."
    )
