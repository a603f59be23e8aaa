"""Reads one source at its time, as work for later, or at once because a person asks for it; and notes how the source
is afterwards."""

import logging
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import msgspec

from kalends.calendar.access import SERVICE, Caller, UnitOfWork, may_manage_site, require
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.background.task_kinds import Again, Also, Done, LeaseLost, Outcome, Run, TaskKind, nothing
from kalends.calendar.service import Calendar
from kalends.contract.errors import ApiError
from kalends.features.importing import run_rows
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.web_client import WebError
from kalends.features.sources import letters, rows, rules
from kalends.features.sources.failures import stored
from kalends.features.sources.one_read import ReadResult, SourceRead
from kalends.features.sources.remote.fetching import Away
from kalends.features.sources.rows import TASK, Source, SourceRun, SourceStatus
from kalends.features.sources.rules import SourceState
from kalends.languages import N_
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import tasks
from kalends.values import dates

FIRST_WAIT, LONGEST_WAIT = 900.0, 86_400.0  # seconds after a failure
LONGEST_SLEEP = 3600.0  # seconds until a task looks at its time again: a clock that was ahead costs no more
AT_ONCE = 2  # reads of one process
AWAITED = 25.0  # seconds that a person waits for a read, which goes on if it takes longer
LOOK_AGAIN = 0.02  # seconds until the next look whether it is done
FAILED = N_("the read failed; the log of the server says why")

log = logging.getLogger("kalends")


@dataclass
class SourceReader:
    """Reads the sources of a calendar."""

    calendar: Calendar

    def kind(self) -> TaskKind:
        return TaskKind(
            TASK, N_("Read calendars elsewhere (sources)"), self.run, at_once=AT_ONCE, longest=LONGEST_SLEEP
        )

    def run(self, run: Run, *, asked: bool = False) -> Outcome:
        """One look at a source: it is read when it is time, or when somebody asks."""
        now = self.calendar.clock()
        with self.calendar.store.read() as session:
            source = rows.find(session, int(run.task.key))
            state = rows.state(session, int(run.task.key))
        if source is None or not (source.active or asked):
            return Done()
        if not asked and not self._is_due(source, state, now):
            return self._again(source, dates.from_text(state.next_run), now)
        return self._read(run, source, state, now)

    def _is_due(self, source: Source, state: SourceStatus, now: datetime) -> bool:
        """Whether it is time; what is further away than it can be was noted by a clock that was ahead."""
        if not state.next_run or state.next_run <= dates.text(now):
            return True
        longest = max(source.every, LONGEST_WAIT if state.failures else 0.0)
        return dates.from_text(state.next_run) > now + timedelta(seconds=longest)

    @staticmethod
    def _again(source: Source, at: datetime, now: datetime, also: Also = nothing) -> Outcome:
        return Again(min(at, now + timedelta(seconds=LONGEST_SLEEP)), also=also) if source.active else Done(also)

    def _read(self, run: Run, source: Source, state: SourceStatus, now: datetime) -> Outcome:
        found, result, seconds, problem = msgspec.structs.replace(state), ReadResult(), 0.0, ""
        try:
            SourceRead(self.calendar, run.check).gather(source, found, result)
        except (LeaseLost, StoreUnavailable):
            raise
        except Away as away:
            problem, seconds = stored(away.message), away.seconds
        except SourceError as error:
            problem = stored(error.message)
        except WebError as error:
            problem = stored(ImportMessage("{site}: {reason}", site=source.name, reason=error.message))
        except ApiError as error:
            problem = stored(ImportMessage(error.error_type.message, **error.arguments))
        except Exception:
            problem = stored(ImportMessage(FAILED))
            if problem != state.error:  # the same in each read would only fill the log
                log.exception("the read of source %d failed", source.id)
        ended = self.calendar.clock()
        wait = self._note(source, found, result, problem, seconds, ended)
        at = ended + timedelta(seconds=wait)
        found.next_run = dates.text(at)
        return self._again(source, at, ended, partial(self._store, source, state, found, result, now, ended))

    @staticmethod
    def _note(
        source: Source, state: SourceStatus, result: ReadResult, problem: str, seconds: float, now: datetime
    ) -> float:
        """How the source is after a read; the seconds until the next one."""
        counts = result.counts
        if not problem or result.changed:
            state.created, state.changed, state.unchanged, state.gone, state.held = counts
        state.error = problem
        if problem:
            state.failures += 1
            state.failing_since = state.failing_since or dates.text(now)
            state.etag = state.modified = state.digest = state.probe = ""
            return min(max(seconds, FIRST_WAIT * float(2 ** min(state.failures - 1, 20))), LONGEST_WAIT)
        state.failures, state.failing_since, state.told_utc = 0, "", ""
        state.last_success = dates.text(now)
        return float(source.every)

    def _store(
        self,
        source: Source,
        before: SourceStatus,
        state: SourceStatus,
        result: ReadResult,
        began: datetime,
        ended: datetime,
        session: Session,
    ) -> None:
        """In the transaction that ends the run: how the source is, and the read, if it is worth telling."""
        now = rows.find(session, source.id)
        if now is None:
            return
        if now != source:  # somebody changed it meanwhile, and it is read anew
            state.etag = state.modified = state.digest = ""
            state.kind = state.kind if now.address == source.address else ""
            state.next_run = dates.text(ended)
        work = UnitOfWork(session, SERVICE, ended, self.calendar.settings)
        letters.notify(work, now, state)
        rows.put_state(session, state)
        counts = result.counts
        is_first = not before.last_success and not before.failing_since
        if result.changed or state.error != before.error or is_first:
            last = next(iter(run_rows.of_source(session, source.origin)), None)
            is_own = last is not None and result.changed and last.began_utc >= dates.text(began)
            run = SourceRun(
                0, source.id, last.id if last is not None and is_own else 0, dates.text(began), dates.text(ended),
                *counts, state.error, result.report(),
            )  # fmt: skip
            rows.add_run(session, run)


def read_now(calendar: Calendar, caller: Caller, id: int) -> SourceState:
    """Reads a source at once, in this process; how it is then. What takes long goes on in the background."""
    require(may_manage_site(caller), caller)
    calendar.read_latest(caller, rules.find, id)
    read_and_wait(calendar, id)
    return calendar.read_latest(caller, rules.find, id)


def read_and_wait(calendar: Calendar, id: int) -> None:
    """Reads a source for somebody who waits, but not for ever. Their right was asked."""
    key = str(id)
    with calendar.store.write() as session:
        is_held = calendar.background.hold(session, TASK, key)
    if is_held:
        calendar.background.begin(TASK, key, partial(SourceReader(calendar).run, asked=True))
    until = time.monotonic() + AWAITED
    with WORKER.released(FETCH):
        while is_under_way(calendar, id) and time.monotonic() < until:
            time.sleep(LOOK_AGAIN)


def is_under_way(calendar: Calendar, id: int) -> bool:
    """Whether some process reads a source just now."""
    with calendar.store.read() as session:
        task = tasks.find(session, TASK, str(id))
    return task is not None and bool(task.holder)
