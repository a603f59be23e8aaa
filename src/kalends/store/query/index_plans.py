"""Plans for lists of events that differ from everybody's list in little: they follow the indexes of that list.

Everybody's list has an index that knows all of its columns, and the few events that are in nobody's lists have one of
their own. So a reader who sees more gets both, each along its index.
"""

from kalends.store.engine.store import Conditions, Session
from kalends.store.query.filters import conditions, listed_conditions, unlisted_conditions, unlisted_hint
from kalends.store.query.list_query import ORDER_INDEXES, ListQuery
from kalends.store.query.plain_plan import Statement, by_column, ids_of

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
