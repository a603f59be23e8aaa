"""Opens a calendar for a command: its folder, its store with every migration, and its first administrator."""

import secrets
import uuid
from dataclasses import dataclass
from pathlib import Path

import click

from kalends.calendar.accounts import event_passwords, users
from kalends.calendar.service import SITE_ID, Calendar
from kalends.server.app import make_calendar, make_store, system_clock
from kalends.settings import SettingError, Settings
from kalends.store.engine.migrating import migrate
from kalends.store.engine.store import Store
from kalends.store.rows import site
from kalends.store.rows import users as stored_people
from kalends.values import dates


@dataclass(frozen=True)
class FirstStart:
    """What happened when a calendar was opened for the first time."""

    name: str
    password: str  # empty when the person chose it


def open_store(settings: Settings) -> Store:
    """The store that the settings name, with every migration, made if it is not there."""
    try:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        if settings.is_embedded:
            settings.database_path.touch(mode=0o600)
    except OSError as error:
        raise SettingError(f"the data folder {settings.data} cannot be used: {error.strerror}") from None
    store = make_store(settings)
    command = click.get_current_context(silent=True)
    if command is not None:  # its end is the store's
        command.call_on_close(store.close)
    migrate(store, dates.text(system_clock()))
    return store


def existing_store(settings: Settings) -> Store:
    """The store that the settings name; one line for the person who mistyped where it is."""
    _check_there(settings)
    return open_store(settings)


def _check_there(settings: Settings) -> None:
    if settings.is_embedded and not _is_file(settings.database_path):
        raise SettingError(f"there is no calendar in {settings.data}; `kalends serve --data …` makes one")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def existing_calendar(settings: Settings) -> Calendar:
    """The calendar that the settings name, which must be there."""
    _check_there(settings)
    return open_calendar(settings)


def open_calendar(settings: Settings) -> Calendar:
    """The calendar that the settings name, made if it is not there."""
    calendar = make_calendar(settings, store=open_store(settings))
    with calendar.store.write() as session:
        event_passwords.make_salt(session)
        site.write_once(session, SITE_ID, str(uuid.uuid4()))
    return calendar


def make_administrator(calendar: Calendar) -> FirstStart | None:
    """On the first start an administrator `admin` is made; None when there are users already."""
    chosen = calendar.settings.admin_password
    password = chosen or secrets.token_urlsafe(12)
    with calendar.store.write() as session:
        if stored_people.all_users(session):
            return None
        users.add_user(session, "admin", "administrator", password, calendar.clock())
    return FirstStart("admin", "" if chosen else password)
