"""Runs work for later: one thread of a process looks for tasks that are due and takes them, and each runs in a thread
of its own. The package says how it is used.

The thread looks four times a second. With SQLite, a look at an unchanged store is a comparison in memory; with
PostgreSQL, two short queries. A process that answers requests just now leaves what it finds to another for a moment,
once.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from kalends.calendar.admission import WORKER
from kalends.calendar.background.grouped_writes import GroupedWrites
from kalends.calendar.background.task_kinds import Again, Done, Failed, LeaseLost, Outcome, Run, TaskKind
from kalends.calendar.background.task_overview import counts
from kalends.calendar.transactions import Transactions
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import tasks
from kalends.store.rows.tasks import NEVER, Count, Furthest, Task
from kalends.values import dates
from kalends.values.dates import CLOCK_SKEW, furthest

TICK = 0.25  # seconds between two looks
DEFERRED = 0.3  # seconds in which what is due is left to a process without requests, which looks meanwhile
LEASE = timedelta(seconds=20)  # after a kill, so long until another process goes on
RENEWED_AFTER = 5.0  # seconds
MOST_THREADS = 40  # of one process, for all kinds together
BACK_OFF = 10.0  # seconds without looking, while the store does not answer
LONGEST_BACK_OFF = 300.0  # seconds, for what is only in the memory of this process
LAST_WAIT = 1.0  # seconds for what runs when the process ends
LONGEST_ERROR = 500  # characters
JUMP = 5.0  # seconds by which the clock differs from what has passed: somebody has set it

log = logging.getLogger("kalends")


@dataclass
class ProcessWork:
    """Work of which only this process knows, since it is in its memory; a kill loses nothing that counts. `run` is
    called in a thread when `is_wanted` says so, which is asked with every look; after a failure, later and later."""

    name: str
    is_wanted: Callable[[], bool]
    run: Callable[[], None]
    failures: int = 0
    not_before: float = 0.0
    is_running: bool = False


class Background:
    """The work for later of one process."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._holder = uuid.uuid4().hex
        self._kinds: dict[str, TaskKind] = {}
        self._process_work: list[ProcessWork] = []
        self._running: dict[tuple[str, str], Run] = {}
        self._writes = GroupedWrites(transactions.store, lambda: 0 if self._is_over else len(self._running))
        self._lock = threading.Lock()  # of what this process runs
        self._thread: threading.Thread | None = None
        self._woken = threading.Event()
        self._takes_tasks = False  # whether this process looks for tasks
        self._is_over = False
        self._seen: Hashable = None  # the store, when there was nothing more to take
        self._next_due = ""
        self._renewed = 0.0
        self._looked: tuple[datetime, float] | None = None  # the clock at the last look, and the time that passes
        self._looks_ahead_at = 0.0  # when it looks next for what a clock that was ahead has put off
        self._leases_count_from = 0.0  # after the clock was set, those who run something renew their leases first

    def register(self, *kinds: TaskKind) -> None:
        """Tasks of other kinds are left to other processes."""
        self._kinds |= {kind.name: kind for kind in kinds}

    def add_process_work(self, *work: ProcessWork) -> None:
        """Work of this process alone."""
        self._process_work += work

    @property
    def kinds(self) -> Mapping[str, TaskKind]:
        return self._kinds

    def start(self) -> None:
        """From now on this process takes tasks."""
        self._takes_tasks = True
        self._begin_thread()

    def stop(self) -> None:
        """Takes nothing more, and gives back what runs: another process may go on at once."""
        self._takes_tasks, self._is_over = False, True
        self._woken.set()
        until = time.monotonic() + LAST_WAIT
        while self._under_way() and time.monotonic() < until:
            time.sleep(0.01)
        for run in self._under_way():
            run.is_lost = True
        with suppress(StoreUnavailable), self._transactions.store.write(patience=LAST_WAIT) as session:
            tasks.release(session, self._holder, self._now())

    def ask(self, kind: str, key: str) -> None:
        """Asks for a task in a transaction of its own, where nothing else is its cause."""
        with self._transactions.store.write() as session:
            tasks.add(session, kind, key, self._now())
        self.wake()

    def wake(self) -> None:
        """Looks at once: this process has added a task."""
        self._woken.set()

    def run_due(self) -> int:
        """Runs what is due now, in this thread; how many tasks. For tests."""
        self._make_regular()
        self._correct_due_times()
        count = 0
        while taken := self._claim(1):
            for run in taken:
                self._work(run)
                count += 1
        return count

    def hold(self, session: Session, kind: str, key: str) -> bool:
        """Adds a task that only this process can do; False if it is under way already. After the transaction,
        `begin` runs it."""
        return tasks.add_claimed(session, kind, key, self._holder, self._now(), self._lease_end())

    def begin(self, kind: str, key: str, function: Callable[[Run], Outcome]) -> None:
        """Runs a task that `hold` has added."""
        with self._transactions.store.read() as session:
            task = tasks.find(session, kind, key)
        if task is not None and task.holder == self._holder:
            self._begin_thread()
            self._begin([self._run_of(task)], function)

    def counts(self) -> list[Count]:
        """How many tasks there are of each kind, on all nodes."""
        with self._transactions.store.read() as session:
            return counts(session, self._transactions.clock())

    # Looking

    def _begin_thread(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._look_on, name="background", daemon=True)
                self._thread.start()

    def _look_on(self) -> None:
        is_ready, is_woken, pause = False, False, TICK
        while not self._is_over:
            try:
                self._renew()
                if self._takes_tasks:
                    self._begin_process_work()
                    if not is_ready:
                        self._make_regular()
                        is_ready = True
                    self._look(defers=not is_woken)
                pause = TICK
            except StoreUnavailable as error:
                if pause == TICK:
                    log.warning("no work for later can be taken now: %s", error)
                pause = BACK_OFF
            except Exception:
                log.exception("looking for work for later failed")
                pause = BACK_OFF
            is_woken = self._woken.wait(pause)
            self._woken.clear()

    def _look(self, *, defers: bool = False) -> None:
        """Takes what is due, if anything can be. `defers`: a process without requests may be first."""
        # It also publishes what is due, so that its followers hear of it although nobody reads.
        revision = self._transactions.revisions.current()
        self._was_set(revision.now)
        store = self._transactions.store
        token = store.changes() if store.sees_every_commit else None
        if token is not None and token == self._seen and self._next_due > revision.moment:
            return
        if token is not None or time.monotonic() >= self._looks_ahead_at:
            self._correct_due_times()
        if defers and WORKER.is_in_use and self._is_due():
            self._woken.wait(DEFERRED)
        clock = self._transactions.clock()
        if self._was_set(clock):  # since the look began: the next one begins with what that put off
            return
        self._begin(self._claim(MOST_THREADS, clock))
        self._seen = token

    def _was_set(self, now: datetime) -> bool:
        """Whether the clock was set since the last look. To one that went ahead all leases seem to be over, and what
        runs would be done twice; to one that came back there may be much to bring back."""
        passed = time.monotonic()
        before, looked = self._looked or (now, passed)
        self._looked = now, passed
        if abs((now - before).total_seconds() - (passed - looked)) <= JUMP:
            return False
        self._seen, self._looks_ahead_at = None, 0.0
        self._leases_count_from = passed + 2 * RENEWED_AFTER
        return True

    def _correct_due_times(self) -> None:
        """Makes due what is due later than its kind can have asked for: a clock was ahead when that was noted."""
        self._looks_ahead_at = time.monotonic() + RENEWED_AFTER
        store, now = self._transactions.store, self._transactions.clock()
        moment, elsewhere = dates.text(now), dates.text(now + CLOCK_SKEW)
        known = {kind.name: _furthest(kind, now) for kind in self._kinds.values()}
        with store.read() as session:
            found = tasks.too_far(session, [*known.values()], moment, elsewhere)
        if found:
            with store.write() as session:
                count = sum(
                    tasks.correct_due_times(session, known[kind], moment, elsewhere, self._lease_end())
                    for kind in found
                )
            log.warning("the clock was ahead: %d tasks that it has put off are due now", count)

    def _begin_process_work(self) -> None:
        for one in self._process_work:
            if not one.is_running and time.monotonic() >= one.not_before and one.is_wanted():
                one.is_running = True
                threading.Thread(target=self._run_process_work, args=(one,), name=one.name, daemon=True).start()

    @staticmethod
    def _run_process_work(work: ProcessWork) -> None:
        try:
            work.run()
            work.failures = 0
        except Exception as error:
            seconds = min(LONGEST_BACK_OFF, 2.0**work.failures)
            work.failures = min(work.failures + 1, 20)
            work.not_before = time.monotonic() + seconds
            if isinstance(error, StoreUnavailable):
                log.warning("%s: the next try is in %.0f s: %s", work.name, seconds, error)
            else:
                log.exception("%s failed, the next try is in %.0f s", work.name, seconds)
        finally:
            work.is_running = False

    def _make_regular(self) -> None:
        """Work that never ends has its row."""
        regular = [kind.name for kind in self._kinds.values() if kind.every]
        store, now = self._transactions.store, self._now()
        with store.read() as session:
            missing = [kind for kind in regular if tasks.find(session, kind, "") is None]
        if missing:
            with store.write() as session:
                for kind in missing:
                    tasks.ensure(session, kind, "", now)

    def _claim(self, most: int, clock: datetime | None = None) -> list[Run]:
        """Takes tasks that are due: at most so many, and of each kind no more than it may have. `clock`: one whose
        jumps are known."""
        wanted = self._wanted(most)
        store, now = self._transactions.store, dates.text(clock or self._transactions.clock())
        found = list[Task]()
        if self._is_due() and wanted:
            with store.read() as session:
                abandoned = time.monotonic() >= self._leases_count_from
                found = tasks.due(session, now, wanted, abandoned=abandoned)[:most]
        if not found:
            return []
        with store.write() as session:
            until = self._lease_end()
            taken = [tasks.claim(session, task, self._holder, now, until) for task in found]
        self._next_due = ""  # there may be more
        return [self._run_of(task) for task in taken if task is not None]

    def _is_due(self) -> bool:
        """Whether something may be taken."""
        with self._transactions.store.read() as session:
            self._next_due = tasks.next_due(session, self._kinds) if self._kinds else NEVER
        return self._next_due <= self._now()

    def _wanted(self, most: int) -> list[tuple[str, int, int]]:
        """How many tasks may begin, of each kind, and of those that failed before: these have half of the places, so
        that what waits for somebody who does not answer delays nothing else."""
        under_way = self._under_way()
        free = min(most, MOST_THREADS - len(under_way))
        wanted = []
        for kind in self._kinds.values():
            of_kind = [run for run in under_way if run.task.kind == kind.name]
            fresh = min(free, kind.at_once - len(of_kind))
            failing = min(fresh, (kind.at_once + 1) // 2 - sum(run.task.tries > 0 for run in of_kind))
            if fresh > 0:
                wanted.append((kind.name, fresh, failing))
        return wanted

    def _renew(self) -> None:
        """Prolongs the leases of what runs."""
        if time.monotonic() < self._renewed + RENEWED_AFTER:
            return
        before = self._under_way()
        self._renewed = time.monotonic()
        if before:
            with self._transactions.store.write() as session:
                held = tasks.renew(session, self._holder, self._lease_end())
            for run in before:
                run.is_lost = run.is_lost or (run.task.kind, run.task.key) not in held
                if run.on_renewal is not None and not run.is_lost:
                    run.on_renewal()

    # Running

    def _begin(self, runs: Sequence[Run], function: Callable[[Run], Outcome] | None = None) -> None:
        """Each in a thread; `function` instead of what the kind says."""
        with self._lock:
            self._running |= {(run.task.kind, run.task.key): run for run in runs}
        for run in runs:
            name = f"{run.task.kind} {run.task.key}"
            threading.Thread(target=self._work, args=(run, function), name=name, daemon=True).start()

    def _run_of(self, task: Task) -> Run:
        return Run(task, write=self._writes.write)

    def _work(self, run: Run, function: Callable[[Run], Outcome] | None = None) -> None:
        """Runs a task, and stores what becomes of it."""
        task, kind = run.task, self._kinds.get(run.task.kind)
        try:
            assert function is not None or kind is not None
            outcome: Outcome | Failed = (function or kind.run)(run)  # type: ignore[union-attr]
        except LeaseLost:
            outcome = Failed("the lease was lost")
        except Failed as failed:
            outcome = failed
            log.warning("%s %s: %s", task.kind, task.key, failed)
        except StoreUnavailable as error:
            outcome = Failed(str(error))
            log.warning("%s %s: %s", task.kind, task.key, error)
        except Exception as error:
            outcome = Failed(f"{type(error).__name__}: {error}")
            log.exception("%s %s failed", task.kind, task.key)
        try:
            self._end(run, kind, outcome)
        finally:
            is_awaited = self._is_awaited(run, kind, outcome)
            with self._lock:
                self._running.pop((task.kind, task.key), None)
            if is_awaited:
                self._seen = None
                self._woken.set()

    def _is_awaited(self, run: Run, kind: TaskKind | None, outcome: Outcome | Failed) -> bool:
        """Whether there may be more to begin now that a run is over. What is due later is found when it is."""
        if not isinstance(outcome, Again) or outcome.due is None or run.task.tries or kind is None:
            return True
        under_way = self._under_way()
        of_kind = sum(one.task.kind == kind.name for one in under_way)
        return of_kind >= kind.at_once or len(under_way) >= MOST_THREADS

    def _end(self, run: Run, kind: TaskKind | None, outcome: Outcome | Failed) -> None:
        """Stores it as long as the lease is ours, also when the store is away for a while."""

        def end(session: Session) -> None:
            if tasks.is_held(session, run.task):
                outcome.also(session)
                self._store_outcome(session, run.task, kind, outcome)

        while not run.is_lost:
            try:
                self._writes.write(end)
                return
            except StoreUnavailable as error:
                log.warning("the end of %s %s cannot be stored now: %s", run.task.kind, run.task.key, error)
                time.sleep(TICK)
            except Exception as error:
                # `also` is a part of the run that failed.
                log.exception("the end of %s %s cannot be stored", run.task.kind, run.task.key)
                if isinstance(outcome, Failed):
                    outcome = Failed(str(outcome))
                else:
                    outcome = Failed(f"{type(error).__name__}: {error}")

    def _store_outcome(self, session: Session, task: Task, kind: TaskKind | None, outcome: Outcome | Failed) -> None:
        now = self._transactions.clock()
        succeeded = task._replace(tries=0, error="", failed_utc="", rev=None)
        if isinstance(outcome, Failed):
            self._store_failure(session, task, kind, outcome)
        elif isinstance(outcome, Again):
            payload = task.payload if outcome.payload is None else outcome.payload
            due = dates.text(outcome.due or now)
            tasks.put_back(session, task, succeeded._replace(due_utc=due, rev=outcome.after, payload=payload))
        elif kind is not None and kind.every:
            due = dates.text(now + timedelta(seconds=kind.every))
            tasks.put_back(session, task, succeeded._replace(due_utc=due))
        else:
            assert isinstance(outcome, Done)
            tasks.finish(session, task)

    def _store_failure(self, session: Session, task: Task, kind: TaskKind | None, failed: Failed) -> None:
        now = self._transactions.clock()
        changed = task._replace(error=" ".join(str(failed).split())[:LONGEST_ERROR])
        planned = self._planned(task, kind)
        if planned is None or planned <= now:
            changed = changed._replace(tries=task.tries + 1, failed_utc=dates.text(now))
            planned = self._planned(changed, kind)
        if planned is not None and kind is not None and failed.seconds is not None:
            planned = now + timedelta(seconds=min(failed.seconds, kind.longest_retry))
        changed = changed._replace(due_utc=NEVER if planned is None else dates.text(planned))
        tasks.put_back(session, task, changed)
        if planned is None and kind is not None and kind.gave_up is not None:
            kind.gave_up(session, changed)

    @staticmethod
    def _planned(task: Task, kind: TaskKind | None) -> datetime | None:
        """When the next try is due by what the kind says; None: never, or none has failed yet. One before that, which
        the other side asked for, does not count: else who asks for many would be given up within minutes."""
        delay = kind.delay(task.tries) if kind is not None and task.tries else None
        return None if delay is None else dates.from_text(task.failed_utc) + timedelta(seconds=delay)

    def _under_way(self) -> list[Run]:
        with self._lock:
            return [*self._running.values()]

    def _now(self) -> str:
        return dates.text(self._transactions.clock())

    def _lease_end(self) -> str:
        return dates.text(self._transactions.clock() + LEASE)


def _furthest(kind: TaskKind, now: datetime) -> Furthest:
    waits = (LEASE, timedelta(seconds=kind.longest_retry), timedelta(seconds=kind.longest_wait))
    return Furthest(kind.name, *(dates.text(furthest(now, longest)) for longest in waits))
