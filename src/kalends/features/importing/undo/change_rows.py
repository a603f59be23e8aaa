"""What each run of an import did, as rows: the run itself, the records that it changed, and what was remembered of
them before. By these an import can be undone."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import msgspec

from kalends.contract.kinds import COMPANIONS, TERMS
from kalends.features.importing import rows as imports
from kalends.features.importing.rows import Imported
from kalends.store.engine.store import Ids, Session
from kalends.store.rows import tables

UNDOING, UNDONE = "undoing", "undone"
_ENTRY = 'id, job, "user", source, label, began_utc, updated_utc, ended_utc, state, report'
_CHANGE = "entry, kind, id, action, first_rev, rev, edited, before"
# What shows others goes before these: a venue is in use until its events are gone. What was created goes before what
# was changed comes back, since it may have its address; but a category comes back before the one above it goes.
_PLACES = {
    ("create", "event"): 0,
    ("update", "event"): 1,
    **{("update", kind.name): 4 for kind in COMPANIONS},
    **{("create", kind.name): 5 for kind in COMPANIONS},
    **{("update", kind.name): 6 for kind in TERMS},
    **{("create", kind.name): 7 for kind in TERMS},
    ("create", "media"): 8,
}
_ORDER = (
    "CASE kind WHEN 'series' THEN 2 ELSE CASE action || ' ' || kind "
    + " ".join(f"WHEN '{action} {kind}' THEN {place}" for (action, kind), place in _PLACES.items())
    + " ELSE 9 END END"
)


class Entry(NamedTuple):
    """A run of an import. `job` is that of the admin, 0 for a command; `report` is JSON."""

    id: int
    job: int
    user: int
    source: str
    label: str
    began_utc: str
    updated_utc: str
    ended_utc: str
    state: str
    report: str


class Changed(NamedTuple):
    """A record that a run has created, changed or deleted: the first and the last change that it made. `edited`:
    somebody else changed it between these. `before`: what a series was."""

    entry: int
    kind: str
    id: int
    action: str
    first_rev: int
    rev: int
    edited: int = 0
    before: str = ""


def add(session: Session, job: int, user: int, source: str, label: str, at: str) -> int:
    id = tables.next_number(session, "import_entry")
    session.run(
        f"INSERT INTO import_entry ({_ENTRY}) VALUES (?, ?, ?, ?, ?, ?, ?, '', '', '')",
        (id, job, user, source, label, at, at),
    )
    return id


def forget_oldest(session: Session, before: str) -> None:
    """Forgets the oldest run if it began before a time: it cannot be undone any more."""
    id = session.value("SELECT min(id) FROM import_entry WHERE state <> ?", (UNDOING,))
    if id is None or session.one("SELECT 1 FROM import_entry WHERE id = ? AND began_utc < ?", (id, before)) is None:
        return
    session.run("DELETE FROM import_change WHERE entry = ?", (id,))
    session.run("DELETE FROM import_memory WHERE entry = ?", (id,))
    session.run("DELETE FROM import_entry WHERE id = ?", (id,))


def find(session: Session, id: int) -> Entry | None:
    row = session.one(f"SELECT {_ENTRY} FROM import_entry WHERE id = ?", (id,))
    return None if row is None else Entry(*row)


def latest(session: Session, most: int) -> list[Entry]:
    rows = session.all(f"SELECT {_ENTRY} FROM import_entry ORDER BY id DESC LIMIT ?", (most,))
    return [Entry(*row) for row in rows]


def of_job(session: Session, job: int) -> list[Entry]:
    """The runs of a job of the admin, newest first."""
    rows = session.all(f"SELECT {_ENTRY} FROM import_entry WHERE job = ? ORDER BY id DESC LIMIT 100", (job,))
    return [Entry(*row) for row in rows]


def of_source(session: Session, source: str, most: int = 20) -> list[Entry]:
    """The last runs of imports of a source, newest first."""
    sql = f"SELECT {_ENTRY} FROM import_entry WHERE source = ? ORDER BY id DESC LIMIT ?"
    return [Entry(*row) for row in session.all(sql, (source, most))]


def touch(session: Session, id: int, at: str) -> None:
    """A run goes on."""
    session.run("UPDATE import_entry SET updated_utc = ?, ended_utc = '' WHERE id = ?", (at, id))


def end(session: Session, id: int, at: str) -> None:
    session.run("UPDATE import_entry SET updated_utc = ?, ended_utc = ? WHERE id = ?", (at, at, id))


def set_state(session: Session, id: int, state: str, report: str, at: str) -> None:
    session.run(
        "UPDATE import_entry SET state = ?, report = ?, updated_utc = ? WHERE id = ?", (state, report, at, id)
    )


def note(session: Session, entry: int, rows: Iterable[Changed]) -> None:
    """Notes changes. Of a record that the run has changed before, the first change counts, and what was then."""
    noted = list(rows)
    session.run_many(
        f"INSERT INTO import_change ({_CHANGE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (entry, kind, id)"
        " DO UPDATE SET rev = excluded.rev, edited = CASE WHEN import_change.edited = 1 OR EXISTS"
        " (SELECT 1 FROM version v WHERE v.kind = import_change.kind AND v.id = import_change.id"
        " AND v.rev > import_change.rev AND v.rev < excluded.first_rev) THEN 1 ELSE 0 END,"
        " action = CASE WHEN excluded.action = 'delete' THEN"
        " CASE WHEN import_change.action = 'create' THEN 'none' ELSE 'delete' END"
        " ELSE import_change.action END",
        noted,
    )
    # What a run has created and deleted again was never there.
    if any(row.action == "delete" for row in noted):
        session.run("DELETE FROM import_change WHERE entry = ? AND action = 'none'", (entry,))


def one(session: Session, entry: int, kind: str, id: int) -> Changed | None:
    row = session.one(
        f"SELECT {_CHANGE} FROM import_change WHERE entry = ? AND kind = ? AND id = ?", (entry, kind, id)
    )
    return None if row is None else Changed(*row)


def of_ids(session: Session, entry: int, kind: str, ids: Collection[int]) -> dict[int, Changed]:
    """What a run did with some records of a kind, by their ids."""
    sql = f"SELECT {_CHANGE} FROM import_change WHERE entry = ? AND kind = ? AND id {session.dialect.in_ids}"
    return {row[2]: Changed(*row) for row in session.all(sql, (entry, kind, Ids(ids)))} if ids else {}


def actions_in_series(session: Session, entry: int, series: int) -> dict[int, str]:
    """What a run did with the dates of a series, by their ids."""
    sql = "SELECT c.id, c.action FROM import_change c JOIN event e ON e.id = c.id"
    rows = session.all(f"{sql} WHERE c.entry = ? AND c.kind = 'event' AND e.series = ?", (entry, series))
    return dict(rows)


def mark(session: Session, row: Changed, edited: int) -> None:
    session.run("UPDATE import_change SET edited = ? WHERE entry = ? AND kind = ? AND id = ?", (edited, *row[:3]))


def changed_since(session: Session, entry: int, kind: str) -> list[Changed]:
    """What a run did with those records of a kind that have changed since, and are there."""
    columns = ", ".join(f"c.{name}" for name in Changed._fields)
    sql = f"SELECT {columns} FROM import_change c JOIN {kind} r ON r.id = c.id WHERE c.entry = ? AND c.kind = ?"
    return [Changed(*row) for row in session.all(f"{sql} AND (r.rev <> c.rev OR c.edited = 1)", (entry, kind))]


def next_rows(session: Session, entry: int, most: int) -> list[Changed]:
    """The next changes of a run to be undone."""
    sql = f"SELECT {_CHANGE} FROM import_change WHERE entry = ? ORDER BY {_ORDER}, id LIMIT ?"
    return [Changed(*row) for row in session.all(sql, (entry, most))]


def count_since(session: Session, row: Changed) -> int:
    """How many versions of a record were replaced since a run, of the first two."""
    sql = "SELECT rev FROM version WHERE kind = ? AND id = ? AND rev > ? ORDER BY rev LIMIT 2"
    return len(session.column(sql, (row.kind, row.id, row.rev)))


def follow(session: Session, row: Changed, rev: int) -> None:
    """After a change was undone: the record is again what earlier runs left, unless it was changed in between."""
    changes = "journal" if row.kind == "series" else "version"
    session.run(
        "UPDATE import_change SET rev = ? WHERE kind = ? AND id = ? AND rev < ? AND NOT EXISTS"
        f" (SELECT 1 FROM {changes} c WHERE c.kind = import_change.kind AND c.id = import_change.id"
        " AND c.rev > import_change.rev AND c.rev < ?)",
        (rev, row.kind, row.id, row.first_rev, row.first_rev),
    )


def counts(session: Session, entry: int) -> dict[tuple[str, str], int]:
    """How many records a run has changed, by action and kind."""
    sql = "SELECT action, kind, count(*) FROM import_change WHERE entry = ? GROUP BY action, kind"
    return {(action, kind): int(count) for action, kind, count in session.all(sql, (entry,))}


def events_of_job(session: Session, job: int) -> list[int]:
    """The events that the runs of a job of the admin have made or changed, but for those that were undone."""
    sql = "SELECT DISTINCT c.id FROM import_change c JOIN import_entry e ON e.id = c.entry WHERE e.job = ?"
    return session.column(f"{sql} AND c.kind = 'event' AND c.action <> 'delete' ORDER BY c.id", (job,))


def entries_with(session: Session, entries: Collection[int]) -> set[int]:
    """Those runs of which something can be undone."""
    sql = "SELECT 1 FROM import_change WHERE entry = ? LIMIT 1"
    return {entry for entry in entries if session.one(sql, (entry,)) is not None}


def remove(session: Session, row: Changed) -> None:
    """After a change was undone, or is to stay."""
    session.run("DELETE FROM import_change WHERE entry = ? AND kind = ? AND id = ?", row[:3])


def note_memory(session: Session, entry: int, rows: Sequence[tuple[Imported, Imported | None]]) -> None:
    """Notes what was remembered, before it is something else: each row as it is to be, and as it was."""
    session.run_many(
        "INSERT INTO import_memory (entry, source, kind, external_id, id, before) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (entry, kind, id, source, external_id) DO NOTHING",
        [
            (entry, *new[:4], "" if old is None else msgspec.json.encode(old).decode())
            for new, old in rows
            if new != old
        ],
    )


def put_memory_back(session: Session, entry: int, kind: str, id: int) -> None:
    """Lets imports know of a record what they knew before a run."""
    sql = "SELECT source, external_id, before FROM import_memory WHERE entry = ? AND kind = ? AND id = ?"
    for source, external_id, before in session.all(sql, (entry, kind, id)):
        if before:
            imports.put_many(session, [msgspec.json.decode(before, type=Imported)])
        else:
            imports.forget(session, source, kind, external_id)
    drop_memory(session, entry, kind, id)


def drop_memory(session: Session, entry: int, kind: str, id: int) -> None:
    session.run("DELETE FROM import_memory WHERE entry = ? AND kind = ? AND id = ?", (entry, kind, id))


def remembered(session: Session, entry: int, most: int) -> list[tuple[str, int]]:
    """Some records, as kind and id, of which a run has remembered something."""
    sql = "SELECT DISTINCT kind, id FROM import_memory WHERE entry = ? ORDER BY kind, id LIMIT ?"
    return [(kind, id) for kind, id in session.all(sql, (entry, most))]
