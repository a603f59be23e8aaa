"""Plans for lists in which each series is one row. For everybody such a list collapses series: of each it has the
earliest event. For those who edit, a series stands where the first of its events does, and counts once.

Other than in a list that collapses series, that event need not be the earliest: in a list that begins with the latest
it is the latest. So a page is read like any other, and not the whole list. Far from the beginning, it is made of the
single events there and of the first events of all series.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from kalends.store.engine.store import Ids, Session
from kalends.store.query import totals
from kalends.store.query.filters import (
    conditions,
    listed_conditions,
    unlisted_conditions,
    unlisted_hint,
    without_word_index,
)
from kalends.store.query.list_query import ORDER_COLUMNS, ListQuery
from kalends.store.query.plain_plans import FoundPage
from kalends.store.query.search_plans import FEW
from kalends.store.rows.series import count_live

FindPage = Callable[[Session, ListQuery, int, int], FoundPage]  # of a list in which each event is a row

AHEAD = 4  # times as many events are read as rows are wanted, then so many times more
NEAR = 2000  # events that are read from the beginning, where a page can be found otherwise
INDEX = "event_series_rows"


def collapsed(session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage:
    """Of each series the earliest event, with the number of them in the list. Events of a series that the reader may
    not know of are single events to the reader."""
    found = conditions(session, query)
    readable, parameters = query.visibility.where_readable("s")
    key, way = f"e.{ORDER_COLUMNS[query.order]}", query.direction
    # Single events need no ranking, so an index can give the first of them. A search would be made several times.
    is_apart = query.search is None
    single = f"FROM event e WHERE {found.where} AND e.series IS NULL" if is_apart else "FROM event e WHERE 1 = 0"
    in_series = "e.series IS NOT NULL" if is_apart else "1 = 1"
    own = found.parameters if is_apart else []
    most = query.most_counted(limit, offset)
    counted = f"SELECT 1 {single}" if most is None else f"SELECT 1 {single} LIMIT {most}"
    # A series and an event never have the same number.
    rows = session.all(
        f"WITH hit (id, sort_key, start_local, member) AS MATERIALIZED ("
        f"SELECT e.id, {key}, e.start_local, coalesce(s.id, e.id)"
        f" FROM event e LEFT JOIN series s ON s.id = e.series AND {readable} WHERE {found.where} AND {in_series}),"
        " ranked (id, sort_key, place, n) AS (SELECT id, sort_key,"
        " row_number() OVER (PARTITION BY member ORDER BY start_local, id),"
        " count(*) OVER (PARTITION BY member) FROM hit),"
        f" single (id, sort_key) AS (SELECT e.id, {key} {single} ORDER BY {key} {way}, e.id {way} LIMIT ?),"
        " counted (total) AS (SELECT (SELECT count(DISTINCT member) FROM hit)"
        f" + (SELECT count(*) FROM ({counted}) AS single_rows))"
        " SELECT total, page.id, page.n FROM counted LEFT JOIN (SELECT id, sort_key, n FROM ("
        "SELECT id, sort_key, 1 AS n FROM single"
        " UNION ALL SELECT id, sort_key, n FROM ranked WHERE place = 1) AS each_row"
        f" ORDER BY sort_key {way}, id {way} LIMIT ? OFFSET ?) AS page ON TRUE"
        f" ORDER BY page.sort_key {way}, page.id {way}",
        [*parameters, *found.parameters, *own, offset + limit, *own, limit, offset],
    )
    page = [(id, count) for _, id, count in rows if id is not None]
    total, is_exact = rows[0][0], most is None or rows[0][0] < most
    return FoundPage(total, [id for id, _ in page], occurrences=[count for _, count in page], is_exact=is_exact)


class ListCounts(NamedTuple):
    """How many rows a list has, and how many with each status."""

    all: int
    by_status: dict[str, int]


def each_once(find_page: FindPage, session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage:
    """The rows of a list from `offset` on, at most `limit`, each by its event. Where the total need not be exact, it
    is, of a list with more events than are to be counted, that of the rows that were read, of which there is one more
    than the page has if another page follows."""
    query = replace(query, series_once=False)
    if not _has_series(session):
        return find_page(session, query, limit, offset)
    wanted = offset + limit + 1
    size = AHEAD * wanted
    while size <= NEAR or not (query.order == "start_date" and _has_single_events_apart(query)):
        page = find_page(session, replace(query, count_to=query.count_to or 0), size, 0)
        rows = _first_of_each(session, query, page.ids)
        if len(page.ids) < size:
            return FoundPage(len(rows), rows[offset : offset + limit])
        if len(rows) < wanted:
            size *= AHEAD
        elif query.count_to is None:
            return FoundPage(_total(find_page, session, query), rows[offset : offset + limit])
        elif page.is_exact and page.total <= query.count_to:
            size = page.total + 1
        else:
            return FoundPage(len(rows), rows[offset : offset + limit], is_exact=False)
    return _page_far_down(find_page, session, query, limit, offset)


def counts_by_status(session: Session, query: ListQuery, statuses: Sequence[str]) -> ListCounts | None:
    """How many rows the list has, and how many with each of these statuses, of which there must be one. A series
    counts once for each status that its events have. None if very many events would have to be read for that."""
    is_apart = _has_series(session) and _has_single_events_apart(query)
    counts = Counter(totals.counts_by_status(session, replace(query, single=is_apart), statuses))
    total = counts.total()
    if is_apart:
        of_status = _series_by_status(session, query)
        counts.update({status: len(found) for status, found in of_status.items()})
        return ListCounts(total + len(set[int]().union(*of_status.values())), counts)
    if _has_series(session):
        if total > NEAR:
            return None
        fewer = _fewer(session, query)
        counts.subtract(fewer.by_status)
        total -= fewer.all
    return ListCounts(total, counts)


class DateOfSeries(NamedTuple):
    """An event of a series."""

    id: int
    end_utc: str


def dates_of(session: Session, query: ListQuery, series: Collection[int]) -> dict[int, list[DateOfSeries]]:
    """The events of a list that belong to these series, by series and start."""
    if query.search is not None and sum(count_live(session, series).values()) <= FEW:
        found = without_word_index(session, query, query.search)
    else:
        found = conditions(session, query)
    found.add(f"e.series {session.dialect.in_ids}", Ids(series))
    hint = session.dialect.index_hint(INDEX)
    rows = session.all(
        f"SELECT e.series, e.id, e.end_utc FROM event e{hint} WHERE e.series IS NOT NULL AND {found.where}"
        " ORDER BY e.series, e.start_local, e.id",
        found.parameters,
    )
    dates: dict[int, list[DateOfSeries]] = {id: [] for id in series}
    for member, *date in rows:
        dates[member].append(DateOfSeries(*date))
    return dates


def _has_series(session: Session) -> bool:
    return session.value("SELECT id FROM series LIMIT 1") is not None


def _has_single_events_apart(query: ListQuery) -> bool:
    """Whether the single events of a list, and whether a series has an event in it, are found by an index."""
    return query.visibility.everything and query.has_both_indexes and not query.linked


def _first_of_each(session: Session, query: ListQuery, ids: Sequence[int]) -> list[int]:
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


def _page_far_down(find_page: FindPage, session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage:
    """At most all series stand before the page, so so many single events before it are read too, and no more."""
    dates = _first_dates(session, query)
    skipped = max(0, offset - len(dates))
    single = find_page(session, replace(query, single=True), offset - skipped + limit, skipped)
    starts: list[tuple[str, int]] = session.all(
        f"SELECT e.start_local, e.id FROM event e WHERE e.id {session.dialect.in_ids}", [Ids(single.ids)]
    )
    rows = [id for _, id in sorted([*dates, *starts], reverse=query.descending)]
    return FoundPage(single.total + len(dates), rows[offset - skipped :][:limit])


def _first_dates(session: Session, query: ListQuery) -> list[tuple[str, int]]:
    """The start and the id of the first event of each series in a list by start."""
    within = conditions(session, query)
    # As one text: a row of the index is looked up once.
    found = session.column(
        "SELECT (SELECT e.start_local || ' ' || e.id"
        f" FROM event e{session.dialect.index_hint(INDEX)} WHERE e.series = s.id"
        f" AND e.series IS NOT NULL AND {within.where}"
        f" ORDER BY e.start_local {query.direction}, e.id {query.direction} LIMIT 1) FROM series s",
        within.parameters,
    )
    places = (place.rpartition(" ") for place in found if place is not None)
    return [(start, int(id)) for start, _, id in places]


def _series_by_status(session: Session, query: ListQuery) -> dict[str, set[int]]:
    """The series that have events of each status in a list."""
    found = defaultdict[str, set[int]](set)
    listed = listed_conditions(query)
    # Along the end of the series where such an event is probably met first.
    direction = "ASC" if query.window.end_from is None else "DESC"
    found["publish"].update(
        session.column(
            f"SELECT s.id FROM series s WHERE (SELECT e.id FROM event e{session.dialect.index_hint(INDEX)}"
            f" WHERE e.series = s.id AND e.series IS NOT NULL AND {listed.where}"
            f" ORDER BY e.start_local {direction}, e.id {direction} LIMIT 1) IS NOT NULL",
            listed.parameters,
        )
    )
    unlisted = unlisted_conditions(session, query)
    for member, status in session.all(
        f"SELECT DISTINCT e.series, {query.visibility.status('e')} FROM event e{unlisted_hint(session, query)}"
        f" WHERE e.series IS NOT NULL AND {unlisted.where}",
        unlisted.parameters,
    ):
        found[status].add(member)
    return found


def _total(find_page: FindPage, session: Session, query: ListQuery) -> int:
    if _has_single_events_apart(query):
        series = set[int]().union(*_series_by_status(session, query).values())
        return find_page(session, replace(query, single=True), 1, 0).total + len(series)
    return find_page(session, query, 1, 0).total - _fewer(session, query).all


def _fewer(session: Session, query: ListQuery) -> ListCounts:
    """By how much a list is shorter if each series is one row; its events of series are counted."""
    if query.has_published:
        within, hint = conditions(session, query), ""
    else:
        within, hint = unlisted_conditions(session, query), unlisted_hint(session, query)
    readable, parameters = query.visibility.where_readable("s")
    known = "" if readable == "TRUE" else f" JOIN series s ON s.id = e.series AND {readable}"
    status = query.visibility.status("e")
    rows = session.all(
        f"SELECT e.series, {status}, count(*) FROM event e{hint}{known}"
        f" WHERE e.series IS NOT NULL AND {within.where} GROUP BY e.series, {status}",
        [*parameters, *within.parameters] if known else within.parameters,
    )
    by_status = Counter[str]()
    for _, status, count in rows:
        by_status[status] += count - 1
    return ListCounts(sum(count for _, _, count in rows) - len({member for member, _, _ in rows}), by_status)
