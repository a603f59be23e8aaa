"""Events whose times were stored under other rules of their time zone than the service has now."""

from collections.abc import Sequence

from kalends.store.engine.store import Ids, Session
from kalends.values import dates

AT_ONCE = 1000


def next_outdated(session: Session, after: int) -> tuple[list[int], int | None]:
    """Of some events after an id, those with times of other rules; and the last one that was looked at, None if there
    is no more."""
    ids = session.column("SELECT id FROM event WHERE id > ? ORDER BY id LIMIT ?", (after, AT_ONCE))
    return outdated(session, ids), ids[-1] if len(ids) == AT_ONCE else None


def outdated(session: Session, ids: Sequence[int]) -> list[int]:
    """Those of some events with times of other rules."""
    rows = session.all(
        "SELECT id, timezone, start_local, start_utc, end_local, end_utc FROM event"
        f" WHERE id {session.dialect.in_ids} ORDER BY id",
        [Ids(ids)],
    )
    return [id for id, zone, *edges in rows if not (_is_current(zone, *edges[:2]) and _is_current(zone, *edges[2:]))]


def _is_current(zone: str, local: str, utc: str) -> bool:
    return dates.renewed(local, utc, zone) == (local, utc)
