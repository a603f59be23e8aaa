"""An event as an entry of iCalendar, and the lines and parts that the entry of a series shares.

The library `icalendar` quotes parameters; docs/internals/decisions.md has the measurement why not more.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple, cast

from icalendar import Parameters

from kalends.contract.kinds import CATEGORY, EVENT, TERMS, Kind
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.contract.statuses import CANCELLED, DRAFT, MOVED_ONLINE, PENDING, POSTPONED, SCHEDULED, TRASH
from kalends.languages import N_, translate
from kalends.present import event_statuses, ical_zones
from kalends.present.addresses import RenderContext
from kalends.present.event_details import is_filled
from kalends.store.rows.records import Bundle, Companion, Event, Venue, value_of
from kalends.values import cost, dates, markup, zones
from kalends.values.more import More, SitePath

# Of events that are not published; all others are confirmed.
EVENT_STATUSES = {CANCELLED: "CANCELLED", POSTPONED: "TENTATIVE"}
STATUSES = {DRAFT: "TENTATIVE", PENDING: "TENTATIVE", TRASH: "CANCELLED"}

# A line ends where we say so; of these characters a text may have the tab and the line break.
CONTROLS = dict.fromkeys([*range(9), *range(11, 32), 127])
WITHOUT_CONTROLS = CONTROLS | {10: None}
ESCAPES = CONTROLS | {ord("\n"): "\\n", **{ord(sign): f"\\{sign}" for sign in "\\;,"}}
LONGEST_PART = 74  # bytes of a line before it is folded
BETWEEN_PLACES = "; "
MAILED = [link for link in EVENT_LINKS if link.ical]
NAMED_IN_ENTRIES = [row for row in EVENT.fields if row.ical and row not in EVENT_LINKS]
ONCE = ("ORGANIZER",)  # properties of which an entry has one
LINE_END = b"\r\n"
FOLD = LINE_END + b" "
ONLINE = N_("Online")
JOIN, WEBSITE, COST = N_("Join online: {address}"), N_("Website: {address}"), N_("Cost: {cost}")
PARAGRAPH, NEW_LINE = "\\n\\n", "\\n"  # in a value
_IMAGE = re.compile(rb"^IMAGE;[^:]*?(FMTTYPE=[^:;]+)[^:]*")


class Escaped(str):
    """A value that is written as it is."""

    __slots__ = ()


class Footer(NamedTuple):
    """What readers find below the description of an event: most programs show nothing else that they could open."""

    website: str
    cost: str
    is_free: bool
    page: str

    @classmethod
    def of(cls, record: Event, render_context: RenderContext) -> "Footer":
        amount, details = cost.describe(record.cost, render_context.currency)
        is_free = not {"0", "free"}.isdisjoint(cast(list[str], details["values"]))
        return cls(record.website, amount, is_free, render_context.addresses.page(EVENT, record.slug))

    def written(self, language: str, *, is_moved: bool) -> str:
        lines = []
        if self.website:
            lines.append(text(translate(JOIN if is_moved else WEBSITE, language).format(address=self.website)))
        if self.cost:
            amount = self.cost.replace(cost.FREE, translate(cost.FREE, language)) if self.is_free else self.cost
            lines.append(text(translate(COST, language).format(cost=amount)))
        return NEW_LINE.join([*lines, self.page])


class Entries:
    """How the entries of a calendar are named, and what they say of their changes: those of feeds."""

    def __init__(self, site_id: str, language: str = "", *, as_reference: bool = False) -> None:
        """`language`: that of readers, who are told first of what does not take place as planned; without one, titles
        are those of the events. `as_reference`: for its clients, which take CATEGORIES for categories alone, and
        pictures from ATTACH."""
        self.site_id = site_id
        self.language = language
        self.as_reference = as_reference

    def uid(self, record: Event) -> str:
        return f"event-{record.id}@{self.site_id}"

    def uid_of_series(self, series: int, first: Event) -> str:
        """`first` is the event that stands for the series."""
        return f"series-{series}@{self.site_id}"

    def summary(self, record: Event, *, masked: bool) -> "Escaped":
        if not self.language:
            return text(record.name)
        return text(event_statuses.titled(record.name, record.event_status, self.language, masked=masked))

    def is_moved(self, record: Event) -> bool:
        """Whether readers are told of another place than that of its venue."""
        return bool(self.language) and record.event_status == MOVED_ONLINE

    def description(self, record: Event, footer: Footer) -> "Escaped":
        own = text(markup.text_of(record.long_text))
        if not self.language:
            return own
        foot = footer.written(self.language, is_moved=self.is_moved(record))
        return Escaped(f"{own}{PARAGRAPH}{foot}" if own else foot)

    def changes(self, record: Event) -> Iterator[bytes]:
        """When it was changed, so that programs know which of two entries is the newer one."""
        changed = stamp(record.modified_utc)
        yield short_line("DTSTAMP", changed)
        yield short_line("LAST-MODIFIED", changed)
        yield short_line("SEQUENCE", str(record.rev))

    def more(self, record: Event, bundle: Bundle, first: Event | None = None, slug: str = "") -> Iterable[bytes]:
        """What else an entry has. `first` is the event that stands for its series, `slug` that of an entry for all
        of it."""
        return ()


def event(record: Event, bundle: Bundle, entries: Entries, render_context: RenderContext) -> bytes:
    identity = [line("UID", entries.uid(record)), *times(record, zone_of(record))]
    return entry(record, bundle, render_context, identity, entries, entries.more(record, bundle))


def entry(
    record: Event,
    bundle: Bundle,
    render_context: RenderContext,
    identity: Iterable[bytes],
    entries: Entries,
    more: Iterable[bytes],
) -> bytes:
    """`identity`: the lines that say which entry this is, and when."""
    return component([*identity, *entries.changes(record), *_about(record, bundle, entries, render_context), *more])


def component(lines: Iterable[bytes]) -> bytes:
    return folded(b"".join((b"BEGIN:VEVENT\r\n", *lines, b"END:VEVENT\r\n")))


def times(record: Event, zone: tzinfo | None) -> Iterator[bytes]:
    """When it is. `zone`: what `zone_of` says."""
    if record.all_day:
        first, last = (dates.from_text(local).date() for local in (record.start_local, record.end_local))
        # The end of days is the day after the last.
        after = last if last == date.max else last + timedelta(days=1)
        yield line("DTSTART", day(first), value="DATE")
        yield line("DTEND", day(after), value="DATE")
        return
    if zone is None:
        yield short_line("DTSTART", stamp(record.start_utc))
        yield short_line("DTEND", stamp(record.end_utc))
    else:
        yield line("DTSTART", stamp(record.start_local)[:-1], tzid=record.timezone)
        yield line("DTEND", stamp(record.end_local)[:-1], tzid=record.timezone)


def _about(record: Event, bundle: Bundle, entries: Entries, render_context: RenderContext) -> Iterator[bytes]:
    yield from event_lines(record, entries, render_context, masked=bundle.masked)
    if not bundle.masked:
        if entries.is_moved(record):
            yield online_line(record.website, entries.language)
        terms = [CATEGORY] if entries.as_reference else TERMS
        yield from linked_lines(bundle, terms, with_place=not entries.is_moved(record))
        for image_line in image_lines(record, bundle, render_context):
            yield from (attached(image_line), image_line) if entries.as_reference else (image_line,)
        yield from added_lines(bundle.more, render_context.addresses.base_url)


def event_lines(record: Event, entries: Entries, render_context: RenderContext, *, masked: bool) -> Iterator[bytes]:
    """What an entry tells of the event itself."""
    yield line("SUMMARY", entries.summary(record, masked=masked))
    yield short_line("CREATED", stamp(record.date_utc))
    is_moved = entries.is_moved(record) and not masked
    yield line("URL", (is_moved and record.website) or render_context.addresses.page(EVENT, record.slug))
    planned = SCHEDULED if masked else record.event_status
    yield short_line("STATUS", STATUSES.get(record.status) or EVENT_STATUSES.get(planned, "CONFIRMED"))
    if masked:
        return
    for row in NAMED_IN_ENTRIES:
        if is_filled(value := value_of(record, row.stored)):
            yield line(row.ical, "TRUE" if value is True else text(str(value)))
    if description := entries.description(record, Footer.of(record, render_context)):
        yield line("DESCRIPTION", description)


def online_line(website: str, language: str) -> bytes:
    """Where an event takes place that has moved online."""
    return line("LOCATION", text(website or translate(ONLINE, language)))


def linked_lines(bundle: Bundle, terms: Iterable[Kind], *, with_place: bool = True) -> Iterator[bytes]:
    """What an entry tells of the records that the event is linked to. `terms`: those that CATEGORIES names."""
    if with_place and bundle.linked["venue"]:
        yield line("LOCATION", text(BETWEEN_PLACES.join(location_line(venue) for venue in bundle.linked["venue"])))
        yield geo_line(bundle.linked["venue"][0])
    names = [term.name for kind in terms for term in bundle.linked[kind.name]]
    if names:
        yield line("CATEGORIES", texts(names))
    for link in MAILED:
        lines = [found for record in bundle.linked[link.kind.name] if (found := mail_line(link.ical, record))]
        yield from lines[: 1 if link.ical in ONCE else None]


def geo_line(venue: Venue) -> bytes:
    """Where it is, if that is known."""
    if venue.geo_lat is None or venue.geo_lng is None:
        return b""
    return line("GEO", f"{venue.geo_lat:.6f};{venue.geo_lng:.6f}")


def mail_line(property: str, record: Companion) -> bytes:
    """Whom to write to, if that is known."""
    address = getattr(record, "email", "")
    return line(property, f"mailto:{address}", cn=record.name) if address else b""


def image_lines(record: Event, bundle: Bundle, render_context: RenderContext) -> Iterator[bytes]:
    image = bundle.image_of(record)
    if image is not None:
        address = render_context.addresses.media(image.file)
        yield line("IMAGE", address, value="URI", display="BADGE", fmttype=image.mime_type)


def added_lines(more: More, base_url: str) -> Iterator[bytes]:
    """What features add."""
    for name, value in more.ical:
        yield line(name, Escaped(base_url + value) if isinstance(value, SitePath) else text(value))


def attached(image_lines: bytes) -> bytes:
    """The image as an attachment, in the line that most programs read."""
    return _IMAGE.sub(rb"ATTACH;\1", image_lines)


def zone_of(record: Event) -> tzinfo | None:
    """The zone in which the times of an event are told. Offsets and far times are told in UTC, and so are times that
    the clock of the zone shows twice: nothing could say which of the two is meant."""
    if record.all_day or record.timezone.startswith("UTC"):
        return None
    if int(record.start_utc[:4]) <= ical_zones.FIRST_YEAR or int(record.end_utc[:4]) >= ical_zones.LAST_YEAR:
        return None
    zone = zones.zone(record.timezone)
    for time in map(dates.from_text, (record.start_local, record.end_local)):
        if zone.utcoffset(time) != zone.utcoffset(time.replace(fold=1)):
            return None
    return zone


def stamp(utc: str) -> str:
    """A moment in UTC."""
    return f"{utc[:10].replace('-', '')}T{utc[11:].replace(':', '')}Z"


def day(which: date) -> str:
    return which.isoformat().replace("-", "")


def location_line(venue: Venue) -> str:
    """A venue with its address, in one line."""
    region = venue.region
    parts = (venue.name, venue.address, venue.city, region, venue.zip, venue.country)
    return ", ".join(part for part in parts if part)


def line(name: str, value: str, /, **parameters: str) -> bytes:
    """A property in one line, however long it is. Its value is a `text`, `texts`, or of a type that has nothing to
    escape."""
    plain = value if isinstance(value, Escaped) or value.isprintable() else value.translate(WITHOUT_CONTROLS)
    head = _head(name, *parameters.items()) if parameters else f"{name}:"
    return (head + plain).encode() + LINE_END


def short_line(name: str, value: str) -> bytes:
    """A property whose value is short, and of a type that has nothing to escape."""
    return f"{name}:{value}\r\n".encode()


def text(value: str) -> Escaped:
    """A text of any length, with what has a meaning in a line escaped."""
    if value.isprintable():  # without control characters; a table takes fifteen times as long
        return Escaped(value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,"))
    return Escaped(value.replace("\r\n", "\n").translate(ESCAPES))


def texts(values: Iterable[str]) -> Escaped:
    """Several texts in one line."""
    return Escaped(",".join(map(text, values)))


@lru_cache(4096)  # zones, people: few, and each in many entries
def _head(name: str, *parameters: tuple[str, str]) -> str:
    """A property up to its value."""
    given = Parameters(
        {key.upper(): one.replace("\r\n", "\n").translate(CONTROLS).replace("\n", " ") for key, one in parameters}
    )
    return f"{name};{given.to_ical().decode()}:"


def folded(lines: bytes) -> bytes:
    """Lines of which none is too long."""
    return LINE_END.join([_in_parts(one) if len(one) > LONGEST_PART else one for one in lines.split(LINE_END)])


def _in_parts(line: bytes) -> bytes:
    """A line in parts of which none is too long, and none begins inside of a character."""
    if line.isascii():
        return FOLD.join([line[start : start + LONGEST_PART] for start in range(0, len(line), LONGEST_PART)])
    parts, start = [], 0
    while start < len(line):
        end = start + LONGEST_PART
        while end < len(line) and line[end] & 0xC0 == 0x80:
            end -= 1
        parts.append(line[start:end])
        start = end
    return FOLD.join(parts)
