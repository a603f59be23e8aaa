"""Totals of lists of events: within a window of time from the tallies, without reading all the events; others by
`count(*)`.

Let S(x) be how many events start before x, E(y) how many end before y, and G(x, y) how many do both. Then a window
[a, b) of starts and [c, d) of ends has G(b,d) - G(a,d) - G(b,c) + G(a,c) events. G itself is S(x) less those that
start before x but end at y or later. Those span the time between, so they are long or near it, and the index of
`span` finds them directly.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import accumulate

from msgspec.structs import replace

from kalends.store.engine.store import Dialect, Session
from kalends.store.query import plain_plans
from kalends.store.query.filters import conditions, unlisted_conditions, unlisted_hint
from kalends.store.query.list_query import END_OF_TIME, MARGIN, MIDNIGHT, ListQuery, Window, shifted, spans_to
from kalends.store.rows import tables
from kalends.store.rows.tallies import DATES, END, EVERYTHING, SINGLE, START, Scope

# The number of starts or ends on each day that has any, in order.
_EACH_DAY = "SELECT day, n FROM tally WHERE scope = ? AND id = ? AND edge = ? AND unit = 10 AND n <> 0 ORDER BY day"


def total(session: Session, query: ListQuery, most: int | None = None) -> int:
    """How many events a list has. `most`: what neither a tally nor the index of unlisted events counts is counted up
    to here."""
    if query.is_linked_to_several:
        return plain_plans.count_linked_to_all(session, query)
    if not query.is_tallied:
        return plain_plans.count(session, query, conditions(session, query), most=most)
    listed = count(session, query.scope, query.window) if query.has_published else 0
    if query.visibility.is_public:
        return listed
    others = unlisted_conditions(session, query)
    return listed + plain_plans.count(session, query, others, unlisted_hint(session, query))


def counts_by_status(session: Session, query: ListQuery, statuses: Sequence[str]) -> dict[str, int]:
    """The number of the query's events of each of these statuses, of which there must be one."""
    if query.has_published and query.is_tallied:
        found, hint = unlisted_conditions(session, query), unlisted_hint(session, query)
        counts = Counter({"publish": count(session, query.scope, query.window)})
    else:
        found, hint = conditions(session, query), ""
        counts = Counter()
    sums = ", ".join(f"count(*) FILTER (WHERE {query.visibility.status('e')} = ?)" for _ in statuses)
    sql = f"SELECT {sums} FROM event e{hint} WHERE {found.where}"
    (row,) = session.all(sql, [*statuses, *found.parameters])
    counts.update(dict(zip(statuses, row, strict=True)))
    return dict(counts)


def count(session: Session, scope: Scope, window: Window) -> int:
    """The number of listed events of a scope within a window, by one query."""
    if scope == SINGLE:
        return count(session, EVERYTHING, window) - count(session, DATES, window)
    return 0 if window.is_empty else int(session.value(*_count_query(session.dialect, scope, window)))


@lru_cache(256)
def _count_query(dialect: Dialect, scope: Scope, window: Window) -> tuple[str, tuple[object, ...]]:
    query = _CountQuery(dialect, scope, window.utc)
    query.both(window.start_before, window.end_before)
    if window.start_from is not None:
        query.both(window.start_from, window.end_before, sign="-")
    if window.end_from is not None:
        query.both(window.start_before, window.end_from, sign="-")
        if window.start_from is not None:
            query.both(window.start_from, window.end_from)
    return f"SELECT {' '.join(query.sql)}", tuple(query.parameters)


