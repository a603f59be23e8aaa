"""The journal: every committed change takes the next number of one sequence."""

from collections.abc import Sequence

from kalends.store.engine.store import Session
from kalends.store.rows import sequence
from kalends.store.rows.records import Event

CREATE, UPDATE, DELETE = "create", "update", "delete"


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


def last_changes(session: Session) -> tuple[int, int, str | None]:
    """The number of the newest change, and number and time of the newest that an anonymous reader could notice."""
    newest, public = session.all_of(
        ("SELECT coalesce(max(rev), 0) FROM journal", ()),
        ("SELECT rev, at FROM journal WHERE public = 1 ORDER BY rev DESC LIMIT 1", ()),
    )
    return newest[0][0], *(public[0] if public else (0, None))


def last_change(session: Session) -> str | None:
    """When the newest change happened, in UTC."""
    at: str | None = session.value("SELECT at FROM journal ORDER BY rev DESC LIMIT 1")
    return at
