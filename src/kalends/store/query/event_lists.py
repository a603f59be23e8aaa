"""One page of a list of events: its total, its ids and, if wanted, the prerendered fragments of its events."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from kalends.store.engine.conditions import Conditions
from kalends.store.engine.store import Session
from kalends.store.query import collapsed_lists, event_search, window_totals
from kalends.store.query.event_conditions import (
    event_conditions,
    listed_conditions,
    unlisted_conditions,
    unlisted_hint,
)
from kalends.store.query.event_query import ORDER_COLUMNS, ORDER_INDEXES, EventQuery
from kalends.store.query.running_events import started_before
from kalends.store.query.window_totals import DayTotals
from kalends.store.rows import fragments as fragment_rows
from kalends.store.rows.fragments import Found

LARGEST_OFFSET = 2**50  # no list is so long, and a much larger number is no OFFSET for a database

Statement = tuple[str, list[object]]


class FragmentOptions(NamedTuple):
    """What a page with fragments needs: the render version to look for, and the totals kept in memory."""

    version: str
    totals: DayTotals


class EventPage(NamedTuple):
    """`total` counts the whole list, or the beginning of it if it is not exact. `fragments` are those of `ids`, where
    they were asked for."""

    total: int
    ids: list[int]
    fragments: Found | None = None
    occurrences: list[int] | None = None  # of each of `ids`, in a list that collapses series
    is_exact: bool = True


def find_page(
    session: Session, query: EventQuery, limit: int, offset: int, fragments: FragmentOptions | None = None
) -> EventPage:
    """The events of a list from `offset` on, at most `limit`, as the query's reader sees them."""
    offset = min(offset, LARGEST_OFFSET)
    if query.collapse:
        total, ids, occurrences = collapsed_lists.find_page(session, query, limit, offset)
        found = None if fragments is None else fragment_rows.find_events(session, fragments.version, ids)
        return EventPage(total, ids, found, occurrences)
    if query.search is not None:
        total, ids = event_search.find_page(session, query, query.search, limit, offset)
    elif fragments is None or query.window.begins_with_running_events:
        total, ids = _total_and_ids(session, query, limit, offset)
    else:
        return _page_with_fragments(session, query, limit, offset, fragments)
    found = None if fragments is None else fragment_rows.find_events(session, fragments.version, ids)
    # Where counting stops, it stops there; another total is that of all.
    is_exact = total != query.most_counted(limit, offset) or is_countable(query)
    return EventPage(total, ids, found, is_exact=is_exact)


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


def first_ids(session: Session, query: EventQuery, limit: int) -> list[int]:
    """The first events of a list, without counting the others."""
    return _ids(session, query, event_conditions(session, query), limit, 0)


def counts_by_status(session: Session, query: EventQuery, statuses: Sequence[str]) -> dict[str, int]:
    """The number of the query's events of each of these statuses, of which there must be one."""
    if query.has_published and is_countable(query):
        conditions, hint = unlisted_conditions(session, query), unlisted_hint(session, query)
        counts = Counter({"publish": window_totals.count(session, query.scope, query.window)})
    else:
        conditions, hint = event_conditions(session, query), ""
        counts = Counter()
    sums = ", ".join("count(*) FILTER (WHERE e.status = ?)" for _ in statuses)
    sql = f"SELECT {sums} FROM event e{hint} WHERE {conditions.where}"
    (row,) = session.all(sql, [*statuses, *conditions.parameters])
    counts.update(dict(zip(statuses, row, strict=True)))
    return dict(counts)


def _total_and_ids(session: Session, query: EventQuery, limit: int, offset: int) -> tuple[int, list[int]]:
    conditions = event_conditions(session, query)
    total = _total(session, query, conditions, query.most_counted(limit, offset))
    return total, [] if offset >= total else _ids(session, query, conditions, limit, offset)


def _ids(session: Session, query: EventQuery, conditions: Conditions, limit: int, offset: int) -> list[int]:
    is_by_start = query.order == "start_date" and not query.descending
    if query.window.begins_with_running_events and is_by_start and _has_both(query) and not query.linked:
        return _ids_not_ended(session, query, limit, offset)
    return [id for _, id in session.all(*_page_statement(session, query, conditions, limit, offset))]


