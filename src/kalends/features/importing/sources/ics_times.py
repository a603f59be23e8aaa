"""The times of iCalendar events: days, floating times, times in zones and in UTC, durations, and what repeats."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from icalendar import vDuration

from kalends.calendar.series.new_occurrences import is_endless
from kalends.features.importing.records.messages import ImportMessage, Reported
from kalends.features.importing.sources.ics_lines import Component, Property
from kalends.features.importing.sources.ics_zones import ZoneNames
from kalends.languages import N_
from kalends.values import dates, recurrence, zones
from kalends.values.recurrence import Recurrence, RecurrenceError

_STAMP = re.compile(r"([0-9]{8})(?:T([0-9]{6})(Z?))?", re.IGNORECASE)
MOST_OCCURRENCES = 1000
MOST_BEFORE = 500  # with those of the window that are over, so few that a series has them all at once
UNKNOWN_ZONE = N_("the time zone {zone} is unknown; {assumed} is assumed")
NOT_UNDERSTOOD = N_("its rule is not understood: {rule} ({reason})")
ONE_DAY = timedelta(days=1)
DIVISORS_OF_A_DAY = ("1", "2", "3", "4", "6", "8", "12", "24")


class BadTime(Reported, ValueError):
    """A time or rule that cannot be read; the message says which."""


@dataclass(frozen=True, slots=True)
class Times:
    """When an event takes place: on the clock of its zone."""

    start: datetime
    end: datetime
    zone: str
    is_day: bool
    note: str = ""

    @property
    def fields(self) -> dict[str, object]:
        end = self.end - ONE_DAY if self.is_day and self.end > self.start else self.end
        return {
            "start_date": self._written(self.start),
            "end_date": self._written(end),
            "timezone": self.zone,
            "all_day": self.is_day,
        }

    def _written(self, moment: datetime) -> str:
        """A time on the clock of the zone; in UTC where the clock shows it twice and the second time is meant."""
        return f"{dates.text(zones.to_utc(moment, self.zone))}Z" if moment.fold else dates.text(moment)

    def moved(self, start: datetime) -> "Times":
        if self.is_day or not self.end.fold:
            return Times(start, start + (self.end - self.start), self.zone, self.is_day, self.note)
        length = zones.to_utc(self.end, self.zone) - zones.to_utc(self.start, self.zone)
        return Times(start, start + length, self.zone, self.is_day, self.note)


def times_of(component: Component, names: ZoneNames) -> Times:
    """Raises BadTime."""
    start = component.first("DTSTART")
    if start is None:
        raise BadTime(N_("it has no {name}"), name="DTSTART")
    begins, zone, is_day, note = read(start, names)
    end, duration = component.first("DTEND"), component.first("DURATION")
    if end is not None:
        ends, end_zone, _, _ = read(end, names)
        if end_zone != zone and not is_day:
            ends = zones.to_local(zones.to_utc(ends, end_zone), zone)
    elif duration is not None:
        ends = _after(begins, duration.value, zone)
    else:
        ends = begins + ONE_DAY if is_day else begins
    is_backwards = ends < begins and (is_day or zones.to_utc(ends, zone) < zones.to_utc(begins, zone))
    return Times(begins, begins if is_backwards else ends, zone, is_day, note)


def read(found: Property, names: ZoneNames, value: str = "") -> tuple[datetime, str, bool, str]:
    """A time on the clock of a zone, that zone, whether it is a whole day, and what there is to tell about it."""
    written = (value or found.value).strip()
    stamp = _STAMP.fullmatch(written)
    if stamp is None:
        raise BadTime(N_("{name} is not a date: {value}"), name=found.name, value=written[:40])
    try:
        day = date.fromisoformat(f"{stamp[1][:4]}-{stamp[1][4:6]}-{stamp[1][6:]}")
        if stamp[2] is None:
            return datetime.combine(day, time()), names.default, True, ""
        # A leap second is the second before it.
        clock = time(int(stamp[2][:2]), int(stamp[2][2:4]), min(int(stamp[2][4:]), 59))
    except ValueError:
        raise BadTime(N_("{name} is not a date: {value}"), name=found.name, value=written[:40]) from None
    moment = datetime.combine(day, clock)
    if stamp[3]:
        return zones.to_local(moment, names.default), names.default, False, ""
    written_zone = found.parameters.get("TZID", "")
    zone = names.zone(written_zone) if written_zone else names.default
    if zone is None:
        return moment, names.default, False, ImportMessage(UNKNOWN_ZONE, zone=written_zone, assumed=names.default)
    return moment, zone, False, ""


def _after(begins: datetime, written: str, zone: str) -> datetime:
    """The end of an event that lasts so long: days on the clock, hours and less exactly (RFC 5545, 3.3.6)."""
    length = _duration(written)
    if "T" not in written.upper():
        return begins + length
    days = timedelta(days=length.days) if "D" in written.upper() else timedelta()
    return zones.to_local(zones.to_utc(begins + days, zone) + (length - days), zone)


def _duration(written: str) -> timedelta:
    try:
        length: timedelta = vDuration.from_ical(written.strip())  # type: ignore[no-untyped-call]
    except ValueError:
        raise BadTime(N_("{name} cannot be read: {value}"), name="DURATION", value=written[:40]) from None
    return length


def is_recurring(component: Component) -> bool:
    return component.first("RRULE") is not None or component.first("RDATE") is not None


def recurrence_of(component: Component, times: Times, names: ZoneNames) -> Recurrence:
    """How an event repeats, with every time on its own clock. Raises BadTime for a rule that is not understood."""
    lines = [f"{found.name}:{found.value.strip()}" for name in ("RRULE", "EXRULE") for found in component.all(name)]
    if len(lines) > 1:
        raise BadTime(NOT_UNDERSTOOD, rule=lines[1][:80], reason=ImportMessage(N_("a series has one rule")))
    lines = [_by_days(line, times.start) for line in lines]
    for name in ("RDATE", "EXDATE"):
        stamps = [f"{moment:%Y%m%dT%H%M%S}" for moment in moments(component.all(name), times, names)]
        if stamps:
            lines.append(f"{name}:{','.join(stamps)}")
    try:
        return recurrence.from_text("\n".join(lines))
    except RecurrenceError as error:
        reason = ImportMessage(error.reason, **error.values)
        raise BadTime(NOT_UNDERSTOOD, rule=lines[0][:80], reason=reason) from None


def _by_days(rule: str, start: datetime) -> str:
    """A rule by hours as one by days, where it has the same hours on every day."""
    parts = dict(part.partition("=")[::2] for part in rule.upper().removeprefix("RRULE:").split(";"))
    interval = parts.get("INTERVAL", "1")
    if parts.get("FREQ") != "HOURLY" or "BYSETPOS" in parts or interval not in DIVISORS_OF_A_DAY:
        return rule
    allowed = parts["BYHOUR"].split(",") if "BYHOUR" in parts else [str(hour) for hour in range(24)]
    hours = [hour for hour in allowed if hour.isdecimal() and (int(hour) - start.hour) % int(interval) == 0]
    if not hours:
        return rule
    parts |= {"FREQ": "DAILY", "INTERVAL": "1", "BYHOUR": ",".join(hours)}
    return "RRULE:" + ";".join("=".join(part) for part in parts.items())


def fits_a_series(rule: Recurrence, times: Times, first: datetime, last: datetime) -> bool:
    """Whether a series can have this rule: not if it excludes its own start, or has too many occurrences. One without
    an end has too many only if most of them were before the window."""
    until, most = (max(first, times.start), MOST_BEFORE) if is_endless(rule) else (last, MOST_OCCURRENCES)
    try:
        recurrence.occurrences(rule, times.start, times.zone, until, most)
    except RecurrenceError:
        return False
    return True


def occurrences(rule: Recurrence, times: Times, first: datetime, last: datetime) -> list[datetime]:
    """The starts of a recurring event within a window, at most a thousand."""
    found: list[datetime] = []
    excluded = rule.localized(times.start, times.zone).exceptions
    try:
        for start in recurrence.walk(rule, times.start, times.zone):
            if start > last or len(found) >= MOST_OCCURRENCES:
                break
            if start >= first and start not in excluded:
                found.append(start)
    except RecurrenceError:  # it goes on for longer than a century
        pass
    return found


def moments(properties: Iterable[Property], times: Times, names: ZoneNames) -> Iterator[datetime]:
    """The times of RDATE, EXDATE or RECURRENCE-ID on the clock of the event."""
    for found in properties:
        for value in found.value.split(",")[:5000]:
            moment, zone, is_day, _ = read(found, names, value.partition("/")[0])
            if is_day and not times.is_day:
                moment = datetime.combine(moment.date(), times.start.time())
            elif not is_day and zone != times.zone:
                moment = zones.to_local(zones.to_utc(moment, zone), times.zone)
            yield moment
