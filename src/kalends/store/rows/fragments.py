"""Prerendered records: the bytes that an anonymous reader gets of each, ready to be joined into a response. They are
written together with the record, and may be deleted at any time: what is missing is rendered from the records.
docs/internals/fragments.md says why, and what makes one new."""

import hashlib
import zlib
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

import msgspec

from kalends.contract.kinds import TERMS
from kalends.contract.kinds.events import LINK_OF
from kalends.store.engine.store import Ids, Row, Session
from kalends.store.rows import site, tables
from kalends.store.rows.records import POST_TYPES, Event
from kalends.values.custom_fields import Values

# Entries of feeds as they are stored: without what the body of the same fragment says already. Title and
# description are in both, so the body serves as the dictionary of the compression, and after it the words that all
# entries have: an entry of 1,300 bytes takes about a tenth.

WORDS = (
    b"CREATED:20\r\nURL:\x01/event/\r\nSTATUS:CANCELLED\r\nORGANIZER;CN=:mailto:\x04GEO:"
    b"IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:\x01/media/UTC\x04DTSTART;VALUE=DATE:\r\nDTEND;VALUE=DATE:\r\n"
    b"America/New_York\x04DTSTART;TZID=America/New_York:20\r\nDTEND;TZID=America/New_York:20\r\n"
    b"Europe/\x04DTSTART;TZID=Europe/:20000T\r\nDTEND;TZID=Europe/:20000T"
    b"\r\nDTSTAMP:2026\r\nLAST-MODIFIED:2026Z\r\nSEQUENCE:\r\nSUMMARY:"
    b"Z\r\nSTATUS:CONFIRMED\r\nDESCRIPTION:\r\n\x00"
)
WINDOW = -15  # without a head, which would say the same of every entry
LEVEL = 1  # others are slower and save nothing


def packed(entry: bytes, body: bytes) -> bytes:
    if not entry:
        return b""
    packing = zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, zdict=body + WORDS)
    return packing.compress(entry) + packing.flush()


def unpacked(stored: bytes, body: bytes) -> bytes:
    """Empty where there is none, and where it is damaged: then feeds read the record."""
    try:
        return zlib.decompressobj(WINDOW, body + WORDS).decompress(stored) if stored else b""
    except zlib.error:
        return b""


TERM_NAMES = tuple(kind.name for kind in TERMS)
NOT_PUBLIC = ""  # the render version of a record that is not public or was deleted; valid with every version
PENDING = "pending"  # that of an event whose transaction has left it to readers and the background
_NONE = (None, PENDING)  # of what has no fragment at all
ALL_PRERENDERED = "all_ready"  # key of the site's facts: the render version for which every record has a fragment

Keys = tuple[int, ...]


def digest_of(values: Values) -> str:
    """What values of custom fields are known by; empty without any."""
    return hashlib.blake2b(msgspec.json.encode(values), digest_size=16).hexdigest() if values else ""


class EventLinks(msgspec.Struct, array_like=True, frozen=True):
    """What is inserted into an event's fragment: for each of EVENT_LINKS the keys in the order given, its parent, its
    series, if anonymous readers may know of it, and the values of its custom fields."""

    linked: tuple[Keys, ...] = ((),) * len(LINK_OF)
    parent: int = 0
    series: int = 0
    # A digest of the values of all custom fields, and the event that has them; empty without any. They are long, and
    # which are shown, and how, is known when they are read.
    values: str = ""
    event: int = 0
    masked: bool = False  # a password protects it

    @classmethod
    def of(cls, event: Event, targets: Mapping[str, Iterable[int]]) -> "EventLinks":
        """The links of an event whose targets are given as ids by kind."""
        keys = [tuple([key_of(kind, id) for id in targets.get(kind, ())]) for kind in LINK_OF]
        values = digest_of(event.custom_fields)
        return cls(tuple(keys), event.post_parent, event.series or 0, values, event.id if values else 0)

    @property
    def by_kind(self) -> dict[str, Keys]:
        return dict(zip(LINK_OF, self.linked, strict=True))

    @property
    def embedded(self) -> Keys:
        """The keys of the fragments that the event embeds."""
        shown = tuple(chain.from_iterable(self.linked))
        return (*shown, self.series) if self.series else shown


