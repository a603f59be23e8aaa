"""The state of the server as a list of checks, each with a sentence and a mark."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, NamedTuple

from babel.numbers import format_decimal

from kalends import __version__
from kalends.admin.setting_fields import Tabs
from kalends.calendar.editing.store_state import StoreState
from kalends.languages import N_, translate
from kalends.settings import Settings
from kalends.site import times
from kalends.values import dates, zones

STALE = timedelta(days=30)  # a backup older than this is worth a word
LITTLE = 0.1  # of the disk
GOOD, WARN, BAD, NO_MARK = "good", "warn", "bad", ""
MARKS = {NO_MARK: "", GOOD: N_("Good"), WARN: N_("Needs attention"), BAD: N_("Problem")}


class Disk(NamedTuple):
    """Bytes of the disk and of the database on it; that of another server has none here."""

    free: int
    total: int
    database: int | None


@dataclass(frozen=True, slots=True)
class Check:
    label: str
    value: str
    mark: str
    mark_label: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class AboutPage:
    template: ClassVar[str] = "admin/about.html"

    tabs: Tabs
    checks: Sequence[Check]


def checks(state: StoreState, settings: Settings, disk: Disk, now: datetime, language: str) -> Sequence[Check]:
    def check(label: str, value: str, mark: str = NO_MARK, advice: str = "") -> Check:
        advice = translate(advice, language) if mark in (WARN, BAD) else ""
        return Check(translate(label, language), value, mark, translate(MARKS[mark], language), advice)

    zone, backup, share = settings.timezone, state.last_backup, disk.free / disk.total
    is_stale = backup is None or dates.from_text(backup) < now - STALE
    shown_backup = times.site_moment(backup, zone, language) if backup else translate(N_("Never"), language)
    schema = translate(N_("schema {number}"), language).format(number=state.schema)
    database = "PostgreSQL" if disk.database is None else f"SQLite, {megabytes(disk.database, language)}"
    return [
        check(N_("Version"), f"Kalends {__version__}, Python {platform.python_version()}"),
        check(N_("Database"), f"{database}, {schema}"),
        check(N_("Events"), format_decimal(state.events, locale=times.locale(language))),
        check(
            N_("Time zone"),
            f"{zone}, {times.time(zones.to_local(now, zone), language)}",
            WARN if zone == "UTC" else GOOD,
            N_("Most calendars are in the zone of a place. Choose it in the settings of the calendar."),
        ),
        check(
            N_("Free disk space"),
            megabytes(disk.free, language),
            BAD if share < LITTLE / 5 else WARN if share < LITTLE else GOOD,
            N_("When the disk is full, nothing can be saved."),
        ),
        check(
            N_("Last backup"),
            shown_backup,
            WARN if is_stale else GOOD,
            N_("Download a backup from time to time, and keep it on another machine."),
        ),
        check(
            N_("Public address"),
            settings.base_url or translate(N_("As the browser asks for it"), language),
        ),
    ]


def megabytes(size: int, language: str) -> str:
    for unit, bytes_ in (("GB", 1 << 30), ("MB", 1 << 20)):
        if size >= bytes_:
            return f"{format_decimal(round(size / bytes_, 1), locale=times.locale(language))} {unit}"
    return f"{format_decimal(max(1, size >> 10), locale=times.locale(language))} KB"
