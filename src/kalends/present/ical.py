"""The calendar as an iCalendar feed: single events, and each series as one entry with its changed occurrences."""

from collections.abc import Iterable, Iterator, Sequence

from kalends.present import ical_entries, ical_zones
from kalends.present.addresses import RenderContext
from kalends.present.ical_entries import FOLD, Entries, folded, line, text
from kalends.present.ical_fragments import JoinedEntries, PrerenderedEntry
from kalends.present.ical_series import SeriesEntry, VisibleSeries
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.values import dates

REFRESH = "PT1H"
END = b"END:VCALENDAR\r\n"


def feed(
    name: str,
    source: str,
    entries: Entries,
    render_context: RenderContext,
    items: Iterable[tuple[Event, Bundle] | PrerenderedEntry | VisibleSeries],
    gone: Sequence[Event],
) -> Iterator[bytes]:
    """A whole calendar, piece by piece, however many events it has, by their start. `gone` are those to be taken out
    again."""
    yield _head(name, source, render_context.timezone)
    described: set[str] = set()
    series: set[int] = set()
    joined = JoinedEntries(entries, render_context.addresses)

    def zone_of(record: Event) -> bytes:
        return zone(record.timezone, record.start_local) if ical_entries.zone_of(record) else b""

    def zone(name: str, start: str) -> bytes:
        """A zone, unless it was described before: from the first year that is needed."""
        if name in described:
            return b""
        described.add(name)
        first = min([start, *(one.start_local for one in gone[:1])])
        return ical_zones.component(name, int(first[:4]))

    for one in items:
        if isinstance(one, PrerenderedEntry):
            if zone_name := one.zone:
                yield zone(zone_name, one.start_local)
            yield joined.entry(one)
        elif isinstance(one, VisibleSeries):
            series.add(one.series.id)
            entry = SeriesEntry(one)
            if entry.is_on_the_wall:
                yield zone(entry.timezone, min(dates.text(entry.start), one.occurrences[0][0].start_local))
            yield from (zone_of(record) for record, _ in one.occurrences)
            yield from entry.lines(entries, render_context)
        else:
            record, bundle = one
            yield zone_of(record)
            yield ical_entries.event(record, bundle, entries, render_context)
    for record in gone:
        if record.series in series:  # an exception of a series that is shown, or one that was cancelled already
            continue
        yield zone_of(record)
        if record.series is not None:
            series.add(record.series)
        yield _cancelled(record, entries)
    yield END


def unfolded(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """A calendar with each line in one piece, however long it is."""
    return (piece.replace(FOLD, b"") for piece in pieces)


def _cancelled(record: Event, entries: Entries) -> bytes:
    """An event that was public and is no more: enough for a program to take it out, and nothing else."""
    uid = entries.uid(record) if record.series is None else entries.uid_of_series(record.series, record)
    times = ical_entries.times(record, ical_entries.zone_of(record))
    lines = [line("UID", uid), *times, *entries.changes(record), line("STATUS", "CANCELLED")]
    return ical_entries.component(lines)


def _head(name: str, source: str, timezone: str) -> bytes:
    return folded(
        b"".join(
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
    )
