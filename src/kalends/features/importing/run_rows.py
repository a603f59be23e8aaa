"""Runs of imports as rows: how far one came that has not come to its end, and whether it was undone."""

from collections.abc import Sequence
from typing import NamedTuple

from kalends.store.engine.store import Session
from kalends.store.rows import history, tables
from kalends.store.rows.tables import Table

UNDOING, UNDONE = "undoing", "undone"


class RunPosition(NamedTuple):
    """Where an import is that has not come to its end. `done` is how many records it has counted."""

    fingerprint: str
    place: str
    done: int = 0


class ImportRun(NamedTuple):
    """A run of an import. `job` is that of the admin, 0 for a command or a source; `report` is JSON."""

    id: int
    job: int
    user: int
    source: str
    label: str
    fingerprint: str
    position: str
    began_utc: str
    updated_utc: str
    ended_utc: str
    state: str
    report: str

    def at(self, position: RunPosition) -> "ImportRun":
        position_text = f"{position.done}:{position.place}" if position.place else ""
        return self._replace(fingerprint=position.fingerprint, position=position_text)

    @property
    def cause(self) -> str:
        """What the journal has of its changes."""
        return history.cause_of("import", self.id, self.label)


_RUNS = Table("import_run", ImportRun)


def add(session: Session, run: ImportRun) -> None:
    _RUNS.insert(session, run)


def update(session: Session, run: ImportRun) -> None:
    _RUNS.update(session, run)


def next_id(session: Session) -> int:
    return tables.next_number(session, "import_run")


def find(session: Session, id: int) -> ImportRun | None:
    return _RUNS.one(session, "id = ?", (id,))


def latest(session: Session, most: int) -> list[ImportRun]:
    return _RUNS.all(session, "TRUE ORDER BY id DESC LIMIT ?", (most,))


def of_job(session: Session, job: int) -> list[ImportRun]:
    """The runs of a job of the admin, newest first."""
    return _RUNS.all(session, "job = ? ORDER BY id DESC LIMIT 100", (job,))


def of_source(session: Session, source: str, most: int = 20) -> list[ImportRun]:
    """The last runs of imports of a source, newest first."""
    return _RUNS.all(session, "source = ? ORDER BY id DESC LIMIT ?", (source, most))


def forget_oldest(session: Session, before: str) -> None:
    """Forgets the oldest run if it began before a time: it cannot be undone any more."""
    oldest = "SELECT min(id) FROM import_run WHERE state <> ?"
    session.run(f"DELETE FROM import_run WHERE id = ({oldest}) AND began_utc < ?", (UNDOING, before))


def unfinished(session: Session, source: str, since: str = "") -> RunPosition | None:
    """Where the import of a source is that has not come to its end, if it was under way since a time."""
    condition = "source = ? AND position <> '' AND updated_utc >= ? ORDER BY id DESC LIMIT 1"
    run = _RUNS.one(session, condition, (source, since))
    if run is None:
        return None
    done, _, place = run.position.partition(":")
    return RunPosition(run.fingerprint, place, int(done))


def finish(session: Session, source: str) -> None:
    """The next import of a source begins anew."""
    session.run("UPDATE import_run SET position = '' WHERE source = ? AND position <> ''", (source,))


def events_of_job(session: Session, job: int) -> Sequence[int]:
    """The events that the runs of a job of the admin have made or changed, but for those that were undone."""
    found = dict[int, None]()
    for run in of_job(session, job):
        if not run.state:
            sql = "SELECT DISTINCT id FROM journal WHERE cause = ? AND cause <> '' AND kind = 'event' ORDER BY id"
            found |= dict.fromkeys(session.column(sql, (run.cause,)))
    return [*found]
