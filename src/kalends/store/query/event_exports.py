"""Whole lists of events, read in batches by start."""

from msgspec.structs import replace

from kalends.store.engine.store import Session
from kalends.store.query.event_conditions import event_conditions
from kalends.store.query.event_query import EventQuery


def next_ids(session: Session, query: EventQuery, after: tuple[str, int] | None, most: int) -> list[int]:
    """The next ids; `after` is the start and id of the last event before them."""
    conditions = event_conditions(session, query)
    if after is not None:
        conditions.add("(e.start_local, e.id) > (?, ?)", *after)
    return session.column(
        f"SELECT e.id FROM event e WHERE {conditions.where} ORDER BY e.start_local, e.id LIMIT ?",
        [*conditions.parameters, most],
    )


def recently_trashed_ids(session: Session, query: EventQuery, since: str, most: int) -> list[int]:
    """Events that were in the public list of this query and went to the trash since a time."""
    return next_ids(session, replace(query, trashed_since=since), None, most)
