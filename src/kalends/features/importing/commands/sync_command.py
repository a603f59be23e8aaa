"""`kalends sync`: keeps the calendar the same as another one."""

import re
import time
from typing import Any

import click

from kalends.features.importing.applying.report import Report
from kalends.features.importing.commands.command_options import (
    CREDENTIALS,
    Session,
    import_command,
    with_options,
)
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.site import Site
from kalends.store.engine.store import StoreUnavailable

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
SHORTEST = 60  # seconds between two rounds


@click.group()
def sync() -> None:
    """Keep the calendar the same as another one."""


class Interval(click.ParamType[int]):
    """`90s`, `15m`, `2h` or `1d`."""

    name = "interval"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        found = re.fullmatch(r"([0-9]{1,6})([smhd]?)", str(value))
        seconds = int(found[1]) * UNITS[found[2] or "m"] if found else 0
        if seconds < SHORTEST:
            self.fail(f"{value} is not an interval such as 15m, of a minute or more", param, ctx)
        return seconds


@sync.command("site")
@click.argument("address", metavar="URL")
@click.option("--every", type=Interval(), metavar="INTERVAL", help="Again and again until stopped, such as 15m.")
@with_options(*CREDENTIALS)
@import_command
def sync_site(address: str, every: int | None, **options: Any) -> None:
    """Mirror a site: what is new, changed or gone there is so here. Once, unless --every is given.

    The exit codes of one round are those of `kalends import`.
    """
    session = Session.open(options)
    client = session.client()
    while True:
        try:
            report = mirror(
                session, Site(address, client, session.calendar.settings.timezone, session.options["source"])
            )
        except (SourceError, StoreUnavailable) as failed:
            if every is None:
                raise
            click.echo(f"kalends: {failed}", err=True)  # it may be there again in the next round
        else:
            if every is None:
                session.finish(report)
                return
            if not session.quiet:
                click.echo("; ".join(report.sentences()))
        time.sleep(every)


def mirror(session: Session, site: Site) -> Report:
    """One round. What is gone is only known after everything was read, so a round always begins at the beginning."""
    site.prepare()
    importer = session.importer(site, lambda count: None)
    try:
        importer.run(site, resume=False)
        importer.remove_missing(site)
    finally:
        session.write_report(importer.report)
    return importer.report