class DayTotals:
    """The numbers of listed events that start and end before each day, in memory, for one revision of the store."""

    LOAD_AFTER = 10  # windows counted by the database at one revision; from then on loading all days is cheaper
    LOAD_FROM = 5_000  # events to walk over

    def __init__(self) -> None:
        self._counted = (-1, 0)  # a revision, and the windows that were counted at it
        self._days: _Days | None = None

    def count(self, session: Session, rev: int, window: Window) -> int:
        """The number of listed events within a window; `rev` is the last change that the session sees."""
        if window.is_whole_days:
            days = self._days
            if (days is None or days.rev != rev) and self._is_worth_loading(rev):
                days = self._days = _Days.load(session, rev)
            if days is not None and days.rev == rev and (total := days.count(window)) is not None:
                return total
        return count(session, EVERYTHING, window)

    def skip(self, session: Session, window: Window, offset: int, *, descending: bool) -> tuple[Window, int]:
        """The part of a window behind whole days at its beginning that have at most `offset` events, and how many
        those are: the index finds a day at once, but would walk over every event before a page."""
        if not window.is_whole_days:
            return window, 0
        days, rev = self._days, tables.last_number(session, "rev")
        if days is None or days.rev != rev:
            if offset < self.LOAD_FROM and not self._is_worth_loading(rev):
                return window, 0
            days = self._days = _Days.load(session, rev)
        return days.skip(window, offset, descending=descending)

    def _is_worth_loading(self, rev: int) -> bool:
        known_rev, windows = self._counted
        self._counted = rev, (windows + 1 if known_rev == rev else 1)
        return self._counted[1] > self.LOAD_AFTER


@dataclass(frozen=True, slots=True)
class _Days:
    """For each edge the days that have any, and the number of events before each of them and after the last."""

    rev: int
    starts: tuple[list[str], list[int]]
    ends: tuple[list[str], list[int]]
    longest: int  # the span of the longest event

    @classmethod
    def load(cls, session: Session, rev: int) -> "_Days":
        starts, ends = (_cumulative(session.all(_EACH_DAY, (*EVERYTHING, edge))) for edge in (START, END))
        longest = session.value("SELECT coalesce(max(span), 0) FROM event WHERE visibility_level > 0")
        return cls(rev, starts, ends, int(longest))

    def count(self, window: Window) -> int | None:
        """None when an event may span the window: only the database can count those."""
        low, high = str(window.start_from)[:10], str(window.end_before)[:10]
        if (date.fromisoformat(high) - date.fromisoformat(low)).days < 2**self.longest:
            return None
        return self._ended_before(high) - self._started_before(low)

    def skip(self, window: Window, offset: int, *, descending: bool) -> tuple[Window, int]:
        low, high = str(window.start_from)[:10], str(window.end_before)[:10]
        days, started = self.starts
        # What starts before this day ends within the window, so that of these days all events are in the list.
        safe = bisect_right(days, shifted(high + MIDNIGHT, -timedelta(days=2**self.longest))[:10]) - 1
        if descending:
            last = self._ended_before(high)
            place = bisect_left(started, last - offset)
            if place > safe or days[place] <= low:
                return window, 0
            return replace(window, part_from=low, part_before=days[place]), last - started[place]
        first = self._started_before(low)
        place = min(bisect_right(started, first + offset) - 1, safe)
        if place < 0 or days[place] <= low:
            return window, 0
        return replace(window, part_from=days[place], part_before=END_OF_TIME), started[place] - first

    def _started_before(self, day: str) -> int:
        return self.starts[1][bisect_left(self.starts[0], day)]

    def _ended_before(self, day: str) -> int:
        return self.ends[1][bisect_left(self.ends[0], day)]


def _cumulative(days: Sequence[tuple[str, int]]) -> tuple[list[str], list[int]]:
    return [day for day, _ in days], [0, *accumulate(n for _, n in days)]


