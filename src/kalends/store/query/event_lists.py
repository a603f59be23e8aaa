"""Lists of events: a question as data, its conditions, its total and one page of ids."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from kalends.store.engine.store import Dialect, Ids, SearchScope, Session
from kalends.store.query import window
from kalends.store.query.conditions import Conditions
from kalends.store.query.tallies import EVERYTHING, Scope
from kalends.store.query.visibility import Visibility
from kalends.store.query.window import DayTotals, Window
from kalends.store.rows import fragments
from kalends.store.rows.fragments import Found
from kalends.store.search import parsing, row_ids
from kalends.store.search.parsing import Search

ORDER_COLUMNS = {
    "start_date": "start_local",
    "date": "date_utc",
    "modified": "modified_utc",
    "title": "sort_name",
    "id": "id",
}
LARGEST_OFFSET = 2**62  # no database counts further
FEW = 100  # that are looked at in less time than it takes to find out which ones need not be


# Was in everybody's lists before it went to the trash: that it is gone is no secret, and all that is told of it. What
# was changed in the trash nobody has seen, so the event's last change must be one that a stranger could notice.
PUBLIC_BEFORE_TRASH = (
    "e.visibility_level = 0 AND e.status = 'trash' AND e.trashed_from = 'publish' AND e.hide_from_listings = 0"
    " AND EXISTS (SELECT 1 FROM journal j WHERE j.rev = e.rev AND j.public = 1)"
)


@dataclass(frozen=True, slots=True)
class EventQuery:
    """Which events are asked for. What is None or empty does not matter."""

    visibility: Visibility
    window: Window = field(default_factory=Window)
    statuses: Sequence[str] | None = None
    search: Search | None = None
    linked: dict[str, Sequence[int]] = field(default_factory=dict)
    featured: bool | None = None
    ticketed: bool | None = None
    geoloc: bool | None = None
    near: Sequence[int] | None = None  # the venues within the radius
    include: Sequence[int] | None = None
    exclude: Sequence[int] = ()
    parent: int | None = None
    show_hidden: bool = False
    modified_after: str | None = None
    order: str = "start_date"
    descending: bool = False
    trashed_since: str | None = None  # instead, what was in the list and went to the trash since then

    @property
    def is_plain(self) -> bool:
        """Only the window of time, and at most one venue, organizer, category or tag, decide."""
        return self.search is None and self._is_plain_beside_words

    @property
    def is_plain_search(self) -> bool:
        """Only words that must occur and times of starts decide, for everybody and in order of the starts."""
        return (
            self.search is not None
            and not self.search.unwanted
            and self.window.end_from is None
            and self.visibility.is_public
            and self.trashed_since is None
            and self.order == "start_date"
            and not self.linked
            and self._is_plain_beside_words
        )

    @property
    def _is_plain_beside_words(self) -> bool:
        return (
            self.statuses in (None, ["publish"])
            and self.featured is None
            and self.ticketed is None
            and self.geoloc is None
            and self.near is None
            and self.include is None
            and not self.exclude
            and self.parent is None
            and self.modified_after is None
            and len(self.linked) <= 1
            and all(len(ids) == 1 for ids in self.linked.values())
        )

    @property
    def scope(self) -> Scope:
        """The scope of the tallies that a plain question has."""
        for kind, ids in self.linked.items():
            return kind, ids[0]
        return EVERYTHING

    @property
    def asks_for_hidden_fields(self) -> bool:
        """A masked event matches no filter on what it hides: the answer would tell."""
        return bool(self.linked) or any(
            value is not None for value in (self.featured, self.ticketed, self.geoloc, self.near)
        )


def total(session: Session, query: EventQuery) -> int:
    """How many events there are for this reader."""
    if not (query.is_plain and query.window.can_be_counted(query.scope)):
        found = conditions(session, query)
        return int(session.value(f"SELECT count(*) FROM event e WHERE {found.where}", found.parameters))
    listed = window.count(session, query.scope, query.window)
    if query.visibility.is_public:
        return listed
    # The others are few, and are counted one by one.
    others, source = conditions(session, query), "event e"
    if query.scope == EVERYTHING:
        others.add("e.visibility_level = 0")
        source += session.dialect.index_hint("event_unlisted")
    else:
        others.add("e.visibility_level < 2")
    return listed + int(session.value(f"SELECT count(*) FROM {source} WHERE {others.where}", others.parameters))


def page(session: Session, query: EventQuery, limit: int, offset: int) -> list[int]:
    """The ids of one page, in order."""
    is_open_ended = query.window.end_from is not None and query.window.start_from is None
    is_in_order = query.order == "start_date" and not query.descending
    if is_open_ended and is_in_order and query.is_plain and query.visibility.is_public and not query.linked:
        return _page_from_end(session, query, limit, offset)
    return [id for _, id in session.all(*page_statement(session, query, limit, offset))]


def page_statement(session: Session, query: EventQuery, limit: int, offset: int) -> tuple[str, list[object]]:
    """A statement for the sort key and the id of each event of a page, in order."""
    if query.is_plain and query.visibility.is_public and query.order == "start_date" and query.linked:
        return _page_of_scope(session, query, limit, offset)
    found = conditions(session, query)
    direction = "DESC" if query.descending else "ASC"
    column = ORDER_COLUMNS[query.order]
    order = f"e.{column} {direction}, e.id {direction}" if column != "id" else f"e.id {direction}"
    return (
        f"SELECT e.{column} AS place, e.id AS id FROM event e WHERE {found.where} ORDER BY {order} LIMIT ? OFFSET ?",
        [*found.parameters, limit, offset],
    )


def total_and_fragments(
    session: Session, query: EventQuery, version: str, totals: DayTotals, limit: int, offset: int
) -> tuple[int, list[int], Found]:
    """How many events there are, the ids of one page, and its prerendered fragments."""
    if query.search is not None or (query.window.end_from is not None and query.window.start_from is None):
        count, ids = total_and_page(session, query, limit, offset)
        return count, ids, fragments.find_events(session, version, ids)
    if offset > LARGEST_OFFSET:
        return total(session, query), [], fragments.NOTHING_FOUND
    statement = page_statement(session, query, limit, offset)
    ids, found = fragments.events_of(session, version, *statement, descending=query.descending)
    if ids and query.visibility.is_public and query.is_plain and not query.linked:
        return totals.count(session, found.rev, query.window), ids, found
    return total(session, query), ids, found


def total_and_page(session: Session, query: EventQuery, limit: int, offset: int) -> tuple[int, list[int]]:
    """Both at once. A search is the dear part of its question, so it is done once and not twice."""
    if query.search is not None:
        return _searched(session, query, limit, offset)
    count = total(session, query)
    return count, page(session, query, limit, offset) if offset < count else []


def _searched(session: Session, query: EventQuery, limit: int, offset: int) -> tuple[int, list[int]]:
    """What was found is kept for the length of the query, to be counted and to take the page from."""
    if query.search is not None and query.is_plain_search:
        listed = session.listed_row_ids(query.search.wanted, _search_scope(session, query))
        if listed is not None:
            return _of_row_ids(session, query, listed, limit, offset)
    found = conditions(session, query)
    direction = "DESC" if query.descending else "ASC"
    # What the words lead to is looked at in an index: the events themselves lie far apart.
    hint = session.dialect.index_hint("event_brief") if query.search and query.search.wanted else ""
    rows = session.all(
        f"WITH hit (id, place) AS MATERIALIZED (SELECT e.id, e.{ORDER_COLUMNS[query.order]} FROM event e{hint}"
        f" WHERE {found.where})"
        " SELECT n, page.id FROM (SELECT count(*) AS n FROM hit) AS counted LEFT JOIN"
        f" (SELECT id, place FROM hit ORDER BY place {direction}, id {direction} LIMIT ? OFFSET ?) AS page ON TRUE"
        f" ORDER BY page.place {direction}, page.id {direction}",
        [*found.parameters, limit, offset],
    )
    return rows[0][0], [id for _, id in rows if id is not None]


def _of_row_ids(
    session: Session, query: EventQuery, found: Sequence[int], limit: int, offset: int
) -> tuple[int, list[int]]:
    """The index of words knows the days, so of many events only those of the page's days are looked at."""
    if len(found) <= FEW:
        inside = query.window.conditions("e")
        inside.add(f"e.search_row {session.dialect.in_ids}", Ids(found))
        ids = _by_start(session, inside, query.descending)
        return len(ids), ids[offset : offset + limit]
    edge_exclusions = set(session.column(*query.window.edge_exclusions(session.dialect)))
    listed = row_ids.by_day(row_id for row_id in found if row_id not in edge_exclusions)
    count = len(listed)
    first, end = offset, min(offset + limit, count)
    if first >= end:
        return count, []
    if query.descending:
        first, end = count - end, count - first
    # Within a day the slots are in no order.
    day = bisect_left(listed, row_ids.day_of(listed[first]), key=row_ids.day_of)
    days = listed[day : bisect_right(listed, row_ids.day_of(listed[end - 1]), key=row_ids.day_of)]
    within = Conditions()
    within.add(f"e.search_row {session.dialect.in_ids}", Ids(days))
    page = _by_start(session, within)[first - day : end - day]
    return count, page[::-1] if query.descending else page


