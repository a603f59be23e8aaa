"""The plainest plan, for lists of every kind: a SELECT with all conditions, its order and a limit, and `count(*)`.

It is the reference: every other plan finds what this one finds, only sooner, and a test compares them.
"""

from typing import NamedTuple

from kalends.store.engine.store import Conditions, Session
from kalends.store.query import filters, term_lists
from kalends.store.query.list_query import IMAGE_COLUMNS, MEDIA, NEWEST, ORDER_COLUMNS, TERMS, ListQuery
from kalends.store.rows.fragments import EventFragments

Statement = tuple[str, list[object]]  # for the sort key and the id of each record of a page, in order


class ListPage(NamedTuple):
    """`total` counts the whole list, or the beginning of it if it is not exact. `fragments` are those of `ids`, where
    they were asked for."""

    total: int
    ids: list[int]
    fragments: EventFragments | None = None
    occurrences: list[int] | None = None  # of each of `ids`, in a list that collapses series
    is_exact: bool = True


def find_page(session: Session, query: ListQuery, limit: int, offset: int) -> ListPage:
    """The records of a list from `offset` on, at most `limit`, as the query's reader sees them."""
    total = count(session, query, filters.conditions(session, query))
    return ListPage(total, [] if offset >= total else ids_of(session, statement(session, query, limit, offset)))


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
