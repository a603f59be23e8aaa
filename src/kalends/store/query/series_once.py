"""Lists in which each series is one row: it stands where the first of its events does, and counts once.

Other than in a list that collapses series for everybody (collapsed_lists.py), that event need not be the earliest: in
a list that begins with the latest it is the latest. So a page is read like any other, and not the whole list.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from kalends.store.engine.store import Ids, Session
from kalends.store.query import event_lists
from kalends.store.query.event_conditions import event_conditions
from kalends.store.query.event_lists import EventPage
from kalends.store.query.event_query import EventQuery

AHEAD = 4  # times as many events are read as rows are wanted, then so many times more


class Counts(NamedTuple):
    """How many rows a list has, and how many with each status."""

    all: int
    by_status: dict[str, int]


def find_page(session: Session, query: EventQuery, limit: int, offset: int) -> EventPage:
    """The rows of a list from `offset` on, at most `limit`, each by its event."""
    if not _has_series(session):
        return event_lists.find_page(session, query, limit, offset)
    is_counted = event_lists.is_countable(query) or query.count_to is None
    wanted = offset + limit if is_counted else query.most_counted(limit, offset) or 0
    size = AHEAD * wanted
    while True:
        page = event_lists.find_page(session, query, size, 0)
        rows = _first_of_each(session, query, page.ids)
        is_whole = len(page.ids) < size
        if is_whole or len(rows) >= wanted:
            break
        size *= AHEAD
    total = wanted  # or more
    if is_whole:
        total = len(rows)
    elif is_counted:
        total = page.total - _fewer(session, query).all
    return EventPage(total, rows[offset : offset + limit], is_exact=is_whole or is_counted)


def counts_by_status(session: Session, query: EventQuery, statuses: Sequence[str]) -> Counts:
    """How many rows the list has, and how many with each of these statuses, of which there must be one. A series
    counts once for each status that its events have."""
    counts = Counter(event_lists.counts_by_status(session, query, statuses))
    total = counts.total()
    if not _has_series(session):
        return Counts(total, counts)
    fewer = _fewer(session, query)
    counts.subtract(fewer.by_status)
    return Counts(total - fewer.all, counts)


class Date(NamedTuple):
    """An event of a series."""

    id: int
    end_utc: str


def dates_of(session: Session, query: EventQuery, series: Collection[int]) -> dict[int, list[Date]]:
    """The events of a list that belong to these series, by series and start."""
    conditions = event_conditions(session, query)
    conditions.add(f"e.series {session.dialect.in_ids}", Ids(series))
    hint = session.dialect.index_hint("event_series")
    rows = session.all(
        f"SELECT e.series, e.id, e.end_utc FROM event e{hint} WHERE e.series IS NOT NULL AND {conditions.where}"
        " ORDER BY e.start_local, e.id",
        conditions.parameters,
    )
    found: dict[int, list[Date]] = {id: [] for id in series}
    for member, *date in rows:
        found[member].append(Date(*date))
    return found


def _has_series(session: Session) -> bool:
    return session.value("SELECT id FROM series LIMIT 1") is not None


def _first_of_each(session: Session, query: EventQuery, ids: Sequence[int]) -> list[int]:
    """Those of some events that are single or the first of their series. Events of a series that the reader may not
    know of are single events to the reader."""
    readable, parameters = query.visibility.where_readable("s")
    series_of: dict[int, int] = dict(
        session.all(
            f"SELECT e.id, e.series FROM event e JOIN series s ON s.id = e.series AND {readable}"
            f" WHERE e.id {session.dialect.in_ids}",
            [*parameters, Ids(ids)],
        )
    )
    # A series and an event never have the same number.
    first: dict[int, int] = {}
    for id in ids:
        first.setdefault(series_of.get(id, id), id)
    return list(first.values())


def _fewer(session: Session, query: EventQuery) -> Counts:
    """By how much a list is shorter if each series is one row."""
    conditions = event_conditions(session, query)
    readable, parameters = query.visibility.where_readable("s")
    hint = session.dialect.index_hint("event_series")
    rows = session.all(
        f"SELECT e.status, e.series, count(*) FROM event e{hint} JOIN series s ON s.id = e.series AND {readable}"
        f" WHERE e.series IS NOT NULL AND {conditions.where} GROUP BY e.status, e.series",
        [*parameters, *conditions.parameters],
    )
    by_status = Counter[str]()
    for status, _, count in rows:
        by_status[status] += count - 1
    return Counts(sum(count for _, _, count in rows) - len({member for _, member, _ in rows}), by_status)