def _by_start(session: Session, found: Conditions, descending: bool = False) -> list[int]:
    direction = "DESC" if descending else "ASC"
    return session.column(
        f"SELECT e.id FROM event e{session.dialect.index_hint('event_brief')} WHERE {found.where}"
        f" ORDER BY e.start_local {direction}, e.id {direction}",
        found.parameters,
    )


def _page_from_end(session: Session, query: EventQuery, limit: int, offset: int) -> list[int]:
    """What has not ended by a time: first the events around it, which their length leads to, then the later ones.
    A walk along the starts would begin with all that is long over."""
    found = conditions(session, query)
    split = str(query.window.end_from)
    buckets, values = query.window.spans()
    around = session.column(
        f"WITH bucket (span, lowest) AS (VALUES {buckets}) SELECT e.id FROM bucket"
        f" {session.dialect.ordered_join} event e ON e.span = bucket.span"
        " AND e.start_local >= bucket.lowest AND e.start_local < ?"
        f" WHERE {found.where} ORDER BY e.start_local, e.id",
        [*values, split, *found.parameters],
    )
    ids = around[offset : offset + limit]
    if len(ids) == limit:
        return ids
    found.add("e.start_local >= ?", split)
    return ids + session.column(
        f"SELECT e.id FROM event e WHERE {found.where} ORDER BY e.start_local, e.id LIMIT ? OFFSET ?",
        [*found.parameters, limit - len(ids), max(0, offset - len(around))],
    )


