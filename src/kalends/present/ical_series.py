"""A series as iCalendar: one entry with its rule, and one for each occurrence that differs from it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

import msgspec

from kalends.contract.kinds import EVENT
from kalends.present import ical_entries, ical_zones
from kalends.present.addresses import RenderContext
from kalends.present.ical_entries import Entries, day, line, stamp
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Series
from kalends.values import dates, recurrence, zones
from kalends.values.recurrence import Recurrence, Rule
from kalends.values.recurrence.parsing import local_time
from kalends.values.recurrence.rules import when_text

DAY_END = time(23, 59, 59)
NOT_IN_FEEDS = frozenset(field.stored for field in EVENT.fields if not field.is_in_feeds)


@dataclass(frozen=True, slots=True)
class VisibleSeries:
    """A series with those of its occurrences that a reader sees, at least one, by their start."""

    series: Series
    occurrences: Sequence[tuple[Event, Bundle]]

    @property
    def first(self) -> Event:
        """The event that stands for the series."""
        return next((event for event, _ in self.occurrences if not event.post_parent), self.occurrences[0][0])


class SeriesEntry:
    """What the feed says of a series. Its recurrence gives the occurrences that are shown, and no others."""

    def __init__(self, found: VisibleSeries) -> None:
        template = found.series.template.event
        self.found = found
        self.timezone = template.timezone
        starts = [dates.from_text(record.original_start) for record, _ in found.occurrences]
        self.start, self.shown = recurrence.narrowed_to(
            recurrence.from_text(found.series.recurrence),
            dates.from_text(template.start_local),
            template.timezone,
            sorted(starts),
            dates.from_text(found.series.filled_to),
        )
        self.is_described = min(starts).year > ical_zones.FIRST_YEAR and max(starts).year + 1 < ical_zones.LAST_YEAR
        # Without an occurrence that has nothing of its own, nothing says what they have in common.
        self.usual = next((pair for pair in found.occurrences if not _overrides(pair[0])), None)
        described = found.occurrences if self.usual is None else [self.usual]
        self.all_day = template.all_day and not all(bundle.masked for _, bundle in described)
        # Most programs repeat the exact duration, while here the clock on the wall repeats: in the nights when clocks
        # change the two are not the same.
        lengths = Counter(_length(record) for record, _ in found.occurrences if not _overrides(record))
        self.length = max(lengths, key=lambda length: lengths[length], default=timedelta())

    @property
    def is_on_the_wall(self) -> bool:
        """Whether its times are told on the clock of its zone; else they are days, or in UTC."""
        return not self.all_day and not self.timezone.startswith("UTC") and self.is_described

    def lines(self, entries: Entries, render_context: RenderContext) -> Iterator[bytes]:
        series, first = self.found.series, self.found.first
        own = line("UID", entries.uid_of_series(series.id, first))
        if self.usual is not None:
            record, bundle = self.usual
            changed = max(one.modified_utc for one, _ in self.found.occurrences)
            record = msgspec.structs.replace(record, rev=series.rev, modified_utc=changed)
            identity = [own, *self._times(), *self._recurrence()]
            more = entries.more(record, bundle, first, f"{series.template.event.slug}-{self.start:%Y-%m-%d}")
            yield ical_entries.entry(record, bundle, render_context, identity, entries, more)
        for record, bundle in self.found.occurrences:
            if self._differs(record, bundle):
                original = self._line("RECURRENCE-ID", [dates.from_text(record.original_start)])
                identity = [own, original, *ical_entries.times(record, ical_entries.zone_of(record))]
                more = entries.more(record, bundle, first)
                yield ical_entries.entry(record, bundle, render_context, identity, entries, more)

    def _differs(self, record: Event, bundle: Bundle) -> bool:
        """Whether a program that reads the rule would show something else than the occurrence."""
        is_moved = record.start_local != record.original_start
        if self.usual is None or _overrides(record) or is_moved or _length(record) != self.length:
            return True
        return bundle.more.ical != self.usual[1].more.ical

    def _times(self) -> Iterator[bytes]:
        yield self._line("DTSTART", [self.start])
        if self.all_day:
            yield self._line("DTEND", [self.start + self.length + timedelta(seconds=1)])
            return
        end = zones.to_utc(self.start, self.timezone) + self.length
        yield self._line("DTEND", [zones.to_local(end, self.timezone)])

    def _recurrence(self) -> Iterator[bytes]:
        shown = self.shown
        if not (self.all_day or self.is_on_the_wall or self.timezone == "UTC"):
            # In UTC a rule could name other days than on the clock on the wall, but dates say it all.
            shown = Recurrence(None, *self._as_dates())
        if shown.rule is not None:
            yield line("RRULE", str(self._rule_as_written(shown.rule)))
        if further := [when for when in shown.dates if when != self.start]:
            yield self._line("RDATE", further)
        if shown.exceptions:
            yield self._line("EXDATE", shown.exceptions)

    def _as_dates(self) -> tuple[tuple[datetime, ...], tuple[datetime, ...]]:
        starts = tuple(dates.from_text(record.original_start) for record, _ in self.found.occurrences)
        return starts, () if self.start in starts else (self.start,)

    def _rule_as_written(self, rule: Rule) -> Rule:
        """RFC 5545: UNTIL is a day where the start is one, and else in UTC."""
        until = rule.until
        if until is None:
            return rule
        if self.all_day:
            return replace(rule, until=local_time(until, self.start, self.timezone).date())
        if not isinstance(until, datetime):
            until = datetime.combine(until, DAY_END)
        if until.tzinfo is None:
            until = zones.to_utc(until, self.timezone).replace(tzinfo=UTC)
        return replace(rule, until=until)

    def _line(self, name: str, times: Iterable[recurrence.When]) -> bytes:
        local = [local_time(when, self.start, self.timezone) for when in times]
        if self.all_day:
            return line(name, ",".join(day(when.date()) for when in local), value="DATE")
        if self.is_on_the_wall:
            return line(name, ",".join(when_text(when) for when in local), tzid=self.timezone)
        return line(name, ",".join(stamp(dates.text(zones.to_utc(when, self.timezone))) for when in local))


def _overrides(record: Event) -> set[str]:
    """What an occurrence has of its own, as far as an entry tells it."""
    return set(record.own_fields) - NOT_IN_FEEDS


def _length(record: Event) -> timedelta:
    """How long an occurrence lasts: in days, or exactly."""
    ends = (record.start_local, record.end_local) if record.all_day else (record.start_utc, record.end_utc)
    start, end = map(dates.from_text, ends)
    return end - start
