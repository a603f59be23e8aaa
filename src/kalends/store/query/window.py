"""A window of time: which events start and end within it, and how many, without walking through them all.

The count rests on the tallies. Let S(x) be how many events start before x, E(y) how many end before y, and
G(x, y) how many do both. Then a window [a, b) of starts and [c, d) of ends has G(b,d) - G(a,d) - G(b,c) + G(a,c)
events. G itself is S(x) less those that start before x but end at y or later. Those span the time between, so
they are long or near it, and `span` leads straight to them.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import accumulate

from kalends.store.engine.store import Dialect, Session
from kalends.store.query import tallies
from kalends.store.query.conditions import Conditions
from kalends.store.query.tallies import END, EVERYTHING, START, Scope
from kalends.values import dates

# No zone is further from UTC than this, and no clock goes back by more.
MARGIN = timedelta(days=1)
MIDNIGHT = " 00:00:00"
END_OF_TIME = "9999-12-31 23:59:59+"  # as a text it comes after every time there is
LONGEST_SPAN = 22  # binary digits of the days between the years 1 and 9999


@dataclass(frozen=True, slots=True)
class Window:
    """From (inclusive) and before (exclusive) for starts and ends; None is no bound. `utc`: exact instants,
    otherwise the events' own local calendars."""

    start_from: str | None = None
    start_before: str | None = None
    end_from: str | None = None
    end_before: str | None = None
    utc: bool = False

    def conditions(self, t: str) -> Conditions:
        """What the window asks of an event `t`."""
        found = self.start_bounds(t)
        clock = "utc" if self.utc else "local"
        bounds = [(f"{t}.end_{clock} >= ?", self.end_from), (f"{t}.end_{clock} < ?", self.end_before)]
        if self.utc:
            bounds += [(f"{t}.start_utc >= ?", self.start_from), (f"{t}.start_utc < ?", self.start_before)]
        for sql, value in bounds:
            if value is not None:
                found.add(sql, value)
        return found

    def start_bounds(self, t: str) -> Conditions:
        """What follows for the local start, which every index has: it keeps the walk short."""
        found = Conditions()
        low, high = self.starts()
        if low is not None:
            found.add(f"{t}.start_local >= ?", low)
        if high is not None:
            found.add(f"{t}.start_local < ?", high)
        return found

    def starts(self) -> tuple[str | None, str | None]:
        """From and before which local time the events start."""
        margin = MARGIN if self.utc else timedelta(0)
        latest = [] if self.start_before is None else [shifted(self.start_before, margin)]
        if self.end_before is not None:
            latest.append(shifted(self.end_before, 2 * MARGIN))
        return None if self.start_from is None else shifted(self.start_from, -margin), min(latest, default=None)

    @property
    def is_empty(self) -> bool:
        """The bounds leave nothing between them; differences of counts would come out below zero."""
        starts, ends = (self.start_from, self.start_before), (self.end_from, self.end_before)
        return any(low is not None and high is not None and low >= high for low, high in (starts, ends))

    def years(self, session: Session) -> list[str]:
        """Those in which events start that the window can have."""
        found: list[str] = []
        low, high = self.starts()
        while earliest := session.value(
            "SELECT min(start_local) FROM event WHERE start_local >= ? AND start_local < ?",
            (low or "", high or END_OF_TIME),
        ):
            found.append(earliest[:4])
            low = f"{earliest[:4]}-99"  # after all others of that year
        return found

    def edge_exclusions(self, dialect: Dialect) -> tuple[str, tuple[object, ...]]:
        """A query for the slots of listed events that start on the days of a window without `end_from`, but are not
        in it: some of those near its edges, and long ones."""
        low, high = self.starts()
        parts, parameters = [], list[object]()
        edges = []
        if low is not None and (self.utc or not low.endswith(" 00:00:00")):
            edges.append((low[:10], shifted(low, 3 * MARGIN)))
        last = END_OF_TIME
        if high is not None:
            last = shifted(high, -5 * MARGIN)
            edges.append((last, shifted(high, MARGIN)))
        inside = self.conditions("event")
        for edge in edges:
            parts.append(
                "SELECT search_row FROM event WHERE visibility_level > 0 AND start_local >= ? AND start_local < ?"
                f" AND NOT ({inside.where})"
            )
            parameters += [*edge, *inside.parameters]
        if self.end_before is not None:
            clock, margin = ("utc", MARGIN) if self.utc else ("local", timedelta(0))
            buckets, values = spans_to(shifted(self.end_before, -margin)[:10], last)
            parts.append(
                f"SELECT search_row FROM (WITH bucket (span, lowest) AS (VALUES {buckets}) SELECT event.search_row FROM bucket"
                f" {dialect.ordered_join} event ON event.span = bucket.span AND start_local >= bucket.lowest"
                f" AND start_local < ? WHERE visibility_level > 0 AND end_{clock} >= ?)"
            )
            parameters += [*values, last, self.end_before]
        return " UNION ALL ".join(parts) or "SELECT search_row FROM event WHERE FALSE", tuple(parameters)

    def spans(self) -> tuple[str, tuple[object, ...]]:
        """Where to look for the events around `end_from`: a start for each span, as rows of a query."""
        margin = MARGIN if self.utc else timedelta(0)
        return spans_to(shifted(str(self.end_from), -margin)[:10])

    @property
    def is_whole_days(self) -> bool:
        """From the beginning of one local day to the end of another, and nothing else."""
        return (
            self.start_from is not None
            and self.end_before is not None
            and self.start_before is None
            and self.end_from is None
            and not self.utc
            and self.start_from < self.end_before
            and self.start_from.endswith(MIDNIGHT)
            and self.end_before.endswith(MIDNIGHT)
        )

    def can_be_counted(self, scope: Scope) -> bool:
        """The tallies of one venue or term know whole local days only."""
        if scope == EVERYTHING:
            return True
        return not self.utc and all(
            bound is None or bound.endswith(MIDNIGHT) for bound in (self.end_from, self.end_before)
        )


