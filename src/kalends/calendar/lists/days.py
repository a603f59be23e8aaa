"""What the calendar pages show: the events that overlap some days, and the choices of the filters."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from msgspec.structs import replace

from kalends.calendar.lists.filter_names import FilterNames
from kalends.calendar.lists.queries import event_query
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from kalends.store.query import days
from kalends.store.query.days import Choice, Counts, DayEvent, Days
from kalends.store.query.list_query import ListQuery
from kalends.store.query.window import END_OF_TIME, Window
from kalends.store.rows import posts
from kalends.store.rows.links import LINKED
from kalends.store.rows.records import Event

MOST_EVENTS = 5000
MOST_COUNTED = 500  # events of a list without end whose links are counted
CHOSEN_BY = {"categories": CATEGORY, "tags": TAG, "venue": VENUE, "organizer": ORGANIZER}
FILTER_OF = {kind: name for name, kind in CHOSEN_BY.items()}

Choices = Mapping[str, tuple[Choice, ...]]  # by the name of a filter


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
    found = days.overlapping(work.session, query, MOST_EVENTS)
    midnight = f"{first} 00:00:00"
    return [event for event in found if event.end_local > midnight or event.start_local >= midnight]


def on_days(found: Sequence[DayEvent], full: FullRecords) -> list[DayEvent]:
    """The first of the events that are on the days of which full records are wanted."""
    start, end = f"{full.first} 00:00:00", f"{full.last} 23:59:59"
    return [event for event in found if event.start_local <= end and event.end_local >= start][: full.most]


def full_records(work: UnitOfWork, ids: Sequence[int]) -> list[Event]:
    events = posts.find_many(work.session, EVENT.name, ids)
    return [event for id in ids if isinstance(event := events[id], Event)]


def choices(work: UnitOfWork, names: FilterNames, wanted: Iterable[str] = CHOSEN_BY) -> Choices:
    """What filters offer. `wanted`: the names of filters."""
    kinds = {name: CHOSEN_BY[name].name for name in wanted}
    found = names.of(work, kinds.values())
    return {name: found[kind] for name, kind in kinds.items()}


def counts(
    work: UnitOfWork,
    found: Choices,
    counted: Days,
    selected: Reading | None = None,
    events: Sequence[int] | None = None,
) -> Mapping[str, Mapping[int, int]]:
    """By filter, how many events on the counted days everybody sees of what it offers; filters for which counting
    would take too long are left out. `selected`: the filters that are chosen, with the window of those days; a value
    is counted with the other ones. `events`: those of these days and filters that everybody sees, where they are
    known."""
    kinds = {name: CHOSEN_BY[name].name for name in found}
    has_end = counted.first is not None and counted.after is not None
    plain = ListQuery(work.visibility, _window(counted) if has_end else Window())
    chosen = plain if selected is None else _selected(work, selected, plain if has_end else None)
    by_kind: Counts = {}
    for query, filters in _with_the_others(chosen, kinds):
        many = [kinds[name] for name in filters]
        if has_end and events is not None and query is chosen:
            by_kind |= days.counts_of(work.session, many, events)
        elif has_end:
            by_kind |= days.counts(work.session, many, query, as_window=counted.as_window)
        elif query.is_plain_public:
            offered = {kinds[name]: [one.id for one in found[name]] for name in filters}
            by_kind |= days.tallied(work.session, offered, counted)
        else:
            by_kind |= _few_counts(work, many, query)
    return {name: by_kind[kind] for name, kind in kinds.items() if kind in by_kind}


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


def _selected(work: UnitOfWork, selected: Reading, of_days: ListQuery | None) -> ListQuery:
    query, _ = event_query(work, selected, None, whole=True)
    query = replace(query, collapse=False)
    return query if of_days is None else replace(query, window=of_days.window)


def _with_the_others(query: ListQuery, kinds: Mapping[str, str]) -> Iterator[tuple[ListQuery, list[str]]]:
    """The queries by which the values of filters are counted: a filter that is chosen does not limit its own."""
    free = [name for name, kind in kinds.items() if kind not in query.linked]
    if free:
        yield query, free
    for name, kind in kinds.items():
        if kind in query.linked:
            yield replace(query, linked={other: ids for other, ids in query.linked.items() if other != kind}), [name]


def _few_counts(work: UnitOfWork, kinds: Sequence[str], query: ListQuery) -> Counts:
    """The counts of a list that has no end; none when it is so long that counting would take longer than the list."""
    few = days.few(work.session, query, MOST_COUNTED)
    return {} if few is None else days.counts_of(work.session, kinds, few)


def _window(counted: Days) -> Window:
    return Window(end_from=f"{counted.first} 00:00:00", start_before=f"{counted.after} 00:00:00")


def counted_days(first: date, last: date) -> Days:
    return Days(first.isoformat(), _after(last)[:10])


def _after(day: date) -> str:
    return END_OF_TIME if day == date.max else f"{day + timedelta(days=1)} 00:00:00"
