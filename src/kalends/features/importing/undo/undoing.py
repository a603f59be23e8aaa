"""Undoing an import: what would happen, and then the work itself, as long work in the background. A part undoes some
changes and removes their rows."""

from typing import NamedTuple

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_manage_site, require, require_to_read
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import Continuation, LongWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.service import Calendar
from kalends.contract.errors import NO_ROUTE, ApiError, ErrorType
from kalends.contract.kinds import KINDS
from kalends.features.importing import job_rows as import_jobs
from kalends.features.importing import rows as imports
from kalends.features.importing.job_rows import RUNNING, is_interrupted
from kalends.features.importing.undo import change_rows as import_changes
from kalends.features.importing.undo import untouched
from kalends.features.importing.undo.change_rows import UNDOING, UNDONE, Entry
from kalends.features.importing.undo.recording import MEDIA, is_under_way
from kalends.features.importing.undo.undo_records import EDITED, Unchanged, Undo, UndoReport
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import history, journal
from kalends.store.rows.records import Event

READ_AT_ONCE = 100  # changes
COMPARED = 500  # records of each kind that are looked at before somebody is asked
SHOWN = 50  # of those that would stay
# No operation of the interface imports, so its table of errors has none of these.
IS_UNDONE = ErrorType("import_undone", 409, N_("This import has been undone already."))
IS_RUNNING = ErrorType("import_running", 409, N_("This import is still running. Undo it when it has ended."))
OTHER_RUNS = ErrorType(
    "import_running", 409, N_("Another import of the same source is running. Undo this one when that has ended.")
)
REFUSALS = (IS_UNDONE, IS_RUNNING, OTHER_RUNS)


class Undoing(msgspec.Struct):
    """Of a run; what came of it until now is with that."""

    entry: int


class Plan(NamedTuple):
    """What undoing an import would do: how many records go and become what they were, by kind, and which stay."""

    entry: Entry
    created: dict[str, int]
    changed: dict[str, int]
    unchanged: int
    first_unchanged: list[Unchanged]  # the first of those that stay


def entries(calendar: Calendar, caller: Caller, most: int) -> list[Entry]:
    """The runs of imports of late, newest first: those that can be undone, or were."""
    require_to_read(may_manage_site(caller), caller)
    with calendar.store.read() as session:
        return _of_interest(session, import_changes.latest(session, most))


def of_job(calendar: Calendar, caller: Caller, job: int) -> list[Entry]:
    """The runs of a job of the admin that changed something, newest first."""
    require_to_read(may_manage_site(caller), caller)
    with calendar.store.read() as session:
        return _of_interest(session, import_changes.of_job(session, job))


def _of_interest(session: Session, found: list[Entry]) -> list[Entry]:
    """Without those that only remember that they found something as it was."""
    undoable = import_changes.entries_with(session, [entry.id for entry in found])
    return [entry for entry in found if entry.state or entry.id in undoable]


def find(calendar: Calendar, caller: Caller, id: int) -> Entry:
    require_to_read(may_manage_site(caller), caller)
    with calendar.store.read() as session:
        found = import_changes.find(session, id)
    if found is None:
        raise ApiError(NO_ROUTE)
    return found


def report_of(entry: Entry) -> UndoReport | None:
    return msgspec.json.decode(entry.report, type=UndoReport) if entry.report else None


def plan(calendar: Calendar, caller: Caller, id: int) -> Plan:
    """What undoing a run would do now."""
    entry = find(calendar, caller, id)
    with calendar.reading_latest(caller) as work:
        counts = import_changes.counts(work.session, id)
        created = {kind: count for (action, kind), count in counts.items() if action == journal.CREATE}
        changed = {kind: count for (action, kind), count in counts.items() if action == journal.UPDATE}
        kept, shown = 0, list[Unchanged]()
        for kind in KINDS:
            staying: dict[str, set[int]] = {journal.CREATE: set(), journal.UPDATE: set()}
            found, more = untouched.edited_since(work, entry, kind.name, COMPARED)
            for row, record in found:
                together = _whole_series(work, id, record) if isinstance(record, Event) else {}
                for one, action in (together or {row.id: row.action}).items():
                    staying.setdefault(action, set()).add(one)
                if len(shown) < SHOWN:
                    shown.append(Unchanged(kind.name, record.id, record.name, EDITED))
            for action, counted in ((journal.CREATE, created), (journal.UPDATE, changed)):
                if staying[action]:
                    counted[kind.name] -= len(staying[action])
            kept += sum(map(len, staying.values())) + more
    return Plan(entry, _filled(created), _filled(changed), kept, shown)