_decoded_links = msgspec.json.Decoder(EventLinks).decode
links_from = lru_cache(4096)(_decoded_links)  # as they are stored; lists name the same events again and again
_links_of_all = msgspec.json.Decoder(list[EventLinks]).decode
NO_LINKS = msgspec.json.encode(EventLinks()).decode()
# The kind of the fragments that occurrences embed: the recurrence, and in `detail` the first event and series.
SERIES = "series"


class Fragment(msgspec.Struct, frozen=True):
    """A prerendered record. `body` is its form in lists, `detail` what a response of this record alone adds. Empty if
    the record is not public."""

    kind: str = ""
    body: bytes = b""
    detail: bytes = b""
    sort_name: str = ""
    links: str = NO_LINKS  # as they are stored
    entry: bytes = b""  # what feeds show of it

    @property
    def linked(self) -> EventLinks:
        return links_from(self.links)


class FragmentSet(dict[int, Fragment]):
    """What events are linked to in one state of the store by their keys, and views that callers derive."""

    def __init__(self) -> None:
        self.views: dict[Hashable, object] = {}

    def missing(self, events: Iterable[EventLinks]) -> set[int]:
        """The keys of what these events embed and is not here."""
        shown: set[int] = set()
        for links in events:
            shown.update(*links.linked)
            if links.series:
                shown.add(links.series)
        return {key for key in shown if key not in self}  # `difference` would walk through all that are here


class FragmentCache:
    """Fragments in memory, such as those that events embed: there are few, and every event has some of them."""

    def __init__(self, most: int = 5000) -> None:
        self._most = most
        self._kept: tuple[int, FragmentSet] = (-1, FragmentSet())

    def at(self, state: int) -> FragmentSet:
        """The fragments of a state of the store. Another state, newer or older, begins with an empty set."""
        known, kept = self._kept
        if known != state or len(kept) > self._most:
            kept = FragmentSet()
            self._kept = (state, kept)
        return kept


NOTHING = Fragment()
EventFragment = tuple[bytes, EventLinks]


def key_of(kind: str, id: int) -> int:
    """Posts and terms have separate sequences of ids; the keys of fragments are one."""
    return -id if kind in TERM_NAMES else id


def put(session: Session, kind: str, id: int, version: str, fragment: Fragment) -> None:
    if kind != "event":
        tables.next_number(session, "part")
    session.run(_PUT, _row(kind, id, version, fragment))


def put_events(session: Session, version: str, rendered: Sequence[tuple[int, Fragment]]) -> None:
    """The fragments of many events."""
    session.run_many(_PUT, [_row("event", id, version, fragment) for id, fragment in rendered])


def defer(session: Session, ids: Iterable[int]) -> None:
    """From now on these events have no fragment, and are among `pending`."""
    session.run_many(_PUT, [(id, "event", PENDING, "", NO_LINKS, b"", b"", b"") for id in ids])


def pending(session: Session, after: int, most: int) -> list[int]:
    """The next events that are deferred, by id."""
    return session.column(
        f"SELECT key FROM fragment WHERE render_version = '{PENDING}' AND key > ? ORDER BY key LIMIT ?", (after, most)
    )


def delete(session: Session, key: int) -> None:
    """Deletes a fragment that no event embeds any more."""
    session.run("DELETE FROM fragment WHERE key = ?", (key,))


_PUT = (
    "INSERT INTO fragment (key, kind, render_version, sort_name, links, body, detail, entry)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (key) DO UPDATE SET render_version = excluded.render_version, sort_name = excluded.sort_name,"
    " links = excluded.links, body = excluded.body, detail = excluded.detail, entry = excluded.entry"
)


def _row(kind: str, id: int, version: str, fragment: Fragment) -> Row:
    return (
        key_of(kind, id),
        kind,
        version if fragment.body else NOT_PUBLIC,
        fragment.sort_name,
        fragment.links,
        fragment.body,
        fragment.detail,
        packed(fragment.entry, fragment.body),
    )


