"""Events as iCalendar, for the programs in which people keep their calendars."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cache

import icalendar

from kalends.contract.kinds import EVENT
from kalends.present.outlook import Outlook
from kalends.store.bundles import Bundle
from kalends.store.records import Event, Organizer, Venue
from kalends.values import dates, markup, zones

REFRESH = timedelta(hours=1)
# The years for which a feed describes time zones; beyond them times are given in UTC.
FIRST_YEAR, LAST_YEAR = 1970, 2050
END = b"END:VCALENDAR\r\n"


def feed(
    name: str,
    source: str,
    site_id: str,
    outlook: Outlook,
    shown: Iterable[tuple[Event, Bundle]],
    gone: Iterable[Event],
) -> Iterator[bytes]:
    """A whole calendar, piece by piece, however many events it has. `gone` are those to be taken out again."""
    yield _head(name, source, outlook.timezone)
    described: set[str] = set()
    for record, bundle in shown:
        yield _timezone_once(record, described)
        yield event(record, bundle, site_id, outlook)
    for record in gone:
        yield _timezone_once(record, described)
        yield cancelled(record, site_id)
    yield END


def _timezone_once(record: Event, described: set[str]) -> bytes:
    """The zone of an event, unless it was described before."""
    if not _has_zone(record) or record.timezone in described:
        return b""
    described.add(record.timezone)
    return _timezone(record.timezone)


def event(record: Event, bundle: Bundle, site_id: str, outlook: Outlook) -> bytes:
    component = _component(record, site_id)
    component.add("summary", record.name)
    component.add("created", _utc(record.date_utc))
    component.add("url", outlook.addresses.page(EVENT, record.slug))
    component.add("status", "CONFIRMED")
    if not bundle.masked:
        _add_details(component, record, bundle, outlook)
    return bytes(component.to_ical())


def cancelled(record: Event, site_id: str) -> bytes:
    """An event that was public and is no more: enough for a program to take it out, and nothing else."""
    component = _component(record, site_id)
    component.add("status", "CANCELLED")
    return bytes(component.to_ical())


def _component(record: Event, site_id: str) -> icalendar.Event:
    component = icalendar.Event()
    component.add("uid", f"event-{record.id}@{site_id}")
    component.add("dtstamp", _utc(record.modified_utc))
    component.add("last-modified", _utc(record.modified_utc))
    component.add("sequence", record.rev)
    component.add("dtstart", _when(record, record.start_local, record.start_utc))
    component.add("dtend", _when(record, record.end_local, record.end_utc, is_end=True))
    return component


def _add_details(component: icalendar.Event, record: Event, bundle: Bundle, outlook: Outlook) -> None:
    text = markup.text_of(record.description or record.excerpt)
    if text:
        component.add("description", text)
    if bundle.venues:
        component.add("location", "; ".join(_place(venue) for venue in bundle.venues))
        first = bundle.venues[0]
        if first.geo_lat is not None and first.geo_lng is not None:
            component.add("geo", (first.geo_lat, first.geo_lng))
    names = [term.name for term in (*bundle.categories, *bundle.tags)]
    if names:
        component.add("categories", names)
    for organizer in bundle.organizers:
        if organizer.email:
            component.add("organizer", _organizer(organizer))
            break  # a calendar entry has one
    image = bundle.images.get(record.image) if record.image is not None else None
    if image is not None:
        parameters = {"VALUE": "URI", "FMTTYPE": image.mime_type, "DISPLAY": "BADGE"}
        component.add("image", icalendar.vUri(outlook.addresses.media(image.file)), parameters)


def _when(record: Event, local: str, utc: str, *, is_end: bool = False) -> date | datetime:
    """A day, a moment on the zone's clock, or one in UTC. The end of days is the day after the last."""
    if record.all_day:
        day = dates.from_text(local).date()
        return day + timedelta(days=1) if is_end and day < date.max else day
    if not _has_zone(record):
        return _utc(utc)
    return _utc(utc).astimezone(zones.zone(record.timezone))


def _has_zone(record: Event) -> bool:
    """Whether the times of an event are told in its zone: offsets and far times are told in UTC."""
    years = int(record.start_utc[:4]), int(record.end_utc[:4])
    return (
        not record.all_day
        and not record.timezone.startswith("UTC")
        and years[0] > FIRST_YEAR
        and years[1] < LAST_YEAR
    )


def _utc(text: str) -> datetime:
    return dates.from_text(text).replace(tzinfo=UTC)


def _place(venue: Venue) -> str:
    region = venue.stateprovince or venue.state or venue.province
    parts = (venue.name, venue.address, venue.city, region, venue.zip, venue.country)
    return ", ".join(part for part in parts if part)


def _organizer(organizer: Organizer) -> icalendar.vCalAddress:
    address = icalendar.vCalAddress(f"mailto:{organizer.email}")
    address.params["CN"] = icalendar.vText(organizer.name)
    return address


@cache
def _timezone(name: str) -> bytes:
    last = date(LAST_YEAR, 1, 1)
    return bytes(icalendar.Timezone.from_tzinfo(zones.zone(name), name, last_date=last).to_ical())


def _head(name: str, source: str, timezone: str) -> bytes:
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Kalends//Calendar//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("x-wr-timezone", timezone)
    calendar.add("source", source)
    calendar.add("refresh-interval", REFRESH)
    calendar.add("x-published-ttl", icalendar.vDuration(REFRESH))
    return bytes(calendar.to_ical()).removesuffix(END)
