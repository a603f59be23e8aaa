"""The events of some days with the fields that a calendar page shows."""

from collections.abc import Sequence
from typing import NamedTuple

from kalends.store.engine.store import Conditions, Row, Session
from kalends.store.query.filters import conditions as conditions_of
from kalends.store.query.list_query import ListQuery
from kalends.values import dates


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
    author: int = 0


def overlapping(session: Session, query: ListQuery, most: int) -> list[DayEvent]:
    """Events by start. The window must have `end_from`, a midnight at which events of its days do not end, and
    `start_before`."""
    buckets, values = query.window.spans()
    wanted = conditions_of(session, query)
    wanted.add("(e.end_local > ? OR e.start_local >= ?)", query.window.end_from, query.window.end_from)
    listed = wanted.with_condition("e.visibility_level > 0")
    source = (
        f"bucket {session.dialect.ordered_join} event e ON e.span = bucket.span"
        " AND e.start_local >= bucket.lowest AND e.start_local < ?"
    )
    found = _read(session, query, source, [query.window.start_before], listed, most, buckets, values)
    if query.visibility.is_public:
        return found
    # The index of spans has those of everybody's lists only; the others are few.
    others = wanted.with_condition("e.visibility_level = 0")
    source = f"event e{session.dialect.index_hint('event_unlisted')}"
    found += _read(session, query, source, [], others, most)
    return sorted(found, key=lambda event: (event.start_local, event.id))[:most]


def _read(
    session: Session,
    query: ListQuery,
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
        f" e.featured, NOT {opened}, {query.visibility.status('e')}, e.author FROM {source}"
        " LEFT JOIN category c ON c.id = (SELECT min(target) FROM event_category l"
        " WHERE l.event = e.id AND l.position IS NOT NULL)"
        f" WHERE {conditions.where} ORDER BY e.start_local, e.id LIMIT ?",
        [*values, *parameters, *source_parameters, *conditions.parameters, most],
    )
    return [_day_event(row) for row in rows]


def _day_event(row: Row) -> DayEvent:
    id, slug, name, start, end, utc, zone, all_day, planned, category, color, featured, masked, status, author = row
    event = DayEvent(
        id,
        slug,
        name,
        start,
        end,
        utc,
        zone,
        bool(all_day),
        planned,
        category,
        color,
        bool(featured),
        bool(masked),
        status,
        author,
    )
    start_local, start_utc = dates.renewed(event.start_local, event.start_utc, event.timezone)
    return event if start_utc == event.start_utc else event._replace(start_local=start_local, start_utc=start_utc)
