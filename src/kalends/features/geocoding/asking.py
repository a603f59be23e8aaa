"""Asks the service for an address, by a guarded connection and in bounded time. What it is called and what it was
asked stands in no log."""

from collections.abc import Mapping
from urllib.parse import urlencode

import msgspec

from kalends.admin.locating import NOT_FOUND, Locate, Place
from kalends.calendar import throttling
from kalends.calendar.access import Caller
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.fetching.guarded import FetchLimits, opened
from kalends.calendar.fetching.reach import ANYWHERE, PUBLIC
from kalends.calendar.fetching.targets import TargetRefused
from kalends.calendar.service import Calendar
from kalends.features.geocoding.settings import GeocodingSettings
from kalends.languages import N_
from kalends.settings import Settings

LIMITS = FetchLimits(max_bytes=100_000, timeout=5.0, max_redirects=2)
MOST_PER_HOUR = 100  # of one person
LONGEST_NAME = 300
AWAY = N_("The service that finds addresses does not answer")
NOT_UNDERSTOOD = N_("The service that finds addresses answered something that is not understood")
TOO_OFTEN = N_("Too many addresses were looked up in this hour")


class FoundPlace(msgspec.Struct):
    """An entry of the answer."""

    lat: str | float
    lon: str | float
    display_name: str = ""


def locator(settings: Settings) -> Locate | None:
    """None as long as nobody has named a service."""
    return locate if settings.of(GeocodingSettings).geocoder else None


def locate(calendar: Calendar, caller: Caller, address: Mapping[str, str]) -> Place:
    """Where an address is, or why that is not known. Its parts are those of a venue, by their names."""
    settings = calendar.revision().settings
    street, city = address.get("address", ""), " ".join(filter(None, (address.get("zip"), address.get("city"))))
    written = ", ".join(filter(None, (street, city, address.get("state"), address.get("country"))))
    if not (street or city):
        return Place(problem=NOT_FOUND)
    hour = calendar.clock().replace(minute=0, second=0)
    with calendar.store.write() as session:
        granted, _ = throttling.consume_requests(session, f"locate {caller.user}", hour, 1, MOST_PER_HOUR)
    if not granted:
        return Place(problem=TOO_OFTEN)
    headers, reach = _headers(settings.language), ANYWHERE if settings.fetch_private else PUBLIC
    asked = urlencode({"q": written, "format": "json", "limit": "1"})
    service = settings.of(GeocodingSettings).geocoder
    url = f"{service}{'&' if '?' in service else '?'}{asked}"
    try:
        with WORKER.released(FETCH), opened(url, LIMITS, headers, reach) as found:
            if found.status != 200:
                return Place(problem=AWAY)
            return read(found.body())
    except TargetRefused:
        return Place(problem=AWAY)


def _headers(language: str) -> dict[str, str]:
    return {"Accept": "application/json", "Accept-Language": language.replace("_", "-")}


def read(body: bytes) -> Place:
    """The first of what was found."""
    try:
        entries = msgspec.json.decode(body, type=list[FoundPlace])
        if not entries:
            return Place(problem=NOT_FOUND)
        lat, lng = float(entries[0].lat), float(entries[0].lon)
    except (msgspec.DecodeError, ValueError):  # also of what is no UTF-8
        return Place(problem=NOT_UNDERSTOOD)
    if not (-90 <= lat <= 90 and -180 <= lng <= 180):
        return Place(problem=NOT_UNDERSTOOD)
    return Place(f"{lat:.6f}", f"{lng:.6f}", entries[0].display_name[:LONGEST_NAME])
