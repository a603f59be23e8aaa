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
from kalends.store.query.filter_values import Days
from kalends.store.query.list_query import END_OF_TIME, Window
from kalends.store.rows import posts
from kalends.store.rows.links import LINKED
from kalends.store.rows.records import Event

MOST_EVENTS = 5000


@dataclass(frozen=True, slots=True)
class FullRecords:
    """Of which days the full records are wanted, and of how many events."""

    first: date
    last: date
    most: int = MOST_EVENTS
    linked: tuple[str, ...] = LINKED  # the kinds of records that are wanted with the events
    # The ids of those that are shown with everything. Of others what is prerendered is enough.
    choose: Callable[[Sequence[DayEvent]], Collection[int]] | None = None


def overlapping(work: UnitOfWork, reading: Reading, first: date, last: date) -> list[DayEvent]:
    """Events whose own local times overlap some days. One that ends at midnight is not on the next day."""
    query, _ = event_query(work, reading, None, whole=True)
    query = replace(query, window=Window(end_from=f"{first} 00:00:00", start_before=_after(last)))
    return days.overlapping(work.session, query, MOST_EVENTS)


def on_days(found: Sequence[DayEvent], full: FullRecords) -> list[DayEvent]:
    """The first of the events that are on the days of which full records are wanted."""
    start, end = f"{full.first} 00:00:00", f"{full.last} 23:59:59"
    return [event for event in found if event.start_local <= end and event.end_local >= start][: full.most]


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


def counted_days(first: date, last: date) -> Days:
    return Days(first.isoformat(), _after(last)[:10])


def _after(day: date) -> str:
    return END_OF_TIME if day == date.max else f"{day + timedelta(days=1)} 00:00:00"