def _page_of_scope(session: Session, query: EventQuery, limit: int, offset: int) -> tuple[str, list[object]]:
    """The events at one venue, of one organizer or with one term: a walk along the links' own index."""
    kind, target = query.scope
    direction = "DESC" if query.descending else "ASC"
    if query.window.utc:
        source = f"event_{kind} l {session.dialect.ordered_join} event e ON e.id = l.event"
        found = query.window.conditions("e")
    else:
        source, found = f"event_{kind} l", query.window.conditions("l")
    return (
        f"SELECT l.start_local AS place, l.event AS id FROM {source}"
        f" WHERE l.target = ? AND l.visibility_level = 2 AND {found.where}"
        f" ORDER BY l.start_local {direction}, l.event {direction} LIMIT ? OFFSET ?",
        [target, *found.parameters, limit, offset],
    )


def next_ids(session: Session, query: EventQuery, after: tuple[str, int] | None, most: int) -> list[int]:
    """The next ids of a walk through a whole list, by start."""
    found = conditions(session, query)
    if after is not None:
        found.add("(e.start_local, e.id) > (?, ?)", *after)
    return session.column(
        f"SELECT e.id FROM event e WHERE {found.where} ORDER BY e.start_local, e.id LIMIT ?",
        [*found.parameters, most],
    )


def recently_trashed_ids(session: Session, query: EventQuery, since: str, most: int) -> list[int]:
    """Events that everybody could find with this question and that went to the trash since a time."""
    return next_ids(session, replace(query, trashed_since=since), None, most)


def is_password_of_some(session: Session, visibility: Visibility, digest: bytes) -> bool:
    """Whether there is an event that this password opens to the reader."""
    sql, parameters = visibility.where_readable("e")
    return bool(session.value(f"SELECT 1 FROM event e WHERE e.password = ? AND {sql} LIMIT 1", (digest, *parameters)))


