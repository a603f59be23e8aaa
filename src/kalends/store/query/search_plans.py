"""Plans for lists of events with words: by the word index alone, by the first events that have them, or by all."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, filterfalse

from msgspec.structs import replace

from kalends.store.engine.store import Conditions, Ids, Session
from kalends.store.query.filters import conditions, unlisted_conditions, without_word_index
from kalends.store.query.list_query import END_OF_TIME, MARGIN, ORDER_INDEXES, ListQuery, shifted
from kalends.store.query.plain_plans import FoundPage, order_of, started_before
from kalends.store.query.word_filters import opened, search_scope, words_in_text
from kalends.store.rows import search_rows
from kalends.store.search.parsing import Search
from kalends.store.search.word_matches import listed_row_ids
from kalends.values import names, relevance

# The plan for lists of events in which those that match a search best come first. Of very many matches, those that
# a list by date has first are ranked, and the others follow by date: so a common word costs no more than a rare
# one.

MOST_RANKED = 200

FindPage = Callable[[Session, ListQuery, int, int], FoundPage]  # of a list by date


def best_first(find_page: FindPage, session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage:
    """Those that match equally well are in the order of their dates."""
    by_date = replace(query, order="start_date")
    if offset >= MOST_RANKED or query.search is None:
        return find_page(session, by_date, limit, offset)
    first = find_page(session, by_date, max(MOST_RANKED, offset + limit), 0)
    ranks = _ranks(session, query, query.search, first.ids[:MOST_RANKED])
    ids = sorted(first.ids[:MOST_RANKED], key=ranks.__getitem__) + first.ids[MOST_RANKED:]
    page, occurrences = ids[offset : offset + limit], None
    if first.occurrences is not None:
        counts = dict(zip(first.ids, first.occurrences, strict=True))
        occurrences = [counts[id] for id in page]
    return first._replace(ids=page, occurrences=occurrences)


def _ranks(session: Session, query: ListQuery, search: Search, ids: Sequence[int]) -> dict[int, relevance.Rank]:
    """How well each of some events matches, as far as the reader sees it."""
    is_open, parameters = opened(query)
    rows = session.all(
        f"SELECT e.id, t.title, CASE WHEN {is_open} THEN t.body END FROM event e JOIN event_text t ON t.rowid = e.id"
        f" WHERE e.id {session.dialect.in_ids}",
        [*parameters, Ids(ids)],
    )
    named = _names(session, search, [id for id, _, body in rows if body is not None])
    return {
        id: relevance.rank(search.wanted, (title, named[id], body or ""), search.forms) for id, title, body in rows
    }


def _names(session: Session, search: Search, ids: Sequence[int]) -> defaultdict[int, str]:
    """The names that have a word of the search, of what events are linked to."""
    records: defaultdict[str, set[int]] = defaultdict(set)
    for word in search.wanted:
        for kind, targets in search.named.get(word, ()):
            records[kind].update(targets)
    found: defaultdict[int, str] = defaultdict(str)
    for kind, wanted in records.items():
        for event, name in session.all(
            f"SELECT l.event, r.name FROM event_{kind} l JOIN {kind} r ON r.id = l.target"
            f" WHERE l.event {session.dialect.in_ids} AND l.target {session.dialect.in_ids} ORDER BY l.event, r.id",
            [Ids(ids), Ids(wanted)],
        ):
            found[event] += f"{names.searched(name)}\n"
    return found


FEW_MATCHES = 100  # events that are read in less time than it takes to find out which of them the page needs
FIRST_PART = 3  # times the events that are wanted: those of a common word are among them
GROWTH = 4

FEW = 3000  # texts that are read at once
WALKED = (300, 1500)  # events along another order

Part = tuple[str, str]  # starts from and before


def all_matches(session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage:
    """All events that have the words, counted and ordered: the word index is read once for both."""
    matching, (key, _) = conditions(session, query), order_of(query)
    # The index has every column that is needed; the rows themselves are far apart.
    hint = session.dialect.index_hint("event_brief") if query.search and query.search.wanted else ""
    rows = session.all(
        f"WITH hit (id, sort_key) AS MATERIALIZED (SELECT e.id, {key} FROM event e{hint} WHERE {matching.where})"
        " SELECT n, page.id FROM (SELECT count(*) AS n FROM hit) AS counted LEFT JOIN"
        f" (SELECT id, sort_key FROM hit ORDER BY sort_key {query.direction}, id {query.direction}"
        " LIMIT ? OFFSET ?) AS page ON TRUE"
        f" ORDER BY page.sort_key {query.direction}, page.id {query.direction}",
        [*matching.parameters, limit, offset],
    )
    return FoundPage(rows[0][0], [id for _, id in rows if id is not None])


def by_row_ids(session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage | None:
    """A plain search, by the word index alone: row ids tell the day, so of many events only those of the page's days
    are read. None if that index cannot tell."""
    assert query.search is not None
    found = listed_row_ids(session, query.search.forms_of(query.search.wanted), search_scope(session, query))
    if found is None:
        return None
    if len(found) <= FEW_MATCHES:
        within = query.window.conditions("e")
        within.add(f"e.search_row {session.dialect.in_ids}", Ids(found))
        ids = _by_start(session, within, query.direction)
        return FoundPage(len(ids), ids[offset : offset + limit])
    excluded = set(session.column(*query.window.edge_exclusions(session.dialect)))
    listed = search_rows.by_day(filterfalse(excluded.__contains__, found))
    total = len(listed)
    first, end = offset, min(offset + limit, total)
    if first >= end:
        return FoundPage(total, [])
    if query.descending:
        first, end = total - end, total - first
    # Within a day row ids are in no order, so whole days are read.
    day = bisect_left(listed, search_rows.day_of(listed[first]), key=search_rows.day_of)
    days = listed[day : bisect_right(listed, search_rows.day_of(listed[end - 1]), key=search_rows.day_of)]
    within = Conditions()
    within.add(f"e.search_row {session.dialect.in_ids}", Ids(days))
    page = _by_start(session, within)[first - day : end - day]
    return FoundPage(total, page[::-1] if query.descending else page)


def first_matches(session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage | None:
    """The first events that have the words, for lists that need no exact total. They are read in parts, so a word
    that very many events have takes no longer than a rare one. None if reading all matches is quicker."""
    search, most = query.search, query.most_counted(limit, offset)
    assert search is not None
    assert most is not None
    if not query.has_published:
        return _page_of_unlisted(session, query, search, limit, offset)
    first = _first(session, replace(query, order="start_date"), search, most)
    if query.order == "start_date":
        return FoundPage(min(len(first), most), first[offset : offset + limit])
    if len(first) < most or query.order not in ORDER_INDEXES:
        return None
    for size in WALKED:  # every so many events have the word, so the page is probably near
        found = _along_order(session, query, search, size)
        if len(found) >= offset + limit:
            return FoundPage(most, found[offset : offset + limit])
    return None


def _page_of_unlisted(
    session: Session, query: ListQuery, search: Search, limit: int, offset: int
) -> FoundPage | None:
    """Drafts and the like are few, so their texts are read where the word index would find all events first."""
    if session.dialect.has_suffix_index:
        return None
    plain = unlisted_conditions(session, replace(query, search=None))
    ids = session.column(f"SELECT e.id FROM event e WHERE {plain.where} LIMIT {FEW + 1}", plain.parameters)
    if len(ids) > FEW:
        return None
    matching = words_in_text(session, query, search).with_condition(f"e.id {session.dialect.in_ids}", Ids(ids))
    found = session.column(
        f"SELECT e.id FROM event e WHERE {matching.where} ORDER BY {order_of(query)[1]}", matching.parameters
    )
    return FoundPage(len(found), found[offset : offset + limit])


def _along_order(session: Session, query: ListQuery, search: Search, size: int) -> list[int]:
    """Those of the first events in the query's order that have the words."""
    plain = conditions(session, replace(query, search=None))
    matching = words_in_text(session, query, search)
    _, order = order_of(query)
    hint = session.dialect.index_hint(ORDER_INDEXES[query.order])
    return session.column(
        f"SELECT e.id FROM (SELECT e.id AS id FROM event e{hint} WHERE {plain.where} ORDER BY {order}"
        f" LIMIT {size}) AS first {session.dialect.ordered_join} event e ON e.id = first.id"
        f" WHERE {matching.where} ORDER BY {order}",
        [*plain.parameters, *matching.parameters],
    )


