"""What a person may edit and look after: what is in the trash, and published events that lack something."""

from typing import Any, NamedTuple

from kalends.store.engine.store import Session
from kalends.store.rows.records import POST_TYPES
from kalends.store.rows.visibility import Visibility

SERIES = "series"


class UnfinishedEvent(NamedTuple):
    """A published event and what it lacks."""

    id: int
    name: str
    start_local: str
    end_local: str
    all_day: bool
    has_image: bool
    has_venue: bool


def unfinished(
    session: Session, visibility: Visibility, start_from: str, start_before: str, most: int
) -> list[UnfinishedEvent]:
    """By start, among the events that the reader may change; of each series the first."""
    editable, parameters = visibility.where_editable("e")
    rows = session.all(
        "SELECT id, name, start_local, end_local, all_day, has_image, has_venue FROM ("
        "SELECT e.id, e.name, e.start_local, e.end_local, e.all_day, e.image IS NOT NULL AS has_image,"
        " EXISTS (SELECT 1 FROM event_venue l WHERE l.event = e.id) AS has_venue,"
        " row_number() OVER (PARTITION BY coalesce(e.series, e.id) ORDER BY e.start_local, e.id) AS place"
        " FROM event e"
        f" WHERE e.start_local >= ? AND e.start_local < ? AND e.status = 'publish' AND {editable}"
        " AND (e.image IS NULL OR NOT EXISTS (SELECT 1 FROM event_venue l WHERE l.event = e.id))"
        ") AS lacking WHERE place = 1 ORDER BY start_local, id LIMIT ?",
        [start_from, start_before, *parameters, most],
    )
    return [UnfinishedEvent(*row[:4], *map(bool, row[4:])) for row in rows]


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
