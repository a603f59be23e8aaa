"""One page of the events that a search finds, with its total: the word index is read once for both."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import filterfalse

from kalends.store.engine.conditions import Conditions
from kalends.store.engine.store import Ids, Session
from kalends.store.query import first_matches
from kalends.store.query.event_conditions import event_conditions, search_scope
from kalends.store.query.event_query import ORDER_COLUMNS, EventQuery
from kalends.store.query.first_matches import by_start
from kalends.store.rows import row_ids
from kalends.store.search.parsing import Search
from kalends.store.search.word_matches import listed_row_ids

FEW = 100  # events that are read in less time than it takes to find out which of them the page needs


def find_page(session: Session, query: EventQuery, search: Search, limit: int, offset: int) -> tuple[int, list[int]]:
    """The total, and the ids of the page."""
    if query.is_plain_search:
        found = listed_row_ids(session, search.wanted, search_scope(session, query))
        if found is not None:
            return _page_of_row_ids(session, query, found, limit, offset)
    most = query.most_counted(limit, offset)
    if most is not None and query.include is None and search.wanted:
        page = first_matches.find_page(session, query, search, limit, offset, most)
        if page is not None:
            return page
    conditions = event_conditions(session, query)
    # The index has every column that is needed; the rows themselves are far apart.
    hint = session.dialect.index_hint("event_brief") if search.wanted else ""
    rows = session.all(
        f"WITH hit (id, sort_key) AS MATERIALIZED (SELECT e.id, e.{ORDER_COLUMNS[query.order]} FROM event e{hint}"
        f" WHERE {conditions.where})"
        " SELECT n, page.id FROM (SELECT count(*) AS n FROM hit) AS counted LEFT JOIN"
        f" (SELECT id, sort_key FROM hit ORDER BY sort_key {query.direction}, id {query.direction}"
        " LIMIT ? OFFSET ?) AS page ON TRUE"
        f" ORDER BY page.sort_key {query.direction}, page.id {query.direction}",
        [*conditions.parameters, limit, offset],
    )
    return rows[0][0], [id for _, id in rows if id is not None]


def _page_of_row_ids(
    session: Session, query: EventQuery, found: Sequence[int], limit: int, offset: int
) -> tuple[int, list[int]]:
    """Row ids tell the day, so of many events only those of the page's days are read."""
    if len(found) <= FEW:
        within = query.window.conditions("e")
        within.add(f"e.search_row {session.dialect.in_ids}", Ids(found))
        ids = by_start(session, within, query.direction)
        return len(ids), ids[offset : offset + limit]
    excluded = set(session.column(*query.window.edge_exclusions(session.dialect)))
    listed = row_ids.by_day(filterfalse(excluded.__contains__, found))
    total = len(listed)
    first, end = offset, min(offset + limit, total)
    if first >= end:
        return total, []
    if query.descending:
        first, end = total - end, total - first
    # Within a day row ids are in no order, so whole days are read.
    day = bisect_left(listed, row_ids.day_of(listed[first]), key=row_ids.day_of)
    days = listed[day : bisect_right(listed, row_ids.day_of(listed[end - 1]), key=row_ids.day_of)]
    within = Conditions()
    within.add(f"e.search_row {session.dialect.in_ids}", Ids(days))
    page = by_start(session, within)[first - day : end - day]
    return total, page[::-1] if query.descending else page
