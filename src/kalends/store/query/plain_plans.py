"""The plans of lists without words and series.

The plainest, for lists of every kind, is a SELECT with all conditions, its order and a limit, and `count(*)`. It is
the reference: every other plan finds what this one finds, only sooner, and a test compares them.
"""

from typing import NamedTuple

from kalends.store.engine.store import Conditions, Ids, Session
from kalends.store.query import filters, term_lists
from kalends.store.query.filters import conditions, listed_conditions, unlisted_conditions, unlisted_hint
from kalends.store.query.list_query import (
    IMAGE_COLUMNS,
    MEDIA,
    NEWEST,
    ORDER_COLUMNS,
    ORDER_INDEXES,
    TERMS,
    Linked,
    ListQuery,
)
from kalends.store.rows.fragments import EventFragments

Statement = tuple[str, list[object]]  # for the sort key and the id of each record of a page, in order


class FoundPage(NamedTuple):
    """`total` counts the whole list, or the beginning of it if it is not exact. `fragments` are those of `ids`, where
    they were asked for."""

    total: int
    ids: list[int]
    fragments: EventFragments | None = None
    occurrences: list[int] | None = None  # of each of `ids`, in a list that collapses series
    is_exact: bool = True


def find_page(session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage:
    """The records of a list from `offset` on, at most `limit`, as the query's reader sees them."""
    total = count(session, query, filters.conditions(session, query))
    return FoundPage(total, [] if offset >= total else ids_of(session, statement(session, query, limit, offset)))


def statement(session: Session, query: ListQuery, limit: int, offset: int) -> Statement:
    if query.kind in TERMS and query.order == term_lists.COUNT and not query.visibility.is_public:
        return term_lists.by_count(session, query, filters.conditions(session, query), limit, offset)
    source = f"{query.kind} {query.alias}"
    return by_column(query, source, filters.conditions(session, query), limit, offset)


def by_column(query: ListQuery, source: str, conditions: Conditions, limit: int, offset: int) -> Statement:
    """The page of a list from a table, which may name an index, in the query's order."""
    key, order = order_of(query)
    return (
        f"SELECT {key} AS sort_key, {query.alias}.id AS id FROM {source} WHERE {conditions.where}"
        f" ORDER BY {order} LIMIT ? OFFSET ?",
        [*conditions.parameters, limit, offset],
    )


def order_of(query: ListQuery) -> tuple[str, str]:
    """The sort key of a list, and the whole ORDER BY: records with the same key are in the order of their ids."""
    alias, direction = query.alias, query.direction
    id = f"{alias}.id"
    if query.order == NEWEST:
        return f"{alias}.date_utc", f"{alias}.date_utc DESC, {id}"
    if query.kind in TERMS:
        key = term_lists.ORDERS[query.order]
    elif query.kind == MEDIA:
        key = f"{alias}.{IMAGE_COLUMNS.get(query.order, 'id')}"
    else:
        key = f"{alias}.{ORDER_COLUMNS[query.order]}"
    return key, f"{id} {direction}" if key == id else f"{key} {direction}, {id} {direction}"


def ids_of(session: Session, statement: Statement) -> list[int]:
    return [id for _, id in session.all(*statement)]


def count(session: Session, query: ListQuery, conditions: Conditions, hint: str = "", most: int | None = None) -> int:
    """How many records meet some conditions; counted up to `most`, if there is such a number."""
    source = f"{query.kind} {query.alias}{hint} WHERE {conditions.where}"
    sql = f"SELECT count(*) FROM {source}"
    if most is not None:
        sql = f"SELECT count(*) FROM (SELECT 1 FROM {source} LIMIT {most}) AS first"
    return int(session.value(sql, conditions.parameters))


# Plans for lists of events that differ from everybody's list in little: they follow the indexes of that list.
# Everybody's list has an index that knows all of its columns, and the few events that are in nobody's lists have
# one of their own. So a reader who sees more gets both, each along its index.

NOTHING_MORE = Conditions()


def unlisted(session: Session, query: ListQuery, limit: int, offset: int) -> Statement:
    """Drafts and the like, without what is published."""
    source = f"event e{unlisted_hint(session, query)}"
    return by_column(query, source, unlisted_conditions(session, query), limit, offset)


def along_order(session: Session, query: ListQuery, limit: int, offset: int) -> Statement:
    """Along the index of another order than that of starts: most events match, so a page is near."""
    hint = session.dialect.index_hint(ORDER_INDEXES[query.order])
    return by_column(query, f"event e{hint}", conditions(session, query), limit, offset)


def listed_and_unlisted(
    session: Session, query: ListQuery, limit: int, offset: int, more: Conditions = NOTHING_MORE
) -> Statement:
    """By start: everybody's list, and beside it what only this reader sees."""
    if query.visibility.is_public:
        return _listed(session, query, limit, offset, more)
    others_only = unlisted_conditions(session, query)
    others_only.extend(more)
    most = limit + offset
    listed, parameters = _listed(session, query, most, 0, more)
    others, more_parameters = by_column(query, f"event e{unlisted_hint(session, query)}", others_only, most, 0)
    return (
        f"SELECT sort_key, id FROM (SELECT sort_key, id FROM ({listed}) AS listed"
        f" UNION ALL SELECT sort_key, id FROM ({others}) AS others) AS both_lists"
        f" ORDER BY sort_key {query.direction}, id {query.direction} LIMIT ? OFFSET ?",
        [*parameters, *more_parameters, limit, offset],
    )


def _listed(session: Session, query: ListQuery, limit: int, offset: int, more: Conditions) -> Statement:
    if query.linked:
        return _linked(session, query, limit, offset)
    found = listed_conditions(query)
    if more is not NOTHING_MORE:
        found.extend(more)
    return by_column(query, "event e", found, limit, offset)


def next_linked(session: Session, query: ListQuery, after: tuple[str, int] | None, most: int) -> Statement:
    """The next of everybody's events of one venue, organizer or term; `after` is the start and id of the last one."""
    more = Conditions()
    if after is not None:
        more.add("(l.start_local, l.event) > (?, ?)", *after)
    return _linked(session, query, most, 0, more)


def _linked(
    session: Session, query: ListQuery, limit: int, offset: int, more: Conditions = NOTHING_MORE
) -> Statement:
    """The events of one venue, organizer or term, read along the index of the links."""
    kind, target = query.scope
    if query.window.utc:
        source = f"event_{kind} l {session.dialect.ordered_join} event e ON e.id = l.event"
        within = query.window.conditions("e")
    else:
        source, within = f"event_{kind} l", query.window.conditions("l")
    within.extend(more)
    return (
        f"SELECT l.start_local AS sort_key, l.event AS id FROM {source}"
        f" WHERE l.target = ? AND l.visibility_level = 2 AND {within.where}"
        f" ORDER BY l.start_local {query.direction}, l.event {query.direction} LIMIT ? OFFSET ?",
        [target, *within.parameters, limit, offset],
    )


def running_first(session: Session, query: ListQuery, limit: int, offset: int) -> list[int]:
    """Events that have not ended by a time: first those that started before it, found by their span, then the later
    ones. Reading along the starts would begin with every event that is long over."""
    split = str(query.window.end_from)
    around = started_before(session, query, split)
    ids = around[offset : offset + limit]
    if len(ids) == limit:
        return ids
    later = Conditions()
    later.add("e.start_local >= ?", split)
    rest = listed_and_unlisted(session, query, limit - len(ids), max(0, offset - len(around)), later)
    return ids + ids_of(session, rest)


def started_before(session: Session, query: ListQuery, split: str) -> list[int]:
    """The ids of the query's events that start before a time, by start. The window must have `end_from`, and other
    filters count only for what is not in everybody's lists."""
    buckets, values = query.window.spans()
    listed = listed_conditions(query)
    rows = session.all(
        f"WITH bucket (span, lowest) AS (VALUES {buckets}) SELECT e.start_local, e.id FROM bucket"
        f" {session.dialect.ordered_join} event e ON e.span = bucket.span"
        " AND e.start_local >= bucket.lowest AND e.start_local < ?"
        f" WHERE {listed.where} ORDER BY e.start_local, e.id",
        [*values, split, *listed.parameters],
    )
    if not query.visibility.is_public:
        others = unlisted_conditions(session, query).with_condition("e.start_local < ?", split)
        sql = f"SELECT e.start_local, e.id FROM event e{unlisted_hint(session, query)} WHERE {others.where}"
        rows = sorted([*rows, *session.all(sql, others.parameters)])
    return [id for _, id in rows]


# The plan for everybody's list of what is linked to several things at once, such as a category and a venue: along
# the links of the one with the fewest events, each of which is looked up among the links of the others. Looking up
# is one descent into the key of a link table. So a page costs the links before it, and the total all links of the
# one with the fewest; how many the others have does not matter.

_EVENTS = "SELECT coalesce(sum(n), 0) FROM tally WHERE scope = ? AND id = ? AND edge = 's' AND unit = 0 AND day = ''"


def linked_to_all(session: Session, query: ListQuery, limit: int, offset: int) -> Statement:
    source, found = _links(session, query)
    return (
        f"SELECT l.start_local AS sort_key, l.event AS id FROM {source} WHERE {found.where}"
        f" ORDER BY l.start_local {query.direction}, l.event {query.direction} LIMIT ? OFFSET ?",
        [*found.parameters, limit, offset],
    )


def count_linked_to_all(session: Session, query: ListQuery) -> int:
    """Along the key of the links, not by start: so are those looked up that stand side by side."""
    source, found = _links(session, query, session.dialect.no_index)
    return int(session.value(f"SELECT count(*) FROM {source} WHERE {found.where}", found.parameters))


def _links(session: Session, query: ListQuery, no_index: str = "") -> tuple[str, Conditions]:
    """The links `l` of one thing whose events are linked to the others too."""
    (kind, [target]), *others = _fewest_first(session, query)
    source, found = f"event_{kind} l", Conditions()
    found.add(f"l.target = ? AND {no_index}l.visibility_level = 2", target)
    if query.window.utc:
        source = f"{source} {session.dialect.ordered_join} event e ON e.id = l.event"
    found.extend(query.window.conditions("e" if query.window.utc else "l"))
    for other, targets in others:
        among = "= ?" if len(targets) == 1 else session.dialect.in_ids
        is_linked = f"EXISTS (SELECT 1 FROM event_{other} m WHERE m.target {among} AND m.event = l.event)"
        found.add(is_linked, targets[0] if len(targets) == 1 else Ids(targets))
    return source, found


def _fewest_first(session: Session, query: ListQuery) -> list[Linked]:
    linked = query.all_linked
    single = [one for one in linked if len(one[1]) == 1]
    first = min(single, key=lambda one: session.value(_EVENTS, (one[0], one[1][0])))
    return [first, *(one for one in linked if one is not first)]
