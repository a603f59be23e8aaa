"""The plan for lists of events in which those that match a search best come first.

Of very many matches, those that a list by date has first are ranked, and the others follow by date: so a common word
costs no more than a rare one. What is hidden from a reader counts for nothing: a place in the list would tell it.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from kalends.store.engine.store import Ids, Session
from kalends.store.query.list_query import ListQuery
from kalends.store.query.plain_plan import ListPage
from kalends.store.query.word_filters import opened
from kalends.store.search.parsing import Search
from kalends.values import relevance, search_text

MOST_RANKED = 200

FindPage = Callable[[Session, ListQuery, int, int], ListPage]  # of a list by date


def best_first(find_page: FindPage, session: Session, query: ListQuery, limit: int, offset: int) -> ListPage:
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
    return {id: relevance.rank(search.wanted, (title, named[id], body or "")) for id, title, body in rows}


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
            found[event] += f"{search_text.plain(name)}\n"
    return found
