"""Notes what a run of an import does, so that it can be undone.

What a transaction changed is read from the journal, where every change of a record is, so nothing is forgotten. The
first transaction that changes something makes the entry of the run: an import that finds nothing new leaves none.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import NamedTuple

from kalends.calendar.access import UnitOfWork
from kalends.calendar.service import Calendar
from kalends.contract.kinds import KIND_OF
from kalends.features.custom_fields import rules as custom_fields
from kalends.features.importing import rows as imports
from kalends.features.importing.job_rows import STALE
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.rows import Imported
from kalends.features.importing.undo import change_rows as import_changes
from kalends.features.importing.undo.change_rows import UNDOING, UNDONE, Changed, Entry
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import history, journal, series
from kalends.values import dates

MEDIA, SERIES = "media", "series"
NOTED = frozenset({*KIND_OF, MEDIA, custom_fields.KIND})
RETENTION = timedelta(days=366)  # how long an import can be undone
IS_UNDONE = N_("this import is being undone; import again when that is done")


class Recording:
    """What one run does. `job`: the number of the admin's, 0 for a command."""

    def __init__(self, calendar: Calendar, user: int, job: int = 0) -> None:
        self._calendar = calendar
        self._user = user
        self._job = job
        self._source, self._label = "", ""
        self._entry = 0
        self._memory: list[tuple[Imported, Imported | None]] = []  # of this transaction

    def begin(self, source: str, label: str, *, is_continuation: bool) -> None:
        """Before the first record. `is_continuation`: an interrupted run of the same import is continued. Raises
        SourceError while an import of the same source is undone: each would undo what the other does."""
        self._source, self._label, self._entry = source, label, 0
        with self._calendar.store.read() as session:
            found = import_changes.of_source(session, source)
        if any(entry.state == UNDOING for entry in found):
            raise SourceError(IS_UNDONE)
        if is_continuation and found and found[0].job == self._job and found[0].state != UNDONE:
            self._entry = found[0].id

    def end(self) -> None:
        """After the last record, or what has ended it before."""
        if self._entry:
            with self._calendar.store.write() as session:
                import_changes.end(session, self._entry, dates.text(self._calendar.clock()))

    def remember(self, session: Session, rows: Iterable[Imported]) -> None:
        """Stores what to remember of records, and keeps what was remembered before."""
        found = list(rows)
        for (source, kind), some in _by_source(found).items():
            known = imports.find_many(session, source, kind, [row.external_id for row in some])
            self._memory += [(row, known.get(row.external_id)) for row in some]
        imports.put_many(session, found)

    def rename(self, session: Session, known: Imported, external_id: str) -> None:
        """From now on a record has another id at its source."""
        renamed = known._replace(external_id=external_id)
        self.remember(session, [renamed])
        self._memory.append((known._replace(digests=""), known))
        imports.forget(session, known.source, known.kind, known.external_id)

    @contextmanager
    def noting(self, work: UnitOfWork) -> Iterator[None]:
        """Around the changes of a transaction of the run."""
        session = work.session
        self._memory = []
        self._refuse_if_undone(session)
        before = journal.last_rev(session)
        session.series_before = {}
        session.cause = history.cause_of("import", self._job, self._label)
        try:
            yield
            touched, session.series_before = session.series_before, None
        finally:
            session.series_before, session.cause = None, ""
        changes = _changes(session, before)
        if not changes and not touched and not self._memory:
            return
        if not self._entry:
            import_changes.forget_oldest(session, dates.text(work.now - RETENTION))
            self._entry = import_changes.add(session, self._job, self._user, self._source, self._label, work.now_text)
        import_changes.touch(session, self._entry, work.now_text)
        rows = [Changed(self._entry, *change) for change in changes]
        rows += _series_rows(session, self._entry, touched, before + 1)
        import_changes.note(session, self._entry, rows)
        import_changes.note_memory(session, self._entry, self._memory)

    def _refuse_if_undone(self, session: Session) -> None:
        """A run that gave no sign for a while may be undone meanwhile, and then changes nothing more."""
        found = import_changes.find(session, self._entry) if self._entry else None
        if found is not None and found.state:
            raise SourceError(IS_UNDONE)


class _Change(NamedTuple):
    kind: str
    id: int
    action: str
    first_rev: int
    rev: int


def _changes(session: Session, after: int) -> list[_Change]:
    """What was changed after a change, each record once. What was created and deleted again was never there."""
    found: dict[tuple[str, int], _Change] = {}
    for rev, kind, id, action in journal.rows_after(session, after):
        if kind not in NOTED or action == journal.SHOW:
            continue
        known = found.get((kind, id))
        if known is None:
            found[kind, id] = _Change(kind, id, action, rev, rev)
        elif action == journal.DELETE and known.action == journal.CREATE:
            del found[kind, id]
        else:
            kept = known.action if action == journal.UPDATE else action
            found[kind, id] = known._replace(action=kept, rev=rev)
    return list(found.values())


def _series_rows(session: Session, entry: int, touched: dict[int, str], first_rev: int) -> list[Changed]:
    """The series that a transaction has changed, with what they were before, which no version tells."""
    now, rev = series.find_many(session, list(touched)), journal.last_rev(session)
    rows = []
    for id, text in touched.items():
        if text or id in now:
            action = journal.DELETE if id not in now else journal.UPDATE if text else journal.CREATE
            rows.append(Changed(entry, SERIES, id, action, first_rev, rev, 0, text))
    return rows


def is_under_way(calendar: Calendar, entry: Entry) -> bool:
    """Whether a run goes on, as far as one can know: its process may have been killed a moment ago."""
    return not entry.ended_utc and entry.updated_utc >= dates.text(calendar.clock() - STALE)


def _by_source(rows: Sequence[Imported]) -> dict[tuple[str, str], list[Imported]]:
    found: dict[tuple[str, str], list[Imported]] = {}
    for row in rows:
        found.setdefault((row.source, row.kind), []).append(row)
    return found
