"""A recurrence as clients write it: an iCalendar text, or an object with a rule, dates and exceptions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from kalends.languages import N_
from kalends.values import dates as written_dates
from kalends.values import zones
from kalends.values.dates import Instant, NotADate, Wall
from kalends.values.recurrence.errors import RecurrenceError
from kalends.values.recurrence.rules import Rule, When, parse_rule, parse_when, when_text

LONGEST_TEXT: Final = 50_000
MOST_DATES: Final = 1000  # in `dates`, and in `exceptions`
KEYS: Final = ("rule", "dates", "exceptions")


@dataclass(frozen=True, slots=True)
class Recurrence:
    """When a series takes place, besides its first event: a rule, further dates, and exceptions from both.

    A date is a local time of the series' zone. As parsed it can also be a day alone, which takes the time of the
    first event, or a moment in UTC; `localized` turns them into local times.
    """

    rule: Rule | None = None
    dates: tuple[When, ...] = ()
    exceptions: tuple[When, ...] = ()

    @property
    def rule_text(self) -> str:
        return "" if self.rule is None else str(self.rule)

    def localized(self, first_start: datetime, zone: str) -> "Recurrence":
        """The same with every date as a local time, in order and once."""
        return Recurrence(
            self.rule,
            local_times(self.dates, first_start, zone),
            local_times(self.exceptions, first_start, zone),
        )

    def to_json(self) -> dict[str, str | list[str]]:
        """`{rule, dates, exceptions}`, the form of every representation."""
        return {
            "rule": self.rule_text,
            "dates": [_json_text(when) for when in self.dates],
            "exceptions": [_json_text(when) for when in self.exceptions],
        }

    def to_text(self) -> str:
        """iCalendar lines: `RRULE:…`, `RDATE:…`, `EXDATE:…`; the form that is stored. `parse` reads it."""
        lines = [f"RRULE:{self.rule}"] if self.rule else []
        lines += [f"RDATE:{_list_text(self.dates)}"] if self.dates else []
        lines += [f"EXDATE:{_list_text(self.exceptions)}"] if self.exceptions else []
        return "\n".join(lines)


def local_times(dates: Iterable[When], first_start: datetime, zone: str) -> tuple[datetime, ...]:
    return tuple(sorted({local_time(when, first_start, zone) for when in dates}))


def local_time(when: When, first_start: datetime, zone: str) -> datetime:
    """What the series' clock shows at a date; a day alone takes the time of the first event."""
    if not isinstance(when, datetime):
        return datetime.combine(when, first_start.time())
    if when.tzinfo is None:
        return when
    try:
        return zones.to_local(when.astimezone(UTC).replace(tzinfo=None), zone).replace(fold=0)
    except zones.OutOfRange:
        return when.replace(tzinfo=None)


def parse(value: object) -> Recurrence:
    """The recurrence that a client wrote, in either form. Raises RecurrenceError."""
    if isinstance(value, str):
        return _parse_text(value)
    if isinstance(value, Mapping):
        return _parse_object(value)
    raise RecurrenceError(
        "value",
        N_("{part} must be text like FREQ=WEEKLY;BYDAY=TU, or an object with rule, dates, exceptions."),
    )


def from_text(stored: str) -> Recurrence:
    """The recurrence that `to_text` wrote. It can have become empty, where nothing but the first event is left."""
    return _parse_text(stored) if stored else Recurrence()


def _parse_text(text: str) -> Recurrence:
    if len(text) > LONGEST_TEXT:
        raise RecurrenceError("value", N_("{part} has at most {maximum} characters."), maximum=LONGEST_TEXT)
    rule: Rule | None = None
    dates: list[When] = []
    exceptions: list[When] = []
    for line in _unfolded(text):
        name = line.partition(":")[0].partition(";")[0].strip().upper()
        if name == "RDATE":
            dates += _parse_dates_line(name, line)
        elif name == "EXDATE":
            exceptions += _parse_dates_line(name, line)
        elif name == "DTSTART":
            raise RecurrenceError(name, N_("{part} is not taken here: the series begins when the event does."))
        elif name == "EXRULE":
            raise RecurrenceError(name, N_("{part} is no longer part of iCalendar; list the dates in EXDATE."))
        elif rule is not None:
            raise RecurrenceError("RRULE", N_("{part} is there twice."))
        else:
            rule = parse_rule(line)
    return _checked(rule, dates, exceptions)


