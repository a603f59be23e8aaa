"""The SQL of filters that are rows (`ROW_FILTERS`): a row reads a column, or what has a name here."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from kalends.contract.kinds.event_filters import ALL_DAY, ROW_FILTERS
from kalends.store.engine.store import Condition, Dialect, placeholders
from kalends.store.query.list_query import EVENT, ListQuery
from kalends.values.cost import FREE_COSTS
from kalends.values.online_terms import ONLINE_SLUGS

FREE = [msgspec.json.encode([text]).decode() for text in FREE_COSTS]  # as the column has them


def condition(query: ListQuery, dialect: Dialect, name: str, wanted: Any) -> Condition:
    """That of one filter. A column has the value, or any of several."""
    reads = ROW_FILTERS[name].reads
    if reads in READ:
        return READ[reads](query, dialect, wanted)
    if isinstance(wanted, list):
        return f"e.{reads} IN ({placeholders(wanted)})", wanted
    return f"e.{reads} = ?", [int(wanted) if isinstance(wanted, bool) else wanted]


def _free(query: ListQuery, dialect: Dialect, wanted: bool) -> Condition:
    return f"lower(e.cost) {'IN' if wanted else 'NOT IN'} ({placeholders(FREE)})", FREE


def _online(query: ListQuery, dialect: Dialect, wanted: bool) -> Condition:
    """Moved online, or with a category or tag that says so."""
    terms = (
        f"e.id IN (SELECT l.event FROM event_{kind} l JOIN {kind} t ON t.id = l.target"
        f" WHERE l.position IS NOT NULL AND t.slug IN ({placeholders(ONLINE_SLUGS)}))"
        for kind in ("category", "tag")
    )
    sql = " OR ".join(("e.event_status = 'moved_online'", *terms))
    return f"{'' if wanted else 'NOT '}({sql})", [*ONLINE_SLUGS, *ONLINE_SLUGS]


def _coordinates(query: ListQuery, dialect: Dialect, wanted: bool) -> Condition:
    """At a venue that has some."""
    sql, parameters = query.visibility.where_readable("v")
    found = (
        f"{id_of(query, dialect)} {'IN' if wanted else 'NOT IN'} (SELECT l.event FROM event_venue l"
        f" JOIN venue v ON v.id = l.target WHERE v.geo_lat IS NOT NULL AND {sql})"
    )
    return found, parameters


def _weekdays(query: ListQuery, dialect: Dialect, wanted: Sequence[str]) -> Condition:
    """On its own clock, on any of its days. One that ends at midnight is not on the next day."""
    first, last = dialect.day_number("e.start_local"), dialect.day_number("e.end_local")
    ends_before = "CASE WHEN e.end_local > e.start_local AND substr(e.end_local, 12) = '00:00:00' THEN 1 ELSE 0 END"
    # Both are days since a Sunday, which is 1 here: how many days after the first one the wanted day comes.
    days = [f"({int(day) + 6} - {first} % 7) % 7 <= {last} - {ends_before} - {first}" for day in wanted]
    return f"({' OR '.join(days)})" if days else "FALSE", []


def _times_of_day(query: ListQuery, dialect: Dialect, wanted: Sequence[str]) -> Condition:
    """By the start on its own clock; an event that lasts all day has no time of day, but that of a masked one is not
    told from one with the same times."""
    opened, parameters_opened = query.visibility.where_unmasked("e")
    parts, parameters = list[str](), list[object]()
    if ALL_DAY in wanted:
        parts.append(f"(e.all_day = 1 AND {opened})")
        parameters += parameters_opened
    for one in wanted:
        if one != ALL_DAY:
            first, _, before = one.partition("-")
            word = "AND" if int(first) < int(before) else "OR"
            hour = "substr(e.start_local, 12, 2)"
            parts.append(f"(NOT (e.all_day = 1 AND {opened}) AND ({hour} >= ? {word} {hour} < ?))")
            parameters += [*parameters_opened, first, before]
    return f"({' OR '.join(parts)})" if parts else "FALSE", parameters


READ: dict[str, Callable[[ListQuery, Dialect, Any], Condition]] = {
    "free": _free,
    "online": _online,
    "coordinates": _coordinates,
    "weekdays": _weekdays,
    "times_of_day": _times_of_day,
}


def id_of(query: ListQuery, dialect: Dialect) -> str:
    """The id of a record. The index of a search of events begins with the rows that the words were found in; if it
    went on with the id, every one of them would be looked up with every id that another filter found."""
    id = f"{query.alias}.id"
    return f"{dialect.no_index}{id}" if query.kind == EVENT and query.search is not None else id
