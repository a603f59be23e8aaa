"""`kalends source`: the sources from the command line; `kalends sync`: one of them, once."""

import sys
from typing import Any

import click

from kalends.bootstrap import collect_garbage_rarely
from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.cli.opening import administrator, existing_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.contract.errors import ApiError
from kalends.contract.fields import Field, read_create
from kalends.features.importing.records.messages import reasons_of
from kalends.features.importing.sources.files import source_name
from kalends.features.importing.sources.wordpress import source_of
from kalends.features.sources import reading, rules
from kalends.features.sources.contract import MOST_AHEAD, MOST_BACK, SOURCE_FIELDS, interval_text
from kalends.features.sources.errors import BAD_SOURCE
from kalends.features.sources.failures import error_of
from kalends.features.sources.rules import SourceState
from kalends.user_error import UserError

FIELDS: dict[str, Field] = {field.name: field for field in SOURCE_FIELDS}
PASSWORD = "KALENDS_SOURCE_PASSWORD"  # noqa: S105 - the name of a variable


@click.group()
def source() -> None:
    """Calendars elsewhere that are read again and again."""


@source.command()
@click.argument("address")
@click.option("--name", default="", help="What the source is called here.")
@click.option("--every", default="1h", help="How often it is read: 15m to 7d.")
@click.option("--publish", type=click.Choice(["at_once", "review"]), default="at_once", help="New events.")
@click.option("--when-gone", type=click.Choice(["trash", "cancel", "keep"]), default="trash", help="Gone events.")
@click.option("--back", type=int, default=1, help="How many months back events are taken.")
@click.option("--ahead", type=int, default=12, help="How many months ahead events are taken.")
@click.option("--take", default="", metavar="WORDS", help="Words of which an event has to have one, with commas.")
@click.option("--leave-out", default="", metavar="WORDS", help="Words of which an event has none, with commas.")
@click.option("--no-images", is_flag=True, help="Leave images out.")
@click.option("--user", "login", default="", metavar="NAME", help=f"Log in there; the password is in {PASSWORD}.")
@click.option("--paused", is_flag=True, help="Do not read it by itself.")
@with_settings
def add(address: str, back: int, ahead: int, no_images: bool, login: str, paused: bool, **options: Any) -> None:
    """Add a source, which the service reads at once."""
    sent = {name: options.pop(name) for name in ("name", "every", "publish", "when_gone", "take", "leave_out")}
    sent |= {"address": address, "window": {"back": back, "ahead": ahead}}
    sent |= {"images": not no_images, "active": not paused}
    if login:
        sent["login"] = {"user": login, "password": _password()}
    calendar, caller = _opened(options)
    made = _add(calendar, caller, sent)
    click.echo(f"Added the source {made.source.id}: {made.source.name}.")


@source.command("list")
@with_settings
def list_sources(**options: Any) -> None:
    """List the sources: id, state, how often they are read, last success, name and error."""
    calendar, caller = _opened(options)
    for found in calendar.read_latest(caller, rules.everyone):
        click.echo("\t".join(_row(found)))


@source.command()
@click.argument("id", type=int)
@with_settings
def read(id: int, **options: Any) -> None:
    """Read a source now. The exit code is 1 if it could not be read."""
    _read(*_opened(options), id)


@click.group()
def sync() -> None:
    """Make the calendar the same as another one, once."""


@sync.command("site")
@click.argument("address", metavar="URL")
@click.option("--user", "login", default="", metavar="NAME", help=f"Log in there; the password is in {PASSWORD}.")
@click.option("--quiet", is_flag=True, help="Show errors only.")
@with_settings
def sync_site(address: str, login: str, quiet: bool, **options: Any) -> None:
    """Read a site once, as a source of all its months: what is new, changed or gone there is so here.

    The source is paused, so nothing else reads it until it is switched on. What was imported of the site is known.
    """
    calendar, caller = _opened(options)
    found = calendar.read_latest(caller, rules.at_address, address)
    if found is None:
        window = {"back": MOST_BACK, "ahead": MOST_AHEAD}
        sent: dict[str, object] = {"address": address, "window": window, "active": False}
        if login:
            sent["login"] = {"user": login, "password": _password()}
        found = _add(calendar, caller, sent, source_name(source_of(address)))
    _read(calendar, caller, found.source.id, quiet=quiet)


def _add(calendar: Calendar, caller: Caller, sent: dict[str, object], origin: str = "") -> SourceState:
    try:
        reading = read_create(SOURCE_FIELDS, sent)
        reading.problems.raise_any()
        rules.check(caller, reading.values, calendar.settings)
        return calendar.write(caller, rules.create, reading.values, origin)
    except ApiError as refused:
        raise _user_error(refused) from None


def _read(calendar: Calendar, caller: Caller, id: int, *, quiet: bool = False) -> None:
    """Until it is read. Ends the command where it could not be."""
    collect_garbage_rarely()
    try:
        found = reading.read_now(calendar, caller, id)
        while reading.is_under_way(calendar, id):
            found = reading.read_now(calendar, caller, id)
    except ApiError as refused:
        raise _user_error(refused) from None
    finally:
        calendar.background.stop()
    state = found.state
    names = ("created", "changed", "unchanged", "gone", "held")
    if not quiet:
        click.echo(", ".join(f"{getattr(state, name)} {name}" for name in names))
    if state.error:
        click.echo(error_of(state.error), err=True)
        sys.exit(1)


@source.command()
@click.argument("id", type=int)
@click.option("--off", is_flag=True, help="Read it by itself again.")
@with_settings
def pause(id: int, off: bool, **options: Any) -> None:
    """Do not read a source by itself until it is switched on again (--off)."""
    calendar, caller = _opened(options)
    try:
        calendar.write(caller, rules.update, id, {"active": off})
    except ApiError as refused:
        raise _user_error(refused) from None
    click.echo(f"The source {id} is {'read again' if off else 'paused'}.")


@source.command()
@click.argument("id", type=int)
@with_settings
def remove(id: int, **options: Any) -> None:
    """Remove a source. Its events stay."""
    calendar, caller = _opened(options)
    try:
        found = calendar.write(caller, rules.delete, id)
    except ApiError as refused:
        raise _user_error(refused) from None
    click.echo(f"Removed the source {id}: {found.source.name}. Its events stay.")


def _opened(options: dict[str, Any]) -> tuple[Calendar, Caller]:
    calendar = existing_calendar(settings_from(options))
    return calendar, administrator(calendar)


def _row(found: SourceState) -> tuple[str, ...]:
    source, state = found
    how = "paused" if not source.active else "failing" if state.error else "ok" if state.last_success else "new"
    message = error_of(state.error)
    return (str(source.id), how, interval_text(source.every), state.last_success or "-", source.name, message)


def _password() -> str:
    import os

    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    return str(click.prompt("Password", hide_input=True))


def _user_error(refused: ApiError) -> UserError:
    if refused.error_type is BAD_SOURCE or "problems" in refused.data:
        return UserError("; ".join(reasons_of(refused)))
    return UserError(refused.error_type.message)
