"""Undoing an import: what would happen, and then the work itself, as long work in the background.

It stands on history alone: the journal tells what the run did, and versions what that replaced. What the run made
and nobody has changed since goes, what it changed and nobody has changed since becomes the version before; everything
else stays and is named.
"""

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_manage_site, require, require_to_read
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import Continuation, LongWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.service import Calendar
from kalends.contract.errors import NO_ROUTE, ApiError, ErrorType
from kalends.contract.kinds import COMPANIONS, EVENT, KINDS, TERMS
from kalends.features.importing import job_rows as import_jobs
from kalends.features.importing import rows as imports
from kalends.features.importing import run_rows
from kalends.features.importing.job_rows import RUNNING, is_interrupted
from kalends.features.importing.recording import is_under_way
from kalends.features.importing.run_rows import UNDOING, UNDONE, ImportRun
from kalends.features.importing.undo import change_rows, untouched
from kalends.features.importing.undo.change_rows import MEDIA, Changed
from kalends.features.importing.undo.report import EDITED, Unchanged, UndoReport
from kalends.features.importing.undo.undo_records import RunUndo, RunUndoing
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import custom_values, history, journal, series
from kalends.store.rows.history import SERIES
from kalends.store.rows.records import Event, Post, Term

READ_AT_ONCE = 500  # changes
COMPARED = 500  # records of each kind that are looked at before somebody is asked
SHOWN = 50  # of those that would stay
SHOWN_KINDS = (*(kind.name for kind in KINDS), MEDIA)
# What shows others goes before these: a venue is in use until its events are gone. What was created goes before what
# was changed comes back, since it may have its address; but a category comes back before the one above it goes.
ORDER = (
    (journal.CREATE, EVENT.name),
    (journal.UPDATE, EVENT.name),
    ("", SERIES),
    *((journal.UPDATE, kind.name) for kind in COMPANIONS),
    *((journal.CREATE, kind.name) for kind in COMPANIONS),
    *((journal.UPDATE, kind.name) for kind in TERMS),
    *((journal.CREATE, kind.name) for kind in TERMS),
    ("", MEDIA),
    ("", custom_values.KIND),
    *((journal.DELETE, kind.name) for kind in KINDS),
)
# No operation of the interface imports, so its table of errors has none of these.
IS_UNDONE = ErrorType("import_undone", 409, N_("This import has been undone already."))
IS_RUNNING = ErrorType("import_running", 409, N_("This import is still running. Undo it when it has ended."))
OTHER_RUNS = ErrorType(
    "import_running", 409, N_("Another import of the same source is running. Undo this one when that has ended.")
)
REFUSALS = (IS_UNDONE, IS_RUNNING, OTHER_RUNS)


class UndoPlan(NamedTuple):
    """What undoing an import would do: how many records go and become what they were, by kind, and which stay."""

    run: ImportRun
    created: dict[str, int]
    changed: dict[str, int]
    unchanged: int
    first_unchanged: list[Unchanged]  # the first of those that stay


def entries(calendar: Calendar, caller: Caller, most: int) -> list[ImportRun]:
    """The runs of imports of late, newest first: those that can be undone, or were."""
    require_to_read(may_manage_site(caller), caller)
    with calendar.store.read() as session:
        return _of_interest(session, run_rows.latest(session, most))


def of_job(calendar: Calendar, caller: Caller, job: int) -> list[ImportRun]:
    """The runs of a job of the admin that changed something, newest first."""
    require_to_read(may_manage_site(caller), caller)
    with calendar.store.read() as session:
        return _of_interest(session, run_rows.of_job(session, job))


def _of_interest(session: Session, found: list[ImportRun]) -> list[ImportRun]:
    """Without those that only remember that they found something as it was."""
    with_changes = change_rows.with_changes(session, found)
    return [run for run in found if run.state or run.id in with_changes]


def find(calendar: Calendar, caller: Caller, id: int) -> ImportRun:
    require_to_read(may_manage_site(caller), caller)
    with calendar.store.read() as session:
        found = run_rows.find(session, id)
    if found is None:
        raise ApiError(NO_ROUTE)
    return found


def report_of(run: ImportRun) -> UndoReport | None:
    return msgspec.json.decode(run.report, type=UndoReport) if run.report else None