def _total(session: Session, query: EventQuery, conditions: Conditions, most: int | None = None) -> int:
    """`most`: what neither a tally nor the index of unlisted events counts is counted up to here."""
    if is_countable(query):
        listed = window_totals.count(session, query.scope, query.window) if query.has_published else 0
        if query.visibility.is_public:
            return listed
        conditions, hint, most = unlisted_conditions(session, query), unlisted_hint(session, query), None
    else:
        listed, hint = 0, ""
    counted = f"SELECT count(*) FROM event e{hint} WHERE {conditions.where}"
    if most is not None:
        counted = f"SELECT count(*) FROM (SELECT 1 FROM event e{hint} WHERE {conditions.where} LIMIT {most}) AS first"
    return listed + int(session.value(counted, conditions.parameters))


def is_countable(query: EventQuery) -> bool:
    """The tallies have the number of its events that are in everybody's lists, or none of them is."""
    return not query.has_published or (query.is_plain_but_statuses and query.window.can_be_counted(query.scope))


def _has_both(query: EventQuery) -> bool:
    """Everybody's list with these filters, and the events that only the reader sees: each has an index."""
    return query.is_plain_but_statuses and query.has_published and query.trashed_since is None


def _page_statement(
    session: Session, query: EventQuery, conditions: Conditions, limit: int, offset: int
) -> Statement:
    """A statement for the sort key and the id of each event of a page, in order."""
    if not query.has_published:
        conditions = unlisted_conditions(session, query)
        return _by_column(query, f"event e{unlisted_hint(session, query)}", conditions, limit, offset)
    if query.order == "start_date" and _has_both(query):
        return _both_page_statement(session, query, Conditions(), limit, offset)
    hint = ""
    if query.order in ORDER_INDEXES and _has_both(query) and not query.linked:
        hint = session.dialect.index_hint(ORDER_INDEXES[query.order])  # most events match, so a page is near
    return _by_column(query, f"event e{hint}", conditions, limit, offset)


def _by_column(query: EventQuery, source: str, conditions: Conditions, limit: int, offset: int) -> Statement:
    column = ORDER_COLUMNS[query.order]
    order = f"e.{column} {query.direction}"
    if column != "id":
        order += f", e.id {query.direction}"
    return (
        f"SELECT e.{column} AS sort_key, e.id AS id FROM {source} WHERE {conditions.where}"
        f" ORDER BY {order} LIMIT ? OFFSET ?",
        [*conditions.parameters, limit, offset],
    )


def _both_page_statement(session: Session, query: EventQuery, more: Conditions, limit: int, offset: int) -> Statement:
    """By start: everybody's list, and beside it what only this reader sees; each along its own index."""
    if query.visibility.is_public:
        return _listed_page_statement(session, query, more, limit, offset)
    conditions = unlisted_conditions(session, query)
    conditions.extend(more)
    most = limit + offset
    listed, parameters = _listed_page_statement(session, query, more, most, 0)
    others, more_parameters = _by_column(query, f"event e{unlisted_hint(session, query)}", conditions, most, 0)
    return (
        f"SELECT sort_key, id FROM (SELECT sort_key, id FROM ({listed}) AS listed"
        f" UNION ALL SELECT sort_key, id FROM ({others}) AS others) AS both_lists"
        f" ORDER BY sort_key {query.direction}, id {query.direction} LIMIT ? OFFSET ?",
        [*parameters, *more_parameters, limit, offset],
    )


def _listed_page_statement(
    session: Session, query: EventQuery, more: Conditions, limit: int, offset: int
) -> Statement:
    if query.linked:
        return _linked_page_statement(session, query, limit, offset)
    conditions = listed_conditions(query)
    conditions.extend(more)
    return _by_column(query, "event e", conditions, limit, offset)


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


def _ids_not_ended(session: Session, query: EventQuery, limit: int, offset: int) -> list[int]:
    """Events that have not ended by a time: first those that started before it, found by their span, then the later
    ones. Reading along the starts would begin with every event that is long over."""
    split = str(query.window.end_from)
    around = started_before(session, query, split)
    ids = around[offset : offset + limit]
    if len(ids) == limit:
        return ids
    later = Conditions()
    later.add("e.start_local >= ?", split)
    rest = _both_page_statement(session, query, later, limit - len(ids), max(0, offset - len(around)))
    return ids + [id for _, id in session.all(*rest)]
