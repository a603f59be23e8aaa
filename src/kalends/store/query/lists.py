"""Lists: which plan finds a page, and when. Begin to read store/query here.

A list is asked for by a `ListQuery` (list_query.py); only filters.py turns its filters into SQL conditions, with
record_filters.py for what can be asked of other records than events alone, and word_filters.py
for words. A plan is one way to find a page, a function of session, query, limit and offset; all find the same.
`plans` chooses:

- venues, organizers, terms, images, and events that no other plan is for: plain_plans.py, `find_page`, the reference:
  a SELECT and `count(*)`;
- each series is one row: series_plans.py, `each_once` for those who edit, `collapsed` for everybody;
- events by how well they match a search: search_plans.py, which ranks the first events of the same list by date;
- events with words: search_plans.py, `by_row_ids` if the word index alone can tell, `first_matches` if the total need
  not be exact, else `all_matches`;
- events that are not published: plain_plans.py, `unlisted`, as there are few;
- events filtered by time and by several of venue, organizer and term, as everybody sees them: plain_plans.py,
  `linked_to_all`;
- events filtered by time and at most one venue, organizer or term: plain_plans.py, by start `running_first` if
  those under way come first, else `listed_and_unlisted`; in another order `along_order`.

Totals are those of totals.py: from the tallies where they know them, else `count(*)`. Words become conditions in
store/search: parsing.py reads them, word_matches.py asks the index of the database.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from kalends.store.engine.store import Session
from kalends.store.query import plain_plans, search_plans, series_plans, totals
from kalends.store.query.filters import conditions
from kalends.store.query.list_query import EVENT, ORDER_INDEXES, RELEVANCE, ListQuery
from kalends.store.query.plain_plans import FoundPage, Statement
from kalends.store.query.totals import DayTotals
from kalends.store.rows import fragments as fragment_rows

LARGEST_OFFSET = 2**50  # no list is so long, and a much larger number is no OFFSET for a database
FAR = 500  # events before a page, from which on it is worth to skip whole days
GIVEN_ORDER = "include"  # that of the ids which `include` names

Plan = Callable[[Session, ListQuery, int, int], FoundPage | None]  # None: another plan is quicker, or the only one


class FragmentOptions(NamedTuple):
    """What a page with fragments needs: the render version to look for, and the totals kept in memory."""

    version: str
    totals: DayTotals


def find_page(
    session: Session, query: ListQuery, limit: int, offset: int, fragments: FragmentOptions | None = None
) -> FoundPage:
    """The records of a list from `offset` on, at most `limit`, as the query's reader sees them. `fragments`: events
    come with theirs."""
    offset = min(offset, LARGEST_OFFSET)
    if fragments is not None and (statement := statement_plan(query)) is not None:
        part, skipped = query, 0
        if offset >= FAR and query.is_plain_public and query.order == "start_date":
            window, skipped = fragments.totals.skip(session, query.window, offset, descending=query.descending)
            part = replace(query, window=window) if skipped else query
        return _with_fragments(session, query, statement(session, part, limit, offset - skipped), fragments)
    page = _first_found(plan(session, query, limit, offset) for plan in plans(query))
    if fragments is None or query.kind != EVENT:
        return page
    return page._replace(fragments=fragment_rows.find_events(session, fragments.version, page.ids))


def _first_found(pages: Iterator[FoundPage | None]) -> FoundPage:
    return next(page for page in pages if page is not None)


def plans(query: ListQuery) -> Iterator[Plan]:
    """The plans for a list, in the order in which they are tried; the last one always finds the page."""
    if query.order == GIVEN_ORDER and query.include is not None:
        yield _as_included
    elif query.kind != EVENT:
        yield plain_plans.find_page
    elif query.series_once:
        yield partial(series_plans.each_once, find_page)
    elif query.order == RELEVANCE:
        yield partial(search_plans.best_first, find_page)
    elif query.collapse:
        yield series_plans.collapsed
    elif query.search is not None:
        if query.is_plain_search:
            yield search_plans.by_row_ids
        if query.count_to is not None and query.include is None and query.search.wanted:
            yield _first_matches
        yield search_plans.all_matches
    else:
        yield _by_index


def statement_plan(query: ListQuery) -> Callable[[Session, ListQuery, int, int], Statement] | None:
    """The plan for the ids of a list of events, where that is one statement."""
    if query.kind != EVENT or query.search is not None or query.collapse or query.series_once:
        return None
    if not query.has_published:
        return plain_plans.unlisted
    if query.order == "start_date" and query.has_both_indexes:
        return None if begins_with_running_events(query) else plain_plans.listed_and_unlisted
    if query.order in ORDER_INDEXES and query.has_both_indexes and not query.linked:
        return plain_plans.along_order
    return plain_plans.linked_to_all if query.is_linked_to_several else plain_plans.statement


def begins_with_running_events(query: ListQuery) -> bool:
    return query.window.begins_with_running_events and not query.descending and not query.linked


def first_ids(session: Session, query: ListQuery, limit: int, offset: int = 0) -> list[int]:
    """Events of a list without words, without counting the others."""
    statement = statement_plan(query)
    if statement is None:
        return plain_plans.running_first(session, query, limit, offset)
    return plain_plans.ids_of(session, statement(session, query, limit, offset))


def next_ids(session: Session, query: ListQuery, after: tuple[str, int] | None, most: int) -> list[int]:
    """The next events of a whole list by start; `after` is the start and id of the last one before them."""
    return session.column(*_next(session, query, after, most, "e.id"))


def next_entries(
    session: Session, query: ListQuery, after: tuple[str, int] | None, most: int, version: str
) -> list[fragment_rows.EntryRow]:
    """The same with what feeds show of each."""
    page = _next(session, query, after, most, "e.id, e.start_local, e.series")
    return fragment_rows.entries_of(session, version, *page)


def _next(session: Session, query: ListQuery, after: tuple[str, int] | None, most: int, columns: str) -> Statement:
    if query.visibility.is_public and query.linked and query.has_both_indexes:
        ids, parameters = plain_plans.next_linked(session, query, after, most)
        joined = f"({ids}) AS found {session.dialect.ordered_join} event e ON e.id = found.id"
        return f"SELECT {columns} FROM {joined} ORDER BY e.start_local, e.id", parameters
    found = conditions(session, query)
    if after is not None:
        found.add("(e.start_local, e.id) > (?, ?)", *after)
    sql = f"SELECT {columns} FROM event e WHERE {found.where} ORDER BY e.start_local, e.id LIMIT ?"
    return sql, [*found.parameters, most]


def _by_index(session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage:
    """The total, and the ids by whichever index has the order."""
    most = query.most_counted(limit, offset)
    total = totals.total(session, query, most)
    ids = [] if offset >= total else first_ids(session, query, limit, offset)
    # Where counting stops, it stops there; another total is that of all.
    return FoundPage(total, ids, is_exact=total != most or query.is_tallied)


def _first_matches(session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage | None:
    page = search_plans.first_matches(session, query, limit, offset)
    is_exact = page is None or page.total != query.most_counted(limit, offset) or query.is_tallied
    return page if page is None or is_exact else page._replace(is_exact=False)


def _as_included(session: Session, query: ListQuery, limit: int, offset: int) -> FoundPage:
    """In the order in which the ids were given."""
    known = set(session.column(*_all_ids(session, query)))
    given = [id for id in dict.fromkeys(query.include or ()) if id in known]
    return FoundPage(len(given), (given[::-1] if query.descending else given)[offset : offset + limit])


def _all_ids(session: Session, query: ListQuery) -> Statement:
    found = conditions(session, query)
    return f"SELECT {query.alias}.id FROM {query.kind} {query.alias} WHERE {found.where}", found.parameters


def _with_fragments(session: Session, query: ListQuery, statement: Statement, options: FragmentOptions) -> FoundPage:
    """Ids and fragments in one query."""
    ids, found = fragment_rows.events_of(session, options.version, *statement, descending=query.descending)
    if ids and query.is_plain_public:
        return FoundPage(options.totals.count(session, found.rev, query.window), ids, found)
    return FoundPage(totals.total(session, query), ids, found)
