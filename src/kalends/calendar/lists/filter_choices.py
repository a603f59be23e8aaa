"""What the filters of a page offer, and how many events each value has."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from kalends.calendar.access import UnitOfWork
from kalends.calendar.lists.queries import event_query
from kalends.contract.fields import Reading
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.store.query import filter_values
from kalends.store.query.filter_values import CountedDays, Counts, FilterChoice
from kalends.store.query.list_query import ListQuery, Window
from kalends.store.rows import journal

MOST_CHOICES = 200
MOST_COUNTED = 500  # events of a list without end whose links are counted
FILTER_OF = {kind: name for name, kind in LINKED_KINDS.items()}

Choices = Mapping[str, tuple[FilterChoice, ...]]  # by the name of a filter
State = tuple[str, int]  # the epoch, and the last change that the transaction sees
Names = dict[str, tuple[FilterChoice, ...]]  # by kind


class FilterNames:
    """The names that anonymous readers find in filters. They are the same on every page of the calendar, and reading
    them takes as long as its events: so they are kept in memory for one state of the store."""

    def __init__(self) -> None:
        self._kept: tuple[State, Names] = (("", -1), {})

    def of(self, work: UnitOfWork, kinds: Iterable[str]) -> Names:
        """The names of each of some kinds."""
        names: Names = {}
        if work.visibility.is_public:  # not while something is due that is not stored as public yet
            state = work.epoch, journal.last_rev(work.session)
            known, names = self._kept
            if known != state:
                names = {}
                self._kept = state, names
        for kind in kinds:
            if kind not in names:
                names[kind] = filter_values.choices(work.session, kind, work.visibility, MOST_CHOICES)
        return names


def choices(work: UnitOfWork, wanted: Iterable[str] = LINKED_KINDS) -> Choices:
    """What filters offer. `wanted`: the names of filters."""
    kinds = {name: LINKED_KINDS[name].name for name in wanted}
    found = work.memory.of(FilterNames).of(work, kinds.values())
    return {name: found[kind] for name, kind in kinds.items()}


def counts(
    work: UnitOfWork,
    found: Choices,
    counted: CountedDays,
    selected: Reading | None = None,
    events: Sequence[int] | None = None,
) -> Mapping[str, Mapping[int, int]]:
    """By filter, how many events on the counted days everybody sees of what it offers; filters for which counting
    would take too long are left out. `selected`: the filters that are chosen, with the window of those days; a value
    is counted with the other ones. `events`: those of these days and filters that everybody sees, where they are
    known."""
    kinds = {name: LINKED_KINDS[name].name for name in found}
    has_end = counted.first is not None and counted.after is not None
    plain = ListQuery(work.visibility, _window(counted) if has_end else Window())
    chosen = plain if selected is None else _selected(work, selected, plain if has_end else None)
    by_kind: Counts = {}
    for query, filters in _with_the_others(chosen, kinds):
        many = [kinds[name] for name in filters]
        if has_end and events is not None and query is chosen:
            by_kind |= filter_values.counts_of(work.session, many, events)
        elif has_end:
            by_kind |= filter_values.counts(work.session, many, query, as_window=counted.as_window)
        elif query.is_plain_public:
            offered = {kinds[name]: [one.id for one in found[name]] for name in filters}
            by_kind |= filter_values.tallied(work.session, offered, counted)
        else:
            by_kind |= _few_counts(work, many, query)
    return {name: by_kind[kind] for name, kind in kinds.items() if kind in by_kind}


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
    few = filter_values.few(work.session, query, MOST_COUNTED)
    return {} if few is None else filter_values.counts_of(work.session, kinds, few)


def _window(counted: CountedDays) -> Window:
    return Window(end_from=f"{counted.first} 00:00:00", start_before=f"{counted.after} 00:00:00")
