"""What is here of the events of a source: what its records became, and whether that is within the window."""

import re
from datetime import datetime
from typing import NamedTuple

from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PENDING, TRASH
from kalends.features.importing.rows import Imported
from kalends.store.engine.store import Session
from kalends.values import dates

_OTHER = "EXISTS (SELECT 1 FROM import_record o WHERE o.kind = r.kind AND o.id = r.id AND o.source"
# Where a trashed first date of a series has handed its id on, another date says where they come from.
_MADE_BY = (
    "coalesce(nullif(e.source, ''), (SELECT max(f.source) FROM event f WHERE f.series = e.series"
    " AND f.external_id = r.external_id), '')"
)
OCCURRENCE = re.compile(r"#[0-9]{8}T[0-9]{6}$")  # the end of the id of a changed date of a series


class Known(NamedTuple):
    """A record of a source with its event; without a `status` that was deleted for good. `end_utc` is the last one of
    a series, of which the record has the rule."""

    imported: Imported
    status: str
    series: int | None
    start_utc: str
    end_utc: str
    made_by: str = ""  # the source that brought the event first
    has_other_source: bool = False  # another source has it too
    is_dropped: bool = False  # and the one that brought it first has it no more

    @property
    def is_joined(self) -> bool:
        """Whether the event was here before this source told of it."""
        return self.made_by != self.imported.source and bool(self.status) and not self.is_date

    @property
    def is_held(self) -> bool:
        """Whether the event stays when this source has it no more."""
        return self.has_other_source or (self.is_joined and not self.is_dropped)

    @property
    def external_id(self) -> str:
        return self.imported.external_id

    @property
    def is_date(self) -> bool:
        """Whether it is a changed date of a series."""
        return OCCURRENCE.search(self.external_id) is not None

    @property
    def is_live(self) -> bool:
        return self.status not in ("", TRASH)

    def is_within(self, window: tuple[datetime, datetime]) -> bool:
        first, last = map(dates.text, window)
        return self.is_live and self.end_utc >= first and self.start_utc <= last


def known_of(session: Session, origin: str) -> dict[str, Known]:
    """By the ids at the source."""
    found = session.all(
        "SELECT r.external_id, r.id, r.old_id, r.digests, r.parent, coalesce(e.status, ''), e.series,"
        " coalesce(e.start_utc, ''), coalesce(e.end_utc, ''),"
        " (SELECT max(o.end_utc) FROM event o WHERE o.series = e.series AND o.status <> 'trash'),"
        f" {_MADE_BY}, {_OTHER} <> r.source AND o.digests <> ''), {_OTHER} = {_MADE_BY} AND o.digests = '')"
        " FROM import_record r LEFT JOIN event e ON e.id = r.id WHERE r.source = ? AND r.kind = ?",
        (origin, EVENT.name),
    )
    every = {}
    for external_id, id, old_id, digests, parent, status, series, start, end, last, *others in found:
        made_by, has_other_source, is_dropped = others
        row = Imported(origin, EVENT.name, external_id, id, old_id, digests, parent)
        one = Known(row, status, series, start, end, made_by, bool(has_other_source), bool(is_dropped))
        if last and not one.is_date:
            one = one._replace(end_utc=last, status=status if status != TRASH else "publish")
        every[external_id] = one
    return every


def of_event(session: Session, id: int, series: int | None) -> list[Imported]:
    """The records that stand for an event, and those for other events of its series; its own first."""
    columns = ", ".join(f"r.{name}" for name in Imported._fields)
    found = session.all(
        f"SELECT {columns} FROM import_record r JOIN event e ON e.id = r.id"
        " WHERE r.kind = ? AND r.digests <> '' AND (e.id = ? OR e.series = ?) ORDER BY e.id <> ?, r.source, e.id",
        (EVENT.name, id, series or 0, id),
    )
    return [Imported(*row) for row in found]


class Held(NamedTuple):
    """An event of a source that waits for review; the first one of a series."""

    id: int
    name: str
    start_local: str


def held(session: Session, origin: str, most: int) -> list[Held]:
    """By their starts."""
    found = session.all(
        "SELECT e.id, e.name, e.start_local, e.series FROM event e WHERE e.status = ? AND e.id IN"
        " (SELECT r.id FROM import_record r WHERE r.source = ? AND r.kind = ?) ORDER BY e.start_utc, e.id LIMIT ?",
        (PENDING, origin, EVENT.name, most),
    )
    firsts = {series or -id: Held(id, name, start) for id, name, start, series in reversed(found)}
    return sorted(firsts.values(), key=lambda one: one.start_local)


def count_pending(session: Session, origin: str) -> int:
    """How many events of a source wait for review."""
    count: int = session.value(
        "SELECT count(*) FROM event e WHERE e.status = ? AND e.id IN"
        " (SELECT r.id FROM import_record r WHERE r.source = ? AND r.kind = ?)",
        (PENDING, origin, EVENT.name),
    )
    return count
