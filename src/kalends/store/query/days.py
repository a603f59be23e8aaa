"""The events of some days with the fields that a calendar page shows, and the choices of its filters."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kalends.store.engine.store import Session
from kalends.store.query import tallies
from kalends.store.query.conditions import Conditions
from kalends.store.query.event_conditions import event_conditions
from kalends.store.query.event_query import EventQuery
from kalends.store.query.venue_organizer_lists import events_of
from kalends.store.query.visibility import Visibility
from kalends.store.query.window import Window


class DayEvent(NamedTuple):
    """An event on a month page. Of a masked one only the name and the times may be shown."""

    id: int
    slug: str
    name: str
    start_local: str
    end_local: str
    start_utc: str
    timezone: str
    all_day: bool
    event_status: str
    category: int  # the first that it belongs to, or 0
    color: str  # of that category; empty when it was given none
    featured: bool
    masked: bool
    status: str = "publish"


class Choice(NamedTuple):
    """A term, venue or organizer to filter events by."""

    id: int
    parent: int
    slug: str
    name: str
    color: str = ""  # of a category that was given one
    events: int | None = None  # how many everybody sees on the days that were asked for


class Days(NamedTuple):
    """The days on which events are counted; None has no end on that side."""

    first: str | None = None  # a date
    after: str | None = None  # the day after the last
    is_over: bool = False  # instead: what ended before the day after the last


def overlapping(session: Session, query: EventQuery, most: int) -> list[DayEvent]:
    """Events by start. The window must have `end_from` and `start_before`."""
    buckets, values = query.window.spans()
    listed = event_conditions(session, query).with_condition("e.visibility_level > 0")
    source = (
        f"bucket {session.dialect.ordered_join} event e ON e.span = bucket.span"
        " AND e.start_local >= bucket.lowest AND e.start_local < ?"
    )
    found = _read(session, query, source, [query.window.start_before], listed, most, buckets, values)
    if query.visibility.is_public:
        return found
    # The index of spans has those of everybody's lists only; the others are few.
    others = event_conditions(session, query).with_condition("e.visibility_level = 0")
    source = f"event e{session.dialect.index_hint('event_unlisted')}"
    found += _read(session, query, source, [], others, most)
    return sorted(found, key=lambda event: (event.start_local, event.id))[:most]


def _read(
    session: Session,
    query: EventQuery,
    source: str,
    source_parameters: Sequence[object],
    conditions: Conditions,
    most: int,
    buckets: str = "",
    values: Sequence[object] = (),
) -> list[DayEvent]:
    opened, parameters = query.visibility.where_unmasked("e")
    rows = session.all(
        (f"WITH bucket (span, lowest) AS (VALUES {buckets}) " if buckets else "")
        + "SELECT e.id, e.slug, e.name, e.start_local, e.end_local,"
        " e.start_utc, e.timezone, e.all_day, e.event_status, coalesce(c.id, 0), coalesce(c.color, ''),"
        f" e.featured, NOT {opened}, e.status FROM {source}"
        " LEFT JOIN category c ON c.id = (SELECT min(target) FROM event_category l"
        " WHERE l.event = e.id AND l.position IS NOT NULL)"
        f" WHERE {conditions.where} ORDER BY e.start_local, e.id LIMIT ?",
        [*values, *parameters, *source_parameters, *conditions.parameters, most],
    )
    return [
        DayEvent._make([*row[:7], bool(row[7]), *row[8:11], bool(row[11]), bool(row[12]), row[13]]) for row in rows
    ]


def choices(
    session: Session, kind: str, visibility: Visibility, most: int, counted: Days | None = None
) -> Sequence[Choice]:
    """The terms, venues or organizers that have an event, by name. `counted` has no end: how many of their events are
    to come or over."""
    inner = events_of(f"event_{kind}", "p.id", visibility)
    return _named(session, kind, visibility, f"EXISTS ({inner.where})", inner.parameters, most, counted)


def every(session: Session, kind: str, visibility: Visibility, most: int) -> Sequence[Choice]:
    """The terms, venues or organizers with events or without, by name."""
    condition = "TRUE" if kind in ("category", "tag") else "p.status <> 'trash'"
    return _named(session, kind, visibility, condition, [], most)


def _named(
    session: Session,
    kind: str,
    visibility: Visibility,
    condition: str,
    values: Sequence[object],
    most: int,
    counted: Days | None = None,
) -> Sequence[Choice]:
    sql, parameters = ("TRUE", []) if kind in ("category", "tag") else visibility.where_readable("p")
    parent, color = ("p.parent", "p.color") if kind == "category" else ("0", "''")
    events, dates = _tallied(kind, counted) if counted else ("NULL", [])
    rows = session.all(
        f"SELECT p.id, {parent}, p.slug, p.name, {color}, {events} FROM {kind} p WHERE {sql} AND {condition}"
        " ORDER BY p.sort_name, p.id LIMIT ?",
        [*dates, *parameters, *values, most],
    )
    return [Choice._make([*row[:5], None if row[5] is None else int(row[5])]) for row in rows]


def _tallied(kind: str, days: Days) -> tuple[str, list[object]]:
    """Those that ended before a day, or all the others."""
    if days.is_over:
        return tallies.before_for_each(kind, "p.id", tallies.END, str(days.after))
    total, parameters = tallies.total_for_each(kind, "p.id")
    ended, more = tallies.before_for_each(kind, "p.id", tallies.END, str(days.first))
    return f"{total} - ({ended})", [*parameters, *more]


def counts(session: Session, kinds: Iterable[str], first: str, after: str) -> dict[tuple[str, int], int]:
    """How many events that everybody sees each record has on some days, by kind and id. An event that ends at
    midnight is not on the next day."""
    midnight = f"{first} 00:00:00"
    query = EventQuery(Visibility(), Window(end_from=midnight, start_before=f"{after} 00:00:00"))
    conditions = event_conditions(session, query)
    buckets, values = query.window.spans()
    grouped = " UNION ALL ".join(
        f"SELECT '{kind}', l.target, count(*) FROM shown {session.dialect.ordered_join} event_{kind} l"
        " ON l.event = shown.id GROUP BY l.target"
        for kind in kinds
    )
    rows = session.all(
        f"WITH bucket (span, lowest) AS (VALUES {buckets}), shown AS MATERIALIZED ("
        f"SELECT e.id FROM bucket {session.dialect.ordered_join} event e ON e.span = bucket.span"
        " AND e.start_local >= bucket.lowest AND e.start_local < ?"
        f" WHERE {conditions.where} AND e.visibility_level = 2 AND (e.end_local > ? OR e.start_local >= ?))"
        f" {grouped}",
        [*values, query.window.start_before, *conditions.parameters, midnight, midnight],
    )
    return {(kind, target): int(number) for kind, target, number in rows}
