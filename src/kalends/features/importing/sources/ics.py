"""Reads iCalendar files as Google, Outlook, Apple and other calendars write them, from a disk or from an address."""

import hashlib
import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from kalends.calendar.admission import WORKER
from kalends.contract.kinds import EVENT
from kalends.features.importing.records.losses import MOST_NAMES, found_in
from kalends.features.importing.records.messages import ImportMessage, at_line
from kalends.features.importing.records.record import Item, SourceError, Unreadable
from kalends.features.importing.sources.files import FileSource
from kalends.features.importing.sources.ics_events import EventReader
from kalends.features.importing.sources.ics_lines import Component, components
from kalends.features.importing.sources.ics_times import BadTime
from kalends.features.importing.sources.ics_zones import ZoneNames, named_zone
from kalends.features.importing.sources.web_client import WebClient, WebError
from kalends.languages import N_
from kalends.values.zones import OutOfRange

OURS = "Kalends"
PAGE_TELLERS = (OURS, "ECPv")  # the second one is The Events Calendar
# Of a calendar itself: what is read, and what says nothing about its events.
CARRIED = {
    *("PRODID", "VERSION", "CALSCALE", "METHOD", "X-WR-TIMEZONE", "X-WR-CALNAME", "NAME", "SOURCE", "URL", "UID"),
    *("REFRESH-INTERVAL", "X-PUBLISHED-TTL", "LAST-MODIFIED", "X-WR-RELCALID", "X-ORIGINAL-URL", "X-ROBOTS-TAG"),
}
MOST_CALENDARS = 1000
MOST_OVERRIDES = 20_000  # changed occurrences, which are kept in memory until their event comes
SCHEMES = ("http", "https", "webcal")


class IcsFile(FileSource):
    """A calendar file. `zone` is that of times without one, unless the calendar says another; occurrences of rules
    that cannot become a series are those between `first` and `last`."""

    def __init__(
        self, path: Path, zone: str, first: datetime, last: datetime, name: str = "", label: str = ""
    ) -> None:
        super().__init__(path, name, label)
        self._window = first, last
        self._zone = zone
        self._calendars: list[_Calendar] = []  # a file can have several, one after the other

    def prepare(self) -> int:
        """Reads the whole file once: time zones and changed occurrences can come after the events that need them."""
        count, overrides, lost = 0, 0, Counter[str]()
        self._calendars, current = [], _Calendar(ZoneNames(self._zone))
        for component in components(self):
            WORKER.pause()
            if component.name == "VTIMEZONE":
                current.names.define(component)
            elif component.name == "VCALENDAR":
                current.end(component)
                lost.update(found_in(_properties(component), CARRIED) if len(lost) < MOST_NAMES else ())
                self._calendars.append(current)
                current = _Calendar(ZoneNames(self._zone))
                if len(self._calendars) > MOST_CALENDARS:
                    raise self.refused(N_("{file}: more than {maximum} calendars"), maximum=MOST_CALENDARS)
            elif component.name != "VEVENT":
                lost[component.name] += len(lost) < MOST_NAMES or component.name in lost
            else:
                count += 1
                if component.first("RECURRENCE-ID") is not None:
                    overrides += 1
                    current.overrides.setdefault(component.text("UID"), []).append(component)
            if overrides > MOST_OVERRIDES:
                raise self.refused(N_("{file}: more than {maximum} changed occurrences"), maximum=MOST_OVERRIDES)
        stated = N_("times without a zone are taken as {zone}")
        assumed = N_("times without a zone are taken as {zone}, as the file names none")
        zones = {calendar.names.default: calendar.names_zone for calendar in self._calendars}
        self.remarks = [ImportMessage(stated if named else assumed, zone=zone) for zone, named in zones.items()]
        self.lost = lost
        return count

    def read(self) -> Iterator[Item]:
        calendars = iter(self._calendars)
        current = next(calendars, _Calendar(ZoneNames(self._zone)))
        reader = self._reader(current)
        for component in components(self):
            if component.name == "VEVENT" and component.first("RECURRENCE-ID") is None:
                overrides = current.overrides.pop(component.text("UID"), [])
                if self.takes(component):
                    yield from _records(reader, component, overrides)
            elif component.name == "VCALENDAR":
                # Invitations to one occurrence come without the event itself.
                for uid in list(current.overrides):
                    for override in filter(self.takes, current.overrides.pop(uid)):
                        yield from _records(reader, override, [])
                current = next(calendars, current)
                reader = self._reader(current)

    def takes(self, component: Component) -> bool:
        """Whether an event is read, before anything of it is understood."""
        return True

    def _reader(self, calendar: "_Calendar") -> EventReader:
        return EventReader(
            self.name, calendar.names, self._window, has_page_urls=calendar.has_page_urls, is_ours=calendar.is_ours
        )


@dataclass
class _Calendar:
    """One of the calendars of a file, with the zones that it defines."""

    names: ZoneNames
    overrides: dict[str, list[Component]] = field(default_factory=dict)  # changed occurrences by UID
    is_ours: bool = False
    has_page_urls: bool = False  # the URL of an event is its page there, not a website of its own
    names_zone: bool = False

    def end(self, component: Component) -> None:
        """What its own properties say."""
        self.is_ours = OURS in component.text("PRODID")
        self.has_page_urls = any(name in component.text("PRODID") for name in PAGE_TELLERS)
        zone = named_zone(component.text("X-WR-TIMEZONE"))
        if zone is not None:
            self.names.default, self.names_zone = zone, True


def _properties(component: Component) -> dict[str, object]:
    return {found.name: found.value.strip() for found in component.properties}


def _records(reader: EventReader, component: Component, overrides: list[Component]) -> Iterator[Item]:
    where, title = at_line(component.line), component.text("SUMMARY")
    try:
        if component.is_too_long:
            raise BadTime(N_("it has too many lines"))
        yield from reader.read(component, overrides)
    except BadTime as bad:
        yield Unreadable(EVENT, where, title, bad.message)
    except (OverflowError, OutOfRange):
        yield Unreadable(EVENT, where, title, ImportMessage(N_("it ends after the year 9999")))


def is_address(source: str) -> bool:
    return urlsplit(source).scheme.lower() in SCHEMES


def is_calendar(address: str) -> bool:
    """Whether an address looks like that of a calendar file, and not like that of a site."""
    parts = urlsplit(address)
    return parts.scheme == "webcal" or parts.path.lower().endswith(".ics") or "ical" in parse_qs(parts.query)


class IcsAddress(IcsFile):
    """A calendar file elsewhere. It is downloaded first, so that one that was cut off changes nothing."""

    def __init__(
        self, address: str, client: WebClient, zone: str, first: datetime, last: datetime, name: str = ""
    ) -> None:
        parts = urlsplit(address)
        self._url = parts._replace(scheme="https" if parts.scheme.lower() == "webcal" else parts.scheme).geturl()
        self._client = client
        folder = tempfile.mkdtemp(prefix="kalends-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        host = parts.hostname or ""
        # The source is public, and the address of a calendar may be its secret.
        digest = hashlib.blake2b(self._url.encode(), digest_size=4).hexdigest()
        super().__init__(Path(folder) / "calendar.ics", zone, first, last, name or f"{host}-{digest}", host)

    def prepare(self) -> int:
        try:
            self._client.download(self._url, self.path)
        except (WebError, OSError) as failed:  # the site, or the disk of this machine
            reason = failed.message if isinstance(failed, WebError) else failed.strerror
            sentence = N_("the calendar at {host} cannot be read: {reason}")
            raise SourceError(sentence, host=self.label, reason=reason) from None
        return super().prepare()
