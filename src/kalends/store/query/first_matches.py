"""The first events that a search finds, by start, for lists that need no exact total. They are read part by part, so
that a word that very many events have takes no longer than a rare one."""

from collections.abc import Iterator
from datetime import timedelta

import msgspec

from kalends.store.engine.store import Ids, Session
from kalends.store.query.conditions import Conditions
from kalends.store.query.event_conditions import event_conditions, without_word_index
from kalends.store.query.event_query import EventQuery
from kalends.store.query.running_events import started_before
from kalends.store.query.window import END_OF_TIME, MARGIN, shifted
from kalends.store.search.parsing import Search

FIRST_PART = timedelta(days=16)
GROWTH = 3  # each part has as many times the days of the one before

Part = tuple[str, str]  # starts from and before


def find(session: Session, query: EventQuery, search: Search, most: int) -> list[int]:
    """The ids of the query's first events: `most` or more, or all there are."""
    running = _running_before(query)
    low, high = query.window.starts()
    parts = list(_parts(session, running or low or "", high or END_OF_TIME, descending=query.descending))
    if running is not None:
        parts.insert(len(parts) if query.descending else 0, ("", running))
    found: list[int] = []
    for first, end in parts:
        window = msgspec.structs.replace(query.window, part_from=first, part_before=end)
        within = msgspec.structs.replace(query, window=window)
        if (first, end) == ("", running):
            found += _running(session, within, search, end)
        else:
            found += by_start(session, event_conditions(session, within), query.direction)
        if len(found) >= most:
            break
    return found


def by_start(
    session: Session, conditions: Conditions, direction: str = "ASC", *, index: str = "event_brief"
) -> list[int]:
    """The ids of the events that meet some conditions, of which one is on `search_row`, unless another index is to be
    used or none."""
    hint = session.dialect.index_hint(index) if index else ""
    return session.column(
        f"SELECT e.id FROM event e{hint} WHERE {conditions.where}"
        f" ORDER BY e.start_local {direction}, e.id {direction}",
        conditions.parameters,
    )


def _running_before(query: EventQuery) -> str | None:
    """A day before which only events start that are under way when the window begins; None if it has no such."""
    if not query.window.begins_with_running_events:
        return None
    return shifted(str(query.window.end_from), -MARGIN)[:10]


def _running(session: Session, query: EventQuery, search: Search, day: str) -> list[int]:
    """They are few and found by their length, so their texts are read and not the index of all events before."""
    ids = started_before(session, msgspec.structs.replace(query, search=None), day)
    conditions = without_word_index(session, query, search).with_condition(f"e.id {session.dialect.in_ids}", Ids(ids))
    return by_start(session, conditions, query.direction, index="")


def _parts(session: Session, begin: str, end: str, *, descending: bool) -> Iterator[Part]:
    """The times in which events start, in parts that grow."""
    edges = "SELECT (SELECT min(start_local) {0}), (SELECT max(start_local) {0})"
    within = "FROM event WHERE start_local >= ? AND start_local < ?"
    first, last = session.all(edges.format(within), (begin, end, begin, end))[0]
    if first is None:
        return
    width, edge = FIRST_PART, str(last if descending else first)[:10]
    midnight = f"{edge} 00:00:00"
    if descending:
        edge = end
        midnight = shifted(midnight, MARGIN)
        while edge > first:
            midnight = shifted(midnight, -width)
            lower = begin if midnight <= first else midnight
            yield lower, edge
            edge, width = lower, width * GROWTH
    else:
        edge = begin
        while edge <= last:
            midnight = shifted(midnight, width)
            upper = end if midnight > last else midnight
            yield edge, upper
            edge, width = upper, width * GROWTH
