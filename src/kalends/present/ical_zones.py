"""Time zones as iCalendar describes them: from when on the clocks of a place show what."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache

from kalends.values import zones

# The years for which zones are described.
FIRST_YEAR, LAST_YEAR = 1970, 2050
STEP = timedelta(days=4)  # no clock was changed twice in so few days
WEEK = timedelta(weeks=1)
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
LAST = -1
NEGATIVE = "NEGATIVE"  # daylight saving
A_YEAR = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Observance:
    """What the clocks show after a change, and before it."""

    kind: str
    name: str
    before: timedelta
    after: timedelta


@dataclass(frozen=True, slots=True)
class ClockChange:
    """A change of the clocks, at a local time as it was before it."""

    onset: datetime
    observance: Observance

    @property
    def weeks_of_month(self) -> set[int]:
        """Which of its weekdays in the month it falls on: the second, and maybe also the last."""
        is_last = (self.onset + WEEK).month != self.onset.month
        return {(self.onset.day - 1) // 7 + 1, *([LAST] if is_last else [])}

    @property
    def pattern(self) -> tuple[object, ...]:
        return self.onset.month, self.onset.weekday(), self.onset.time()


# One for each zone and first year that feeds have; a few hundred of them are a few hundred kilobytes.
@lru_cache(maxsize=1024)
def component(name: str, first_year: int) -> bytes:
    """A VTIMEZONE that holds from the beginning of a year."""
    lines = ["BEGIN:VTIMEZONE", f"TZID:{name}"]
    by_observance: dict[Observance, list[ClockChange]] = {}
    for change in _without_negative_saving([*_changes(zones.zone(name), max(first_year, FIRST_YEAR))]):
        by_observance.setdefault(change.observance, []).append(change)
    for observance, changes in by_observance.items():
        rule, since = _yearly(changes)
        if changes[:since]:
            lines += _described(observance, changes[:since])
        if rule:
            lines += _described(observance, changes[since : since + 1], rule)
    return "\r\n".join([*lines, "END:VTIMEZONE", ""]).encode()


def _changes(zone: tzinfo, first_year: int) -> Iterator[ClockChange]:
    """How the clocks stood at first, and every change until the last year."""
    at, end = datetime(first_year - 1, 1, 1, tzinfo=UTC), datetime(LAST_YEAR, 1, 1, tzinfo=UTC)
    before, name, kind = stood = _offset_at(at, zone)
    yield ClockChange((at + before).replace(tzinfo=None), Observance(kind, name, before, before))
    while at < end:
        if (stands := _offset_at(at + STEP, zone)) != stood:
            change = at + timedelta(seconds=_first_other(at, zone))
            before, (after, name, kind) = stood[0], stands
            yield ClockChange((change + before).replace(tzinfo=None), Observance(kind, name, before, after))
        at, stood = at + STEP, stands


def _without_negative_saving(changes: list[ClockChange]) -> Iterator[ClockChange]:
    """Ireland and Morocco define their winter time as negative daylight saving, which many programs do not know. Told
    to them, it is the standard time, and the time between is the daylight saving."""
    for position, change in enumerate(changes):
        around = changes[max(position - 1, 0) : position + 2]
        kind = change.observance.kind
        if kind == NEGATIVE:
            kind = "STANDARD"
        elif any(one.observance.kind == NEGATIVE for one in around) and around[-1].onset - change.onset < A_YEAR:
            kind = "DAYLIGHT"
        yield replace(change, observance=replace(change.observance, kind=kind))


def _first_other(at: datetime, zone: tzinfo) -> int:
    """The first second of a step in which the clocks stand otherwise than at its beginning."""
    stood = _offset_at(at, zone)
    seconds = range(int(STEP.total_seconds()) + 1)
    return bisect_left(seconds, True, key=lambda second: _offset_at(at + timedelta(seconds=second), zone) != stood)


def _offset_at(moment: datetime, zone: tzinfo) -> tuple[timedelta, str, str]:
    """How the clocks stand: their offset, its name and its kind."""
    local = moment.astimezone(zone)
    saving = local.dst() or timedelta()
    kind = "STANDARD" if not saving else "DAYLIGHT" if saving > timedelta() else NEGATIVE
    return local.utcoffset() or timedelta(), local.tzname() or "", kind


def _yearly(changes: list[ClockChange]) -> tuple[str, int]:
    """The rule by which the last of these go on for ever, and the first of them that follows it; "" without one."""
    since, places = len(changes) - 1, changes[-1].weeks_of_month
    if changes[-1].onset.year < LAST_YEAR - 1:
        return "", len(changes)
    while since and _follows(changes[since - 1], changes[since]) and places & changes[since - 1].weeks_of_month:
        since -= 1
        places &= changes[since].weeks_of_month
    if since == len(changes) - 1:
        return "", len(changes)
    onset, place = changes[since].onset, min(places)
    return f"RRULE:FREQ=YEARLY;BYMONTH={onset.month};BYDAY={place}{WEEKDAYS[onset.weekday()]}", since


def _follows(earlier: ClockChange, later: ClockChange) -> bool:
    return earlier.pattern == later.pattern and earlier.onset.year + 1 == later.onset.year


def _described(observance: Observance, changes: list[ClockChange], rule: str = "") -> list[str]:
    first, *others = (f"{change.onset:%Y%m%dT%H%M%S}" for change in changes)
    return [
        f"BEGIN:{observance.kind}",
        f"DTSTART:{first}",
        *([rule] if rule else []),
        *(f"RDATE:{other}" for other in others),
        f"TZNAME:{observance.name}",
        f"TZOFFSETFROM:{_offset(observance.before)}",
        f"TZOFFSETTO:{_offset(observance.after)}",
        f"END:{observance.kind}",
    ]


def _offset(offset: timedelta) -> str:
    sign, seconds = ("-", -offset) if offset < timedelta() else ("+", offset)
    hours, rest = divmod(int(seconds.total_seconds()), 3600)
    minutes, rest = divmod(rest, 60)
    return f"{sign}{hours:02}{minutes:02}" + (f"{rest:02}" if rest else "")
