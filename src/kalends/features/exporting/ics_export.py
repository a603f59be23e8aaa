"""Events as iCalendar, for other calendar programs and for another Kalends.

What iCalendar has no property for is in one of our own, which other programs pass over: `X-KALENDS-EVENT`, a JSON
object. With it an import makes the same events again.
"""

from collections.abc import Iterable, Iterator

import msgspec

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.site_settings import site_id
from kalends.contract.kinds import COMPANIONS, PEOPLE
from kalends.contract.statuses import PUBLISH
from kalends.features.exporting.fields import (
    OCCURRENCE,
    Fields,
    fields_of,
    identity,
    status_without_password,
    statuses_of,
)
from kalends.features.exporting.selection import ExportSelection
from kalends.present import ical
from kalends.present.addresses import Addresses, RenderContext
from kalends.present.ical_entries import Entries, line, location_line, stamp, text
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.values import dates

EXTENSION = "X-KALENDS-EVENT"
# What the properties of iCalendar say.
NOT_EXTENDED = frozenset({"title", "description", "start_date", "end_date", "all_day", "date_utc"})
_DAY = "2000-01-01 00:00:00"
# What is not told because most events have it.
USUAL = fields_of(
    Event(
        author=0,
        status=PUBLISH,
        date_utc="",
        modified_utc="",
        start_local=_DAY,
        end_local=_DAY,
        start_utc=_DAY,
        end_utc=_DAY,
    )
)


def write(selection: ExportSelection, base_url: str) -> Iterator[bytes]:
    """The calendar, in pieces: everything that an administrator sees, a series in one entry."""
    calendar = selection.calendar
    settings = calendar.settings
    context = RenderContext(Addresses(base_url, "", ""), settings.timezone, settings.currency)
    entries = ExportedEntries(calendar.read(ANONYMOUS, site_id))
    return ical.feed(settings.site_name, f"{base_url}/events.ics", entries, context, selection.entries(), ())


class ExportedEntries(Entries):
    """Entries with everything that an import needs. They are the same in every calendar that has the same events, so
    they do not say when they were changed, nor how often."""

    def uid(self, record: Event) -> str:
        """That of the calendar file from which the event came, or one of its source and its id there."""
        if "@" in record.external_id:
            return record.external_id
        source, _, id = identity(record, self.site_id).partition("/")
        return f"event-{id}@{source}"

    def uid_of_series(self, series: int, first: Event) -> str:
        return self.uid(first)

    def changes(self, record: Event) -> Iterator[bytes]:
        yield line("DTSTAMP", stamp(record.date_utc))

    def more(self, record: Event, bundle: Bundle, first: Event | None = None, slug: str = "") -> Iterable[bytes]:
        if record.description:
            yield line("X-ALT-DESC", text(record.description), fmttype="text/html")
        fields: Fields = {"id": self._identity(record, first, is_series=bool(slug))}
        fields |= {name: value for name, value in fields_of(record).items() if name not in NOT_EXTENDED}
        fields |= {"slug": slug or record.slug, "status": status_without_password(record)}
        fields |= {
            "tags": [term.name for term in bundle.linked["tag"]],
            **{
                kind.plural: [[one.name, getattr(one, "email", "")] for one in bundle.linked[kind.name]]
                for kind in PEOPLE
            },
            "venues": [location_line(venue) for venue in bundle.linked["venue"]]
            if len(bundle.linked["venue"]) > 1
            else [],
            **{f"{kind.name}_statuses": statuses_of(bundle.linked[kind.name]) for kind in COMPANIONS},
        }
        written = {name: value for name, value in fields.items() if value not in (USUAL.get(name), [])}
        yield line(EXTENSION, text(msgspec.json.encode(written | {"timezone": record.timezone}).decode()))

    def _identity(self, record: Event, first: Event | None, *, is_series: bool) -> str:
        """The entry of a series has the identity of its first event, whose own entry is one of an occurrence."""
        if first is None or (not is_series and record.id != first.id):
            return identity(record, self.site_id)
        own = identity(first, self.site_id)
        start = dates.from_text(record.original_start)
        return own if is_series else f"{own}{OCCURRENCE}{start:%Y%m%dT%H%M%S}"
