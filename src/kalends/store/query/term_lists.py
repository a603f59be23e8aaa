"""Lists of categories and tags, and the number of published events of each."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.store.engine.store import Ids, Session
from kalends.store.query import tallies
from kalends.store.query.conditions import Conditions
from kalends.store.query.visibility import Visibility
from kalends.store.rows.posts import marks
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
    column = ORDER_COLUMNS[query.order]
    if query.order == "count" and not query.visibility.is_public:
        more, more_parameters = _extra_count(kind, query.visibility)
        column = f"({column} + {more})"
        parameters += more_parameters
    return session.column(
        f"SELECT t.id FROM {kind} t WHERE {found.where}"
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
    more, parameters = _extra_count(kind, visibility)
    rows = session.all(
        f"SELECT t.id, {COUNT} + {more} FROM {kind} t WHERE t.id IN ({marks(ids)})", [*parameters, *ids]
    )
    return dict(rows)


def _not_empty(found: Conditions, kind: str, visibility: Visibility) -> None:
    """A term with a published event; events of its descendants count for a category."""
    listed = f"EXISTS (SELECT 1 FROM event_{kind} l WHERE l.target = t.id AND l.visibility_level = 2)"
    open_to_all = f"({listed} OR {tallies.has_hidden(kind, 't.id')})"
    if visibility.is_public:
        found.add(open_to_all)
        return
    sql, parameters = visibility.where_editable("e")
    found.add(
        f"({open_to_all} OR EXISTS (SELECT 1 FROM event_{kind} l JOIN event e ON e.id = l.event"
        f" WHERE l.target = t.id AND l.visibility_level < 2 AND e.status = 'publish' AND {sql}))",
        *parameters,
    )


def _extra_count(kind: str, visibility: Visibility) -> tuple[str, list[object]]:
    """Password-protected published events count for readers that can edit them."""
    if visibility.is_public:
        return "0", []
    sql, parameters = visibility.where_editable("e")
    return (
        f"(SELECT count(*) FROM event_{kind} l JOIN event e ON e.id = l.event"
        f" WHERE l.target = t.id AND l.position IS NOT NULL AND l.visibility_level < 2 AND e.status = 'publish'"
        f" AND e.password IS NOT NULL AND {sql})",
        parameters,
    )
