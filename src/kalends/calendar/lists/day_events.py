"""The events that overlap some days, for the pages of the calendar."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from msgspec.structs import replace

from kalends.calendar.access import UnitOfWork
from kalends.calendar.lists.queries import event_query
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT
from kalends.store.query import days
from kalends.store.query.days import DayEvent
from kalends.store.query.filter_values import CountedDays
from kalends.store.query.list_query import END_OF_TIME, Window
from kalends.store.rows import posts
from kalends.store.rows.links import LINKED
from kalends.store.rows.records import Event
from kalends.values import dates, zones

MOST_EVENTS = 5000
NIGHT = timedelta(hours=12)  # an event that ends this soon counts as one evening


@dataclass(frozen=True, slots=True)
class FullRecords:
    """Of which days the full records are wanted, and of how many events."""

    first: date
    last: date
    most: int = MOST_EVENTS
    linked: tuple[str, ...] = LINKED  # the kinds of records that are wanted with the events
    # The ids of those that are shown with everything. Of others what is prerendered is enough.
    choose: Callable[[Sequence[DayEvent]], Collection[int]] | None = None
    timezone: str = ""  # on whose clock an hour is on one of these days; by default each event has its own


def overlapping(work: UnitOfWork, reading: Reading, first: date, last: date) -> list[DayEvent]:
    """Events whose own local times overlap some days. One that ends at midnight is not on the next day."""
    query, _ = event_query(work, reading, None, whole=True)
    query = replace(query, window=Window(end_from=f"{first} 00:00:00", start_before=_after(last)))
    return days.overlapping(work.session, query, MOST_EVENTS)


def on_days(found: Sequence[DayEvent], full: FullRecords) -> list[DayEvent]:
    """The first of the events that are on the days of which full records are wanted."""
    start, end = f"{full.first} 00:00:00", f"{full.last} 23:59:59"
    shown = []
    for event in found:
        begins, ends = _on_clock(event, full.timezone) if full.timezone else (event.start_local, event.end_local)
        if begins <= end and ends >= start:
            shown.append(event)
    return shown[: full.most]


def _on_clock(event: DayEvent, timezone: str) -> tuple[str, str]:
    """When an event with hours is in another zone; what takes days is on the days of its own."""
    begins, ends = dates.from_text(event.start_local), dates.from_text(event.end_local)
    if event.all_day or event.timezone == timezone or ends - begins > NIGHT:
        return event.start_local, event.end_local
    try:
        there = zones.to_local(dates.from_text(event.start_utc), timezone)
    except zones.OutOfRange:
        return event.start_local, event.end_local
    return dates.text(there), dates.text(there + (ends - begins))


def full_records(work: UnitOfWork, ids: Sequence[int]) -> list[Event]:
    events = posts.find_many(work.session, EVENT.name, ids)
    return [event for id in ids if isinstance(event := events[id], Event)]


def seen_by_all(work: UnitOfWork, found: Sequence[DayEvent], first: date, last: date) -> Sequence[int] | None:
    """Those of the overlapping events that everybody sees on these days; None where that is not known from them."""
    if not work.visibility.is_public or len(found) == MOST_EVENTS:
        return None
    midnight, after = f"{first} 00:00:00", _after(last)
    return [
        event.id
        for event in found
        if event.start_local < after
        and (event.end_local > midnight or event.start_local >= midnight)
        and not event.masked
    ]


def counted_days(first: date, last: date) -> CountedDays:
    return CountedDays(first.isoformat(), _after(last)[:10])


def _after(day: date) -> str:
    return END_OF_TIME if day == date.max else f"{day + timedelta(days=1)} 00:00:00"
