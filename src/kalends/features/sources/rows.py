"""Sources, how they are, and what was read from them, as rows."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from kalends.store.engine.store import Session
from kalends.store.rows import tables
from kalends.store.rows.tables import Table

TASK = "source"  # the kind of work for later that reads one
KEPT_RUNS = 50  # of each source


class Source(msgspec.Struct, kw_only=True):
    """A calendar elsewhere. `categories`, `tags`, `take` and `leave_out` are lists as JSON. `every` is in seconds,
    `back` and `ahead` are months."""

    id: int = 0
    address: str
    name: str = ""
    origin: str
    active: bool = True
    login: str = ""  # sealed
    every: int
    publish: str
    categories: str = "[]"
    tags: str = "[]"
    venue: int = 0
    organizer: int = 0
    author: int = 0
    back: int
    ahead: int
    take: str = "[]"
    leave_out: str = "[]"
    when_gone: str
    images: bool = True
    created_utc: str

    def listed(self, field: str) -> list[int] | list[str]:
        """What one of its lists holds."""
        found: list[int] | list[str] = msgspec.json.decode(getattr(self, field))
        return found


class ReadCounts(NamedTuple):
    """What came of a read: how many events were created and changed here, are as they were, are gone at the source,
    and wait for a person."""

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    held: int = 0


class SourceStatus(msgspec.Struct, kw_only=True):
    """How a source is. `kind` is what was found at its address; `error` a message as JSON. A time is empty where
    there is none."""

    id: int
    kind: str = ""
    etag: str = ""
    modified: str = ""
    digest: str = ""
    probe: str = ""  # of a site: the address that tells whether it has changed
    stale_utc: str = ""
    shrunk_utc: str = ""
    next_run: str = ""
    last_success: str = ""
    failing_since: str = ""
    failures: int = 0
    told_utc: str = ""
    error: str = ""
    created: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    held: int = 0

    @property
    def counts(self) -> ReadCounts:
        return ReadCounts(self.created, self.changed, self.unchanged, self.gone, self.held)


class SourceRun(NamedTuple):
    """One read that is worth telling. `entry` is the run of its import, 0 if it changed nothing."""

    id: int
    source: int
    entry: int
    began_utc: str
    ended_utc: str
    created: int
    changed: int
    unchanged: int
    gone: int
    held: int
    error: str
    report: str


class SourceEvent(NamedTuple):
    """What a source told last of an event."""

    origin: str
    external_id: str
    likeness: str
    fields: str


_SOURCES = Table("source", Source)
_STATES = Table("source_state", SourceStatus)
_RUNS = Table("source_run", SourceRun)
_EVENTS = Table("source_event", SourceEvent)


def insert(session: Session, source: Source) -> None:
    """A new one gets the next number, and its state."""
    source.id = tables.next_number(session, "source")
    _SOURCES.insert(session, source)
    add_state(session, SourceStatus(id=source.id))


def add_state(session: Session, state: SourceStatus) -> None:
    _STATES.insert(session, state)


def update(session: Session, source: Source) -> None:
    _SOURCES.update(session, source)


def delete(session: Session, source: Source) -> None:
    """What it has brought stays."""
    for table, column in (("source_run", "source"), ("source_state", "id"), ("source", "id")):
        session.run(f"DELETE FROM {table} WHERE {column} = ?", (source.id,))
    session.run("DELETE FROM source_event WHERE origin = ?", (source.origin,))


def find(session: Session, id: int) -> Source | None:
    return _SOURCES.one(session, "id = ?", (id,))


def at_address(session: Session, address: str) -> Source | None:
    return _SOURCES.one(session, "address = ?", (address,))


def of_origin(session: Session, origin: str) -> Source | None:
    return _SOURCES.one(session, "origin = ?", (origin,))


def everyone(session: Session) -> list[Source]:
    return _SOURCES.all(session, "TRUE ORDER BY id")


def origins(session: Session) -> set[str]:
    """What records that came from sources remember."""
    return {origin for (origin,) in session.all("SELECT origin FROM source")}


def state(session: Session, id: int) -> SourceStatus:
    return _STATES.one(session, "id = ?", (id,)) or SourceStatus(id=id)


def states(session: Session) -> dict[int, SourceStatus]:
    return {one.id: one for one in _STATES.all(session, "TRUE")}


def put_state(session: Session, state: SourceStatus) -> None:
    _STATES.update(session, state)


def change_author(session: Session, before: int, now: int) -> None:
    session.run("UPDATE source SET author = ? WHERE author = ?", (now, before))


def begin_anew(session: Session, id: int, now: str) -> None:
    """The next read takes nothing for unchanged."""
    session.run(
        "UPDATE source_state SET etag = '', modified = '', digest = '', probe = '', next_run = ? WHERE id = ?",
        (now, id),
    )


def add_run(session: Session, run: SourceRun) -> None:
    """Adds a read, which gets the next number; the oldest are forgotten."""
    numbered = run._replace(id=tables.next_number(session, "source_run"))
    _RUNS.insert(session, numbered)
    session.run(
        "DELETE FROM source_run WHERE source = ? AND id <= coalesce((SELECT id FROM source_run WHERE source = ?"
        " ORDER BY id DESC LIMIT 1 OFFSET ?), 0)",
        (run.source, run.source, KEPT_RUNS),
    )


def runs(session: Session, source: int, most: int) -> list[SourceRun]:
    """The newest first."""
    return _RUNS.all(session, "source = ? ORDER BY id DESC LIMIT ?", (source, most))


def events_of(session: Session, origin: str) -> dict[str, SourceEvent]:
    return {one.external_id: one for one in _EVENTS.all(session, "origin = ?", (origin,))}


def find_event(session: Session, origin: str, external_id: str) -> SourceEvent | None:
    return _EVENTS.one(session, "origin = ? AND external_id = ?", (origin, external_id))


def put_events(session: Session, events: Iterable[SourceEvent]) -> None:
    session.run_many(
        "INSERT INTO source_event (origin, external_id, likeness, fields) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (origin, external_id) DO UPDATE SET likeness = excluded.likeness, fields = excluded.fields",
        list(events),
    )


# Rows that belong to no source, which only a damaged store has.
_ORPHANS = {
    "source_state": "id NOT IN (SELECT id FROM source)",
    "source_run": "source NOT IN (SELECT id FROM source)",
    "source_event": "origin NOT IN (SELECT origin FROM source)",
}


def count_orphans(session: Session) -> dict[str, int]:
    return {
        table: session.value(f"SELECT count(*) FROM {table} WHERE {condition}")
        for table, condition in _ORPHANS.items()
    }


def delete_orphans(session: Session) -> None:
    for table, condition in _ORPHANS.items():
        session.run(f"DELETE FROM {table} WHERE {condition}")
