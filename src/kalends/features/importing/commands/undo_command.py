"""`kalends import undo`: takes an import back, after saying what that means."""

from collections.abc import Mapping
from typing import Any

import click

from kalends.cli.opening import open_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.contract.kinds import KIND_OF
from kalends.features.importing.commands.command_options import import_caller
from kalends.features.importing.run_rows import UNDOING, UNDONE, ImportRun
from kalends.features.importing.undo import undoing
from kalends.features.importing.undo.report import UndoReport
from kalends.features.importing.undo.undoing import UndoPlan
from kalends.user_error import UserError

LISTED = 20
MOST_LISTED = 20
PLURALS = {"media": ("picture", "pictures"), "custom_field": ("custom field", "custom fields")} | {
    name: (name, kind.plural) for name, kind in KIND_OF.items()
}


@click.command("undo")
@click.argument("number", metavar="[NUMBER]", type=int, required=False)
@click.option("--list", "listed", is_flag=True, help="List the imports of late with their numbers instead.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--as", "user", metavar="USER", help="Who undoes it, in the history of the records.")
@with_settings
def undo(number: int | None, listed: bool, yes: bool, user: str | None, **options: Any) -> None:
    """Undo an import: the last one, or that with this NUMBER.

    What it created is deleted and what it changed becomes what it was before. What somebody has changed since stays,
    and so do venues, organizers, categories, tags and pictures that something else uses.
    """
    calendar = open_calendar(settings_from(options))
    caller = import_caller(calendar, user)
    found = undoing.entries(calendar, caller, LISTED)
    if listed:
        for run in found or ():
            click.echo(f"{run.id:>5}  {run.began_utc} UTC  {_state(run):<9}  {run.label}")
        if not found:
            click.echo("no import has changed anything yet")
        return
    if number is None:
        number = next((run.id for run in found if run.state != UNDONE), None)
        if number is None:
            raise UserError("there is no import to undo")
    try:
        plan = undoing.plan(calendar, caller, number)
        if not plan.run.state:
            _print_plan(plan)
        if not yes and plan.run.state != UNDONE:
            click.confirm(f"Undo the import {number}?", abort=True)
        undoing.start(calendar, caller, number)
        report = undoing.finish(calendar, caller, number)
    except ApiError as refused:
        if refused.error_type is NO_ROUTE:
            raise UserError(f"there is no import with the number {number}") from None
        raise UserError(refused.error_type.message) from None
    _print_report(report)


def _state(run: ImportRun) -> str:
    return {UNDOING: "undoing", UNDONE: "undone"}.get(run.state, "")


def _print_plan(plan: UndoPlan) -> None:
    click.echo(f"{plan.run.label}, {plan.run.began_utc} UTC")
    click.echo(f"created, to be deleted: {_counted(plan.created)}")
    click.echo(f"changed, to be as before: {_counted(plan.changed)}")
    if plan.unchanged:
        click.echo(f"changed since by somebody, to stay: {plan.unchanged}")


def _print_report(report: UndoReport) -> None:
    click.echo(f"deleted: {_counted(report.removed)}")
    click.echo(f"as before: {_counted(report.restored)}")
    for one in report.unchanged[:MOST_LISTED]:
        click.echo(f"stays: {PLURALS[one.kind][0]} {one.id} {one.name}: {one.reason}")
    left = len(report.unchanged) - MOST_LISTED + report.omitted
    if left > 0:
        click.echo(f"and {left} more stay; the admin lists them")


def _counted(counts: Mapping[str, int]) -> str:
    counted = [f"{count} {PLURALS[kind][count != 1]}" for kind, count in counts.items()]
    return ", ".join(counted) or "nothing"
