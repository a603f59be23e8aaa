"""Finds the time zone that a calendar program means by its name."""

import re
from collections.abc import Iterable, Mapping
from copy import copy
from datetime import datetime
from functools import lru_cache

from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from kalends.features.importing.sources.ics_lines import Component
from kalends.values import zones

_OFFSET = re.compile(r"([+-])([0-9]{2})([0-9]{2})")
_CITY = re.compile(r"[^/,;()]+")
WINTER, SUMMER = datetime(2026, 1, 15), datetime(2026, 7, 15)
# For a zone of which only its offsets are known, the best known of those that have them.
WELL_KNOWN = (
    *("Europe/Berlin", "Europe/London", "Europe/Athens", "America/New_York", "America/Chicago", "America/Denver"),
    *("America/Los_Angeles", "America/Halifax", "America/St_Johns", "America/Anchorage", "Australia/Sydney"),
    *("Australia/Adelaide", "Pacific/Auckland", "America/Santiago", "Asia/Jerusalem", "Atlantic/Azores"),
)


class ZoneNames:
    """The zones of one calendar, with the definitions that came with it."""

    def __init__(self, default: str) -> None:
        self.default = default
        self.definitions: dict[str, Component] = {}
        self._found: dict[str, str | None] = {}

    def within(self, zone: str | None) -> "ZoneNames":
        """The same for an event that is in another zone, though its times are told without one."""
        if zone is None or zone == self.default:
            return self
        found = copy(self)
        found.default = zone
        return found

    def define(self, component: Component) -> None:
        name = component.text("TZID")
        if name and len(self.definitions) < 1000:
            self.definitions[name] = component

    def zone(self, written: str) -> str | None:
        """The zone of a TZID; None if nothing tells which one it is."""
        if written not in self._found:
            self._found[written] = named_zone(written) or self._defined(written)
        return self._found[written]

    def _defined(self, written: str) -> str | None:
        component = self.definitions.get(written)
        if component is None:
            return None
        location = named_zone(component.text("X-LIC-LOCATION"))
        return location or _by_offsets(component)


@lru_cache(maxsize=500)
def named_zone(written: str) -> str | None:
    """The zone of an IANA name, with or without what programs put before it, of a name of Windows, or of a list of
    cities as Outlook shows it."""
    written = written.strip().strip('"')
    parts = [part for part in written.split("/") if part]
    candidates = [written, *("/".join(parts[-count:]) for count in (3, 2, 1)), *_windows(written)]
    candidates += [f"UTC{written[3:]}"] if re.fullmatch(r"GMT[+-][0-9:]+", written) else []
    for candidate in candidates:
        if candidate and (zone := zones.known_zone(candidate)) is not None:
            return zone
    return _by_city(written)


def _windows(written: str) -> Iterable[str]:
    known: Mapping[str, str] = WINDOWS_TO_OLSON
    if written in known:
        yield known[written]


def _by_city(written: str) -> str | None:
    """`(UTC+01:00) Amsterdam, Berlin, Bern`: the zone of the first city that has one."""
    cities = {name.rpartition("/")[2].replace("_", " ").lower(): name for name in zones.names() if "/" in name}
    for city in _CITY.findall(re.sub(r"\([^()]*\)", "", written)):
        if city.strip().lower() in cities:
            return cities[city.strip().lower()]
    return None


def _by_offsets(component: Component) -> str | None:
    """From a definition: a fixed offset, or a well-known zone with the same two."""
    offsets: dict[str, str] = {}
    part = ""
    for found in component.properties:
        if found.name == "BEGIN":
            part = found.value
        elif found.name == "TZOFFSETTO" and part in ("STANDARD", "DAYLIGHT"):
            offsets[part] = found.value
    standard, daylight = _minutes(offsets.get("STANDARD", "")), _minutes(offsets.get("DAYLIGHT", ""))
    if standard is None:
        return None
    if daylight is None or daylight == standard:
        sign, (hours, minutes) = "-" if standard < 0 else "+", divmod(abs(standard), 60)
        return zones.known_zone(f"UTC{sign}{hours}:{minutes:02}")
    for name in WELL_KNOWN:
        found_offsets = {int(zones.offset(day, name).total_seconds()) // 60 for day in (WINTER, SUMMER)}
        if found_offsets == {standard, daylight}:
            return name
    return None


def _minutes(written: str) -> int | None:
    found = _OFFSET.match(written)
    if found is None:
        return None
    minutes = int(found[2]) * 60 + int(found[3])
    return -minutes if found[1] == "-" else minutes
