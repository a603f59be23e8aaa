"""`kalends check`: tells what is wrong in a store, and mends it."""

import sys
from collections.abc import Sequence

import click

from kalends.calendar.consistency import checking, repairing
from kalends.cli.opening import existing_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.store.consistency.problem import Problem

MOST_SHOWN = 20  # of one kind; a damaged table can have a problem in every row


@click.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended.")
@with_settings
def check(repair: bool, **overrides: str | None) -> None:
    """Tell in words whether anything in the calendar contradicts itself. The server may keep running.

    Ends with status 1 if something is wrong, with --repair if something is left.
    """
    calendar = existing_calendar(settings_from(overrides))
    if repair:
        mended, left = repairing.repair(calendar)
        show("Mended:", mended)
        show("Not mended:", left)
    else:
        with calendar.store.read() as session:
            left = checking.problems(session, calendar.revision().settings)
        show("", left)
        if any(problem.repairable for problem in left):
            click.echo("`kalends check --repair` mends what can be mended; make a backup first.")
    if left:
        sys.exit(1)
    click.echo("Nothing is wrong now." if repair and mended else "Nothing is wrong.")


def show(heading: str, problems: Sequence[Problem]) -> None:
    """The problems, those of a check together, the first of many."""
    by_check: dict[str, list[str]] = {}
    for problem in problems:
        by_check.setdefault(problem.check, []).append(problem.sentence)
    if heading and problems:
        click.echo(heading)
    for sentences in by_check.values():
        for sentence in sentences[:MOST_SHOWN]:
            click.echo(f"- {sentence}")
        if len(sentences) > MOST_SHOWN:
            click.echo(f"- … and {len(sentences) - MOST_SHOWN} more of this kind.")
