"""Events as iCalendar."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, timedelta, tzinfo

from kalends.contract.kinds import EVENT
from kalends.contract.statuses import DRAFT, PENDING, TRASH
from kalends.present import ical_zones
from kalends.present.ical_lines import line, text, texts
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Venue
from kalends.values import dates, markup, zones

REFRESH = "PT1H"
END = b"END:VCALENDAR\r\n"
# Of events that are not published; all others are confirmed.
STATUSES = {DRAFT: "TENTATIVE", PENDING: "TENTATIVE", TRASH: "CANCELLED"}


def feed(
    name: str,
    source: str,
    site_id: str,
    render_context: RenderContext,
    shown: Iterable[tuple[Event, Bundle]],
    gone: Sequence[Event],
) -> Iterator[bytes]:
    """A whole calendar, piece by piece, however many events it has, by their start. `gone` are those to be taken out
    again."""
    yield _head(name, source, render_context.timezone)
    described: set[str] = set()

    def zone_of(record: Event) -> bytes:
        """The zone of an event, unless it was described before: from the first year that is needed."""
        if record.timezone in described or _zone(record) is None:
            return b""
        described.add(record.timezone)
        first = min(one.start_local for one in (record, *gone[:1]))
        return ical_zones.component(record.timezone, int(first[:4]))

    for record, bundle in shown:
        yield zone_of(record)
        yield event(record, bundle, site_id, render_context)
    for record in gone:
        yield zone_of(record)
        yield cancelled(record, site_id)
    yield END


def event(record: Event, bundle: Bundle, site_id: str, render_context: RenderContext) -> bytes:
    lines = [
        *_time_and_name(record, site_id),
        line("SUMMARY", text(record.name)),
        line("CREATED", _stamp(record.date_utc)),
        line("URL", render_context.addresses.page(EVENT, record.slug)),
        line("STATUS", STATUSES.get(record.status, "CONFIRMED")),
    ]
    if not bundle.masked:
        lines += _details(record, bundle, render_context)
    return _component(lines)


def cancelled(record: Event, site_id: str) -> bytes:
    """An event that was public and is no more: enough for a program to take it out, and nothing else."""
    return _component([*_time_and_name(record, site_id), line("STATUS", "CANCELLED")])


def _component(lines: Iterable[bytes]) -> bytes:
    return b"".join((b"BEGIN:VEVENT\r\n", *lines, b"END:VEVENT\r\n"))


def _time_and_name(record: Event, site_id: str) -> Iterator[bytes]:
    yield line("UID", f"event-{record.id}@{site_id}")
    yield line("DTSTAMP", _stamp(record.modified_utc))
    yield line("LAST-MODIFIED", _stamp(record.modified_utc))
    yield line("SEQUENCE", str(record.rev))
    if record.all_day:
        first, last = (dates.from_text(local).date() for local in (record.start_local, record.end_local))
        # The end of days is the day after the last.
        after = last if last == date.max else last + timedelta(days=1)
        yield line("DTSTART", _day(first), value="DATE")
        yield line("DTEND", _day(after), value="DATE")
        return
    zone = _zone(record)
    for name, utc in (("DTSTART", record.start_utc), ("DTEND", record.end_utc)):
        if zone is None:
            yield line(name, _stamp(utc))
        else:
            local = dates.from_text(utc).replace(tzinfo=UTC).astimezone(zone)
            yield line(name, f"{local:%Y%m%dT%H%M%S}", tzid=record.timezone)


def _details(record: Event, bundle: Bundle, render_context: RenderContext) -> Iterator[bytes]:
    description = markup.text_of(record.description or record.excerpt)
    if description:
        yield line("DESCRIPTION", text(description))
    if bundle.venues:
        yield line("LOCATION", text("; ".join(_place(venue) for venue in bundle.venues)))
        first = bundle.venues[0]
        if first.geo_lat is not None and first.geo_lng is not None:
            yield line("GEO", f"{first.geo_lat:.6f};{first.geo_lng:.6f}")
    names = [term.name for term in (*bundle.categories, *bundle.tags)]
    if names:
        yield line("CATEGORIES", texts(names))
    for organizer in bundle.organizers:
        if organizer.email:
            yield line("ORGANIZER", f"mailto:{organizer.email}", cn=organizer.name)
            break  # a calendar entry has one
    image = bundle.images.get(record.image) if record.image is not None else None
    if image is not None:
        address = render_context.addresses.media(image.file)
        yield line("IMAGE", address, value="URI", display="BADGE", fmttype=image.mime_type)


def _zone(record: Event) -> tzinfo | None:
    """The zone in which the times of an event are told. Offsets and far times are told in UTC, and so are times that
    the clock of the zone shows twice: nothing could say which of the two is meant."""
    if record.all_day or record.timezone.startswith("UTC"):
        return None
    if int(record.start_utc[:4]) <= ical_zones.FIRST_YEAR or int(record.end_utc[:4]) >= ical_zones.LAST_YEAR:
        return None
    zone = zones.zone(record.timezone)
    times = [dates.from_text(text).replace(tzinfo=zone) for text in (record.start_local, record.end_local)]
    return None if any(time.utcoffset() != time.replace(fold=1).utcoffset() for time in times) else zone


def _stamp(utc: str) -> str:
    """A moment in UTC."""
    return f"{utc[:10].replace('-', '')}T{utc[11:].replace(':', '')}Z"


def _day(day: date) -> str:
    return day.isoformat().replace("-", "")


def _place(venue: Venue) -> str:
    region = venue.stateprovince or venue.state or venue.province
    parts = (venue.name, venue.address, venue.city, region, venue.zip, venue.country)
    return ", ".join(part for part in parts if part)


def _head(name: str, source: str, timezone: str) -> bytes:
    return b"".join(
        (
            b"BEGIN:VCALENDAR\r\n",
            line("VERSION", "2.0"),
            line("PRODID", "-//Kalends//Calendar//EN"),
            line("CALSCALE", "GREGORIAN"),
            line("METHOD", "PUBLISH"),
            line("NAME", text(name)),
            line("X-WR-CALNAME", text(name)),
            line("X-WR-TIMEZONE", timezone),
            line("SOURCE", source, value="URI"),
            line("REFRESH-INTERVAL", REFRESH, value="DURATION"),
            line("X-PUBLISHED-TTL", REFRESH),
        )
    )
