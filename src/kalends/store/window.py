"""A window of time: which events start and end within it, and how many, without walking through them all.

The count rests on the tallies. Let S(x) be how many events start before x, E(y) how many end before y, and
G(x, y) how many do both. Then a window [a, b) of starts and [c, d) of ends has G(b,d) - G(a,d) - G(b,c) + G(a,c)
events. G itself is S(x) less those that start before x but end at y or later. Those span the time between, so
they are long or near it, and `span` leads straight to them.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from kalends.store import tally
from kalends.store.conditions import Conditions
from kalends.store.database import Session
from kalends.store.tally import END, EVERYTHING, START, Scope
from kalends.values import dates

# No zone is further from UTC than this, and no clock goes back by more.
MARGIN = timedelta(days=1)
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
        low, high = self._starts()
        if low is not None:
            found.add(f"{t}.start_local >= ?", low)
        if high is not None:
            found.add(f"{t}.start_local < ?", high)
        return found

    def _starts(self) -> tuple[str | None, str | None]:
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
        low, high = self._starts()
        while earliest := session.value(
            "SELECT min(start_local) FROM event WHERE start_local >= ? AND start_local < ?",
            (low or "", high or END_OF_TIME),
        ):
            found.append(earliest[:4])
            low = f"{earliest[:4]}-99"  # after all others of that year
        return found

    def spans(self) -> tuple[str, list[object]]:
        """Where to look for the events around `end_from`: a start for each span, as rows of a query."""
        margin = MARGIN if self.utc else timedelta(0)
        return spans_to(shifted(str(self.end_from), -margin)[:10])

    def can_be_counted(self, scope: Scope) -> bool:
        """The tallies of one venue or term know whole local days only."""
        if scope == EVERYTHING:
            return True
        return not self.utc and all(
            bound is None or bound.endswith(" 00:00:00") for bound in (self.end_from, self.end_before)
        )


def count(session: Session, scope: Scope, window: Window) -> int:
    """How many listed events of a scope the window has."""
    if window.is_empty:
        return 0
    counting = _Counting(session, scope, window.utc)
    total = counting.both(window.start_before, window.end_before)
    if window.start_from is not None:
        total -= counting.both(window.start_from, window.end_before)
    if window.end_from is not None:
        total -= counting.both(window.start_before, window.end_from)
        if window.start_from is not None:
            total += counting.both(window.start_from, window.end_from)
    return total


class _Counting:
    def __init__(self, session: Session, scope: Scope, utc: bool) -> None:
        self.session = session
        self.scope = scope
        self.clock = "utc" if utc else "local"
        self.margin = MARGIN if utc else timedelta(0)
        if scope == EVERYTHING:
            self.source, self.parameters = "event WHERE reach > 0", []
        else:
            self.source = f"event_{scope[0]} WHERE target = ? AND reach = 2"
            self.parameters = [scope[1]]

    def both(self, x: str | None, y: str | None) -> int:
        """G: how many start before x and end before y; None is the end of time."""
        if x is None:
            return tally.total(self.session, self.scope) if y is None else self.before(END, y)
        if y is None:
            return self.before(START, x)
        if x <= y:
            return self.before(START, x) - self.spanning(x, y)
        return self.before(END, y) - self.backwards(x, y)

    def before(self, edge: str, moment: str) -> int:
        """S and E: whole days from the tallies, the rest of the last day from the index."""
        column = "start" if edge == START else "end"
        day = shifted(moment, -self.margin)[:10]
        counted = tally.before(self.session, self.scope, edge, day)
        if self.clock == "local" and moment == f"{day} 00:00:00":
            return counted
        return counted + self._count(
            f"{column}_local >= ? AND {column}_local < ? AND {column}_{self.clock} < ?",
            day,
            shifted(moment, self.margin),
            moment,
        )

    def spanning(self, x: str, y: str) -> int:
        """How many start before x and end at y or later, where x is not after y."""
        buckets, values = spans_to(shifted(y, -self.margin)[:10])
        linked, parameters = "", []
        if self.scope != EVERYTHING:
            kind, target = self.scope
            linked = (
                f" AND reach = 2 AND EXISTS (SELECT 1 FROM event_{kind} l WHERE l.target = ? AND l.event = event.id)"
            )
            parameters = [target]
        found = self.session.value(
            f"WITH bucket (span, lowest) AS (VALUES {buckets})"
            " SELECT count(*) FROM bucket CROSS JOIN event ON event.span = bucket.span"
            " AND start_local >= bucket.lowest AND start_local < ?"
            f" WHERE reach > 0 AND start_{self.clock} < ? AND end_{self.clock} >= ?{linked}",
            [*values, shifted(x, self.margin), x, y, *parameters],
        )
        return int(found)

    def backwards(self, x: str, y: str) -> int:
        """How many start at x or later but end before y, an earlier time: only where a clock goes back."""
        return self._count(
            f"start_local >= ? AND start_local < ? AND start_{self.clock} >= ? AND end_{self.clock} < ?",
            shifted(x, -self.margin),
            shifted(y, self.margin + MARGIN),
            x,
            y,
        )

    def _count(self, condition: str, *parameters: object) -> int:
        return int(
            self.session.value(f"SELECT count(*) FROM {self.source} AND {condition}", [*self.parameters, *parameters])
        )


def spans_to(day: str) -> tuple[str, list[object]]:
    """For every span the earliest start of an event that ends on a day or later, as the rows of VALUES."""
    values: list[object] = []
    for span in range(LONGEST_SPAN + 1):
        values += [span, shifted(f"{day} 00:00:00", -timedelta(days=2**span - 1))[:10]]
    return ", ".join("(?, ?)" for _ in range(LONGEST_SPAN + 1)), values


def shifted(moment: str, by: timedelta) -> str:
    """A time some time later or earlier, held within the calendar."""
    try:
        return dates.text(dates.from_text(moment[:19]) + by) + moment[19:]
    except OverflowError:
        return END_OF_TIME if by > timedelta(0) else dates.text(datetime.min)
