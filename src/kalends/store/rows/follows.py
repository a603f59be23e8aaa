"""Who follows a list or an event by mail, as rows."""

from typing import NamedTuple

from kalends.store.engine.store import Session
from kalends.store.rows import sequence
from kalends.store.rows.tables import Table
from kalends.values import mail_addresses

DAILY, WEEKLY, EVENT = "daily", "weekly", "event"
NEVER = "9999-12-31 23:59:59"


class Follow(NamedTuple):
    """`query`: the filters of a list, as JSON; `event`: instead of a list. `next_utc`: when there is something to do,
    which for one that is not confirmed is to forget it."""

    id: int
    address: str
    language: str
    rhythm: str
    query: str
    what: str
    path: str
    event: int | None
    seen: str
    created_utc: str
    confirmed_utc: str
    last_utc: str
    next_utc: str


_FOLLOWS = Table("follow", Follow)


def insert(session: Session, follow: Follow) -> int:
    """Its number."""
    id = sequence.next_number(session, "follow")
    _FOLLOWS.insert(session, follow._replace(id=id), address_key=mail_addresses.key(follow.address))
    return id


def find(session: Session, id: int) -> Follow | None:
    return _FOLLOWS.one(session, "id = ?", (id,))


def of_address(session: Session, address: str) -> list[Follow]:
    return _FOLLOWS.all(session, "address_key = ?", (mail_addresses.key(address),))


def of_events(session: Session, events: list[int]) -> list[Follow]:
    """Confirmed followers of some events."""
    condition = "event = ? AND confirmed_utc <> ''"
    return [found for event in events for found in _FOLLOWS.all(session, condition, (event,))]


def has_any_of_events(session: Session) -> bool:
    return session.one("SELECT 1 FROM follow WHERE event IS NOT NULL LIMIT 1") is not None


def due(session: Session, now: str, most: int) -> list[Follow]:
    return _FOLLOWS.all(session, "next_utc <= ? ORDER BY next_utc, id LIMIT ?", (now, most))


def confirm(session: Session, id: int, at: str, next_utc: str) -> None:
    session.run(
        "UPDATE follow SET confirmed_utc = ?, last_utc = ?, next_utc = ? WHERE id = ? AND confirmed_utc = ''",
        (at, at, next_utc, id),
    )


def go_on(session: Session, follow: Follow, last_utc: str, next_utc: str) -> bool:
    """Notes what was done; False if it ended or was done by another process."""
    sql = "UPDATE follow SET last_utc = ?, next_utc = ? WHERE id = ? AND next_utc = ?"
    return bool(session.run(sql, (last_utc, next_utc, follow.id, follow.next_utc)))


def reschedule(session: Session, id: int, next_utc: str) -> None:
    session.run("UPDATE follow SET next_utc = ? WHERE id = ?", (next_utc, id))


def delete(session: Session, id: int) -> None:
    session.run("DELETE FROM follow WHERE id = ?", (id,))
