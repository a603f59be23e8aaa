"""The orders of lists of categories and tags, and the number of published events of each term."""

from collections import Counter
from collections.abc import Sequence

from kalends.store.engine.store import Condition, Conditions, Dialect, Ids, Session
from kalends.store.query.list_query import ListQuery
from kalends.store.query.record_filters import due_links, has_public_events
from kalends.store.rows.visibility import Visibility

COUNT = "count"
_COUNTED = (
    "coalesce((SELECT n FROM tally WHERE scope = 'direct' AND id = p.id AND edge = 's' AND unit = 0 AND day = ''), 0)"
)
ORDERS = {
    "id": "p.id",
    "name": "p.sort_name",
    "slug": "p.slug_key",
    "description": "p.description",
    COUNT: _COUNTED,
    "include": "p.id",  # without `include`
}


def by_count(
    session: Session, query: ListQuery, conditions: Conditions, limit: int, offset: int
) -> tuple[str, list[object]]:
    """A page in the order of the counts for a reader who can see more events than everybody."""
    others, parameters = _other_counts(session.dialect, query.kind, query.visibility)
    return (
        f"SELECT ({_COUNTED} + coalesce(more.n, 0)) AS sort_key, p.id AS id"
        f" FROM {query.kind} p LEFT JOIN ({others}) AS more ON more.id = p.id WHERE {conditions.where}"
        f" ORDER BY sort_key {query.direction}, p.id {query.direction} LIMIT ? OFFSET ?",
        [*parameters, *conditions.parameters, limit, offset],
    )


def counts(session: Session, kind: str, visibility: Visibility, ids: Sequence[int]) -> dict[int, int]:
    """The number of published events of each term, of those that the reader may find."""
    if not ids:
        return {}
    found: Counter[int] = Counter(
        dict(session.all(f"SELECT p.id, {_COUNTED} FROM {kind} p WHERE p.id {session.dialect.in_ids}", [Ids(ids)]))
    )
    if not visibility.is_public:
        sql, parameters = _other_counts(session.dialect, kind, visibility)
        found.update({id: n for id, n in session.all(sql, parameters) if id in found})
    return dict(found)


def with_public_events(session: Session, kind: str, visibility: Visibility) -> set[int]:
    """The ids of the terms that a public event has."""
    return set(session.column(f"SELECT p.id FROM {kind} p WHERE {has_public_events(kind, 'p.id', visibility)}"))


def _other_counts(dialect: Dialect, kind: str, visibility: Visibility) -> Condition:
    """What no tally counts: terms and numbers."""
    protected, parameters = _protected_counts(dialect, kind, visibility)
    if not visibility.due:
        return protected, parameters
    due = f"{due_links(kind, visibility)} AND l.position IS NOT NULL"
    return (
        f"SELECT id, CAST(sum(n) AS integer) AS n FROM (SELECT id, 1 AS n FROM ({due}) AS due"
        f" UNION ALL {protected}) AS counted GROUP BY id",
        parameters,
    )


def _protected_counts(dialect: Dialect, kind: str, visibility: Visibility) -> Condition:
    """Password-protected published events count for readers that can edit them: terms and numbers. There are few."""
    sql, parameters = visibility.where_editable("e")
    return (
        f"SELECT l.target AS id, count(*) AS n FROM event e{dialect.index_hint('event_password')}"
        f" {dialect.ordered_join} event_{kind} l ON l.event = e.id"
        f" WHERE e.password IS NOT NULL AND {visibility.status('e')} = 'publish' AND l.position IS NOT NULL AND {sql}"
        " GROUP BY l.target",
        parameters,
    )
