"""The run of an import as a row, and as the cause that the journal has of each of its changes: by these it is undone.

The first transaction that stores something makes the row: an import that finds nothing new leaves none.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from kalends.calendar.access import UnitOfWork
from kalends.calendar.service import Calendar
from kalends.features.importing import rows as imports
from kalends.features.importing import run_rows
from kalends.features.importing.job_rows import STALE
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.rows import Imported
from kalends.features.importing.run_rows import UNDOING, UNDONE, ImportRun, RunPosition
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import journal
from kalends.values import dates

RETENTION = timedelta(days=366)  # how long an import can be undone
IS_UNDONE = N_("this import is being undone; import again when that is done")


@dataclass
class _Stored:
    """What a transaction has stored beside records: how far the import is after it, and what to remember of them.
    `run`: the number of the run."""

    run: int = 0
    position: RunPosition | None = None
    has_remembered: bool = False


class Recording:
    """What one run does. `job`: the number of the admin's, 0 for a command."""

    def __init__(self, calendar: Calendar, user: int, job: int = 0) -> None:
        self._calendar = calendar
        self._user = user
        self._job = job
        self._source, self._label = "", ""
        self._run: ImportRun | None = None
        self._stored = _Stored()

    def begin(self, source: str, label: str, *, is_continuation: bool) -> None:
        """Before the first record. `is_continuation`: an interrupted run of the same import is continued. Raises
        SourceError while an import of the same source is undone: each would undo what the other does."""
        self._source, self._label, self._run = source, label, None
        with self._calendar.store.read() as session:
            found = run_rows.of_source(session, source)
        if any(run.state == UNDOING for run in found):
            raise SourceError(IS_UNDONE)
        if is_continuation and found and found[0].job == self._job and found[0].state != UNDONE:
            self._run = found[0]

    def end(self) -> None:
        """After the last record, or what has ended it before."""
        if self._run is None:
            return
        now = dates.text(self._calendar.clock())
        with self._calendar.store.write() as session:
            found = run_rows.find(session, self._run.id)
            if found is not None and not found.state:
                self._run = found._replace(updated_utc=now, ended_utc=now)
                run_rows.update(session, self._run)

    def reach(self, position: RunPosition) -> None:
        """How far the import is after this transaction."""
        self._stored.position = position

    def finish(self, session: Session) -> None:
        """The next import begins anew."""
        run_rows.finish(session, self._source)
        self.reach(RunPosition("", ""))

    def remember(self, session: Session, rows: Iterable[Imported]) -> None:
        """Stores what to remember of records."""
        found = [row._replace(run=row.run or self._stored.run) for row in rows]
        imports.put_many(session, found)
        self._stored.has_remembered = self._stored.has_remembered or bool(found)

    @contextmanager
    def noting(self, work: UnitOfWork) -> Iterator[None]:
        """Around the changes of a transaction of the run."""
        session = work.session
        known = run_rows.find(session, self._run.id) if self._run is not None else None
        if known is not None and known.state:  # it gave no sign for a while, and may be undone meanwhile
            raise SourceError(IS_UNDONE)
        run = self._new(work) if known is None else known
        self._stored = stored = _Stored(run.id)
        before, session.cause = journal.last_rev(session), run.cause
        try:
            yield
        finally:
            session.cause = ""
        if stored.has_remembered or journal.last_rev(session) != before:
            run = run._replace(updated_utc=work.now_text, ended_utc="")
        elif known is None:
            return
        self._run = run = run.at(stored.position) if stored.position is not None else run
        if known is not None:
            run_rows.update(session, run)
        else:
            run_rows.forget_oldest(session, dates.text(work.now - RETENTION))
            run_rows.add(session, run)

    def _new(self, work: UnitOfWork) -> ImportRun:
        id, now = run_rows.next_id(work.session), work.now_text
        return ImportRun(id, self._job, self._user, self._source, self._label, "", "", now, now, "", "", "")


def is_under_way(calendar: Calendar, run: ImportRun) -> bool:
    """Whether a run goes on, as far as one can know: its process may have been killed a moment ago."""
    return not run.ended_utc and run.updated_utc >= dates.text(calendar.clock() - STALE)
