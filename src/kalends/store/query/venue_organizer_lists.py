"""Lists of venues and organizers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kalends.store.engine.conditions import Conditions
from kalends.store.engine.store import Ids, Session
from kalends.store.query.post_filters import ORDER_COLUMNS, PostFilters
from kalends.store.query.window import MARGIN, shifted
from kalends.store.rows import tallies
from kalends.store.rows.visibility import Visibility
from kalends.store.search import parsing
from kalends.store.search.parsing import Search

EARTH_RADIUS = 6371.0088  # kilometres, the mean


@dataclass(frozen=True, slots=True)
class VenueOrganizerQuery:
    """Which venues or organizers a list has. A filter that is None does not apply."""

    visibility: Visibility
    statuses: Sequence[str] | None = None
    search: Search | None = None
    ids: Sequence[int] | None = None  # those of one event
    has_events: bool | None = None
    upcoming_at: str | None = None  # only with events that have not ended at this time
    exclude: Sequence[int] = ()
    common: PostFilters | None = None
    order: str | None = None  # newest first without one
    descending: bool = False


def total(session: Session, kind: str, query: VenueOrganizerQuery) -> int:
    found = conditions(session, kind, query)
    return int(session.value(f"SELECT count(*) FROM {kind} p WHERE {found.where}", found.parameters))


def page(session: Session, kind: str, query: VenueOrganizerQuery, limit: int, offset: int) -> list[int]:
    found, order = conditions(session, kind, query), "p.date_utc DESC, p.id"
    if query.order is not None:
        column, direction = ORDER_COLUMNS[query.order], "DESC" if query.descending else "ASC"
        order = f"p.{column} {direction}" + ("" if column == "id" else f", p.id {direction}")
    return session.column(
        f"SELECT p.id FROM {kind} p WHERE {found.where} ORDER BY {order} LIMIT ? OFFSET ?",
        [*found.parameters, limit, offset],
    )


def conditions(session: Session, kind: str, query: VenueOrganizerQuery) -> Conditions:
    found = Conditions()
    sql, parameters = query.visibility.where_readable("p")
    found.add(sql, *parameters)
    if query.statuses is None:
        found.add("p.status <> 'trash'")
    else:
        marks = ", ".join("?" for _ in query.statuses)
        found.add(f"p.status IN ({marks})", *query.statuses)
    if query.ids is not None:
        found.add(f"p.id {session.dialect.in_ids}", Ids(query.ids))
    if query.exclude:
        found.add(f"p.id {session.dialect.not_in_ids}", Ids(query.exclude))
    if query.common is not None:
        found.extend(query.common.conditions(session.dialect, query.visibility, "p"))
    if query.search is not None:
        found.extend(parsing.conditions(session, kind, "p", query.search))
    if query.has_events is not None:
        inner = events_of(f"event_{kind}", "p.id", query.visibility)
        has_some = f"(EXISTS ({inner.where}) OR {tallies.has_hidden(kind, 'p.id')})"
        found.add(has_some if query.has_events else f"NOT {has_some}", *inner.parameters)
    if query.upcoming_at is not None:
        inner = events_of(f"event_{kind}", "p.id", query.visibility, query.upcoming_at)
        found.add(f"EXISTS ({inner.where})", *inner.parameters)
    return found


def events_of(table: str, target: str, visibility: Visibility, not_ended_at: str | None = None) -> Conditions:
    """A query for the events of a record, as a reader finds them: without hidden and masked ones."""
    found = Conditions()
    found.add(f"l.target = {target}")
    if visibility.is_public:
        found.add("l.visibility_level = 2")
    else:
        for sql, parameters in (visibility.where_readable("e"), visibility.where_unmasked("e")):
            found.add(sql, *parameters)
        sql, parameters = visibility.where_editable("e")
        found.add(f"(e.hide_from_listings = 0 OR {sql})", *parameters)
        found.add("e.status <> 'trash'")
    if not_ended_at is not None:
        found.add("l.end_local >= ?", shifted(not_ended_at, -MARGIN))
        found.add("e.end_utc > ?", not_ended_at)
    needs_event = not visibility.is_public or not_ended_at is not None
    join = "JOIN event e ON e.id = l.event" if needs_event else ""
    query = Conditions()
    query.add(f"SELECT 1 FROM {table} l {join} WHERE {found.where}", *found.parameters)
    return query


def venues_near(session: Session, visibility: Visibility, lat: float, lng: float, kilometres: float) -> list[int]:
    """The venues within a distance on the sphere. The index gives a band of latitudes, of which each is measured."""
    degrees = math.degrees(kilometres / EARTH_RADIUS) + 1e-9
    sql, parameters = visibility.where_readable("v")
    rows = session.all(
        "SELECT v.id, v.geo_lat, v.geo_lng FROM venue v"
        f" WHERE v.geo_lat IS NOT NULL AND v.geo_lat BETWEEN ? AND ? AND {sql}",
        [lat - degrees, lat + degrees, *parameters],
    )
    return [id for id, there_lat, there_lng in rows if distance(lat, lng, there_lat, there_lng) <= kilometres]


def distance(lat: float, lng: float, there_lat: float, there_lng: float) -> float:
    """Kilometres along a great circle (haversine), the same across the date line and at the poles."""
    phi, there_phi = math.radians(lat), math.radians(there_lat)
    half_phi = math.sin((there_phi - phi) / 2)
    half_lambda = math.sin(math.radians(there_lng - lng) / 2)
    chord = half_phi**2 + math.cos(phi) * math.cos(there_phi) * half_lambda**2
    return 2 * EARTH_RADIUS * math.asin(min(1.0, math.sqrt(chord)))