def _whole_series(work: UnitOfWork, entry: int, event: Event) -> dict[int, str]:
    """What stays with a changed date of a series: everything that the import did with the series."""
    if event.series is None or import_changes.one(work.session, entry, "series", event.series) is None:
        return {}
    return import_changes.actions_in_series(work.session, entry, event.series)


def _filled(counts: dict[str, int]) -> dict[str, int]:
    names = [*(kind.name for kind in KINDS), MEDIA]
    return {name: counts[name] for name in names if counts.get(name, 0) > 0}


def start(calendar: Calendar, caller: Caller, id: int) -> None:
    """Undoes a run in the background. Raises ApiError if it is undone, or not at its end yet. One that is being
    undone goes on."""
    require(may_manage_site(caller), caller)
    with calendar.writing(caller) as work:
        session = work.session
        entry = import_changes.find(session, id)
        if entry is None:
            raise ApiError(NO_ROUTE)
        if entry.state == UNDONE:
            raise ApiError(IS_UNDONE)
        if entry.state != UNDOING:
            _refuse_while_running(calendar, session, entry)
            total = sum(import_changes.counts(session, id).values())
            report = msgspec.json.encode(UndoReport(total=total)).decode()
            import_changes.set_state(session, id, UNDOING, report, work.now_text)
        long_work.ask(work, UNDO, Undoing(id), in_background=True)


def _refuse_while_running(calendar: Calendar, session: Session, entry: Entry) -> None:
    job = import_jobs.find(session, entry.job) if entry.job else None
    is_running = job is not None and job.state == RUNNING and not is_interrupted(job, calendar.clock())
    if is_running or (job is None and is_under_way(calendar, entry)):
        raise ApiError(IS_RUNNING)
    others = [one for one in import_changes.of_source(session, entry.source) if one.id != entry.id]
    if any(is_under_way(calendar, one) and not one.state for one in others):
        raise ApiError(OTHER_RUNS)


def finish(calendar: Calendar, caller: Caller, id: int) -> UndoReport:
    """Does what is left of undoing a run."""
    require(may_manage_site(caller), caller)
    Continuation(calendar, UNDO, str(id)).run()
    return report_of(find(calendar, caller, id)) or UndoReport()


def _undo_some(work: UnitOfWork, undoing: Undoing, until: Deadline) -> bool:
    require(may_manage_site(work.caller), work.caller)
    session, id = work.session, undoing.entry
    entry = import_changes.find(session, id)
    if entry is None or entry.state != UNDOING:
        return False
    session.cause = history.cause_of("unimport", entry.job, entry.label)
    undo = Undo(work, entry, report_of(entry) or UndoReport(), until)
    while rows := import_changes.next_rows(session, id, READ_AT_ONCE):
        for row in rows:
            if import_changes.one(session, id, row.kind, row.id) is not None:  # else it went with another one
                undo.undo(row)
            if until.is_over:
                break
        if until.is_over:
            break
    is_done = not import_changes.next_rows(session, id, 1) and _forget(session, entry)
    state = UNDONE if is_done else UNDOING
    import_changes.set_state(session, id, state, msgspec.json.encode(undo.report).decode(), work.now_text)
    return not is_done


def _forget(session: Session, entry: Entry) -> bool:
    """Lets imports know what they knew before of records that the run found as they were; whether that is all."""
    for kind, id in import_changes.remembered(session, entry.id, 500):
        import_changes.put_memory_back(session, entry.id, kind, id)
    if import_changes.remembered(session, entry.id, 1):
        return False
    imports.end_run(session, entry.source)
    return True


UNDO: LongWork[Undoing, None] = LongWork("undo", N_("Undoing imports"), Undoing, _undo_some)
