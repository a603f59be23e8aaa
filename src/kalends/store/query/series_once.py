"""Lists in which each series is one row: it stands where the first of its events does, and counts once.

Other than in a list that collapses series for everybody (collapsed_lists.py), that event need not be the earliest: in
a list that begins with the latest it is the latest. So a page is read like any other, and not the whole list. Far
from the beginning, it is made of the single events there and of the first events of all series.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from kalends.store.engine.store import Ids, Session
from kalends.store.query import event_lists
from kalends.store.query.event_conditions import (
    event_conditions,
    listed_conditions,
    unlisted_conditions,
    unlisted_hint,
    without_word_index,
)
from kalends.store.query.event_lists import EventPage
from kalends.store.query.event_query import EventQuery
from kalends.store.query.first_matches import FEW
from kalends.store.rows.series import count_live

AHEAD = 4  # times as many events are read as rows are wanted, then so many times more
NEAR = 2000  # events that are read from the beginning, where a page can be found otherwise
INDEX = "event_series_rows"


class Counts(NamedTuple):
    """How many rows a list has, and how many with each status."""

    all: int
    by_status: dict[str, int]


def find_page(session: Session, query: EventQuery, limit: int, offset: int) -> EventPage:
    """The rows of a list from `offset` on, at most `limit`, each by its event. Where the total need not be exact, it
    is, of a list with more events than are to be counted, that of the rows that were read, of which there is one more
    than the page has if another page follows."""
    if not _has_series(session):
        return event_lists.find_page(session, query, limit, offset)
    wanted = offset + limit + 1
    size = AHEAD * wanted
    while size <= NEAR or not (query.order == "start_date" and _has_single_events_apart(query)):
        page = event_lists.find_page(session, replace(query, count_to=query.count_to or 0), size, 0)
        rows = _first_of_each(session, query, page.ids)
        if len(page.ids) < size:
            return EventPage(len(rows), rows[offset : offset + limit])
        if len(rows) < wanted:
            size *= AHEAD
        elif query.count_to is None:
            return EventPage(_total(session, query), rows[offset : offset + limit])
        elif page.is_exact and page.total <= query.count_to:
            size = page.total + 1
        else:
            return EventPage(len(rows), rows[offset : offset + limit], is_exact=False)
    return _page_far_down(session, query, limit, offset)


def counts_by_status(session: Session, query: EventQuery, statuses: Sequence[str]) -> Counts | None:
    """How many rows the list has, and how many with each of these statuses, of which there must be one. A series
    counts once for each status that its events have. None if very many events would have to be read for that."""
    is_apart = _has_series(session) and _has_single_events_apart(query)
    counts = Counter(event_lists.counts_by_status(session, replace(query, single=is_apart), statuses))
    total = counts.total()
    if is_apart:
        of_status = _series_by_status(session, query)
        counts.update({status: len(found) for status, found in of_status.items()})
        return Counts(total + len(set[int]().union(*of_status.values())), counts)
    if _has_series(session):
        if total > NEAR:
            return None
        fewer = _fewer(session, query)
        counts.subtract(fewer.by_status)
        total -= fewer.all
    return Counts(total, counts)


class Date(NamedTuple):
    """An event of a series."""

    id: int
    end_utc: str


def dates_of(session: Session, query: EventQuery, series: Collection[int]) -> dict[int, list[Date]]:
    """The events of a list that belong to these series, by series and start."""
    if query.search is not None and sum(count_live(session, series).values()) <= FEW:
        conditions = without_word_index(session, query, query.search)
    else:
        conditions = event_conditions(session, query)
    conditions.add(f"e.series {session.dialect.in_ids}", Ids(series))
    hint = session.dialect.index_hint(INDEX)
    rows = session.all(
        f"SELECT e.series, e.id, e.end_utc FROM event e{hint} WHERE e.series IS NOT NULL AND {conditions.where}"
        " ORDER BY e.series, e.start_local, e.id",
        conditions.parameters,
    )
    found: dict[int, list[Date]] = {id: [] for id in series}
    for member, *date in rows:
        found[member].append(Date(*date))
    return found


def _has_series(session: Session) -> bool:
    return session.value("SELECT id FROM series LIMIT 1") is not None


def _has_single_events_apart(query: EventQuery) -> bool:
    """Whether the single events of a list, and whether a series has an event in it, are found by an index."""
    return (
        query.visibility.everything and query.has_published and query.is_plain_but_statuses and not query.linked
    ) and query.trashed_since is None


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


def _page_far_down(session: Session, query: EventQuery, limit: int, offset: int) -> EventPage:
    """At most all series stand before the page, so so many single events before it are read too, and no more."""
    dates = _first_dates(session, query)
    skipped = max(0, offset - len(dates))
    single = event_lists.find_page(session, replace(query, single=True), offset - skipped + limit, skipped)
    starts: list[tuple[str, int]] = session.all(
        f"SELECT e.start_local, e.id FROM event e WHERE e.id {session.dialect.in_ids}", [Ids(single.ids)]
    )
    rows = [id for _, id in sorted([*dates, *starts], reverse=query.descending)]
    return EventPage(single.total + len(dates), rows[offset - skipped :][:limit])


def _first_dates(session: Session, query: EventQuery) -> list[tuple[str, int]]:
    """The start and the id of the first event of each series in a list by start."""
    conditions = event_conditions(session, query)
    # As one text: a row of the index is looked up once.
    found = session.column(
        "SELECT (SELECT e.start_local || ' ' || e.id"
        f" FROM event e{session.dialect.index_hint(INDEX)} WHERE e.series = s.id"
        f" AND e.series IS NOT NULL AND {conditions.where}"
        f" ORDER BY e.start_local {query.direction}, e.id {query.direction} LIMIT 1) FROM series s",
        conditions.parameters,
    )
    places = (place.rpartition(" ") for place in found if place is not None)
    return [(start, int(id)) for start, _, id in places]


def _series_by_status(session: Session, query: EventQuery) -> dict[str, set[int]]:
    """The series that have events of each status in a list."""
    found = defaultdict[str, set[int]](set)
    conditions = listed_conditions(query)
    # Along the end of the series where such an event is probably met first.
    direction = "ASC" if query.window.end_from is None else "DESC"
    found["publish"].update(
        session.column(
            f"SELECT s.id FROM series s WHERE (SELECT e.id FROM event e{session.dialect.index_hint(INDEX)}"
            f" WHERE e.series = s.id AND e.series IS NOT NULL AND {conditions.where}"
            f" ORDER BY e.start_local {direction}, e.id {direction} LIMIT 1) IS NOT NULL",
            conditions.parameters,
        )
    )
    conditions = unlisted_conditions(session, query)
    for member, status in session.all(
        f"SELECT DISTINCT e.series, e.status FROM event e{unlisted_hint(session, query)}"
        f" WHERE e.series IS NOT NULL AND {conditions.where}",
        conditions.parameters,
    ):
        found[status].add(member)
    return found


def _total(session: Session, query: EventQuery) -> int:
    if _has_single_events_apart(query):
        series = set[int]().union(*_series_by_status(session, query).values())
        return event_lists.find_page(session, replace(query, single=True), 1, 0).total + len(series)
    return event_lists.find_page(session, query, 1, 0).total - _fewer(session, query).all


def _fewer(session: Session, query: EventQuery) -> Counts:
    """By how much a list is shorter if each series is one row; its events of series are counted."""
    if query.has_published:
        conditions, hint = event_conditions(session, query), ""
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
