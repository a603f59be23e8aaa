"""Who follows a list or an event by mail, as rows."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kalends.store.engine.store import Ids, Session
from kalends.store.rows import tables
from kalends.store.rows.tables import Table
from kalends.values import mail_addresses

DAILY, WEEKLY, EVENT = "daily", "weekly", "event"
NEVER = "9999-12-31 23:59:59"


class Follow(NamedTuple):
    """`query`: the filters of a list, as JSON; `event`: instead of a list. `seen`: what a follower of an event knows
    of it, empty before this is confirmed. `next_utc`: when there is something to do, which for one that is not
    confirmed is to forget it."""

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
    id = tables.next_number(session, "follow")
    _FOLLOWS.insert(session, follow._replace(id=id), address_key=mail_addresses.key(follow.address))
    return id


def find(session: Session, id: int) -> Follow | None:
    return _FOLLOWS.one(session, "id = ?", (id,))


def of_address(session: Session, address: str) -> list[Follow]:
    return _FOLLOWS.all(session, "address_key = ?", (mail_addresses.key(address),))


def known(session: Session, events: Iterable[int]) -> dict[int, set[str]]:
    """What followers know of those of some events that somebody follows."""
    sql = f"SELECT DISTINCT event, seen FROM follow WHERE event {session.dialect.in_ids} AND confirmed_utc <> ''"
    found: dict[int, set[str]] = {}
    for event, seen in session.all(sql, [Ids(events)]):
        found.setdefault(event, set()).add(seen)
    return found


def not_seen(session: Session, event: int, now: str, last: int, most: int) -> list[Follow]:
    """Some followers of an event who know something else of it than it is now, after the one with a number."""
    condition = "event = ? AND confirmed_utc <> '' AND seen <> ? AND id > ? ORDER BY id LIMIT ?"
    return _FOLLOWS.all(session, condition, (event, now, last, most))


def see(session: Session, id: int, seen: str, next_utc: str) -> None:
    """Notes what a follower of an event knows of it from now on, and when there is something to do next."""
    session.run("UPDATE follow SET seen = ?, next_utc = ? WHERE id = ?", (seen, next_utc, id))


def due(session: Session, now: str, most: int) -> list[Follow]:
    return _FOLLOWS.all(session, "next_utc <= ? ORDER BY next_utc, id LIMIT ?", (now, most))


def too_far(session: Session, furthest: Mapping[str, str], unconfirmed: str, most: int) -> list[Follow]:
    """Those of whom there would be something to do later than can be: by their rhythm, and while they have not
    confirmed it."""
    conditions = "".join([" OR (confirmed_utc <> '' AND rhythm = ? AND next_utc > ?)"] * len(furthest))
    values = [value for pair in furthest.items() for value in pair]
    return _FOLLOWS.all(
        session,
        f"(confirmed_utc = '' AND next_utc > ?){conditions} ORDER BY id LIMIT ?",
        (unconfirmed, *values, most),
    )


def confirm(session: Session, id: int, at: str, next_utc: str, seen: str) -> None:
    session.run(
        "UPDATE follow SET confirmed_utc = ?, last_utc = ?, next_utc = ?, seen = ?"
        " WHERE id = ? AND confirmed_utc = ''",
        (at, at, next_utc, seen, id),
    )


def go_on(session: Session, follow: Follow, last_utc: str, next_utc: str) -> bool:
    """Notes what was done; False if it ended or was done by another process."""
    sql = "UPDATE follow SET last_utc = ?, next_utc = ? WHERE id = ? AND next_utc = ?"
    return bool(session.run(sql, (last_utc, next_utc, follow.id, follow.next_utc)))


def delete(session: Session, id: int) -> None:
    session.run("DELETE FROM follow WHERE id = ?", (id,))
