"""Reads a feed as calendar programs do: expands every rule with dateutil, and with recurring-ical-events."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import icalendar
import recurring_ical_events
from dateutil.rrule import rruleset, rrulestr


@dataclass(frozen=True, order=True)
class Entry:
    """What a program shows: a title, and times in UTC or days."""

    start: str
    end: str
    title: str


def expand(data: bytes, until: datetime) -> list[Entry]:
    """Every entry of a feed that begins up to a time in UTC. Cancelled ones are not shown."""
    components = [one for one in icalendar.Calendar.from_ical(data).walk("VEVENT") if one["status"] != "CANCELLED"]
    changed = {_key(one["uid"], one["recurrence-id"].dt): one for one in components if "recurrence-id" in one}
    found = [_entry(one, one["dtstart"].dt, one["dtend"].dt) for one in changed.values()]
    for one in components:
        if "recurrence-id" not in one:
            start, end = one["dtstart"].dt, one["dtend"].dt
            length = _in_utc(end) - _in_utc(start)  # exact, as RFC 5545 says
            found += [
                _entry(one, at, _in_utc(at) + length)
                for at in _starts(one, until)
                if _key(one["uid"], at) not in changed
            ]
    return sorted(one for one in found if one.start <= until.strftime("%Y-%m-%d %H:%M:%S"))


def by_library(data: bytes, until: datetime) -> list[Entry]:
    """The same, by a library that calendar programs in Python use."""
    # The library takes times in UTC for times in the zone of this line, as one calendar on the web means it.
    lines = [line for line in data.split(b"\r\n") if not line.startswith(b"X-WR-TIMEZONE")]
    calendar = icalendar.Calendar.from_ical(b"\r\n".join(lines))
    found = recurring_ical_events.of(calendar).between(datetime(1990, 1, 1), until + timedelta(days=2))
    entries = [_entry(one, one["dtstart"].dt, one["dtend"].dt) for one in found if one["status"] != "CANCELLED"]
    return sorted(one for one in entries if one.start <= until.strftime("%Y-%m-%d %H:%M:%S"))


def _starts(component: Any, until: datetime) -> Iterator[date]:
    start = component["dtstart"].dt
    days = not isinstance(start, datetime)
    first = datetime(start.year, start.month, start.day) if days else start
    found = rruleset()
    found.rdate(first)
    if "rrule" in component:
        found.rrule(rrulestr(component["rrule"].to_ical().decode(), dtstart=first))
    for when in _dates(component.get("rdate")):
        found.rdate(when)
    for when in _dates(component.get("exdate")):
        found.exdate(when)
    for at in found:
        if _in_utc(at) > until + timedelta(days=2):
            return
        yield at.date() if days else at


def _dates(lines: Any) -> Iterator[datetime]:
    for line in lines if isinstance(lines, list) else [lines] if lines else []:
        for one in line.dts:
            yield one.dt if isinstance(one.dt, datetime) else datetime(one.dt.year, one.dt.month, one.dt.day)


def _key(uid: str, when: date) -> tuple[str, datetime]:
    return str(uid), _in_utc(when)


def _entry(component: Any, start: date, end: date) -> Entry:
    return Entry(_in_utc(start).isoformat(" "), _in_utc(end).isoformat(" "), str(component["summary"]))


def _in_utc(when: date) -> datetime:
    """A day counts as its first moment."""
    if not isinstance(when, datetime):
        return datetime(when.year, when.month, when.day)
    return when.astimezone(UTC).replace(tzinfo=None) if when.tzinfo else when
