"""What is in the trash, of all kinds together, as far as a person may restore or delete it."""

from typing import Any, NamedTuple

from kalends.store.engine.store import Session
from kalends.store.rows.records import POST_TYPES
from kalends.store.rows.visibility import Visibility

SERIES = "series"


class Trashed(NamedTuple):
    """A record in the trash, or a series of which several dates are there."""

    kind: str
    id: int


def total(session: Session, visibility: Visibility) -> int:
    """How many rows the list of them has, in which each series is one."""
    sql, parameters = _all(session, visibility, series_once=True)
    return int(session.value(f"SELECT count(*) FROM ({sql}) t", parameters))


def page(session: Session, visibility: Visibility, limit: int | None = None, offset: int = 0) -> list[Trashed]:
    """Those that were deleted last come first, each series as one. All records of them without a limit."""
    sql, parameters = _all(session, visibility, series_once=limit is not None)
    sql += " ORDER BY modified_utc DESC, id DESC"
    if limit is not None:
        sql, parameters = f"{sql} LIMIT ? OFFSET ?", [*parameters, limit, offset]
    return [Trashed(kind, id) for kind, id, _ in session.all(sql, parameters)]


def _all(session: Session, visibility: Visibility, *, series_once: bool) -> tuple[str, list[Any]]:
    queries, parameters = list[str](), list[Any]()
    for kind in POST_TYPES:
        sql, values = visibility.where_editable("p")
        table, condition = f"{kind} p", f"p.status = 'trash' AND {sql}"
        if kind == "event":  # there are many, and the index has the few that are not listed
            table += session.dialect.index_hint("event_unlisted")
            condition = f"p.visibility_level = 0 AND {condition}"
        if kind == "event" and series_once:
            several = "count(*) > 1"
            queries.append(
                f"SELECT CASE WHEN {several} THEN '{SERIES}' ELSE 'event' END AS kind,"
                f" CASE WHEN {several} THEN p.series ELSE min(p.id) END AS id, max(p.modified_utc) AS modified_utc"
                f" FROM {table} WHERE {condition} AND p.series IS NOT NULL GROUP BY p.series"
            )
            parameters += values
            condition += " AND p.series IS NULL"
        queries.append(
            f"SELECT '{kind}' AS kind, p.id AS id, p.modified_utc AS modified_utc FROM {table} WHERE {condition}"
        )
        parameters += values
    return " UNION ALL ".join(queries), parameters
