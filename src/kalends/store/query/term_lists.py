"""Lists of categories and tags, and the number of published events of each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kalends.store.engine.conditions import Conditions
from kalends.store.engine.store import Dialect, Ids, Session
from kalends.store.rows import tallies
from kalends.store.rows.posts import marks
from kalends.store.rows.visibility import Visibility
from kalends.values import names

COUNT = (
    "coalesce((SELECT n FROM tally WHERE scope = 'direct' AND id = t.id AND edge = 's' AND unit = 0 AND day = ''), 0)"
)
ORDER_COLUMNS = {
    "id": "t.id",
    "name": "t.sort_name",
    "slug": "t.slug_key",
    "description": "t.description",
    "count": COUNT,
    "include": "t.id",  # without `include`
}


@dataclass(frozen=True, slots=True)
class TermQuery:
    """Which terms a list has, and in which order. A filter that is None does not apply."""

    visibility: Visibility
    search: str | None = None
    include: Sequence[int] | None = None
    exclude: Sequence[int] = ()
    ids: Sequence[int] | None = None  # those of one event
    slug: str | None = None
    parent: int | None = None
    hide_empty: bool = True
    order: str = "name"
    descending: bool = False


def total(session: Session, kind: str, query: TermQuery) -> int:
    found = conditions(session, kind, query)
    return int(session.value(f"SELECT count(*) FROM {kind} t WHERE {found.where}", found.parameters))


def page(session: Session, kind: str, query: TermQuery, limit: int, offset: int) -> list[int]:
    found = conditions(session, kind, query)
    direction = "DESC" if query.descending else "ASC"
    parameters = list(found.parameters)
    if query.order == "include" and query.include is not None:
        known = set(session.column(f"SELECT t.id FROM {kind} t WHERE {found.where}", parameters))
        given = [id for id in dict.fromkeys(query.include) if id in known]
        return (given[::-1] if query.descending else given)[offset : offset + limit]
    column, source = ORDER_COLUMNS[query.order], f"{kind} t"
    if query.order == "count" and not query.visibility.is_public:
        protected, more_parameters = _protected_counts(session.dialect, kind, query.visibility)
        column, source = (
            f"({column} + coalesce(more.n, 0))",
            f"{source} LEFT JOIN ({protected}) AS more ON more.id = t.id",
        )
        parameters = [*more_parameters, *parameters]
    return session.column(
        f"SELECT t.id FROM {source} WHERE {found.where}"
        f" ORDER BY {column} {direction}, t.id {direction} LIMIT ? OFFSET ?",
        [*parameters, limit, offset],
    )


def conditions(session: Session, kind: str, query: TermQuery) -> Conditions:
    found = Conditions()
    if query.search is not None:
        word = names.fold(query.search)
        in_name, in_slug = session.dialect.contains("t.name_key"), session.dialect.contains("t.slug_key")
        found.add(f"({in_name} OR {in_slug})", word, word)
    if query.include is not None:
        found.add(f"t.id {session.dialect.in_ids}", Ids(query.include))
    if query.exclude:
        found.add(f"t.id {session.dialect.not_in_ids}", Ids(query.exclude))
    if query.ids is not None:
        found.add(f"t.id {session.dialect.in_ids}", Ids(query.ids))
    if query.slug is not None:
        found.add("t.slug_key = ?", names.slug_key(query.slug))
    if query.parent is not None:
        found.add("t.parent = ?", query.parent)
    if query.hide_empty:
        _not_empty(found, kind, query.visibility)
    return found


def counts(session: Session, kind: str, visibility: Visibility, ids: Sequence[int]) -> dict[int, int]:
    """The number of published events of each term, of those that the reader may find."""
    if not ids:
        return {}
    found: Counter[int] = Counter(
        dict(session.all(f"SELECT t.id, {COUNT} FROM {kind} t WHERE t.id IN ({marks(ids)})", ids))
    )
    if not visibility.is_public:
        sql, parameters = _protected_counts(session.dialect, kind, visibility)
        found.update({id: n for id, n in session.all(sql, parameters) if id in found})
    return dict(found)


def has_public_events(kind: str, id: str = "t.id") -> str:
    """The condition that a public event has a term; events of its descendants count for a category."""
    listed = f"EXISTS (SELECT 1 FROM event_{kind} l WHERE l.target = {id} AND l.visibility_level = 2)"
    return f"({listed} OR {tallies.has_hidden(kind, id)})"


def with_public_events(session: Session, kind: str) -> set[int]:
    """The ids of the terms that a public event has."""
    return set(session.column(f"SELECT t.id FROM {kind} t WHERE {has_public_events(kind)}"))


def _not_empty(found: Conditions, kind: str, visibility: Visibility) -> None:
    """A term with a published event that the reader may find."""
    open_to_all = has_public_events(kind)
    if visibility.is_public:
        found.add(open_to_all)
        return
    sql, parameters = visibility.where_editable("e")
    found.add(
        f"({open_to_all} OR EXISTS (SELECT 1 FROM event_{kind} l JOIN event e ON e.id = l.event"
        f" WHERE l.target = t.id AND l.visibility_level < 2 AND e.status = 'publish' AND {sql}))",
        *parameters,
    )


def _protected_counts(dialect: Dialect, kind: str, visibility: Visibility) -> tuple[str, list[object]]:
    """Password-protected published events count for readers that can edit them: terms and numbers. There are few."""
    sql, parameters = visibility.where_editable("e")
    return (
        f"SELECT l.target AS id, count(*) AS n FROM event e{dialect.index_hint('event_password')}"
        f" {dialect.ordered_join} event_{kind} l ON l.event = e.id"
        f" WHERE e.password IS NOT NULL AND e.status = 'publish' AND l.position IS NOT NULL AND {sql}"
        " GROUP BY l.target",
        parameters,
    )