def count(session: Session, scope: Scope, window: Window) -> int:
    """How many listed events of a scope the window has. Whatever it takes is asked in one query."""
    return 0 if window.is_empty else int(session.value(*_count_query(session.dialect, scope, window)))


@lru_cache(256)
def _count_query(dialect: Dialect, scope: Scope, window: Window) -> tuple[str, tuple[object, ...]]:
    counting = _Counting(dialect, scope, window.utc)
    counting.both(window.start_before, window.end_before)
    if window.start_from is not None:
        counting.both(window.start_from, window.end_before, sign="-")
    if window.end_from is not None:
        counting.both(window.start_before, window.end_from, sign="-")
        if window.start_from is not None:
            counting.both(window.start_from, window.end_from)
    return f"SELECT {' '.join(counting.sql)}", tuple(counting.parameters)


class DayTotals:
    """How many listed events start and end before each day, in memory, for one revision of the store."""

    LOAD_AFTER = 10  # windows that were counted by the database at the same revision: then loading all days pays

    def __init__(self) -> None:
        self._asked = (-1, 0)
        self._days: _Days | None = None

    def count(self, session: Session, rev: int, window: Window) -> int:
        """How many listed events the window has; `rev` is the last change that the session sees."""
        if window.is_whole_days:
            days = self._days
            if (days is None or days.rev != rev) and self._pays(rev):
                days = self._days = _Days.load(session, rev)
            if days is not None and days.rev == rev and (found := days.count(window)) is not None:
                return found
        return count(session, EVERYTHING, window)

    def _pays(self, rev: int) -> bool:
        known, asked = self._asked
        self._asked = rev, (asked + 1 if known == rev else 1)
        return self._asked[1] > self.LOAD_AFTER


@dataclass(frozen=True, slots=True)
class _Days:
    """For each edge the days that have any, and how many there are before each of them and after the last."""

    rev: int
    starts: tuple[list[str], list[int]]
    ends: tuple[list[str], list[int]]
    longest: int  # the span of the longest event

    @classmethod
    def load(cls, session: Session, rev: int) -> "_Days":
        starts, ends = (_cumulated(tallies.days(session, EVERYTHING, edge)) for edge in (START, END))
        longest = session.value("SELECT coalesce(max(span), 0) FROM event WHERE visibility_level > 0")
        return cls(rev, starts, ends, int(longest))

    def count(self, window: Window) -> int | None:
        """None when some event may span the window: those only the database can count."""
        low, high = str(window.start_from)[:10], str(window.end_before)[:10]
        if (date.fromisoformat(high) - date.fromisoformat(low)).days < 2**self.longest:
            return None
        (starts, started), (ends, ended) = self.starts, self.ends
        return ended[bisect_left(ends, high)] - started[bisect_left(starts, low)]


