"""Reads a series: for feeds, for pages, and for whoever wants all its dates."""

from dataclasses import dataclass

from kalends.calendar.posts.shown import Shown, show_all
from kalends.calendar.series import occurrences
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.store.rows import series
from kalends.store.rows.records import Event, Series
from kalends.values import dates
from kalends.values.recurrence import Recurrence


@dataclass(frozen=True, slots=True)
class ReadSeries:
    """A series as a caller sees it: its occurrences by start, without those that the caller cannot read."""

    series: Series
    recurrence: Recurrence
    occurrences: list[Shown]

    @property
    def template(self) -> Event:
        """An occurrence without anything of its own, at the start of the series. Its recurrence is computed from its
        `start_local` and `timezone`."""
        return self.series.template.event


def series_of(work: UnitOfWork, event: Event) -> Series | None:
    """The series of an event; None for a single event, and if the caller may not know of it."""
    return None if event.series is None else series.find_readable(work.session, work.visibility, event.series)


def read(work: UnitOfWork, id: int) -> ReadSeries | None:
    """A series with all occurrences that the caller can read; None if the caller may not know of it."""
    found = series.find_readable(work.session, work.visibility, id)
    if found is None:
        return None
    events = series.readable_events(work.session, id, work.visibility)
    return ReadSeries(found, occurrences.recurrence_of(found), show_all(work, events))


def next_occurrences(work: UnitOfWork, id: int, most: int) -> list[Event]:
    """The next occurrences that the caller can read and that are not over, by start."""
    found = series.readable_events(work.session, id, work.visibility)
    return [event for event in found if event.end_utc >= work.now_text and not event.hide_from_listings][:most]


def cancelled_starts(found: ReadSeries) -> list[str]:
    """The local times at which the rule has an occurrence that the caller does not see, within what is filled: in
    the trash, a draft, or an exception. To the caller they are exceptions."""
    seen = {event.original_start for event, _ in found.occurrences if isinstance(event, Event)}
    last = max(seen, default="")
    rule = occurrences.without_exceptions(found.recurrence)
    until = dates.from_text(last or found.template.start_local)
    starts = occurrences.starts(rule, found.template, until, occurrences.MOST + len(seen))
    return [text for text in map(dates.text, starts) if text not in seen and text <= last]
