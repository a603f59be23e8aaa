"""A second opinion on series, in plain Python: which occurrences there are after a change, and what each of them has.

Rules are "every n days, so many times", so that nothing of the service is needed to know their dates.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

LIVE, TRASH = "live", "trash"


@dataclass
class Row:
    """An event of a series. `own` are the values that were set on it alone."""

    id: int
    original: datetime
    own: dict[str, Any] = field(default_factory=dict)
    state: str = LIVE


@dataclass
class Series:
    """`given` are the dates of the rule, `exceptions` those of them that are left out."""

    anchor: datetime
    given: set[datetime]
    shared: dict[str, Any]
    length: timedelta
    rows: list[Row] = field(default_factory=list)
    exceptions: set[datetime] = field(default_factory=set)
    state: str = LIVE

    @property
    def wanted(self) -> set[datetime]:
        return self.given - self.exceptions

    @property
    def live(self) -> list[Row]:
        return sorted((row for row in self.rows if row.state == LIVE), key=lambda row: row.original)

    def shown(self, row: Row) -> dict[str, Any]:
        """What a client should read of an event."""
        values = self.shared | {"start": row.original, "end": row.original + self.length} | row.own
        return values | {"status": "trash" if row.state == TRASH else values["status"], "original": row.original}

    def parent_of(self, row: Row) -> int:
        first = (self.live or sorted(self.rows, key=lambda row: row.original))[0]
        return 0 if row is first else first.id

    def missing(self) -> list[datetime]:
        """The dates for which a change has to add an event."""
        return sorted(self.wanted - {row.original for row in self.rows}) if self.state == LIVE else []

    # Changes of one occurrence

    def set_one(self, row: Row, **values: Any) -> None:
        for name, value in values.items():
            expected = self.shared | {"start": row.original, "end": row.original + self.length}
            if value == expected[name]:
                row.own.pop(name, None)
            else:
                row.own[name] = value

    def cancel(self, row: Row) -> None:
        row.state = TRASH
        self.exceptions.add(row.original)

    def bring_back(self, row: Row) -> None:
        row.state = LIVE
        self.set_one(row, status="publish")
        self.exceptions.discard(row.original)
        self.given.add(row.original)

    def revive(self, row: Row) -> None:
        """One occurrence comes back from a series that is in the trash as a whole; the others are exceptions."""
        self.state = LIVE
        self.shared["status"] = "publish"
        self.exceptions |= {other.original for other in self.rows}
        self.bring_back(row)

    # Changes of the whole

    def set_all(self, sent: Row, **values: Any) -> None:
        self.shared |= values
        for name in values:
            sent.own.pop(name, None)

    def move_all(self, sent: Row, by: timedelta) -> None:
        """Start and end of the occurrence that was sent moved by as much."""
        for name in ("start", "end"):
            if name in sent.own:
                sent.own[name] += by
        self.anchor += by
        self.given = {start + by for start in self.given}
        self.exceptions = {start + by for start in self.exceptions}
        for row in self.rows:
            row.original += by

    def lengthen_all(self, sent: Row, by: timedelta) -> None:
        if "end" in sent.own:
            sent.own["end"] += by
        self.length += by

    def set_rule(self, given: Iterable[datetime]) -> None:
        self.given, self.exceptions = set(given), set()
        self.settle()

    def settle(self) -> None:
        """What falls out goes to the trash, what is an occurrence again comes back."""
        for row in self.rows:
            if row.original not in self.wanted:
                row.state = TRASH
            elif self.state == LIVE:
                row.state = LIVE

    def trash_all(self) -> None:
        self.state = TRASH
        for row in self.rows:
            row.state = TRASH

    def restore_all(self, sent: Row) -> None:
        self.state = sent.state = LIVE
        self.set_all(sent, status="publish")
        self.bring_back(sent)
        self.settle()

    def split(self, at: Row) -> "Series":
        """The series from an occurrence on; this very series if nothing comes before it."""
        earlier = [row for row in self.rows if row.original < at.original]
        if all(row.state == TRASH for row in earlier):
            return self
        later = Series(
            at.original,
            {start for start in self.given if start >= at.original},
            dict(self.shared),
            self.length,
            [row for row in self.rows if row not in earlier],
            {start for start in self.exceptions if start >= at.original},
            self.state,
        )
        self.rows = earlier
        self.given = {start for start in self.given if start < at.original}
        self.exceptions = {start for start in self.exceptions if start < at.original}
        return later


def every(days: int, count: int, first: datetime) -> set[datetime]:
    return {first + timedelta(days=days * number) for number in range(count)}
