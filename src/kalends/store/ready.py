"""Records as strangers see them, as bytes that only have to be joined. They are written when the record is, and may
be thrown away at any time: what is not here is made anew from the records."""

from collections.abc import Collection, Hashable, Iterable
from datetime import date, timedelta
from typing import NamedTuple

import msgspec

from kalends.store import sequence, site
from kalends.store.database import Ids, Session
from kalends.store.records import POST_TYPES

LATER = timedelta(days=2)
UNSEEN = ""  # the `made` of what strangers do not see, be it a draft or long deleted: it holds with every code
TERMS = ("category", "tag")
ALL_READY = "all_ready"  # the fact about a site: the `made` with which everything was ready at the end of a look


class Linked(msgspec.Struct, array_like=True, frozen=True):
    """What a ready event leaves room for: the ids of its links, in the order given, and of its parent."""

    venue: list[int] = []
    organizer: list[int] = []
    category: list[int] = []
    tag: list[int] = []
    parent: int = 0

    @property
    def shown(self) -> list[int]:
        """The keys of what the event shows."""
        return [*self.venue, *self.organizer, *[-id for id in self.category], *[-id for id in self.tag]]

    def names(self, kind: str, id: int) -> bool:
        """Whether a change of this record may show in the event."""
        return id == self.parent if kind == "event" else id in getattr(self, kind, ())


links_from = msgspec.json.Decoder(Linked).decode
NO_LINKS = msgspec.json.encode(Linked()).decode()
NO_PARENT = ",0]"  # how the links of an event end that has none


class Ready(msgspec.Struct, frozen=True):
    """A record made ready. `body` is how lists show it, `detail` what a read of it alone shows besides. Nothing
    in it: strangers do not see it."""

    kind: str = ""
    body: bytes = b""
    detail: bytes = b""
    sort_name: str = ""
    links: str = NO_LINKS  # as they are stored

    @property
    def linked(self) -> Linked:
        return links_from(self.links)


class Kept(dict[int, Ready]):
    """Venues, organizers and terms of one state of the store by their keys, and forms of them that others made."""

    def __init__(self) -> None:
        self.views: dict[Hashable, object] = {}


class Shelf:
    """What events show, in the memory of the process. It is not much, and every event shows some of it."""

    MOST = 5000

    def __init__(self) -> None:
        self._kept: tuple[int, Kept] = (-1, Kept())

    def at(self, state: int) -> Kept:
        """What is kept of a state of the store. Another state begins with nothing, be it newer or older."""
        known, kept = self._kept
        if known != state or len(kept) > self.MOST:
            kept = Kept()
            self._kept = (state, kept)
        return kept


NOTHING = Ready()


def key_of(kind: str, id: int) -> int:
    """Posts have one space of numbers, terms another; here they share one."""
    return -id if kind in TERMS else id


def put(session: Session, kind: str, id: int, made: str, ready: Ready) -> None:
    if kind != "event":
        sequence.next_number(session, "part")
    session.run(
        "INSERT INTO ready (key, kind, made, sort_name, linked, body, detail) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (key) DO UPDATE SET made = excluded.made, sort_name = excluded.sort_name,"
        " linked = excluded.linked, body = excluded.body, detail = excluded.detail",
        (
            key_of(kind, id),
            kind,
            made if ready.body else UNSEEN,
            ready.sort_name,
            ready.links,
            ready.body,
            ready.detail,
        ),
    )


def find(session: Session, made: str, keys: Collection[int], *, detail: bool = False) -> tuple[dict[int, Ready], int]:
    """What is ready of these, made in this way, and the state of everything that events show."""
    column = "detail" if detail else "NULL"
    rows = session.all(
        f"SELECT key, kind, made, sort_name, linked, body, {column},"
        f" (SELECT last FROM sequence WHERE name = 'part') FROM ready WHERE key {session.dialect.in_ids}",
        [Ids(keys)],
    )
    found: dict[int, Ready] = {}
    for key, kind, how, sort_name, linked, body, more, _ in rows:
        if how == made:
            found[key] = Ready(kind, body, more or b"", sort_name, linked)
        elif how == UNSEEN:
            found[key] = Ready(kind)
    return found, rows[0][-1] if rows else 0