def find(
    session: Session, version: str, keys: Collection[int], *, detail: bool = False, entry: bool = True
) -> tuple[dict[int, Fragment], int]:
    """Those of these fragments that have the render version, and the state of all that events embed. `detail`: also
    what they show alone and, unless `entry` is false, in feeds."""
    columns = ("detail, entry" if entry else "detail, NULL") if detail else "NULL, NULL"
    rows = session.all(
        f"SELECT key, kind, render_version, sort_name, links, body, {columns},"
        f" (SELECT last FROM sequence WHERE name = 'part') FROM fragment WHERE key {session.dialect.in_ids}",
        [Ids(keys)],
    )
    found: dict[int, Fragment] = {}
    for key, kind, row_version, sort_name, links, body, more, stored, _ in rows:
        if row_version == version:
            found[key] = Fragment(
                kind, body, more or b"", sort_name, links, unpacked(stored, body) if stored else b""
            )
        elif row_version == NOT_PUBLIC:
            found[key] = Fragment(kind)
    return found, rows[0][-1] if rows else 0


def find_one(session: Session, version: str, key: int) -> tuple[Fragment, int] | None:
    """One fragment with its detail, and the state of all that events embed."""
    row = session.one(
        f"SELECT render_version, kind, body, detail, sort_name, links, {_PART} FROM fragment WHERE key = ?", (key,)
    )
    if row is None:
        return None
    row_version, kind, body, detail, sort_name, links, state = row
    if row_version == NOT_PUBLIC:
        return NOTHING, state
    return (Fragment(kind, body, detail, sort_name, links), state) if row_version == version else None


class EventFragments(msgspec.Struct, frozen=True):
    """Prerendered events in order, each as its template and its links; None if one of them is missing, and then those
    that are there by their ids, None for the others. `state` is that of all that events embed."""

    events: list[EventFragment] | None
    state: int
    rev: int  # the last change that the query saw
    partly: Mapping[int, EventFragment | None] = {}
    details: Sequence[bytes] = ()  # what each adds when it is read alone, where that was asked for


NOTHING_FOUND = EventFragments([], 0, 0)
_PART = "(SELECT last FROM sequence WHERE name = 'part')"
_STATE = f"{_PART}, (SELECT last FROM sequence WHERE name = 'rev')"


def events_of(
    session: Session, version: str, page: str, parameters: list[object], *, descending: bool
) -> tuple[list[int], EventFragments]:
    """The events of a page, which is a statement for their sort keys and ids, with their fragments in one query."""
    rows = session.all(
        f"SELECT p.sort_key, p.id, r.render_version, r.links, r.body, {_STATE}"
        f" FROM ({page}) AS p LEFT JOIN fragment r ON r.key = p.id",
        parameters,
    )
    rows.sort(key=_order, reverse=descending)  # a join has no order of its own
    return [row[1] for row in rows], _found(version, rows)


def find_events(session: Session, version: str, ids: Sequence[int], *, detail: bool = False) -> EventFragments:
    """The fragments of these events; `detail`: also what they show alone."""
    if not ids:
        return NOTHING_FOUND
    more = "detail" if detail else "NULL"
    rows = session.all(
        f"SELECT {more}, key, render_version, links, body, {_STATE} FROM fragment WHERE key {session.dialect.in_ids}",
        [Ids(ids)],
    )
    by_id = {row[1]: row for row in rows}
    rows = [by_id.get(id, (None, id, None, None, None, 0, 0)) for id in ids]
    found = _found(version, rows)
    return msgspec.structs.replace(found, details=[row[0] for row in rows]) if detail else found


class EntryRow(NamedTuple):
    """An event of a feed: its place in the order, its series, and its links and template, None where it has no
    current fragment. `state` is that of all that events embed."""

    start_local: str
    id: int
    series: int | None
    links: EventLinks | None
    entry: bytes
    state: int


def entries_of(session: Session, version: str, page: str, parameters: list[object]) -> list[EntryRow]:
    """The events of a page, which is a statement for their ids, starts and series, with what feeds show of each."""
    rows = session.all(
        f"SELECT p.start_local, p.id, p.series, r.render_version, r.links, r.body, r.entry, {_PART}"
        f" FROM ({page}) AS p LEFT JOIN fragment r ON r.key = p.id",
        parameters,
    )
    rows.sort(key=_order)
    found: list[EntryRow] = []
    for start, id, series, row_version, links, body, stored, state in rows:
        entry = unpacked(stored, body) if row_version == version else b""
        found.append(EntryRow(start, id, series, links_from(links) if entry else None, entry, state))
    return found


