"""A window of time: which events start and end within it."""

from datetime import date, datetime, timedelta
from functools import lru_cache

import msgspec

from kalends.store.engine.store import Conditions, Dialect, Session
from kalends.store.rows.tallies import EVERYTHING, SINGLE, Scope
from kalends.values import dates

# No zone is further from UTC than this, and no clock goes back by more.
MARGIN = timedelta(days=1)
MIDNIGHT = " 00:00:00"
END_OF_TIME = "9999-12-31 23:59:59+"  # sorts after every time
LONGEST_SPAN = 22  # binary digits of the days between the years 1 and 9999


class Window(msgspec.Struct, frozen=True):
    """Bounds of starts and ends, from (inclusive) and before (exclusive); None is no bound. `utc`: the bounds are
    instants, compared with UTC times; otherwise with the local times of each event."""

    start_from: str | None = None
    start_before: str | None = None
    end_from: str | None = None
    end_before: str | None = None
    utc: bool = False
    part_from: str | None = None  # bounds of local starts, for one part of a list
    part_before: str | None = None

    def conditions(self, t: str) -> Conditions:
        """The conditions on an event `t`."""
        low, high = self.starts()
        clock, utc = ("utc", self.utc) if self.utc else ("local", False)
        # Every list has some of these, so they are not added one by one.
        bounds = (
            (f"{t}.start_local >= ?", low),
            (f"{t}.start_local < ?", high),
            (f"{t}.end_{clock} >= ?", self.end_from),
            (f"{t}.end_{clock} < ?", self.end_before),
            (f"{t}.start_utc >= ?", self.start_from if utc else None),
            (f"{t}.start_utc < ?", self.start_before if utc else None),
        )
        given = [bound for bound in bounds if bound[1] is not None]
        return Conditions([sql for sql, _ in given], [value for _, value in given])

    def start_bounds(self, t: str) -> Conditions:
        """What follows for the local start, a column of every index: it limits the rows that are read."""
        conditions = Conditions()
        low, high = self.starts()
        if low is not None:
            conditions.add(f"{t}.start_local >= ?", low)
        if high is not None:
            conditions.add(f"{t}.start_local < ?", high)
        return conditions

    def starts(self) -> tuple[str | None, str | None]:
        """The bounds of local starts."""
        low, high = self.start_from, self.start_before
        if self.utc:
            low = None if low is None else shifted(low, -MARGIN)
            high = None if high is None else shifted(high, MARGIN)
        if self.end_before is not None:
            after_end = shifted(self.end_before, 2 * MARGIN)
            high = after_end if high is None else min(high, after_end)
        if self.part_before is not None:
            low, high = max(low or "", self.part_from or "") or None, min(high or END_OF_TIME, self.part_before)
        return low, high

    @property
    def is_empty(self) -> bool:
        """There is nothing between the bounds. Differences of counts would be negative."""
        starts, ends = (self.start_from, self.start_before), (self.end_from, self.end_before)
        return any(low is not None and high is not None and low >= high for low, high in (starts, ends))

    @property
    def begins_with_running_events(self) -> bool:
        """No bound on starts but an `end_from`: events that are under way then come first, whenever they started."""
        return self.end_from is not None and self.start_from is None

    def years(self, session: Session) -> list[str]:
        """The years in which events of the window can start."""
        years: list[str] = []
        low, high = self.starts()
        while earliest := session.value(
            "SELECT min(start_local) FROM event WHERE start_local >= ? AND start_local < ?",
            (low or "", high or END_OF_TIME),
        ):
            years.append(earliest[:4])
            low = f"{earliest[:4]}-99"  # sorts after every time of that year
        return years

    def edge_exclusions(self, dialect: Dialect) -> tuple[str, tuple[object, ...]]:
        """A query for the search row ids of listed events that start on the days of a window without `end_from`, but
        are not in it: some of those near its edges, and long ones."""
        low, high = self.starts()
        parts, parameters = [], list[object]()
        edges = []
        if low is not None and (self.utc or not low.endswith(MIDNIGHT)):
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
                f"SELECT search_row FROM (WITH bucket (span, lowest) AS (VALUES {buckets})"
                f" SELECT event.search_row FROM bucket {dialect.ordered_join} event ON event.span = bucket.span"
                " AND start_local >= bucket.lowest AND start_local < ?"
                f" WHERE visibility_level > 0 AND end_{clock} >= ?)"
            )
            parameters += [*values, last, self.end_before]
        return " UNION ALL ".join(parts) or "SELECT search_row FROM event WHERE FALSE", tuple(parameters)

    def spans(self) -> tuple[str, tuple[object, ...]]:
        """Bounds that find the events around `end_from`: the earliest start for each span, as rows of VALUES."""
        margin = MARGIN if self.utc else timedelta(0)
        return spans_to(shifted(str(self.end_from), -margin)[:10])

    @property
    def is_whole_days(self) -> bool:
        """From the beginning of one local day to the end of another, without other bounds."""
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
        """Whether the tallies can count it: those of one venue, organizer or term have whole local days only."""
        if scope in (EVERYTHING, SINGLE):
            return True
        return not self.utc and all(
            bound is None or bound.endswith(MIDNIGHT) for bound in (self.end_from, self.end_before)
        )


@lru_cache(1024)  # most lists are of the same days
def spans_to(day: str, started: str = END_OF_TIME) -> tuple[str, tuple[object, ...]]:
    """For every span the earliest start of an event that ends on a day or later, as the rows of VALUES. Spans too
    short for events that started before a time are left out."""
    last = date.fromisoformat(day).toordinal()
    earliest = [(span, date.fromordinal(max(1, last + 1 - 2**span)).isoformat()) for span in range(LONGEST_SPAN + 1)]
    rows = [row for row in earliest if row[1] < started or row[0] == LONGEST_SPAN]
    return ", ".join(["(?, ?)"] * len(rows)), tuple(value for row in rows for value in row)


@lru_cache(4096)
def shifted(moment: str, by: timedelta) -> str:
    """A later or earlier time, within the years 1 to 9999."""
    try:
        return dates.text(dates.from_text(moment[:19]) + by) + moment[19:]
    except OverflowError:
        return END_OF_TIME if by > timedelta(0) else dates.text(datetime.min)
