"""Opens a store or a calendar for a command, and closes it when the command ends; for whom a command works."""

from pathlib import Path

import click
from rich.console import Console

from kalends import bootstrap
from kalends.bootstrap import FirstStart
from kalends.calendar.access import Caller
from kalends.calendar.accounts.account_rules import BadUser
from kalends.calendar.service import Calendar
from kalends.contract.roles import Role
from kalends.settings import SettingError, Settings
from kalends.store.engine.store import Store
from kalends.store.rows import users as stored_users


def open_store(settings: Settings) -> Store:
    """The store that the settings name, created if it is not there."""
    return _close_with_command(bootstrap.open_store(settings))


def open_calendar(settings: Settings) -> Calendar:
    """The calendar that the settings name, created if it is not there, with what was chosen in the admin."""
    calendar = bootstrap.open_calendar(settings)
    _close_with_command(calendar.store)
    calendar.revision()  # reads the settings of the site, as each request does
    return calendar


def existing_store(settings: Settings) -> Store:
    """The store that the settings name; an error if the data folder has none, since the folder may be mistyped."""
    _check_exists(settings)
    return open_store(settings)


def existing_calendar(settings: Settings) -> Calendar:
    """The calendar that the settings name; an error if the data folder has none."""
    _check_exists(settings)
    return open_calendar(settings)


def _close_with_command(store: Store) -> Store:
    click.get_current_context().call_on_close(store.close)
    return store


def _check_exists(settings: Settings) -> None:
    if settings.is_embedded and not _is_file(settings.database_path):
        place = settings.database_path if settings.database else settings.data
        raise SettingError(f"there is no calendar in {place}; `kalends serve --data …` makes one")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


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