def _cumulated(days: Sequence[tuple[str, int]]) -> tuple[list[str], list[int]]:
    return [day for day, _ in days], [0, *accumulate(n for _, n in days)]


class _Counting:
    """A sum that grows: each of these adds what it counts, or takes it away."""

    def __init__(self, dialect: Dialect, scope: Scope, utc: bool) -> None:
        self.dialect = dialect
        self.sql: list[str] = []
        self.parameters: list[object] = []
        self.scope = scope
        self.clock = "utc" if utc else "local"
        self.margin = MARGIN if utc else timedelta(0)

    def both(self, x: str | None, y: str | None, sign: str = "+") -> None:
        """G: how many start before x and end before y; None is the end of time."""
        other = "-" if sign == "+" else "+"
        if x is None and y is None:
            self._add(sign, *tallies.total(self.scope))
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
        self._add(sign, *tallies.before(self.scope, edge, day))
        if self.clock != "local" or moment != f"{day} 00:00:00":
            self._count(
                sign,
                f"{column}_local >= ? AND {column}_local < ? AND {column}_{self.clock} < ?",
                day,
                shifted(moment, self.margin),
                moment,
            )

    def spanning(self, x: str, y: str, sign: str) -> None:
        """How many start before x and end at y or later, where x is not after y."""
        latest = shifted(x, self.margin)
        buckets, values = spans_to(shifted(y, -self.margin)[:10], latest)
        # What is around is found first, and is little; a database that began with the links might walk through many.
        around = (
            f"WITH bucket (span, lowest) AS (VALUES {buckets}), around (id, visibility_level) AS MATERIALIZED ("
            f"SELECT event.id, visibility_level FROM bucket {self.dialect.ordered_join} event ON event.span = bucket.span"
            " AND start_local >= bucket.lowest AND start_local < ?"
            f" WHERE visibility_level > 0 AND start_{self.clock} < ? AND end_{self.clock} >= ?) SELECT count(*) FROM around"
        )
        parameters: list[object] = [*values, latest, x, y]
        if self.scope != EVERYTHING:
            kind, target = self.scope
            linked = f"SELECT 1 FROM event_{kind} l WHERE l.target = ? AND l.event = around.id"
            around += f" WHERE visibility_level = 2 AND EXISTS ({linked})"
            parameters.append(target)
        self._add(sign, f"({around})", parameters)

    def backwards(self, x: str, y: str, sign: str) -> None:
        """How many start at x or later but end before y, an earlier time: only where a clock goes back."""
        self._count(
            sign,
            f"start_local >= ? AND start_local < ? AND start_{self.clock} >= ? AND end_{self.clock} < ?",
            shifted(x, -self.margin),
            shifted(y, self.margin + MARGIN),
            x,
            y,
        )

    def _count(self, sign: str, condition: str, *parameters: object) -> None:
        source, target = "event WHERE visibility_level > 0", list[object]()
        if self.scope != EVERYTHING:
            source, target = f"event_{self.scope[0]} WHERE target = ? AND visibility_level = 2", [self.scope[1]]
        self._add(sign, f"(SELECT count(*) FROM {source} AND {condition})", [*target, *parameters])

    def _add(self, sign: str, sql: str, parameters: Sequence[object]) -> None:
        self.sql.append(f"{sign} ({sql})")
        self.parameters += parameters


@lru_cache(1024)  # lists ask for the same days all the time
def spans_to(day: str, started: str = END_OF_TIME) -> tuple[str, tuple[object, ...]]:
    """For every span the earliest start of an event that ends on a day or later, as the rows of VALUES. Those that
    are too short for what has started before a time are left out."""
    last = date.fromisoformat(day).toordinal()
    earliest = [(span, date.fromordinal(max(1, last + 1 - 2**span)).isoformat()) for span in range(LONGEST_SPAN + 1)]
    rows = [row for row in earliest if row[1] < started or row[0] == LONGEST_SPAN]
    return ", ".join(["(?, ?)"] * len(rows)), tuple(value for row in rows for value in row)


def shifted(moment: str, by: timedelta) -> str:
    """A time some time later or earlier, held within the calendar."""
    try:
        return dates.text(dates.from_text(moment[:19]) + by) + moment[19:]
    except OverflowError:
        return END_OF_TIME if by > timedelta(0) else dates.text(datetime.min)
