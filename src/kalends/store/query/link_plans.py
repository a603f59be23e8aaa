"""The plan for everybody's list of what is linked to several things at once, such as a category and a venue: along
the links of the one with the fewest events, each of which is looked up among the links of the others.

Looking up is one descent into the key of a link table. So a page costs the links before it, and the total all links
of the one with the fewest; how many the others have does not matter.
"""

from kalends.store.engine.store import Conditions, Ids, Session
from kalends.store.query.list_query import Linked, ListQuery
from kalends.store.query.plain_plan import Statement

_EVENTS = "SELECT coalesce(sum(n), 0) FROM tally WHERE scope = ? AND id = ? AND edge = 's' AND unit = 0 AND day = ''"


def linked_to_all(session: Session, query: ListQuery, limit: int, offset: int) -> Statement:
    source, found = _links(session, query)
    return (
        f"SELECT l.start_local AS sort_key, l.event AS id FROM {source} WHERE {found.where}"
        f" ORDER BY l.start_local {query.direction}, l.event {query.direction} LIMIT ? OFFSET ?",
        [*found.parameters, limit, offset],
    )


def count(session: Session, query: ListQuery) -> int:
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