def _first(session: Session, query: ListQuery, search: Search, most: int) -> list[int]:
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
        window = replace(query.window, part_from=first, part_before=end)
        within = replace(query, window=window)
        if (first, end) == ("", running):
            found += _running(session, within, search, end)
        elif reads_texts:  # of the first part, which are fewer than what the index would find
            found += _by_start(session, without_word_index(session, within, search), query.direction, index="")
            reads_texts = False
        else:
            found += _by_start(session, conditions(session, within), query.direction)
        if len(found) >= most:
            break
    return found


def _by_start(
    session: Session, wanted: Conditions, direction: str = "ASC", *, index: str = "event_brief"
) -> list[int]:
    """The ids of the events that meet some conditions, of which one is on `search_row`, unless another index is to be
    used or none."""
    hint = session.dialect.index_hint(index) if index else ""
    return session.column(
        f"SELECT e.id FROM event e{hint} WHERE {wanted.where} ORDER BY e.start_local {direction}, e.id {direction}",
        wanted.parameters,
    )


def _running_before(query: ListQuery) -> str | None:
    """A day before which only events start that are under way when the window begins; None if it has no such."""
    if not query.window.begins_with_running_events:
        return None
    return shifted(str(query.window.end_from), -MARGIN)[:10]


def _running(session: Session, query: ListQuery, search: Search, day: str) -> list[int]:
    """They are few and found by their length, so their texts are read and not the index of all events before."""
    ids = started_before(session, replace(query, search=None), day)
    found = without_word_index(session, query, search).with_condition(f"e.id {session.dialect.in_ids}", Ids(ids))
    return _by_start(session, found, query.direction, index="")


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