def _unfolded(text: str) -> list[str]:
    """The lines of a text; in iCalendar a line that begins with a blank goes on from the one before."""
    lines: list[list[str]] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if line[:1] in (" ", "\t") and lines:
            lines[-1].append(line[1:])
        elif line.strip():
            lines.append([line])
    return ["".join(pieces) for pieces in lines]


def _parse_dates_line(name: str, line: str) -> list[When]:
    """`RDATE;TZID=Europe/Berlin:20270101T190000,20270108T190000`."""
    head, colon, values = line.partition(":")
    zone = None
    for parameter in head.split(";")[1:]:
        key, _, value = parameter.partition("=")
        match key.strip().upper(), value.strip().strip('"'):
            case "TZID", named:
                zone = _known_zone(name, named)
            case "VALUE", kind if kind.upper() in ("DATE", "DATE-TIME"):
                pass
            case _:
                raise RecurrenceError(name, N_("{part} takes dates, with TZID= or VALUE=DATE before the colon."))
    written = values.split(",", MOST_DATES)
    if not colon or not values.strip():
        raise RecurrenceError(name, N_("{part} has no dates."))
    _check_amount(name, written)
    return [_in_zone(parse_when(name, one.strip().upper()), zone) for one in written]


def _known_zone(part: str, name: str) -> str:
    try:
        return zones.canonical_zone(name)
    except zones.UnknownZone:
        raise RecurrenceError(part, N_("{part} names an unknown time zone.")) from None


def _in_zone(when: When, zone: str | None) -> When:
    if zone is None or not isinstance(when, datetime) or when.tzinfo is not None:
        return when
    return zones.to_utc(when, zone).replace(tzinfo=UTC)


def _parse_object(value: Mapping[object, object]) -> Recurrence:
    for key in value:
        if key not in KEYS:
            raise RecurrenceError("value", N_("{part} takes the keys {keys} only."), keys=", ".join(KEYS))
    written = value.get("rule") or ""
    if not isinstance(written, str):
        raise RecurrenceError("rule", N_("{part} must be text."))
    rule = parse_rule(written) if written.strip() else None
    dates, exceptions = (_parse_list(part, value.get(part)) for part in ("dates", "exceptions"))
    return _checked(rule, dates, exceptions)


def _parse_list(part: str, value: object) -> list[When]:
    if value is None or value == "":
        return []
    if not isinstance(value, list | tuple):
        raise RecurrenceError(part, N_("{part} must be a list of dates."))
    _check_amount(part, value)
    return [_parse_date(part, one) for one in value]


def _parse_date(part: str, value: object) -> When:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        try:
            moment = written_dates.read(value)
        except NotADate:
            pass
        else:
            if isinstance(moment, Wall):
                return moment.at if moment.has_time else moment.at.date()
            if isinstance(moment, Instant):
                return moment.at.replace(tzinfo=UTC, microsecond=0)
        if isinstance(value, str):
            return parse_when(part, value.strip().upper())
    raise RecurrenceError(part, N_("{part} has a date that cannot be read; write it like 2027-06-30 19:00:00."))


def _check_amount(part: str, values: Iterable[object]) -> None:
    if len(list(values)) > MOST_DATES:
        raise RecurrenceError(part, N_("{part} has at most {maximum} dates."), maximum=MOST_DATES)


def _checked(rule: Rule | None, dates: list[When], exceptions: list[When]) -> Recurrence:
    _check_amount("dates", dates)
    _check_amount("exceptions", exceptions)
    if rule is None and not dates:
        raise RecurrenceError("rule", N_("{part} is missing."))
    return Recurrence(rule, tuple(_ordered(dates)), tuple(_ordered(exceptions)))


def _ordered(dates: list[When]) -> list[When]:
    return sorted(dict.fromkeys(dates), key=when_text)


def _json_text(when: When) -> str:
    if isinstance(when, datetime) and when.tzinfo is not None:
        return when.isoformat(" ", "seconds")
    return written_dates.text(when) if isinstance(when, datetime) else when.isoformat()


def _list_text(dates: Iterable[date]) -> str:
    return ",".join(when_text(when) for when in dates)
