"""The SQL conditions of a list of events."""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from kalends.store.engine.conditions import Conditions
from kalends.store.engine.store import Dialect, Ids, Session
from kalends.store.query.event_query import EventQuery
from kalends.store.query.window import Window
from kalends.store.rows import row_ids
from kalends.store.rows.visibility import Condition
from kalends.store.search import parsing
from kalends.store.search.parsing import Search
from kalends.store.search.word_matches import SearchScope
from kalends.values.cost import FREE_COSTS
from kalends.values.online_terms import ONLINE_SLUGS

# An event that was in everybody's lists before it went to the trash: a sync feed reports that it is gone, and nothing
# else of it. Changes made in the trash are not public, so its last change must be a public one.
PUBLIC_BEFORE_TRASH = (
    "e.visibility_level = 0 AND e.status = 'trash' AND e.trashed_from = 'publish' AND e.hide_from_listings = 0"
    " AND EXISTS (SELECT 1 FROM journal j WHERE j.rev = e.rev AND j.public = 1)"
)

FREE = [msgspec.json.encode([text]).decode() for text in FREE_COSTS]  # as the column has them


def event_conditions(session: Session, query: EventQuery) -> Conditions:
    """The conditions of a query on an event `e`."""
    return _conditions(session, query, "")


def listed_conditions(query: EventQuery) -> Conditions:
    """Those of the events that everybody's list of the same time has; an index has all of its columns."""
    conditions = query.window.conditions("e").with_condition("e.visibility_level > 0")
    return conditions.with_condition("e.series IS NULL") if query.single else conditions


def unlisted_conditions(session: Session, query: EventQuery) -> Conditions:
    """Those of the query's events that everybody's list of the same filters leaves out: they are few. A masked event
    is in everybody's lists, except for those of what it is linked to."""
    level = "< 2" if query.linked else "= 0"
    return _conditions(session, query, level).with_condition(f"e.visibility_level {level}")


def unlisted_hint(session: Session, query: EventQuery) -> str:
    """The index of events that are in nobody's lists; those that are linked to something are found by their links."""
    is_all = not query.linked and query.search is None and query.include is None and query.authors is None
    return session.dialect.index_hint("event_unlisted") if is_all else ""


def _conditions(session: Session, query: EventQuery, link_level: str) -> Conditions:
    """`link_level`: a condition on the visibility level of links, which repeat that of their event."""
    conditions = Conditions()
    if query.include is not None:
        conditions.add(f"{_id(query, session.dialect)} {session.dialect.in_ids}", Ids(query.include))
    else:
        conditions.extend(query.window.conditions("e"))
    if query.trashed_since is not None:
        conditions.add(PUBLIC_BEFORE_TRASH)
        conditions.add("e.modified_utc >= ?", query.trashed_since)
    elif query.is_public_listing:
        conditions.add("e.visibility_level > 0")  # published and not hidden; a column of the window's index
    else:
        _readable(conditions, query)
    if query.exclude:
        conditions.add(f"e.id {session.dialect.not_in_ids}", Ids(query.exclude))
    if query.authors is not None and len(query.authors) == 1:  # in the order of the index
        conditions.add("e.author = ?", query.authors[0])
    elif query.authors is not None:
        conditions.add(f"e.author {session.dialect.in_ids}", Ids(query.authors))
    if query.parent is not None:
        # The second half is the condition of the partial index, which is not used without it.
        conditions.add("e.post_parent = ? AND e.post_parent > 0", query.parent)
    if query.parents is not None:
        conditions.add(f"e.post_parent > 0 AND e.post_parent {session.dialect.in_ids}", Ids(query.parents))
    if query.common is not None:
        conditions.extend(query.common.conditions(session.dialect, query.visibility, "e"))
    if query.series is not None:
        conditions.add("e.series = ?", query.series)
    if query.single:
        conditions.add("e.series IS NULL")
    if query.modified_after is not None:
        conditions.add("e.modified_utc > ?", query.modified_after)
    if query.filters_masked_fields:
        sql, parameters = query.visibility.where_unmasked("e")
        conditions.add(sql, *parameters)
        _masked_fields(conditions, query, session.dialect, link_level)
    if query.search is not None:
        _search(session, conditions, query, query.search)
    return conditions


def _id(query: EventQuery, dialect: Dialect) -> str:
    """The id of an event. The index of a search begins with the rows that the words were found in; if it went on with
    the id, every one of them would be looked up with every id that another filter found."""
    return "e.id" if query.search is None else f"{dialect.no_index}e.id"


def _readable(conditions: Conditions, query: EventQuery) -> None:
    for sql, parameters in _reading_rules(query):
        # What is in everybody's lists meets all of these, and the indexes tell so without the row itself.
        by_level = query.has_published and query.authors is None and sql != "TRUE"
        conditions.add(f"(e.visibility_level > 0 OR {sql})" if by_level else sql, *parameters)


