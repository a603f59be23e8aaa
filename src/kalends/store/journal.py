"""The journal: every committed change takes the next number of one sequence."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.store import sequence
from kalends.store.database import Session
from kalends.store.records import Event

CREATE, UPDATE, DELETE = "create", "update", "delete"


@dataclass(frozen=True, slots=True)
class Change:
    """A change that a stranger could notice."""

    rev: int
    kind: str
    id: int
    low: str | None
    high: str | None


def record(
    session: Session, kind: str, id: int, action: str, *, public: bool, at: str, touched: Sequence[object] = ()
) -> int:
    """Writes a change down; its number, the `rev` of the record. `public`: a stranger could notice it.
    `touched` is the record before and after; of events the times are kept."""
    events = [record for record in touched if isinstance(record, Event)]
    # Where a clock goes back, an event may end before it starts.
    low = min((min(event.start_local, event.end_local) for event in events), default=None)
    high = max((max(event.start_local, event.end_local) for event in events), default=None)
    rev = sequence.next_number(session, "rev")
    session.run(
        "INSERT INTO journal (rev, kind, id, action, public, at, low, high) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (rev, kind, id, action, int(public), at, low, high),
    )
    return rev


def last_rev(session: Session) -> int:
    return int(session.value("SELECT coalesce(max(rev), 0) FROM journal"))


def last_public_rev(session: Session) -> int:
    return int(session.value("SELECT coalesce(max(rev), 0) FROM journal WHERE public = 1"))


def public_changes(session: Session, after: int) -> list[Change]:
    """What a stranger could notice of the changes after a number."""
    rows = session.all(
        "SELECT rev, kind, id, low, high FROM journal WHERE public = 1 AND rev > ? ORDER BY rev", (after,)
    )
    return [Change(*row) for row in rows]


def last_change(session: Session, *, public_only: bool) -> str | None:
    """When the newest change happened, in UTC."""
    condition = "WHERE public = 1" if public_only else ""
    at: str | None = session.value(f"SELECT at FROM journal {condition} ORDER BY rev DESC LIMIT 1")
    return at