def plan(calendar: Calendar, caller: Caller, id: int) -> UndoPlan:
    """What undoing a run would do now."""
    run = find(calendar, caller, id)
    with calendar.reading_latest(caller) as work:
        counts, kept, shown = change_rows.counts(work.session, run), 0, list[Unchanged]()
        for kind in KINDS:
            found, more = untouched.edited_since(work, run, kind.name, COMPARED)
            staying = {one for row, record in found for one in _together(work, run, row, record)}
            for one in staying:
                counts[one.action, kind.name] -= 1
            kept += len(staying) + more
            shown += [Unchanged(kind.name, record.id, record.name, EDITED) for _, record in found]
    created, changed = (
        {name: count for name in SHOWN_KINDS if (count := counts.get((action, name), 0)) > 0}
        for action in (journal.CREATE, journal.UPDATE)
    )
    return UndoPlan(run, created, changed, kept, shown[:SHOWN])


def _together(work: UnitOfWork, run: ImportRun, row: Changed, record: Post | Term) -> Collection[Changed]:
    """What stays with a changed record: of a date, everything that the import did with its series."""
    if not isinstance(record, Event) or not record.series:
        return [row]
    if change_rows.one(work.session, run, SERIES, record.series) is None:
        return [row]
    dates = [date.id for date in series.events(work.session, record.series)]
    return change_rows.of_ids(work.session, run, EVENT.name, dates).values()


def start(calendar: Calendar, caller: Caller, id: int) -> None:
    """Undoes a run in the background. Raises ApiError if it is undone, or not at its end yet. One that is being
    undone goes on."""
    require(may_manage_site(caller), caller)
    with calendar.writing(caller) as work:
        session = work.session
        run = run_rows.find(session, id)
        if run is None:
            raise ApiError(NO_ROUTE)
        if run.state == UNDONE:
            raise ApiError(IS_UNDONE)
        if run.state == UNDOING:
            return
        _refuse_while_running(calendar, session, run)
        total = sum(count for (_, kind), count in change_rows.counts(session, run).items() if kind != SERIES)
        report = msgspec.json.encode(UndoReport(total=total)).decode()
        run_rows.update(session, run._replace(state=UNDOING, report=report, updated_utc=work.now_text))
        long_work.ask(work, UNDO, RunUndoing(id), in_background=True)


def _refuse_while_running(calendar: Calendar, session: Session, run: ImportRun) -> None:
    job = import_jobs.find(session, run.job) if run.job else None
    is_running = job is not None and job.state == RUNNING and not is_interrupted(job, calendar.clock())
    if is_running or (job is None and is_under_way(calendar, run)):
        raise ApiError(IS_RUNNING)
    others = [one for one in run_rows.of_source(session, run.source) if one.id != run.id]
    if any(is_under_way(calendar, one) and not one.state for one in others):
        raise ApiError(OTHER_RUNS)


def finish(calendar: Calendar, caller: Caller, id: int) -> UndoReport:
    """Does what is left of undoing a run."""
    require(may_manage_site(caller), caller)
    Continuation(calendar, UNDO, str(id)).run()
    return report_of(find(calendar, caller, id)) or UndoReport()


def _undo_some(work: UnitOfWork, undoing: RunUndoing, until: Deadline) -> bool:
    require(may_manage_site(work.caller), work.caller)
    session = work.session
    run = run_rows.find(session, undoing.run)
    if run is None or run.state != UNDOING:
        return False
    session.cause = history.cause_of("unimport", run.id, run.label)
    undo = RunUndo(work, run, undoing, report_of(run) or UndoReport(), until)
    is_more = until.repeat(lambda: _undo_next(undo)) or imports.forget_run(session, run.id, READ_AT_ONCE)
    report = msgspec.json.encode(undo.report).decode()
    state = UNDOING if is_more else UNDONE
    run_rows.update(session, run._replace(state=state, report=report, updated_utc=work.now_text))
    if not is_more:
        run_rows.finish(session, run.source)
    return is_more


def _undo_next(undo: RunUndo) -> bool:
    """Undoes the next changes of one kind; whether there may be more."""
    state = undo.state
    if state.step == len(ORDER):
        return False
    action, kind = ORDER[state.step]
    rows = change_rows.next_changes(undo.work.session, undo.run, kind, state.after, READ_AT_ONCE)
    for row in rows:
        if action in ("", row.action) and not undo.undo(row):
            return True  # it goes on with the same one
        state.after = row.id
        if undo.until.is_over:
            return True
    if len(rows) < READ_AT_ONCE:
        state.step, state.after = state.step + 1, 0
    return state.step < len(ORDER)


UNDO: LongWork[RunUndoing, None] = LongWork("undo", N_("Undoing imports"), RunUndoing, _undo_some)
