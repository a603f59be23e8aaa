"""One page of a list of events: its total, its ids and, if wanted, the prerendered fragments of its events."""

from typing import NamedTuple

from kalends.store.engine.store import Session
from kalends.store.query import collapsed_lists, event_search, window_totals
from kalends.store.query.conditions import Conditions
from kalends.store.query.event_conditions import event_conditions
from kalends.store.query.event_query import ORDER_COLUMNS, EventQuery
from kalends.store.query.tallies import EVERYTHING
from kalends.store.query.window_totals import DayTotals
from kalends.store.rows import fragments as fragment_rows
from kalends.store.rows.fragments import Found

LARGEST_OFFSET = 2**62  # a larger number is no OFFSET for a database

Statement = tuple[str, list[object]]


class FragmentOptions(NamedTuple):
    """What a page with fragments needs: the render version to look for, and the totals kept in memory."""

    version: str
    totals: DayTotals


class EventPage(NamedTuple):
    """`total` counts the whole list. `fragments` are those of `ids`, where they were asked for."""

    total: int
    ids: list[int]
    fragments: Found | None = None
    occurrences: list[int] | None = None  # of each of `ids`, in a list that collapses series


def find_page(
    session: Session, query: EventQuery, limit: int, offset: int, fragments: FragmentOptions | None = None
) -> EventPage:
    """The events of a list from `offset` on, at most `limit`, as the query's reader sees them."""
    if query.collapse:
        total, ids, occurrences = collapsed_lists.find_page(session, query, limit, offset)
        found = None if fragments is None else fragment_rows.find_events(session, fragments.version, ids)
        return EventPage(total, ids, found, occurrences)
    if query.search is not None:
        total, ids = event_search.find_page(session, query, query.search, limit, offset)
    elif fragments is None or offset > LARGEST_OFFSET or query.window.begins_with_running_events:
        total, ids = _total_and_ids(session, query, limit, offset)
    else:
        return _page_with_fragments(session, query, limit, offset, fragments)
    found = None if fragments is None else fragment_rows.find_events(session, fragments.version, ids)
    return EventPage(total, ids, found)


def _page_with_fragments(
    session: Session, query: EventQuery, limit: int, offset: int, options: FragmentOptions
) -> EventPage:
    """Ids and fragments in one query."""
    conditions = event_conditions(session, query)
    statement = _page_statement(session, query, conditions, limit, offset)
    ids, found = fragment_rows.events_of(session, options.version, *statement, descending=query.descending)
    if ids and query.is_plain_public:
        return EventPage(options.totals.count(session, found.rev, query.window), ids, found)
    return EventPage(_total(session, query, conditions), ids, found)


def _total_and_ids(session: Session, query: EventQuery, limit: int, offset: int) -> tuple[int, list[int]]:
    conditions = event_conditions(session, query)
    total = _total(session, query, conditions)
    if offset >= total:
        return total, []
    is_by_start = query.order == "start_date" and not query.descending
    if query.window.begins_with_running_events and is_by_start and query.is_plain_public:
        return total, _ids_not_ended(session, query, conditions, limit, offset)
    return total, [id for _, id in session.all(*_page_statement(session, query, conditions, limit, offset))]


def _total(session: Session, query: EventQuery, conditions: Conditions) -> int:
    if not (query.is_plain and query.window.can_be_counted(query.scope)):
        return int(session.value(f"SELECT count(*) FROM event e WHERE {conditions.where}", conditions.parameters))
    listed = window_totals.count(session, query.scope, query.window)
    if query.visibility.is_public:
        return listed
    # Events that are not in everybody's lists are few, and are counted one by one.
    if query.scope == EVERYTHING:
        others = conditions.with_condition("e.visibility_level = 0")
        hint = session.dialect.index_hint("event_unlisted")
    else:
        others, hint = conditions.with_condition("e.visibility_level < 2"), ""
    return listed + int(session.value(f"SELECT count(*) FROM event e{hint} WHERE {others.where}", others.parameters))


def _page_statement(
    session: Session, query: EventQuery, conditions: Conditions, limit: int, offset: int
) -> Statement:
    """A statement for the sort key and the id of each event of a page, in order."""
    if query.linked and query.is_plain and query.is_public_listing and query.order == "start_date":
        return _linked_page_statement(session, query, limit, offset)
    column = ORDER_COLUMNS[query.order]
    order = f"e.{column} {query.direction}"
    if column != "id":
        order += f", e.id {query.direction}"
    return (
        f"SELECT e.{column} AS sort_key, e.id AS id FROM event e WHERE {conditions.where}"
        f" ORDER BY {order} LIMIT ? OFFSET ?",
        [*conditions.parameters, limit, offset],
    )


def _linked_page_statement(session: Session, query: EventQuery, limit: int, offset: int) -> Statement:
    """The events of one venue, organizer or term, read along the index of the links."""
    kind, target = query.scope
    if query.window.utc:
        source = f"event_{kind} l {session.dialect.ordered_join} event e ON e.id = l.event"
        within = query.window.conditions("e")
    else:
        source, within = f"event_{kind} l", query.window.conditions("l")
    return (
        f"SELECT l.start_local AS sort_key, l.event AS id FROM {source}"
        f" WHERE l.target = ? AND l.visibility_level = 2 AND {within.where}"
        f" ORDER BY l.start_local {query.direction}, l.event {query.direction} LIMIT ? OFFSET ?",
        [target, *within.parameters, limit, offset],
    )


def _ids_not_ended(session: Session, query: EventQuery, conditions: Conditions, limit: int, offset: int) -> list[int]:
    """Events that have not ended by a time: first those that started before it, found by their span, then the later
    ones. Reading along the starts would begin with every event that is long over."""
    split = str(query.window.end_from)
    buckets, values = query.window.spans()
    around = session.column(
        f"WITH bucket (span, lowest) AS (VALUES {buckets}) SELECT e.id FROM bucket"
        f" {session.dialect.ordered_join} event e ON e.span = bucket.span"
        " AND e.start_local >= bucket.lowest AND e.start_local < ?"
        f" WHERE {conditions.where} ORDER BY e.start_local, e.id",
        [*values, split, *conditions.parameters],
    )
    ids = around[offset : offset + limit]
    if len(ids) == limit:
        return ids
    later = conditions.with_condition("e.start_local >= ?", split)
    return ids + session.column(
        f"SELECT e.id FROM event e WHERE {later.where} ORDER BY e.start_local, e.id LIMIT ? OFFSET ?",
        [*later.parameters, limit - len(ids), max(0, offset - len(around))],
    )