def conditions(session: Session, query: EventQuery) -> Conditions:
    """Everything that the question asks of an event `e`."""
    found = Conditions()
    visibility = query.visibility
    if query.include is not None:
        found.add(f"e.id {session.dialect.in_ids}", Ids(query.include))
    else:
        found.extend(query.window.conditions("e"))
    if query.trashed_since is not None:
        found.add(PUBLIC_BEFORE_TRASH)
        found.add("e.modified_utc >= ?", query.trashed_since)
    elif _is_listed_for_all(query):
        found.add("e.visibility_level > 0")  # published and not hidden: the index of the window knows it
    else:
        _readable(found, query)
    if query.exclude:
        found.add(f"e.id {session.dialect.not_in_ids}", Ids(query.exclude))
    if query.parent is not None:
        # The second half lets the index of the events that have a parent be used.
        found.add("e.post_parent = ? AND e.post_parent > 0", query.parent)
    if query.modified_after is not None:
        found.add("e.modified_utc > ?", query.modified_after)
    if query.asks_for_hidden_fields:
        sql, parameters = visibility.where_unmasked("e")
        found.add(sql, *parameters)
        _hidden_fields(found, query, session.dialect)
    if query.search is not None:
        _search(session, found, query, query.search)
    return found


def _is_listed_for_all(query: EventQuery) -> bool:
    return query.visibility.is_public and query.include is None and query.trashed_since is None


def _readable(found: Conditions, query: EventQuery) -> None:
    sql, parameters = query.visibility.where_readable("e")
    found.add(sql, *parameters)
    if query.include is None:
        _listed(found, query)
    if query.statuses is None:
        found.add("e.status <> 'trash'")
    else:
        marks = ", ".join("?" for _ in query.statuses)
        found.add(f"e.status IN ({marks})", *query.statuses)


def _listed(found: Conditions, query: EventQuery) -> None:
    if not query.show_hidden:
        found.add("e.hide_from_listings = 0")
        return
    sql, parameters = query.visibility.where_editable("e")
    found.add(f"(e.hide_from_listings = 0 OR {sql})", *parameters)


def _hidden_fields(found: Conditions, query: EventQuery, dialect: Dialect) -> None:
    for kind, ids in query.linked.items():
        _linked(found, query, dialect, kind, ids)
    if query.featured is not None:
        found.add("e.featured = ?", int(query.featured))
    if query.ticketed is not None:
        found.add("e.ticketed = ?", int(query.ticketed))
    if query.near is not None:
        _linked(found, query, dialect, "venue", query.near)
    if query.geoloc is not None:
        sql, parameters = query.visibility.where_readable("v")
        word = "IN" if query.geoloc else "NOT IN"
        found.add(
            f"e.id {word} (SELECT l.event FROM event_venue l JOIN venue v ON v.id = l.target"
            f" WHERE v.geo_lat IS NOT NULL AND {sql})",
            *parameters,
        )


def _linked(found: Conditions, query: EventQuery, dialect: Dialect, kind: str, ids: Sequence[int]) -> None:
    """Linked to any of these. The links know the start and the visibility_level too, so only those of the window are taken."""
    inner = Conditions()
    inner.add(f"l.target {dialect.in_ids}", Ids(ids))
    if query.include is None:
        inner.extend(query.window.start_bounds("l"))
        if query.visibility.is_public and query.trashed_since is None:
            inner.add("l.visibility_level = 2")
    found.add(f"e.id IN (SELECT l.event FROM event_{kind} l WHERE {inner.where})", *inner.parameters)


def _search(session: Session, found: Conditions, query: EventQuery, search: Search) -> None:
    """In all the text of what is open, and only in the title of what is masked."""
    # Where only what everybody may list is asked for, its visibility_level says the same, and the index has it.
    opened = ("e.visibility_level = 2", []) if _is_listed_for_all(query) else query.visibility.where_unmasked("e")
    found.extend(parsing.conditions(session, "event", "e", search, opened, _search_scope(session, query)))


def _search_scope(session: Session, query: EventQuery) -> SearchScope:
    if query.include is not None:
        return SearchScope(partial(Window().years, session))
    return SearchScope(
        partial(query.window.years, session),
        row_ids.between(session, *query.window.starts()),
        _is_listed_for_all(query),
    )