class Look(NamedTuple):
    """What one query saw: events in their order, and of which state of the store. `rev` is the last change."""

    found: list[tuple[bytes, str]]  # each with its links, as they are stored
    detail: bytes
    rev: int
    state: int

    @property
    def has_parents(self) -> bool:
        """Whether some of them are parts of other events."""
        return {links[-len(NO_PARENT) :] for _, links in self.found} != {NO_PARENT}


_STATE = (
    "(SELECT last FROM sequence WHERE name = 'rev') AS rev, (SELECT last FROM sequence WHERE name = 'part') AS part"
)
_LISTED = (
    f"SELECT p.start_local, p.id, r.made, r.linked, r.body, {_STATE} FROM ("
    "SELECT e.start_local AS start_local, e.id AS id FROM event e"
    " WHERE e.reach > 0 AND e.start_local >= ? AND e.start_local < ? AND e.end_local < ?"
    " ORDER BY e.start_local, e.id LIMIT ? OFFSET ?) AS p LEFT JOIN ready r ON r.key = p.id"
)


def listed(session: Session, made: str, first: date, end: date, most: int, offset: int) -> Look | None:
    """The listed events that start on a day or later and end before another, by their start; None unless there are
    some, all of them ready."""
    low, high = f"{first.isoformat()} 00:00:00", f"{end.isoformat()} 00:00:00"
    latest = (end + LATER).isoformat()  # an event may end before it starts, where a clock goes back
    rows = session.all(_LISTED, (low, latest, high, most, offset))
    rows.sort()  # a join has no order of its own
    found = [(body, linked) for _, _, how, linked, body, _, _ in rows if how == made]
    return Look(found, b"", *rows[0][5:]) if found and len(found) == len(rows) else None


def alone(session: Session, made: str, id: int) -> Look | None:
    """One event that strangers see everything of, if it is ready."""
    row = session.one(f"SELECT made, kind, linked, body, detail, {_STATE} FROM ready WHERE key = ?", (id,))
    if row is None or row[0] != made or row[1] != "event" or not row[4]:
        return None
    return Look([(row[3], row[2])], *row[4:])


def drop_owned(session: Session, user: int) -> None:
    """Throws away what shows somebody as its author."""
    sequence.next_number(session, "part")
    site.forget(session, ALL_READY)
    for kind in POST_TYPES:
        session.run(f"DELETE FROM ready WHERE key IN (SELECT id FROM {kind} WHERE author = ?)", (user,))


def next_unready(
    session: Session, kind: str, made: str, after: int, most: int
) -> tuple[list[tuple[int, bool]], int | None]:
    """Looks at the next records of a kind: those that are not ready, each with whether it is missing altogether; and
    the last one looked at, None at the end."""
    sign = "-" if kind in TERMS else ""
    rows = session.all(
        f"SELECT r.id, ready.made FROM {kind} r LEFT JOIN ready ON ready.key = {sign}r.id"
        " WHERE r.id > ? ORDER BY r.id LIMIT ?",
        (after, most),
    )
    found = [(id, how is None) for id, how in rows if how not in (made, UNSEEN)]
    return found, rows[-1][0] if rows else None


def unready(session: Session, kind: str, made: str, ids: Iterable[int]) -> list[int]:
    """Those of some records that are still not ready."""
    wanted = list(ids)
    keys = [key_of(kind, id) for id in wanted]
    known: dict[int, str] = dict(
        session.all(f"SELECT key, made FROM ready WHERE key {session.dialect.in_ids}", [Ids(keys)])
    )
    return [id for id, key in zip(wanted, keys, strict=True) if known.get(key, "missing") not in (made, UNSEEN)]