_order = itemgetter(0, 1)


def _found(version: str, rows: Sequence[Row]) -> EventFragments:
    if not rows:
        return NOTHING_FOUND
    _, _, _, _, _, state, rev = rows[0]
    for row in rows:
        if row[2] != version:
            return EventFragments(None, state, rev, _partly(version, rows))
    links = _links_of_all(f"[{','.join([row[3] for row in rows])}]")  # decoded at once
    return EventFragments([(row[4], one) for row, one in zip(rows, links, strict=True)], state, rev)


def _partly(version: str, rows: Sequence[Row]) -> dict[int, EventFragment | None]:
    return {row[1]: (row[4], links_from(row[3])) if row[2] == version else None for row in rows}


def drop_owned(session: Session, user: int) -> None:
    """Deletes the fragments of a user's records, which name the author."""
    tables.next_number(session, "part")
    site.forget(session, ALL_PRERENDERED)
    for kind in POST_TYPES:
        session.run(f"DELETE FROM fragment WHERE key IN (SELECT id FROM {kind} WHERE author = ?)", (user,))


def next_missing(
    session: Session, kind: str, version: str, after: int, most: int
) -> tuple[list[tuple[int, bool]], int | None, int]:
    """Checks the next records of a kind. Returns those without a current fragment, each with whether it has none at
    all; the last id checked, None at the end; and the number of records checked."""
    sign = "-" if kind in TERM_NAMES else ""
    rows = session.all(
        f"SELECT r.id, fragment.render_version FROM {kind} r LEFT JOIN fragment ON fragment.key = {sign}r.id"
        " WHERE r.id > ? ORDER BY r.id LIMIT ?",
        (after, most),
    )
    without = [(id, found in _NONE) for id, found in rows if found not in (version, NOT_PUBLIC)]
    return without, rows[-1][0] if rows else None, len(rows)


def missing(
    session: Session, kind: str, version: str, ids: Iterable[int], *, outdated: bool = True
) -> dict[int, str | None]:
    """Those of some records that exist and have no fragment, each with the render version of what it has instead.
    `outdated`: also those with one of another render version."""
    sign = "-" if kind in TERM_NAMES else ""
    rows = session.all(
        f"SELECT r.id, fragment.render_version FROM {kind} r LEFT JOIN fragment ON fragment.key = {sign}r.id"
        f" WHERE r.id {session.dialect.in_ids} ORDER BY r.id",
        [Ids(ids)],
    )
    return {id: found for id, found in rows if found in _NONE or (outdated and found not in (version, NOT_PUBLIC))}


def ids_after(session: Session, kind: str, after: int, most: int) -> list[int]:
    """The next records of a kind, prerendered or not."""
    return session.column(f"SELECT id FROM {kind} WHERE id > ? ORDER BY id LIMIT ?", (after, most))


def empty(session: Session, keys: Collection[int]) -> set[int]:
    """Those of some keys whose records are not public or were deleted."""
    return set(
        session.column(
            f"SELECT key FROM fragment WHERE render_version = ? AND key {session.dialect.in_ids}",
            (NOT_PUBLIC, Ids(keys)),
        )
    )


def without_record(session: Session) -> list[tuple[str, int]]:
    """Fragments that show something of records that do not exist: kind and id of each."""
    return [
        (kind, id)
        for kind in (*POST_TYPES, *TERM_NAMES, SERIES)
        for id in session.column(
            f"SELECT abs(f.key) FROM fragment f LEFT JOIN {kind} r ON r.id = abs(f.key)"
            " WHERE f.kind = ? AND f.render_version <> ? AND r.id IS NULL ORDER BY 1",
            (kind, NOT_PUBLIC),
        )
    ]


def count(session: Session, kind: str) -> int:
    """The number of records of a kind, prerendered or not."""
    return int(session.value(f"SELECT count(*) FROM {kind}"))