class _CountQuery:
    """An SQL sum under construction: each method adds or subtracts a term."""

    def __init__(self, dialect: Dialect, scope: Scope, utc: bool) -> None:
        self.dialect = dialect
        self.sql: list[str] = []
        self.parameters: list[object] = []
        self.scope = scope
        self.is_linked = scope not in (EVERYTHING, DATES)
        self.listed = "visibility_level > 0 AND series IS NOT NULL" if scope == DATES else "visibility_level > 0"
        self.clock = "utc" if utc else "local"
        self.margin = MARGIN if utc else timedelta(0)

    def both(self, x: str | None, y: str | None, sign: str = "+") -> None:
        """G: events that start before x and end before y; None is the end of time."""
        other = "-" if sign == "+" else "+"
        if x is None and y is None:
            sql, (kind, edge) = total_for_each(self.scope[0], "?")
            self._add(sign, sql, [kind, self.scope[1], edge])
        elif x is None or (y is not None and x > y):
            self.before(END, str(y), sign)
            if x is not None:
                self.backwards(x, str(y), other)
        else:
            self.before(START, x, sign)
            if y is not None:
                self.spanning(x, y, other)

    def before(self, edge: str, moment: str, sign: str) -> None:
        """S and E: whole days from the tallies, the rest of the last day from the index."""
        column = "start" if edge == START else "end"
        day = shifted(moment, -self.margin)[:10]
        self._add(sign, *_before("?", self.scope[0], edge, day, [self.scope[1]]))
        if self.clock != "local" or moment != day + MIDNIGHT:
            self._count(
                sign,
                f"{column}_local >= ? AND {column}_local < ? AND {column}_{self.clock} < ?",
                day,
                shifted(moment, self.margin),
                moment,
            )

    def spanning(self, x: str, y: str, sign: str) -> None:
        """Events that start before x and end at y or later, where x is not after y."""
        latest = shifted(x, self.margin)
        buckets, values = spans_to(shifted(y, -self.margin)[:10], latest)
        # MATERIALIZED: the few events around are found first. Beginning with the links might read very many rows.
        around = (
            f"WITH bucket (span, lowest) AS (VALUES {buckets}), around (id, visibility_level) AS MATERIALIZED ("
            f"SELECT event.id, visibility_level FROM bucket {self.dialect.ordered_join} event"
            " ON event.span = bucket.span AND start_local >= bucket.lowest AND start_local < ?"
            f" WHERE {self.listed} AND start_{self.clock} < ? AND end_{self.clock} >= ?)"
            " SELECT count(*) FROM around"
        )
        parameters: list[object] = [*values, latest, x, y]
        if self.is_linked:
            kind, target = self.scope
            link = f"SELECT 1 FROM event_{kind} l WHERE l.target = ? AND l.event = around.id"
            around += f" WHERE visibility_level = 2 AND EXISTS ({link})"
            parameters.append(target)
        self._add(sign, f"({around})", parameters)

    def backwards(self, x: str, y: str, sign: str) -> None:
        """Events that start at x or later but end before y, an earlier time: only where a clock goes back."""
        self._count(
            sign,
            f"start_local >= ? AND start_local < ? AND start_{self.clock} >= ? AND end_{self.clock} < ?",
            shifted(x, -self.margin),
            shifted(y, self.margin + MARGIN),
            x,
            y,
        )

    def _count(self, sign: str, condition: str, *parameters: object) -> None:
        source, target = f"event WHERE {self.listed}", list[object]()
        if self.is_linked:
            source, target = f"event_{self.scope[0]} WHERE target = ? AND visibility_level = 2", [self.scope[1]]
        self._add(sign, f"(SELECT count(*) FROM {source} AND {condition})", [*target, *parameters])

    def _add(self, sign: str, sql: str, parameters: Sequence[object]) -> None:
        self.sql.append(f"{sign} ({sql})")
        self.parameters += parameters


# Sums of tallies: expressions for a larger query, and their parameters.


def before_for_each(kind: str, target: str, edge: str, day: str) -> tuple[str, list[object]]:
    """The number of starts or ends before a day, of the record of each row of a query; `target` is its id there."""
    return _before(target, kind, edge, day, [])


def total_for_each(kind: str, target: str) -> tuple[str, list[object]]:
    """The number of all events of the record of each row; `target` is its id there."""
    sql = "(SELECT coalesce(sum(n), 0) FROM tally WHERE scope = ? AND id = {} AND edge = ? AND unit = 0)"
    return sql.format(target), [kind, START]


def _before(id: str, scope: str, edge: str, day: str, ids: list[object]) -> tuple[str, list[object]]:
    """Whole years, then months, then days."""
    parts, parameters = [], list[object]()
    for shorter, unit in ((0, 4), (4, 7), (7, 10)):
        parts.append(
            "(SELECT coalesce(sum(n), 0) FROM tally"
            f" WHERE scope = ? AND id = {id} AND edge = ? AND unit = {unit} AND day >= ? AND day < ?)"
        )
        parameters += (scope, *ids, edge, day[:shorter], day[:unit])
    return " + ".join(parts), parameters
