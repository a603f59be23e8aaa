"""Answers to writes that a client may repeat: stored in the transaction of the write, under the key that it sent.

The row is found by a digest of the caller and the key. The answer is stored as it is, for 24 hours; instead of one
with a secret that is shown once, the address of the record is. The key is part of the digest of the request, in which
a password may be.

There is no row for a request that is under way, so none is left by a crash. Two requests with one key, on whichever
nodes, go on side by side until one of them has the writers' lock; the other finds the answer when it stores its own,
is undone, and answers the same.
"""

import hashlib
from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from kalends.calendar.access import SERVICE, Caller, UnitOfWork
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import Pause
from kalends.calendar.background.task_kinds import Done, Run, TaskKind
from kalends.calendar.deadline import Deadline
from kalends.calendar.joint_transaction import Joint
from kalends.calendar.service import Calendar
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import KEY_REUSED, ApiError
from kalends.features.changes import key_rows
from kalends.features.changes.key_rows import WHOLE, StoredAnswer
from kalends.languages import N_
from kalends.values import dates

RETENTION = timedelta(hours=24)
NOTHING_DONE = -2  # of `done`: no row has it
FORGOTTEN_AT_ONCE = 500
REST = 3600.0  # seconds between two looks for what is old


class KeptAnswer(msgspec.Struct, frozen=True, array_like=True):
    """What a client was told."""

    status: int
    headers: dict[str, str]
    body: bytes


class RequestProgress(msgspec.Struct, frozen=True, array_like=True):
    """What is done of a request that takes several transactions, as that request describes it."""

    done: int
    state: bytes


class AnsweredMeanwhile(Exception):
    """Another request with the same key was first."""


class Repetition:
    """A write with a key. `parts` tell it from other requests: its method, its address, its body."""

    def __init__(self, transactions: Transactions, caller: Caller, key: str) -> None:
        self._transactions = transactions
        self._name = f"{caller.user}\0{int(caller.read_only)}\0{key}".encode()
        self._id = hashlib.sha256(b"idempotency id\0" + self._name).digest()
        self._done = 0  # of its steps, as the store has them

    def find(self) -> StoredAnswer | None:
        """What was stored under the key."""
        with self._transactions.reading_session() as session:
            return key_rows.find(session, self._id, _since(self._transactions.clock()))

    def opened(self, stored: StoredAnswer, parts: Iterable[bytes]) -> KeptAnswer | RequestProgress:
        """What was stored, or how far it is. Raises ApiError where it was the answer to another request."""
        if stored.request != self._digest(parts):
            raise ApiError(KEY_REUSED)
        if stored.done == WHOLE:
            return msgspec.msgpack.decode(stored.answer, type=KeptAnswer)
        self._done = stored.done
        return RequestProgress(stored.done, stored.answer)

    def keep(self, joint: Joint, parts: Iterable[bytes], answer: KeptAnswer) -> None:
        """Stores the answer with what the joint transaction has written. Raises AnsweredMeanwhile."""
        self._put(joint, parts, msgspec.msgpack.encode(answer), WHOLE)

    def keep_progress(self, joint: Joint, parts: Iterable[bytes], progress: RequestProgress) -> None:
        """Stores how far a request is. Raises AnsweredMeanwhile when another one with its key is as far."""
        self._put(joint, parts, progress.state, progress.done)
        self._done = progress.done

    def _put(self, joint: Joint, parts: Iterable[bytes], answer: bytes, done: int) -> None:
        now, stored = self._transactions.clock(), StoredAnswer(self._digest(parts), answer, done)
        before = self._done or NOTHING_DONE
        if not key_rows.put(joint.opened(), self._id, stored, before, dates.text(now), _since(now)):
            raise AnsweredMeanwhile

    def _digest(self, parts: Iterable[bytes]) -> bytes:
        found = hashlib.sha256()
        for part in (self._name, *parts):
            found.update(len(part).to_bytes(8))
            found.update(part)
        return found.digest()


def register_tasks(calendar: Calendar) -> None:
    def run(run: Run) -> Done:
        forget_old(calendar, run.pause)
        return Done()

    calendar.background.register(
        TaskKind("answers", N_("Forget answers that were kept for programs"), run, every=REST)
    )


def forget_old(transactions: Transactions, between: Pause) -> int:
    """Forgets the answers of more than a day ago; how many."""
    since, counts = _since(transactions.clock()), list[int]()
    with transactions.store.read() as session:  # the writers' lock is taken only when there is something to do
        if not key_rows.has_old(session, since):
            return 0

    def part(work: UnitOfWork, until: Deadline) -> bool:
        def forget_some() -> bool:
            counts.append(key_rows.forget_some(work.session, since, FORGOTTEN_AT_ONCE))
            return counts[-1] == FORGOTTEN_AT_ONCE

        return until.repeat(forget_some)

    long_work.run_parts(transactions, SERVICE, part, between=between)
    return sum(counts)


def _since(now: datetime) -> str:
    return dates.text(now - RETENTION)
