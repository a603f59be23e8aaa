"""Which events of a calendar file are read: those of the window, and what is here of them already. The others are
passed over before their texts, times and rules are understood."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.by_name import identifier
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.ics_events import uid_of
from kalends.features.importing.sources.ics_lines import Component
from kalends.languages import N_

MOST_EVENTS = 10_000  # of one source within its window
TOO_MANY = N_("{site} has more than {maximum} events in these months; choose fewer months, or words")
_DAY = re.compile(r"[0-9]{8}")
_UNTIL = re.compile(r"UNTIL=([0-9]{8})", re.IGNORECASE)


@dataclass(slots=True)
class SourceWindow:
    """What a source lists, taken or not: the ids there, the first start of a single event, and the first one after
    the window. Days as they are stored, empty if there is none."""

    ids: set[str] = field(default_factory=set)
    first: str = ""
    next: str = ""

    def note(self, id: str, start: str, end_of_window: str, *, repeats: bool = False) -> None:
        self.ids.add(id)
        if start and not repeats and (not self.first or start < self.first):
            self.first = start
        if start > end_of_window and (not self.next or start < self.next):
            self.next = start


class WindowedIcs(IcsFile):
    """A calendar file of which some events are read. `known`: ids whose events are here within the window."""

    def __init__(
        self,
        path: Path,
        zone: str,
        window: tuple[datetime, datetime],
        origin: str,
        label: str,
        known: Collection[str],
    ) -> None:
        super().__init__(path, zone, *window, origin, label)
        self.listed = SourceWindow()
        self._known = known
        self._days = tuple(f"{moment:%Y%m%d}" for moment in window)
        self._count = 0

    def takes(self, component: Component) -> bool:
        start = component.first("DTSTART")
        found = _DAY.match(start.value.strip()) if start is not None else None
        day = found[0] if found else ""
        id = identifier(uid_of(component))
        repeats = component.first("RRULE") is not None or component.first("RDATE") is not None
        first, last = self._days
        self.listed.note(id, _stored(day), _stored(last), repeats=repeats)
        end = component.first("DTEND")
        until = (_DAY.match(end.value.strip()) or found) if end is not None else found
        is_in = bool(day) and day <= last and (until[0] if until else day) >= first
        if repeats:
            rule = component.text("RRULE")
            ended = _UNTIL.search(rule)
            is_in = day <= last and not (ended and ended[1] < first and component.first("RDATE") is None)
        if not day or is_in or id in self._known:
            self._count += 1
            if self._count > MOST_EVENTS:
                raise SourceError(TOO_MANY, site=self.label, maximum=MOST_EVENTS)
            return True
        return False


def _stored(day: str) -> str:
    """As days are stored; empty if there is no such day."""
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        return ""
