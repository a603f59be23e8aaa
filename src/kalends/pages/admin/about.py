"""The state of the server as a list of checks, each with a sentence and a mark."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from babel.numbers import format_decimal

from kalends.languages import N_, translate
from kalends.pages import times
from kalends.pages.admin.setting_fields import Tabs
from kalends.values import dates, zones

STALE = timedelta(days=30)  # a backup older than this is worth a word
LITTLE = 0.1  # of the disk
GOOD, WARN, BAD, NO_MARK = "good", "warn", "bad", ""
MARKS = {NO_MARK: "", GOOD: N_("Good"), WARN: N_("Look at this"), BAD: N_("Problem")}


@dataclass(frozen=True, slots=True)
class Facts:
    version: str
    python: str
    database: str
    size: int | None  # of its file, in bytes
    schema: int
    events: int
    timezone: str
    free: int
    free_share: float
    last_backup: str | None
    base_url: str


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


def checks(facts: Facts, now: datetime, language: str) -> Sequence[Check]:
    def check(label: str, value: str, mark: str = NO_MARK, advice: str = "") -> Check:
        advice = translate(advice, language) if mark in (WARN, BAD) else ""
        return Check(translate(label, language), value, mark, translate(MARKS[mark], language), advice)

    local = zones.to_local(now, facts.timezone)
    backup = facts.last_backup
    is_stale = backup is None or dates.from_text(backup) < now - STALE
    shown_backup = times.site_moment(backup, facts.timezone, language) if backup else translate(N_("Never"), language)
    schema = translate(N_("schema {number}"), language).format(number=facts.schema)
    database = facts.database if facts.size is None else f"{facts.database}, {megabytes(facts.size, language)}"
    return [
        check(N_("Version"), f"Kalends {facts.version}, Python {facts.python}"),
        check(N_("Database"), f"{database}, {schema}"),
        check(N_("Events"), format_decimal(facts.events, locale=times.locale(language))),
        check(
            N_("Time zone"),
            f"{facts.timezone}, {times.time(local, language)}",
            WARN if facts.timezone == "UTC" else GOOD,
            N_("Most calendars are in the zone of a place. Choose it in the settings of the calendar."),
        ),
        check(
            N_("Free disk space"),
            megabytes(facts.free, language),
            BAD if facts.free_share < LITTLE / 5 else WARN if facts.free_share < LITTLE else GOOD,
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
            facts.base_url or translate(N_("As the browser asks for it"), language),
        ),
    ]


def megabytes(size: int, language: str) -> str:
    for unit, bytes_ in (("GB", 1 << 30), ("MB", 1 << 20)):
        if size >= bytes_:
            return f"{format_decimal(round(size / bytes_, 1), locale=times.locale(language))} {unit}"
    return f"{format_decimal(max(1, size >> 10), locale=times.locale(language))} KB"
