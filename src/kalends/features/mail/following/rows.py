"""Who follows a list or an event by mail, as rows."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import msgspec

from kalends.store.engine.store import Ids, Session
from kalends.store.rows import tables
from kalends.store.rows.tables import Table
from kalends.values import mail_addresses

DAILY, WEEKLY, EVENT = "daily", "weekly", "event"
NEVER = "9999-12-31 23:59:59"


class Follow(NamedTuple):
    """`query`: the filters of a list, as JSON; `event`: instead of a list. `seen`: what a follower of an event knows
    of it, empty before this is confirmed. `last_rev`: the last change that the last mail about a list could tell.
    `next_utc`: when there is something to do, which for one that is not confirmed is to forget it."""

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
    last_rev: int
    next_utc: str


_FOLLOWS = Table("follow", Follow)


def encoded(query: Mapping[str, str]) -> str:
    """The filters of a list, as they are stored."""
    return msgspec.json.encode(dict(query), order="sorted").decode()


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


def confirm(session: Session, id: int, at: str, rev: int, next_utc: str, seen: str) -> None:
    session.run(
        "UPDATE follow SET confirmed_utc = ?, last_rev = ?, next_utc = ?, seen = ?"
        " WHERE id = ? AND confirmed_utc = ''",
        (at, rev, next_utc, seen, id),
    )


def set_rhythm(session: Session, id: int, rhythm: str, next_utc: str) -> None:
    session.run("UPDATE follow SET rhythm = ?, next_utc = ? WHERE id = ?", (rhythm, next_utc, id))


def go_on(session: Session, follow: Follow, next_utc: str, last_rev: int, query: str) -> bool:
    """Notes what was done, and how a list is called now; False if it ended or was done by another process."""
    sql = "UPDATE follow SET last_rev = ?, next_utc = ?, query = ? WHERE id = ? AND next_utc = ?"
    return bool(session.run(sql, (last_rev, next_utc, query, follow.id, follow.next_utc)))


def people(session: Session) -> int:
    """How many addresses follow something."""
    return int(session.value("SELECT count(DISTINCT address_key) FROM follow WHERE confirmed_utc <> ''"))


def count(session: Session) -> list[tuple[int | None, str, int]]:
    """What is followed, an event or a list by its filters, and by how many; the most followed first."""
    sql = (
        "SELECT event, CASE WHEN event IS NULL THEN query ELSE '' END AS list, count(*) FROM follow"
        " WHERE confirmed_utc <> '' GROUP BY event, list ORDER BY 3 DESC, 1, 2"
    )
    return [(event, query, int(number)) for event, query, number in session.all(sql)]


def delete(session: Session, id: int) -> None:
    session.run("DELETE FROM follow WHERE id = ?", (id,))


# What became public


def has_lists(session: Session) -> bool:
    """Whether anybody follows a list."""
    return session.one("SELECT 1 FROM follow WHERE event IS NULL AND confirmed_utc <> '' LIMIT 1") is not None


def announce(session: Session, changes: Collection[tuple[int, int, bool]]) -> None:
    """Notes events that became public, or are it no longer, with the changes that did it."""
    session.fill("announcement", ("event", "rev", "is_public"), [(id, rev, int(is_on)) for id, rev, is_on in changes])


def announced(session: Session, rev: int) -> list[int]:
    """The events that were not public with a change and became it afterwards."""
    first: dict[int, bool] = {}
    for event, is_public in session.all(
        "SELECT event, is_public FROM announcement WHERE rev > ? ORDER BY rev", (rev,)
    ):
        first.setdefault(event, bool(is_public))
    return [event for event, is_public in first.items() if is_public]


def other_dates(session: Session, series: Collection[int], new: Collection[int], now: str) -> dict[int, int]:
    """The public dates to come of some series that are not new, each with its series."""
    in_ids = session.dialect.in_ids
    sql = (
        f"SELECT id, series FROM event WHERE series {in_ids} AND visibility_level = 2 AND end_utc > ?"
        f" AND NOT id {in_ids}"
    )
    return dict(session.all(sql, (Ids(series), now, Ids(new)))) if series else {}


def forget_announced(session: Session) -> None:
    """Deletes what everybody who follows a list was told."""
    last = session.value("SELECT min(last_rev) FROM follow WHERE event IS NULL AND confirmed_utc <> ''")
    condition, values = ("", ()) if last is None else (" WHERE rev <= ?", (last,))
    session.run(f"DELETE FROM announcement{condition}", values)
