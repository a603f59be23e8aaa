"""Reads iCalendar files as Google, Outlook, Apple and other calendars write them."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from kalends.contract.kinds import EVENT
from kalends.importing.messages import Message, at_line
from kalends.importing.record import Item, SourceError, Unreadable, numbered
from kalends.importing.sources.files import FileSource
from kalends.importing.sources.ics_events import EventReader
from kalends.importing.sources.ics_lines import Component, components
from kalends.importing.sources.ics_times import BadTime
from kalends.importing.sources.ics_zones import ZoneNames, named_zone
from kalends.languages import N_
from kalends.values.zones import OutOfRange

PAGE_TELLERS = ("Kalends", "ECPv")  # the second one is The Events Calendar
MOST_OVERRIDES = 20_000  # changed occurrences, which are kept in memory until their event comes


class IcsFile(FileSource):
    """A calendar file. `zone` is that of times without one, unless the calendar says another; occurrences of rules
    that cannot become a series are those between `first` and `last`."""

    def __init__(
        self,
        path: Path,
        zone: str,
        first: datetime,
        last: datetime,
        name: str = "",
        label: str = "",
    ) -> None:
        super().__init__(path, name, label)
        self.remarks: Sequence[str] = ()
        self._zone = zone
        self._window = first, last
        self._names = ZoneNames(zone)
        self._overrides: dict[str, list[Component]] = {}
        self._tells_pages = False  # the URL of an event is its page there, not a website of its own

    def prepare(self) -> int:
        """Reads the whole file once: time zones and changed occurrences can come after the events that need them."""
        count, calendar = 0, Component("VCALENDAR", 1)
        for component in self._components():
            if component.name == "VTIMEZONE":
                self._names.define(component)
            elif component.name == "VEVENT":
                count += 1
                self._keep_override(component)
            else:
                calendar = component
        self._tells_pages = any(name in calendar.text("PRODID") for name in PAGE_TELLERS)
        zone = named_zone(calendar.text("X-WR-TIMEZONE"))
        if zone is not None:
            self._names.default = zone
        told = N_("times without a zone are taken as {zone}")
        assumed = N_("times without a zone are taken as {zone}, as the file names none")
        self.remarks = [Message(assumed if zone is None else told, zone=self._names.default)]
        return count

    def items(self, start: str) -> Iterator[Item]:
        return numbered(self._items(), start)

    def _items(self) -> Iterator[Item]:
        reader = EventReader(self.name, self._names, self._window, tells_pages=self._tells_pages)
        for component in self._components():
            if component.name != "VEVENT" or component.first("RECURRENCE-ID") is not None:
                continue
            yield from self._read(reader, component, self._overrides.pop(component.text("UID"), []))
        # Invitations to one occurrence come without the event itself.
        for uid in list(self._overrides):
            for override in self._overrides.pop(uid):
                yield from self._read(reader, override, [])

    def _read(self, reader: EventReader, component: Component, overrides: list[Component]) -> Iterator[Item]:
        where = at_line(component.line)
        title = component.text("SUMMARY")
        if component.is_too_long:
            yield Unreadable(EVENT, where, title, Message(N_("it has too many lines")))
            return
        try:
            yield from reader.read(component, overrides)
        except BadTime as bad:
            yield Unreadable(EVENT, where, title, bad.message)
        except (OverflowError, OutOfRange):
            yield Unreadable(EVENT, where, title, Message(N_("it ends after the year 9999")))

    def _keep_override(self, component: Component) -> None:
        if component.first("RECURRENCE-ID") is None:
            return
        kept = self._overrides.setdefault(component.text("UID"), [])
        if sum(len(found) for found in self._overrides.values()) >= MOST_OVERRIDES:
            raise SourceError(
                N_("{file}: more than {maximum} changed occurrences"), file=self.label, maximum=MOST_OVERRIDES
            )
        kept.append(component)

    def _components(self) -> Iterator[Component]:
        with self.opened() as file:
            yield from components(file, self.label)
