"""The first events that a search finds, for lists that need no exact total. They are read in parts, so a word that
very many events have takes no longer than a rare one."""

from collections.abc import Iterator
from itertools import chain

import msgspec

from kalends.store.engine.conditions import Conditions
from kalends.store.engine.store import Ids, Session
from kalends.store.query.event_conditions import (
    event_conditions,
    unlisted_conditions,
    without_word_index,
    words_in_text,
)
from kalends.store.query.event_query import ORDER_COLUMNS, ORDER_INDEXES, EventQuery
from kalends.store.query.running_events import started_before
from kalends.store.query.window import END_OF_TIME, MARGIN, shifted
from kalends.store.search.parsing import Search

FIRST_PART = 3  # times the events that are wanted: those of a common word are among them
GROWTH = 4

FEW = 3000  # texts that are read at once
WALKED = (300, 1500)  # events along another order

Part = tuple[str, str]  # starts from and before


def find_page(
    session: Session, query: EventQuery, search: Search, limit: int, offset: int, most: int
) -> tuple[int, list[int]] | None:
    """The total, or `most` if it is not less, and the ids of a page. None if reading all matches is quicker."""
    if not query.has_published:
        return _page_of_unlisted(session, query, search, limit, offset)
    by_start = msgspec.structs.replace(query, order="start_date")
    first = _first(session, by_start, search, most)
    if query.order == "start_date":
        return min(len(first), most), first[offset : offset + limit]
    if len(first) < most or query.order not in ORDER_INDEXES:
        return None
    for size in WALKED:  # every so many events have the word, so the page is probably near
        found = _along_order(session, query, search, size)
        if len(found) >= offset + limit:
            return most, found[offset : offset + limit]
    return None


def _page_of_unlisted(
    session: Session, query: EventQuery, search: Search, limit: int, offset: int
) -> tuple[int, list[int]] | None:
    """Drafts and the like are few, so their texts are read where the word index would find all events first."""
    if session.dialect.has_suffix_index:
        return None
    plain = unlisted_conditions(session, msgspec.structs.replace(query, search=None))
    ids = session.column(f"SELECT e.id FROM event e WHERE {plain.where} LIMIT {FEW + 1}", plain.parameters)
    if len(ids) > FEW:
        return None
    matching = words_in_text(session, query, search).with_condition(f"e.id {session.dialect.in_ids}", Ids(ids))
    found = session.column(
        f"SELECT e.id FROM event e WHERE {matching.where} ORDER BY {_order(query)}", matching.parameters
    )
    return len(found), found[offset : offset + limit]


def _order(query: EventQuery) -> str:
    return f"e.{ORDER_COLUMNS[query.order]} {query.direction}, e.id {query.direction}"


def _along_order(session: Session, query: EventQuery, search: Search, size: int) -> list[int]:
    """Those of the first events in the query's order that have the words."""
    plain = event_conditions(session, msgspec.structs.replace(query, search=None))
    matching = words_in_text(session, query, search)
    order = _order(query)
    hint = session.dialect.index_hint(ORDER_INDEXES[query.order])
    return session.column(
        f"SELECT e.id FROM (SELECT e.id AS id FROM event e{hint} WHERE {plain.where} ORDER BY {order}"
        f" LIMIT {size}) AS first {session.dialect.ordered_join} event e ON e.id = first.id"
        f" WHERE {matching.where} ORDER BY {order}",
        [*plain.parameters, *matching.parameters],
    )


def _first(session: Session, query: EventQuery, search: Search, most: int) -> list[int]:
    """The ids of the query's first events: `most` or more, or all there are."""
    running = _running_before(query)
    low, high = query.window.starts()
    size = FIRST_PART * most
    parts = _parts(session, running or low or "", high or END_OF_TIME, size, descending=query.descending)
    if running is not None:
        before = [("", running)]
        parts = chain(parts, before) if query.descending else chain(before, parts)
    found: list[int] = []
    reads_texts = not session.dialect.has_suffix_index
    for first, end in parts:
        window = msgspec.structs.replace(query.window, part_from=first, part_before=end)
        within = msgspec.structs.replace(query, window=window)
        if (first, end) == ("", running):
            found += _running(session, within, search, end)
        elif reads_texts:  # of the first part, which are fewer than what the index would find
            found += by_start(session, without_word_index(session, within, search), query.direction, index="")
            reads_texts = False
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


def _parts(session: Session, begin: str, end: str, size: int, *, descending: bool) -> Iterator[Part]:
    """Whole days with so many events, then with several times as many, then all the others."""
    order = "DESC" if descending else "ASC"
    for offset in (size, size * GROWTH):
        last = session.value(
            "SELECT start_local FROM event WHERE start_local >= ? AND start_local < ?"
            f" ORDER BY start_local {order} LIMIT 1 OFFSET {offset}",
            (begin, end),
        )
        if last is None:
            break
        midnight = f"{last[:10]} 00:00:00"
        edge = max(begin, midnight) if descending else min(end, shifted(midnight, MARGIN))
        yield (edge, end) if descending else (begin, edge)
        begin, end = (begin, edge) if descending else (edge, end)
    yield begin, end
