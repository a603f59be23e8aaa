"""Lists in which each series is one row: it stands where the first of its events does, and counts once.

Other than in a list that collapses series for everybody (collapsed_lists.py), that event need not be the earliest: in
a list that begins with the latest it is the latest. So a page is read like any other, and not the whole list.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from kalends.store.engine.store import Ids, Session
from kalends.store.query import event_lists
from kalends.store.query.event_conditions import event_conditions, unlisted_conditions, unlisted_hint
from kalends.store.query.event_lists import EventPage
from kalends.store.query.event_query import EventQuery

AHEAD = 4  # times as many events are read as rows are wanted, then so many times more
INDEX = "event_series_rows"


class Counts(NamedTuple):
    """How many rows a list has, and how many with each status."""

    all: int
    by_status: dict[str, int]


def find_page(session: Session, query: EventQuery, limit: int, offset: int) -> EventPage:
    """The rows of a list from `offset` on, at most `limit`, each by its event. Where the total need not be exact, it
    is that of the rows that were read, of which there is one more than the page has if another page follows."""
    if not _has_series(session):
        return event_lists.find_page(session, query, limit, offset)
    wanted = offset + limit + 1
    size = max(AHEAD * wanted, 0 if query.count_to is None else query.count_to + 1)
    while True:
        page = event_lists.find_page(session, query, size, 0)
        rows = _first_of_each(session, query, page.ids)
        is_whole = len(page.ids) < size
        if is_whole or len(rows) >= wanted:
            break
        size *= AHEAD
    is_exact, total = is_whole, len(rows)
    if not is_whole and query.count_to is None:
        is_exact, total = True, page.total - _fewer(session, query).all
    return EventPage(total, rows[offset : offset + limit], is_exact=is_exact)


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
    hint = session.dialect.index_hint(INDEX)
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
    known = "" if readable == "TRUE" else f" JOIN series s ON s.id = e.series AND {readable}"
    series_of: dict[int, int] = dict(
        session.all(
            f"SELECT e.id, e.series FROM event e{known} WHERE e.id {session.dialect.in_ids} AND e.series IS NOT NULL",
            [*parameters, Ids(ids)] if known else [Ids(ids)],
        )
    )
    # A series and an event never have the same number.
    first: dict[int, int] = {}
    for id in ids:
        first.setdefault(series_of.get(id, id), id)
    return list(first.values())


def _fewer(session: Session, query: EventQuery) -> Counts:
    """By how much a list is shorter if each series is one row."""
    if query.has_published:
        conditions, hint = event_conditions(session, query), session.dialect.index_hint(INDEX)
    else:
        conditions, hint = unlisted_conditions(session, query), unlisted_hint(session, query)
    readable, parameters = query.visibility.where_readable("s")
    known = "" if readable == "TRUE" else f" JOIN series s ON s.id = e.series AND {readable}"
    rows = session.all(
        f"SELECT e.series, e.status, count(*) FROM event e{hint}{known}"
        f" WHERE e.series IS NOT NULL AND {conditions.where} GROUP BY e.series, e.status",
        [*parameters, *conditions.parameters] if known else conditions.parameters,
    )
    by_status = Counter[str]()
    for _, status, count in rows:
        by_status[status] += count - 1
    return Counts(sum(count for _, _, count in rows) - len({member for member, _, _ in rows}), by_status)
