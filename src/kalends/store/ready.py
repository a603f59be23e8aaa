"""Records as strangers see them, as bytes that only have to be joined. They are written when the record is, and may
be thrown away at any time: what is not here is made anew from the records."""

from collections.abc import Collection, Iterable
from functools import lru_cache

import msgspec

from kalends.store import sequence, site
from kalends.store.database import IN_IDS, Ids, Session
from kalends.store.records import POST_TYPES

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


class Ready(msgspec.Struct, frozen=True):
    """A record made ready. `body` is how lists show it, `detail` what a read of it alone shows besides. Nothing
    in it: strangers do not see it."""

    kind: str = ""
    body: bytes = b""
    detail: bytes = b""
    sort_name: str = ""
    linked: Linked = Linked()


class Shelf:
    """Venues, organizers and terms as events show them, in the memory of the process. They are few, and every event
    shows some."""

    MOST = 5000

    def __init__(self) -> None:
        self._kept: tuple[int, dict[int, Ready]] = (-1, {})

    def at(self, state: int) -> dict[int, Ready]:
        """What is kept of a state of the store. Another state begins with nothing, be it newer or older."""
        known, kept = self._kept
        if known != state or len(kept) > self.MOST:
            kept = {}
            self._kept = (state, kept)
        return kept


NOTHING = Ready()

# The same events are listed all the time.
_linked = lru_cache(10_000)(msgspec.json.Decoder(Linked).decode)


def key_of(kind: str, id: int) -> int:
    """Posts have one space of numbers, terms another; here they share one."""
    return -id if kind in TERMS else id


def put(session: Session, kind: str, id: int, made: str, ready: Ready) -> None:
    if kind != "event":
        sequence.next_number(session, "part")
    linked = msgspec.json.encode(ready.linked).decode()
    session.run(
        "INSERT INTO ready (key, kind, made, sort_name, linked, body, detail) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (key) DO UPDATE SET made = excluded.made, sort_name = excluded.sort_name,"
        " linked = excluded.linked, body = excluded.body, detail = excluded.detail",
        (key_of(kind, id), kind, made if ready.body else UNSEEN, ready.sort_name, linked, ready.body, ready.detail),
    )


def find(session: Session, made: str, keys: Collection[int], *, detail: bool = False) -> tuple[dict[int, Ready], int]:
    """What is ready of these, made in this way, and the state of everything that events show."""
    column = "detail" if detail else "NULL"
    rows = session.all(
        f"SELECT key, kind, made, sort_name, linked, body, {column},"
        f" (SELECT last FROM sequence WHERE name = 'part') FROM ready WHERE key {IN_IDS}",
        [Ids(keys)],
    )
    found: dict[int, Ready] = {}
    for key, kind, how, sort_name, linked, body, more, _ in rows:
        if how == made:
            found[key] = Ready(kind, body, more or b"", sort_name, _linked(linked))
        elif how == UNSEEN:
            found[key] = Ready(kind)
    return found, rows[0][-1] if rows else 0


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
    known: dict[int, str] = dict(session.all(f"SELECT key, made FROM ready WHERE key {IN_IDS}", [Ids(keys)]))
    return [id for id, key in zip(wanted, keys, strict=True) if known.get(key, "missing") not in (made, UNSEEN)]
