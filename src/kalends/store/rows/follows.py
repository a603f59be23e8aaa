"""Who follows a list or an event by mail, as rows."""

from typing import NamedTuple

from kalends.store.engine.store import Session
from kalends.store.rows import sequence
from kalends.values import mail_addresses

DAILY, WEEKLY, EVENT = "daily", "weekly", "event"
NEVER = "9999-12-31 23:59:59"
_COLUMNS = (
    "id, address, language, rhythm, query, what, path, event, seen, created_utc, confirmed_utc, last_utc, next_utc"
)


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


def insert(session: Session, follow: Follow) -> int:
    """Its number."""
    id = sequence.next_number(session, "follow")
    row = follow._replace(id=id)._asdict()
    session.insert("follow", row | {"address_key": mail_addresses.key(follow.address)})
    return id


def find(session: Session, id: int) -> Follow | None:
    row = session.one(f"SELECT {_COLUMNS} FROM follow WHERE id = ?", (id,))
    return None if row is None else Follow(*row)


def of_address(session: Session, address: str) -> list[Follow]:
    key = mail_addresses.key(address)
    return [Follow(*row) for row in session.all(f"SELECT {_COLUMNS} FROM follow WHERE address_key = ?", (key,))]


def of_events(session: Session, events: list[int]) -> list[Follow]:
    """Confirmed followers of some events."""
    found = []
    for event in events:
        sql = f"SELECT {_COLUMNS} FROM follow WHERE event = ? AND confirmed_utc <> ''"
        found += [Follow(*row) for row in session.all(sql, (event,))]
    return found


def has_any_of_events(session: Session) -> bool:
    return session.one("SELECT 1 FROM follow WHERE event IS NOT NULL LIMIT 1") is not None


def due(session: Session, now: str, most: int) -> list[Follow]:
    rows = session.all(
        f"SELECT {_COLUMNS} FROM follow WHERE next_utc <= ? ORDER BY next_utc, id LIMIT ?", (now, most)
    )
    return [Follow(*row) for row in rows]


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


def count_confirmed(session: Session) -> int:
    return int(session.value("SELECT count(*) FROM follow WHERE confirmed_utc <> ''"))
