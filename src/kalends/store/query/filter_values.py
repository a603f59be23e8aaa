"""What filters of events offer: terms, venues and organizers by name, and how many events each of them has."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from kalends.store.engine.store import Ids, Session
from kalends.store.query import totals
from kalends.store.query.filters import conditions as conditions_of
from kalends.store.query.list_query import ListQuery
from kalends.store.query.record_filters import events_of
from kalends.store.rows.tallies import END, EVERYTHING
from kalends.store.rows.visibility import Visibility, among

MOST_VALUES = 10  # of a filter whose events are counted value by value


class FilterChoice(NamedTuple):
    """A term, venue or organizer to filter events by."""

    id: int
    parent: int
    slug: str
    name: str
    color: str = ""  # of a category that was given one
    detail: str = ""  # the address of a venue whose name is that of another one

    @property
    def label(self) -> str:
        """What tells it from the others."""
        return f"{self.name}, {self.detail}" if self.detail else self.name


Counts = dict[str, dict[int, int]]  # by kind, how many events a record has; those without any are left out


class CountedDays(NamedTuple):
    """The days on which events are counted; None has no end on that side."""

    first: str | None = None  # a date
    after: str | None = None  # the day after the last
    is_over: bool = False  # instead: what ended before the day after the last
    as_window: bool = False  # whether what ends with the midnight before is of the first day, as in lists


def choices(session: Session, kind: str, visibility: Visibility, most: int) -> tuple[FilterChoice, ...]:
    """The terms, venues or organizers that have an event, by name."""
    some, parameters = events_of(kind, visibility)
    return _named(session, kind, visibility, f"EXISTS ({some})", parameters, most)


def every(session: Session, kind: str, visibility: Visibility, most: int) -> tuple[FilterChoice, ...]:
    """The terms, venues or organizers with events or without, by name."""
    condition = "TRUE" if kind in ("category", "tag") else "p.status <> 'trash'"
    return _named(session, kind, visibility, condition, [], most)


def _named(
    session: Session, kind: str, visibility: Visibility, condition: str, values: Sequence[object], most: int
) -> tuple[FilterChoice, ...]:
    sql, parameters = ("TRUE", []) if kind in ("category", "tag") else visibility.where_readable("p")
    parent, color = ("p.parent", "p.color") if kind == "category" else ("0", "''")
    place = "p.address, p.city" if kind == "venue" else "'', ''"
    rows = session.all(
        f"SELECT p.id, {parent}, p.slug, p.name, {color}, {place} FROM {kind} p WHERE {sql} AND {condition}"
        " ORDER BY p.sort_name, p.id LIMIT ?",
        [*parameters, *values, most],
    )
    names = Counter(row[3].casefold() for row in rows)
    return tuple(
        [
            FilterChoice._make([*row[:5], ", ".join(filter(None, row[5:])) if names[row[3].casefold()] > 1 else ""])
            for row in rows
        ]
    )


def tallied(session: Session, records: Mapping[str, Collection[int]], days: CountedDays) -> Counts:
    """How many events that everybody sees some records have on days without an end. Records are ids by kind."""
    queries = [_tallied(session, kind, ids, days) for kind, ids in records.items()]
    rows = session.all(
        " UNION ALL ".join(sql for sql, _ in queries), [value for _, parameters in queries for value in parameters]
    )
    found: Counts = {kind: {} for kind in records}
    for kind, id, number in rows:
        found[kind][id] = int(number)
    return found


def _tallied(session: Session, kind: str, ids: Collection[int], days: CountedDays) -> tuple[str, list[object]]:
    """The query for those that ended before a day, or all the others."""
    if days.is_over:
        events, parameters = totals.before_for_each(kind, "p.id", END, str(days.after))
    else:
        total, parameters = totals.total_for_each(kind, "p.id")
        ended, more = totals.before_for_each(kind, "p.id", END, str(days.first))
        events, parameters = f"{total} - ({ended})", [*parameters, *more]
    some = f"FROM {kind} p WHERE p.id {session.dialect.in_ids}"
    return f"SELECT '{kind}', p.id, {events} {some}", [*parameters, Ids(ids)]


def counts(session: Session, kinds: Iterable[str], query: ListQuery, *, as_window: bool = False) -> Counts:
    """How many of the query's events that everybody sees each record has. The window must have `end_from`, which is a
    midnight, and `start_before`; `as_window`: what ends at that midnight counts too."""
    conditions = conditions_of(session, query).with_condition(query.visibility.where_open_to_all("e"))
    if not as_window:
        midnight = query.window.end_from
        conditions.add("(e.end_local > ? OR e.start_local >= ?)", midnight, midnight)
    buckets, values = query.window.spans()
    shown = (
        f"SELECT e.id FROM bucket {session.dialect.ordered_join} event e ON e.span = bucket.span"
        " AND e.start_local >= bucket.lowest AND e.start_local < ?"
        f" WHERE {conditions.where}"
    )
    return _counted(
        session,
        kinds,
        f"WITH bucket (span, lowest) AS (VALUES {buckets}), shown (id) AS MATERIALIZED ({shown})",
        [*values, query.window.start_before, *conditions.parameters],
    )


def few(session: Session, query: ListQuery, most: int) -> Sequence[int] | None:
    """The public events of a list, if so few are on its days, or linked to what one of its filters names; else None,
    before they are looked for. Words are only looked for among few events."""
    sizes = {"": totals.count(session, EVERYTHING, query.window)}
    for kind, ids in query.linked.items():
        if len(ids) <= MOST_VALUES:
            sizes[kind] = sum(totals.count(session, (kind, id), query.window) for id in ids)
    least = min(sizes, key=sizes.__getitem__)
    if sizes[least] > most or (query.search is not None and sizes[""] > most):
        return None
    linked = {kind: ids for kind, ids in query.linked.items() if kind == least}
    conditions = conditions_of(session, replace(query, linked=linked)).with_condition(
        query.visibility.where_open_to_all("e")
    )
    for kind, ids in query.linked.items():
        if kind != least:
            target = f"l.event = e.id AND l.target {session.dialect.in_ids} AND {_open('l', query.visibility)}"
            conditions.add(f"EXISTS (SELECT 1 FROM event_{kind} l WHERE {target})", Ids(ids))
    return [id for (id,) in session.all(f"SELECT e.id FROM event e WHERE {conditions.where}", conditions.parameters)]


def counts_of(session: Session, kinds: Iterable[str], events: Sequence[int]) -> Counts:
    """How many of these events, which everybody sees, each record has."""
    shown = f"SELECT id FROM event WHERE id {session.dialect.in_ids}"
    return _counted(session, kinds, f"WITH shown (id) AS MATERIALIZED ({shown})", [Ids(events)])


def _counted(session: Session, kinds: Iterable[str], visible: str, parameters: Sequence[object]) -> Counts:
    """`visible`: a WITH clause of the ids of events that everybody sees. So are their links, which are not asked for
    that again: only then does an index have all that is counted. One text for each kind takes half as long as rows
    that the database has grouped."""
    targets = session.dialect.joined("l.target")
    by_kind = " UNION ALL ".join(
        f"SELECT '{kind}', {targets} FROM shown {session.dialect.ordered_join} event_{kind} l ON l.event = shown.id"
        for kind in kinds
    )
    return {
        kind: {int(target): number for target, number in Counter(joined.split(",")).items()} if joined else {}
        for kind, joined in session.all(f"{visible} {by_kind}", parameters)
    }


def _open(link: str, visibility: Visibility) -> str:
    """The condition that the link of an event that everybody sees shows as much."""
    listed = f"{link}.visibility_level = 2"
    return f"({listed} OR {among(link, visibility.due, 'event')})" if visibility.due else listed
