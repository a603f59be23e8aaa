"""`kalends check`: tells what is wrong in a store, and computes derived data anew."""

import sys
from collections.abc import Mapping, Sequence

import click

from kalends.cli.opening import existing_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.features.consistency import checking
from kalends.features.consistency.store.problem import Problem

MOST_SHOWN = 20  # of one check; a damaged table can have a problem in every row


@click.command()
@click.option("--repair", is_flag=True, help="Compute derived data anew, and remove references that lead nowhere.")
@with_settings
def check(repair: bool, **overrides: str | None) -> None:
    """Tell in words whether anything in the calendar contradicts itself. The server may keep running.

    Ends with status 1 if something is wrong, with --repair if something is left.
    """
    calendar = existing_calendar(settings_from(overrides))
    if repair:
        repaired, remaining = checking.repair(calendar)
        show_problems("Repaired:", repaired)
        show_problems("For you to decide:", remaining)
        if not remaining:
            click.echo("Nothing is wrong now." if repaired else "Nothing is wrong.")
    else:
        settings = calendar.revision().settings
        with calendar.store.read() as session:
            remaining = checking.problems(session, settings)
        show_problems("", remaining)
        repairable = {one.name for one in checking.checks(settings) if one.repair is not None}
        if any(problem.repairable for name in repairable & remaining.keys() for problem in remaining[name]):
            click.echo("`kalends check --repair` computes anew what can be computed; make a backup first.")
        if not remaining:
            click.echo("Nothing is wrong.")
    if remaining:
        sys.exit(1)


def show_problems(heading: str, found: Mapping[str, Sequence[Problem]]) -> None:
    """The problems, those of a check together, the first of many."""
    if heading and found:
        click.echo(heading)
    for problems in found.values():
        for problem in problems[:MOST_SHOWN]:
            click.echo(f"- {problem.sentence}")
        if len(problems) > MOST_SHOWN:
            click.echo(f"- … and {len(problems) - MOST_SHOWN} more of this kind.")
