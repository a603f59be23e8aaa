"""Reads a series: for pages."""

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.store.rows import series
from kalends.store.rows.records import Event


def next_occurrences(work: UnitOfWork, id: int, most: int) -> list[Event]:
    """The next occurrences that the caller can read and that are not over, by start."""
    found = series.readable_events(work.session, id, work.visibility)
    return [event for event in found if event.end_utc >= work.now_text and not event.hide_from_listings][:most]