def _reading_rules(query: EventQuery) -> Iterator[Condition]:
    yield query.visibility.where_readable("e")
    if query.include is None and not query.show_hidden:
        yield "e.hide_from_listings = 0", []
    elif query.include is None:
        sql, parameters = query.visibility.where_editable("e")
        yield ("TRUE", []) if sql == "TRUE" else (f"(e.hide_from_listings = 0 OR {sql})", parameters)
    if query.statuses is None:
        yield "e.status <> 'trash'", []
    else:
        yield f"e.status IN ({', '.join('?' for _ in query.statuses)})", [*query.statuses]


def _masked_fields(conditions: Conditions, query: EventQuery, dialect: Dialect, link_level: str) -> None:
    for kind, ids in query.linked.items():
        _linked(conditions, query, dialect, kind, ids, link_level)
    for kind, ids in query.not_linked.items():
        direct = f"l.position IS NOT NULL AND l.target {dialect.in_ids}"
        conditions.add(f"e.id NOT IN (SELECT l.event FROM event_{kind} l WHERE {direct})", Ids(ids))
    if query.featured is not None:
        conditions.add("e.featured = ?", int(query.featured))
    if query.ticketed is not None:
        conditions.add("e.ticketed = ?", int(query.ticketed))
    if query.free is not None:
        marks = ", ".join("?" for _ in FREE)
        conditions.add(f"lower(e.cost) {'IN' if query.free else 'NOT IN'} ({marks})", *FREE)
    if query.online is not None:
        _online(conditions, query.online)
    if query.near is not None:
        _linked(conditions, query, dialect, "venue", query.near)
    if query.geoloc is not None:
        sql, parameters = query.visibility.where_readable("v")
        word = "IN" if query.geoloc else "NOT IN"
        conditions.add(
            f"{_id(query, dialect)} {word} (SELECT l.event FROM event_venue l JOIN venue v ON v.id = l.target"
            f" WHERE v.geo_lat IS NOT NULL AND {sql})",
            *parameters,
        )


def _online(conditions: Conditions, wanted: bool) -> None:
    """Moved online, or with a category or tag that says so."""
    marks = ", ".join("?" for _ in ONLINE_SLUGS)
    terms = (
        f"e.id IN (SELECT l.event FROM event_{kind} l JOIN {kind} t ON t.id = l.target"
        f" WHERE l.position IS NOT NULL AND t.slug IN ({marks}))"
        for kind in ("category", "tag")
    )
    sql = " OR ".join(("e.event_status = 'moved_online'", *terms))
    conditions.add(f"{'' if wanted else 'NOT '}({sql})", *ONLINE_SLUGS, *ONLINE_SLUGS)


def _linked(
    conditions: Conditions, query: EventQuery, dialect: Dialect, kind: str, ids: Sequence[int], level: str = ""
) -> None:
    """Linked to any of these. Links copy start and visibility level, so only those of the window are read."""
    inner = Conditions()
    inner.add(f"l.target {dialect.in_ids}", Ids(ids))
    if level:
        inner.add(f"l.visibility_level {level}")
    if query.directly:
        inner.add("l.position IS NOT NULL")
    if query.include is None:
        inner.extend(query.window.start_bounds("l"))
        if query.visibility.is_public and query.trashed_since is None:
            inner.add("l.visibility_level = 2")
    found = f"SELECT l.event FROM event_{kind} l WHERE {inner.where}"
    conditions.add(f"{_id(query, dialect)} IN ({found})", *inner.parameters)


def _search(session: Session, conditions: Conditions, query: EventQuery, search: Search) -> None:
    """In the whole text of an event; of a masked one only in its title."""
    scope = search_scope(session, query)
    conditions.extend(parsing.conditions(session, "event", "e", search, _opened(query), scope))


def _opened(query: EventQuery) -> Condition:
    # In a public listing the visibility level says the same, and the index has it.
    return ("e.visibility_level = 2", []) if query.is_public_listing else query.visibility.where_unmasked("e")


def without_word_index(session: Session, query: EventQuery, search: Search) -> Conditions:
    """The same conditions for a few events, whose texts are read."""
    conditions = event_conditions(session, msgspec.structs.replace(query, search=None))
    conditions.extend(words_in_text(session, query, search))
    return conditions


def words_in_text(session: Session, query: EventQuery, search: Search) -> Conditions:
    """The condition that the text of an event `e` has the words, as far as the query's reader may read it."""
    return parsing.text_conditions(session.dialect, "event", "e", search, _opened(query))


def search_scope(session: Session, query: EventQuery) -> SearchScope:
    """The part of the word index that can have the query's events."""
    if query.include is not None:
        return SearchScope(partial(Window().years, session))
    return SearchScope(
        partial(query.window.years, session),
        row_ids.between(session, *query.window.starts()),
        unlisted=not query.has_published,
        listed=query.is_public_listing,
    )
