"""Imports that were started in the admin, as rows."""

from datetime import datetime, timedelta
from typing import NamedTuple

from kalends.store.engine.store import Session
from kalends.store.rows import tables
from kalends.store.rows.tables import Table
from kalends.values import dates

READY, RUNNING, DONE, FAILED = "ready", "running", "done", "failed"
PREVIEWING = "previewing"  # its first records are fetched
STALE = timedelta(minutes=2)  # a job without a sign for this long was interrupted


class ImportJob(NamedTuple):
    """`place` is a file or an address, `options` and `report` are JSON."""

    id: int
    user: int
    kind: str
    label: str
    place: str
    options: str
    state: str
    done: int
    total: int
    report: str
    created_utc: str
    updated_utc: str


def is_interrupted(job: ImportJob, now: datetime) -> bool:
    """Whether its server ended while it was under way."""
    return job.state in (RUNNING, PREVIEWING) and job.updated_utc < dates.text(now - STALE)


_JOBS = Table("import_job", ImportJob)


def add(session: Session, user: int, kind: str, label: str, source: str, options: str, at: str) -> int:
    id = tables.next_number(session, "import_job")
    _JOBS.insert(session, ImportJob(id, user, kind, label, source, options, READY, 0, 0, "", at, at))
    return id


def find(session: Session, id: int) -> ImportJob | None:
    return _JOBS.one(session, "id = ?", (id,))


def latest(session: Session, most: int) -> list[ImportJob]:
    return _JOBS.all(session, "TRUE ORDER BY id DESC LIMIT ?", (most,))


def under_way(session: Session, stale: str) -> list[tuple[int, int]]:
    """The ids of the jobs that are under way and gave a sign since `stale`, and whose they are."""
    return session.all(
        'SELECT id, "user" FROM import_job WHERE state IN (?, ?) AND updated_utc >= ?', (RUNNING, PREVIEWING, stale)
    )


def start(session: Session, id: int, options: str, at: str, stale: str, state: str = RUNNING) -> bool:
    """Marks a job as under way; False if it is already. One that gave no sign since `stale` was interrupted."""
    return bool(
        session.run(
            "UPDATE import_job SET state = ?, options = ?, done = 0, updated_utc = ?"
            " WHERE id = ? AND (state NOT IN (?, ?) OR updated_utc < ?)",
            (state, options, at, id, RUNNING, PREVIEWING, stale),
        )
    )


def set_options(session: Session, id: int, options: str) -> None:
    session.run("UPDATE import_job SET options = ? WHERE id = ?", (options, id))


def progress(session: Session, id: int, done: int, total: int, at: str) -> None:
    session.run("UPDATE import_job SET done = ?, total = ?, updated_utc = ? WHERE id = ?", (done, total, at, id))


def interrupt(session: Session, id: int, at: str) -> None:
    """Its process was killed: its last sign was long ago."""
    session.run(
        "UPDATE import_job SET updated_utc = ? WHERE id = ? AND state IN (?, ?)", (at, id, RUNNING, PREVIEWING)
    )


def finish(session: Session, id: int, state: str, report: str, at: str) -> None:
    session.run("UPDATE import_job SET state = ?, report = ?, updated_utc = ? WHERE id = ?", (state, report, at, id))


def finish_preview(session: Session, id: int, state: str, report: str, at: str) -> None:
    """Not if the job was started meanwhile."""
    session.run(
        "UPDATE import_job SET state = ?, report = ?, updated_utc = ? WHERE id = ? AND state = ?",
        (state, report, at, id, PREVIEWING),
    )
