"""What a run of an import did with each record, as the journal tells: every change of it has the run as its cause."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from kalends.contract.kinds import KIND_OF
from kalends.features.custom_fields import rules as custom_fields
from kalends.features.importing.run_rows import ImportRun
from kalends.store.engine.store import Ids, Session, placeholders
from kalends.store.rows import history, journal

MEDIA = "media"
NOTED = (*KIND_OF, MEDIA, custom_fields.KIND, history.SERIES)
# The second tells PostgreSQL that the index has all of them.
_OF_RUN = f"j.cause = ? AND j.cause <> '' AND j.action <> '{journal.SHOW}'"
_COUNTED = "SUM(CASE j.action WHEN '{}' THEN 1 ELSE 0 END)"
_COLUMNS = (
    f"j.kind, j.id, min(j.rev), max(j.rev), {_COUNTED.format(journal.CREATE)}, {_COUNTED.format(journal.DELETE)}"
)


class Changed(NamedTuple):
    """A record that a run has created, changed or deleted: the first and the last change that it made."""

    kind: str
    id: int
    action: str
    first_rev: int
    rev: int


def next_changes(session: Session, run: ImportRun, kind: str, after: int, most: int) -> list[Changed]:
    """What a run did with records of a kind, after one of them, by their ids."""
    return _read(session, run, "AND j.kind = ? AND j.id > ?", [kind, after], f"LIMIT {most}")


def of_ids(session: Session, run: ImportRun, kind: str, ids: Collection[int]) -> dict[int, Changed]:
    """What a run did with some records of a kind, by their ids."""
    if not ids:
        return {}
    found = _read(session, run, f"AND j.kind = ? AND j.id {session.dialect.in_ids}", [kind, Ids(ids)])
    return {one.id: one for one in found}


def one(session: Session, run: ImportRun, kind: str, id: int) -> Changed | None:
    return of_ids(session, run, kind, [id]).get(id)


def changed_since(session: Session, run: ImportRun, kind: str) -> list[Changed]:
    """What a run did with those records of a kind that have changed since, and are there."""
    sql = f"SELECT {_COLUMNS} FROM journal j JOIN {kind} r ON r.id = j.id WHERE {_OF_RUN} AND j.kind = ?"
    rows = session.all(f"{sql} GROUP BY j.kind, j.id, r.rev HAVING max(j.rev) <> r.rev", (run.cause, kind))
    return _changes(rows)


def counts(session: Session, run: ImportRun) -> dict[tuple[str, str], int]:
    """How many records a run has changed, by action and kind."""
    found: dict[tuple[str, str], int] = {}
    for change in _read(session, run, f"AND j.kind IN ({placeholders(NOTED)})", NOTED):
        key = change.action, change.kind
        found[key] = found.get(key, 0) + 1
    return found


def with_changes(session: Session, runs: Collection[ImportRun]) -> set[int]:
    """Those runs that changed something."""
    sql = f"SELECT 1 FROM journal j WHERE {_OF_RUN} LIMIT 1"
    return {run.id for run in runs if session.one(sql, (run.cause,)) is not None}


def _read(
    session: Session, run: ImportRun, condition: str, parameters: Sequence[Any], end: str = ""
) -> list[Changed]:
    sql = f"SELECT {_COLUMNS} FROM journal j WHERE {_OF_RUN} {condition} GROUP BY j.kind, j.id ORDER BY j.kind, j.id"
    return _changes(session.all(f"{sql} {end}", (run.cause, *parameters)))


def _changes(rows: Sequence[Any]) -> list[Changed]:
    """Without what a run has created and deleted again: that was never there."""
    return [
        Changed(kind, id, journal.CREATE if created else journal.DELETE if deleted else journal.UPDATE, first, last)
        for kind, id, first, last, created, deleted in rows
        if not (created and deleted)
    ]
