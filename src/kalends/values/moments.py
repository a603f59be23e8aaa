"""A date as a client wrote it, before a zone and a clock place it: an instant, a local time, or a relative one."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import lru_cache
from typing import Final

from kalends.values import zones

FIRST_YEAR: Final = 1900  # The last is 9999, which is where datetime ends.


class NotADate(ValueError):
    """The value is no date; the text says what is wrong with it, for the client to read."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as written. `has_time` is false when it names a day alone."""

    has_time: bool

    def local(self, zone_name: str, now: datetime) -> datetime:
        """What the clock shows in that zone; `now` is the present in UTC."""
        return _placed(self, zone_name, now)[0]

    def utc(self, zone_name: str, now: datetime) -> datetime:
        """The same in UTC."""
        return _placed(self, zone_name, now)[1]

    def skipped(self, zone_name: str, now: datetime) -> timedelta:
        """How far it was moved ahead, because the clocks skip it."""
        return self.local(zone_name, now) - self._wall(zone_name, now.replace(microsecond=0))

    def _wall(self, zone_name: str, now: datetime) -> datetime:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Instant(Moment):
    """A timestamp, or a time with an offset: the same moment in every zone."""

    at: datetime

    def _wall(self, zone_name: str, now: datetime) -> datetime:
        return zones.to_local(self.at, zone_name)


@dataclass(frozen=True, slots=True)
class Wall(Moment):
    """A day or a time without an offset: whatever zone it is placed in, its clock shows this."""

    at: datetime

    def _wall(self, zone_name: str, now: datetime) -> datetime:
        return self.at


@dataclass(frozen=True, slots=True)
class Relative(Moment):
    """A distance from now: elapsed minutes, then months, days, a weekday or an end of a month, and a time of day."""

    minutes: int = 0
    months: int = 0
    days: int = 0
    weekday: int | None = None
    forward: bool = True
    includes_today: bool = False
    month_end: str = ""  # "first" or "last" day of the month
    clock: time | None = None

    def _wall(self, zone_name: str, now: datetime) -> datetime:
        there = zones.to_local(now + timedelta(minutes=self.minutes), zone_name)
        if self.month_end:
            there = there.replace(day=1)
        if self.months:
            there = months_later(there, self.months)
        if self.month_end == "last":
            there = there.replace(day=monthrange(there.year, there.month)[1])
        # Any sum, even with nothing, forgets that a doubled hour runs for the second time.
        days = self.days + self._days_to_weekday(there)
        if days:
            there += timedelta(days=days)
        return there if self.clock is None else datetime.combine(there, self.clock)

    def _days_to_weekday(self, there: datetime) -> int:
        if self.weekday is None:
            return 0
        if self.includes_today:
            return (self.weekday - there.weekday()) % 7
        if self.forward:
            return (self.weekday - there.weekday() - 1) % 7 + 1
        return -((there.weekday() - self.weekday - 1) % 7 + 1)


@lru_cache(256)  # within a second, many requests ask for the same few moments
def _placed(moment: Moment, zone_name: str, now: datetime) -> tuple[datetime, datetime]:
    """A moment on the clock of a zone, and in UTC."""
    try:
        local = zones.settle(moment._wall(zone_name, now.replace(microsecond=0)), zone_name)
        utc = zones.to_utc(local, zone_name)
    except (OverflowError, zones.OutOfRange):
        raise out_of_years() from None
    if local.year < FIRST_YEAR:
        raise out_of_years()
    return local, utc


def months_later(there: datetime, count: int) -> datetime:
    """The same day some months on, or the last of that month. Raises NotADate."""
    year, month = divmod(there.year * 12 + there.month - 1 + count, 12)
    if not FIRST_YEAR <= year <= 9999:
        raise out_of_years()
    day = min(there.day, monthrange(year, month + 1)[1])
    return there.replace(year=year, month=month + 1, day=day, fold=0)


def out_of_years() -> NotADate:
    return NotADate(f"The year must be from {FIRST_YEAR} to 9999.")
