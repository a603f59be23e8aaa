"""What the calendar pages show: the events that overlap some days, and the choices of the filters."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from msgspec.structs import replace

from kalends.calendar.lists.queries import event_query
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from kalends.store.query import days
from kalends.store.query.days import Choice, DayEvent
from kalends.store.query.window import END_OF_TIME, Window
from kalends.store.rows import posts
from kalends.store.rows.records import Event

MOST_EVENTS = 5000
MOST_CHOICES = 200
CHOSEN_BY = {"categories": CATEGORY, "tags": TAG, "venue": VENUE, "organizer": ORGANIZER}


@dataclass(frozen=True, slots=True)
class FullRecords:
    """Of which days the full records are wanted, and of how many events."""

    first: date
    last: date
    most: int = MOST_EVENTS


def overlapping(work: UnitOfWork, reading: Reading, first: date, last: date) -> list[DayEvent]:
    """Events whose own local times overlap some days. One that ends at midnight is not on the next day."""
    query, _ = event_query(work, reading, None, whole=True)
    query = replace(query, window=Window(end_from=f"{first} 00:00:00", start_before=_after(last)))
    found = days.overlapping(work.session, query, MOST_EVENTS)
    midnight = f"{first} 00:00:00"
    return [event for event in found if event.end_local > midnight or event.start_local >= midnight]


def full_records(work: UnitOfWork, found: Sequence[DayEvent], full: FullRecords) -> list[Event]:
    start, end = f"{full.first} 00:00:00", f"{full.last} 23:59:59"
    ids = [event.id for event in found if event.start_local <= end and event.end_local >= start][: full.most]
    events = posts.find_many(work.session, EVENT.name, ids)
    return [event for id in ids if isinstance(event := events[id], Event)]


def choices(work: UnitOfWork, wanted: Iterable[str] = CHOSEN_BY) -> Mapping[str, Sequence[Choice]]:
    return {name: days.choices(work.session, CHOSEN_BY[name].name, work.visibility, MOST_CHOICES) for name in wanted}


def _after(day: date) -> str:
    return END_OF_TIME if day == date.max else f"{day + timedelta(days=1)} 00:00:00"
