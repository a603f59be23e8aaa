"""Work that may touch thousands of records, in parts: each is a transaction, between which others write.

An operation says what a part does and what comes at the end; it knows nothing of transactions, sizes, pauses and
kills (docs/internals/background.md):

    def part(work: UnitOfWork, merge: Merge, until: Deadline) -> bool:      # whether there is more to do
        found = links.events_of(work.session, merge.kind, merge.old)
        done = 0
        for some in until.slices(found):
            links.replace(work, some, merge.old, merge.new)
            done += len(some)
        return done < len(found)

    MERGE = LongWork("merge", N_("Merge"), Merge, part, end)

- `perform(calendar, caller, MERGE, Merge(…))` does it, and returns what the end does. What fits into one part is one
  transaction; so is all of it where it belongs to one (an atomic batch, a dry run).
- `ask(work, GATHER, Gather(…))` leaves something to further transactions, right after this one: before the client is
  answered, or, after `awaited` seconds, in the background.

Where it stands is in a task, written with each part. What a kill leaves, and what fails as the store is away, is done
as work for later by any process, which goes on there. So a part may begin anew at any time, and reads what is left.
`run_parts` is for work that has nothing to remember: a person's choice, which is made again, or a task of its own.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec

from kalends.calendar.access import SERVICE, Caller, UnitOfWork
from kalends.calendar.admission import WORKER
from kalends.calendar.background.task_kinds import Done, Run, TaskKind
from kalends.calendar.deadline import Deadline
from kalends.calendar.joint_transaction import Joint
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import NO_USER, ApiError
from kalends.contract.roles import Role
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import journal, tasks, users
from kalends.user_error import UserError
from kalends.values import dates

PAUSE = 0.01  # seconds between two parts for which a client waits
PATIENCE = timedelta(seconds=30)  # after a part, until another process goes on
FOREVER = float("inf")
REFUSED = (ApiError, UserError)

log = logging.getLogger("kalends")

State = TypeVar("State", bound=msgspec.Struct)
Result = TypeVar("Result")
Pause = Callable[[], None]


def pause() -> None:
    """Between two parts for which a client waits: other writers pass, and who waits for a slot."""
    time.sleep(PAUSE)
    WORKER.pause()


def no_end(work: UnitOfWork, state: Any) -> None:
    """Nothing follows the last part."""


def one_of_a_kind(state: Any) -> str:
    """The key of a task: that of the first field, by which the same work is known."""
    return str(getattr(state, state.__struct_fields__[0]))


@dataclass(frozen=True, eq=False)
class LongWork(Generic[State, Result]):
    """`part` does some of it until its time is over, and says whether there is more; `end` is in the transaction of
    the last part. Both may change the state, which their task remembers."""

    name: str  # of the kind of its tasks
    label: str  # for administrators
    state: type[State]
    part: Callable[[UnitOfWork, State, Deadline], bool]
    end: Callable[[UnitOfWork, State], Result] = no_end  # type: ignore[assignment]
    key: Callable[[State], str] = one_of_a_kind
    awaited: Callable[[State], float] = lambda state: FOREVER  # seconds that a client waits for what follows a change

    def kind(self, transactions: Transactions) -> TaskKind:
        """Goes on with what a process has not finished; registered where the application is composed."""

        def run(run: Run) -> Done:
            continuation = Continuation(transactions, self, run.task.key)
            try:
                while continuation.next():
                    run.pause()
            except REFUSED as refused:
                log.warning("%s %s does not go on: %s", self.name, run.task.key, refused)
            return Done()

        return TaskKind(self.name, self.label, run, longest=PATIENCE.total_seconds())


class StoredWork(msgspec.Struct, array_like=True):
    """What a task remembers: who has asked, whether their rights are looked at in every part, and the state."""

    user: int
    asks: bool
    state: msgspec.Raw


def perform(calendar: Transactions, caller: Caller, long: LongWork[State, Result], state: State) -> Result:
    """Does all of it; what its end returns. Raises what a part raises: then that is all of it, but for a store that
    is away, where it goes on later."""
    joint = calendar.joint
    if joint is None:
        return _Performance(calendar, caller, long, state).run()
    if not joint.may_have_parts or joint.session is not None:
        return calendar.write(caller, whole, long, state)
    try:
        return calendar.write(caller, _in_one_part, long, _copy(state))
    except _TooLong:
        _Performance(calendar, caller, long, state).run_ahead(joint)
    return calendar.write(caller, whole, long, state)


def whole(work: UnitOfWork, long: LongWork[State, Result], state: State) -> Result:
    """All of it in this transaction."""
    until = Deadline(endless=True)
    while long.part(work, state, until):
        pass
    return _end(work, long, state)


def ask(work: UnitOfWork, long: LongWork[State, Result], state: State, *, in_background: bool = False) -> None:
    """Leaves something to further transactions, right after this one, or to the background. What was asked for before
    with the same key is replaced."""
    key, payload = long.key(state), _encoded(work.caller.user, False, state)
    due = work.now if in_background else work.now + PATIENCE
    tasks.add(work.session, long.name, key, dates.text(due), payload)
    if not in_background:
        work.follow_ups[long.name, key] = partial(finish, long, key)


def pending(session: Session, long: LongWork[State, Result], key: str) -> State | None:
    """What is left of some work."""
    task = tasks.find(session, long.name, key)
    return None if task is None else _decoded(long, task.payload)[1]


def note(work: UnitOfWork, long: LongWork[State, Result], state: State) -> None:
    """What is left of some work, after something else has done a part of it."""
    task = tasks.find(work.session, long.name, long.key(state))
    if task is not None:
        stored = _decoded(long, task.payload)[0]
        tasks.go_on(work.session, task.kind, task.key, _encoded(stored.user, stored.asks, state))


def run_parts(
    calendar: Transactions,
    caller: Caller,
    part: Callable[[UnitOfWork, Deadline], bool],
    *,
    between: Pause | None = None,
    later_revs: list[range] | None = None,
    opening: Callable[[], AbstractContextManager[UnitOfWork]] | None = None,
) -> None:
    """Parts of what nothing is remembered of: `part` says whether there is more to do. `later_revs` gets the
    revisions of what follows each; `opening` opens the transactions where more belongs to them."""
    is_more, until, opening = True, None, opening or partial(calendar.writing, caller)
    while is_more:
        with opening() as work:
            until = Deadline(until)
            is_more = part(work, until)
        if later_revs is not None:
            later_revs += work.later_revs
        if is_more:
            (between or pause)()


@contextmanager
def unnoticed(calendar: Transactions) -> Iterator[UnitOfWork]:
    """A transaction for what is computed of records: nobody changes them, so nothing goes into the history."""
    with calendar.store.write() as session:
        yield UnitOfWork(session, SERVICE, calendar.clock(), calendar.settings)


class Continuation(Generic[State, Result]):
    """The parts of what has a task. Each looks there what is left to do, under the writers' lock, so any number of
    processes may go on with it."""

    def __init__(self, transactions: Transactions, long: LongWork[State, Result], key: str) -> None:
        self.revs: list[range] = []  # of the parts
        self.awaited = 0.0  # seconds that a client waits
        self._transactions = transactions
        self._long = long
        self._key = key
        self._until: Deadline | None = None

    def run(self) -> None:
        began = time.monotonic()
        while self.next() and time.monotonic() < began + self.awaited:
            pause()

    def next(self) -> bool:
        """Does a part; whether there is more to do. Raises what refuses it: then there is not."""
        long, key = self._long, self._key
        with self._transactions.reading_session() as session:
            task = tasks.find(session, long.name, key)
            stored = None if task is None else _decoded(long, task.payload)[0]
            caller = Caller() if stored is None else _caller(session, stored)
        if stored is None:
            return False
        try:
            with self._transactions.writing(caller) as work:
                first = journal.last_rev(work.session) + 1
                is_more = self._part(work)
                self._transactions.call_hooks(work, is_part=True)
                self.revs.append(range(first, journal.last_rev(work.session) + 1))
        except REFUSED:
            _forget(self._transactions, long, key)
            raise
        self.revs += work.later_revs
        return is_more

    def _part(self, work: UnitOfWork) -> bool:
        task = tasks.find(work.session, self._long.name, self._key)
        if task is None:
            return False
        stored, state = _decoded(self._long, task.payload)
        self._until = Deadline(self._until)
        is_more = self._long.part(work, state, self._until)
        if is_more:
            _note(work, task, _encoded(stored.user, stored.asks, state))
        else:
            _end(work, self._long, state)
        self.awaited = self._long.awaited(state)
        return is_more


class _TooLong(Exception):
    """Something does not fit into one part."""


class _Performance(Generic[State, Result]):
    """Work whose end somebody waits for. The task is added with the first part that is not the last."""

    def __init__(self, calendar: Transactions, caller: Caller, long: LongWork[State, Result], state: State) -> None:
        self._calendar = calendar
        self._caller = caller
        self._long = long
        self._state = state
        self._has_task = False

    def run(self) -> Result:
        results: list[Result] = []

        def part(work: UnitOfWork, until: Deadline) -> bool:
            if self._part(work, until):
                return True
            results.append(_end(work, self._long, self._state))
            return False

        self._run(part)
        return results[0]

    def run_ahead(self, joint: Joint) -> None:
        """All but the end, which belongs to a transaction with other things."""
        self._calendar.use(None)
        try:
            self._run(self._part)
        finally:
            self._calendar.use(joint)

    def _run(self, part: Callable[[UnitOfWork, Deadline], bool]) -> None:
        try:
            run_parts(self._calendar, self._caller, part)
        except StoreUnavailable:
            raise
        except Exception:
            if self._has_task:
                _forget(self._calendar, self._long, self._key)
            raise

    def _part(self, work: UnitOfWork, until: Deadline) -> bool:
        is_more = self._long.part(work, self._state, until)
        if is_more:
            payload, due = _encoded(self._caller.user, True, self._state), dates.text(work.now + PATIENCE)
            tasks.add(work.session, self._long.name, self._key, due, payload)
            self._has_task = True
        return is_more

    @property
    def _key(self) -> str:
        return self._long.key(self._state)


def _in_one_part(work: UnitOfWork, long: LongWork[State, Result], state: State) -> Result:
    if long.part(work, state, Deadline()):
        raise _TooLong
    return _end(work, long, state)


def _end(work: UnitOfWork, long: LongWork[State, Result], state: State) -> Result:
    """Also of what was asked for before, and is done with it."""
    tasks.remove(work.session, long.name, long.key(state))
    return long.end(work, state)


def finish(long: LongWork[State, Result], key: str, transactions: Transactions) -> list[range]:
    """Does what was left before the client hears of it, for as long as it is to wait; the revisions of the parts. The
    rest is done in the background, and so is what fails."""
    continuation = Continuation(transactions, long, key)
    try:
        continuation.run()
    except StoreUnavailable as error:
        log.warning("%s %s goes on later: %s", long.name, key, error)
    return continuation.revs


def _note(work: UnitOfWork, task: tasks.Task, payload: str) -> None:
    tasks.go_on(work.session, task.kind, task.key, payload)
    tasks.postpone(work.session, task, dates.text(work.now + PATIENCE))


def _forget(transactions: Transactions, long: LongWork[State, Result], key: str) -> None:
    with transactions.store.write() as session:
        tasks.remove(session, long.name, key)


def _caller(session: Session, stored: StoredWork) -> Caller:
    """Who goes on with it: the service for somebody, or the person with the rights of today."""
    if not stored.asks or not stored.user:
        return Caller(stored.user, "", Role.ADMINISTRATOR)
    user = users.find_user(session, stored.user)
    if user is None or user.disabled:
        raise ApiError(NO_USER)
    return Caller(user.id, user.name, Role[user.role.upper()])


def _encoded(user: int, asks: bool, state: msgspec.Struct) -> str:
    return msgspec.json.encode([user, asks, state]).decode()


def _decoded(long: LongWork[State, Result], payload: str) -> tuple[StoredWork, State]:
    stored = msgspec.json.decode(payload, type=StoredWork)
    return stored, msgspec.json.decode(stored.state, type=long.state)


def _copy(state: State) -> State:
    return msgspec.json.decode(msgspec.json.encode(state), type=type(state))
