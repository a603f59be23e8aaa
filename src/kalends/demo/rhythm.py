"""The half year, and how often something happens in it: every rhythm picks its days."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from kalends.values import zones
from kalends.values.recurrence.rules import WEEKDAYS

MON, TUE, WED, THU, FRI, SAT, SUN = range(7)
DAY = timedelta(days=1)
# Long enough that the clocks change in it, here or in the twin town, whenever it begins.
DAYS_BACK, DAYS_AHEAD = 31, 153
# Month and day when the town stays at home.
QUIET_DAYS = frozenset({(12, 24), (12, 25), (12, 26), (12, 31), (1, 1)})


@dataclass(frozen=True)
class Season:
    """The half year around a day."""

    today: date

    @property
    def first(self) -> date:
        return self.today - DAYS_BACK * DAY

    @property
    def last(self) -> date:
        return self.today + DAYS_AHEAD * DAY

    def days(self) -> list[date]:
        return [self.first + number * DAY for number in range(DAYS_BACK + DAYS_AHEAD + 1)]


def is_quiet(first: date, days: int = 1) -> bool:
    """Whether a day on which nothing takes place is among these."""
    return any((day.month, day.day) in QUIET_DAYS for day in (first + number * DAY for number in range(days)))


@dataclass(frozen=True)
class Rhythm:
    """When something happens; `rule` says the same as iCalendar does, if it goes on and on."""

    days: Callable[[Season], list[date]]
    rule: str = ""


def weekly(weekday: int) -> Rhythm:
    return Rhythm(lambda season: _on(weekday, season), f"FREQ=WEEKLY;BYDAY={WEEKDAYS[weekday]}")


def every_other(weekday: int, which: int = 0) -> Rhythm:
    """Every second week; `which` tells the two fortnights apart."""
    return Rhythm(
        lambda season: [day for day in _on(weekday, season) if day.toordinal() // 7 % 2 == which],
        f"FREQ=WEEKLY;INTERVAL=2;BYDAY={WEEKDAYS[weekday]}",
    )


def monthly(number: int, weekday: int) -> Rhythm:
    """The second Tuesday of every month."""
    return Rhythm(
        lambda season: [day for day in _on(weekday, season) if (day.day - 1) // 7 + 1 == number],
        f"FREQ=MONTHLY;BYDAY={number}{WEEKDAYS[weekday]}",
    )


def last_of_month(weekday: int) -> Rhythm:
    return Rhythm(
        lambda season: [day for day in _on(weekday, season) if (day + 7 * DAY).month != day.month],
        f"FREQ=MONTHLY;BYDAY=-1{WEEKDAYS[weekday]}",
    )


def in_week(weeks: int, weekday: int, times: int = 1) -> Rhythm:
    """So many weeks after the present one, and in the weeks that follow."""

    def days(season: Season) -> list[date]:
        monday = season.today - season.today.weekday() * DAY
        return [monday + timedelta(weeks=weeks + number, days=weekday) for number in range(times)]

    return Rhythm(days)


def yearly(month: int, day: int) -> Rhythm:
    return Rhythm(lambda season: [found for found in season.days() if (found.month, found.day) == (month, day)])


def clocks_change(zone: str, forward: bool) -> Rhythm:
    """The evenings before the nights in which the clocks go forward, or back."""

    def days(season: Season) -> list[date]:
        return [evening for evening in season.days() if _change(evening + DAY, zone) == (1 if forward else -1)]

    return Rhythm(days)


def _on(weekday: int, season: Season) -> list[date]:
    return [day for day in season.days() if day.weekday() == weekday and not is_quiet(day)]


def _change(day: date, zone: str) -> int:
    """1 for a day of 23 hours, -1 for one of 25."""
    midnight = datetime.combine(day, time())
    before, after = zones.offset(midnight, zone), zones.offset(midnight + DAY, zone)
    return (after > before) - (after < before)
