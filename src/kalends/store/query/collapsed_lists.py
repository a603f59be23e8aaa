"""One page of a list that shows of each series only the first occurrence, with the number of them in the list."""

from kalends.store.engine.store import Session
from kalends.store.query.event_conditions import event_conditions
from kalends.store.query.event_query import ORDER_COLUMNS, EventQuery


def find_page(session: Session, query: EventQuery, limit: int, offset: int) -> tuple[int, list[int], list[int]]:
    """The total, the ids of the page, and the number of occurrences for each of them. Events of a series that the
    reader may not know of are single events to the reader."""
    conditions = event_conditions(session, query)
    readable, parameters = query.visibility.where_readable("s")
    # A series and an event never have the same number.
    rows = session.all(
        f"WITH hit (id, sort_key, start_local, member) AS MATERIALIZED ("
        f"SELECT e.id, e.{ORDER_COLUMNS[query.order]}, e.start_local, coalesce(s.id, e.id)"
        f" FROM event e LEFT JOIN series s ON s.id = e.series AND {readable} WHERE {conditions.where}),"
        " ranked (id, sort_key, place, n) AS (SELECT id, sort_key,"
        " row_number() OVER (PARTITION BY member ORDER BY start_local, id),"
        " count(*) OVER (PARTITION BY member) FROM hit)"
        " SELECT total, page.id, page.n FROM (SELECT count(DISTINCT member) AS total FROM hit) AS counted LEFT JOIN"
        f" (SELECT id, sort_key, n FROM ranked WHERE place = 1 ORDER BY sort_key {query.direction},"
        f" id {query.direction} LIMIT ? OFFSET ?) AS page ON TRUE"
        f" ORDER BY page.sort_key {query.direction}, page.id {query.direction}",
        [*parameters, *conditions.parameters, limit, offset],
    )
    found = [(id, count) for _, id, count in rows if id is not None]
    return rows[0][0], [id for id, _ in found], [count for _, count in found]
