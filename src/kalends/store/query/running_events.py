"""Events that are under way at a time, found by how long they are: along the starts, all that are over come first."""

from kalends.store.engine.store import Session
from kalends.store.query.event_conditions import listed_conditions, unlisted_conditions, unlisted_hint
from kalends.store.query.event_query import EventQuery


def started_before(session: Session, query: EventQuery, split: str) -> list[int]:
    """The ids of the query's events that start before a time, by start. The window must have `end_from`, and other
    filters count only for what is not in everybody's lists."""
    buckets, values = query.window.spans()
    conditions = listed_conditions(query)
    rows = session.all(
        f"WITH bucket (span, lowest) AS (VALUES {buckets}) SELECT e.start_local, e.id FROM bucket"
        f" {session.dialect.ordered_join} event e ON e.span = bucket.span"
        " AND e.start_local >= bucket.lowest AND e.start_local < ?"
        f" WHERE {conditions.where} ORDER BY e.start_local, e.id",
        [*values, split, *conditions.parameters],
    )
    if not query.visibility.is_public:
        others = unlisted_conditions(session, query).with_condition("e.start_local < ?", split)
        sql = f"SELECT e.start_local, e.id FROM event e{unlisted_hint(session, query)} WHERE {others.where}"
        rows = sorted([*rows, *session.all(sql, others.parameters)])
    return [id for _, id in rows]
