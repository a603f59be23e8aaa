"""Transactions of the calendar: reads that see one revision, with what is due by the clock, and writes that first
publish it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import datetime
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from kalends import hooks
from kalends.calendar.access import ANONYMOUS, Caller, Memory, UnitOfWork, visibility_of
from kalends.calendar.joint_transaction import Act, Joint
from kalends.calendar.revisions import Revision, Revisions, StoredSettings, with_clock
from kalends.calendar.storing import batches
from kalends.calendar.throttling import CredentialUses, Throttle
from kalends.settings import Settings
from kalends.store.engine.store import Session, Store, StoreUnavailable
from kalends.store.files.media_files import MediaFiles
from kalends.store.rows import journal
from kalends.store.rows.journal import LastChange

COLLECTED_PATIENCE = 0.2  # seconds that the background worker waits for other writers

Clock = Callable[[], datetime]  # the present, as naive UTC
Fetch = Callable[[str, Settings], Any]  # an image elsewhere, as a Picture
P = ParamSpec("P")
T = TypeVar("T")


class ThreadState(threading.local):
    """What a thread has under way. With defaults, since every read looks."""

    joint: Joint | None = None  # the transaction that its writes are part of
    revision: Revision | None = None  # that its reads see


class Transactions:
    """The transactions of one store, at the time of one clock."""

    def __init__(self, store: Store, files: MediaFiles, settings: Settings, clock: Clock, fetch: Fetch) -> None:
        self.store = store
        self.files = files
        self.clock = clock
        self.fetch = fetch
        self.memory = Memory()
        self.site_settings = StoredSettings(settings)
        self.revisions = Revisions(store, clock, self._publish_due, self.site_settings)
        self.throttle = Throttle(store)
        self.uses = CredentialUses(store)
        self._thread = ThreadState()

    @property
    def settings(self) -> Settings:
        """The settings at the revision that this thread reads, else at the last one that any thread has seen: a
        request looks for a new one when it begins (http/cache/response_cache.py)."""
        return (self._thread.revision or self.revisions.known).settings

    def reading(self, caller: Caller) -> "ReadTransaction":
        """A consistent view of the calendar at this second."""
        return ReadTransaction(self, caller)

    def writing(self, caller: Caller, base_url: str = "") -> AbstractContextManager[UnitOfWork]:
        """A change, all or nothing, after what is due by the clock, of very much the first part. If it fails, that
        publication is rolled back with it, and left to the next read. Where the writes of this thread are one
        transaction, it is a part of that."""
        if (joint := self.joint) is not None:
            return self._part_of(joint, caller, base_url)
        return WriteTransaction(self, caller, base_url)

    @contextmanager
    def _part_of(self, joint: Joint, caller: Caller, base_url: str) -> Iterator[UnitOfWork]:
        with joint.part() as session:
            work = self._work(session, caller, base_url)
            yield work
            if work.changed_events:
                joint.call_at_commit(work, self.call_hooks)
        joint.follow_ups |= work.follow_ups

    def _work(self, session: Session, caller: Caller, base_url: str) -> UnitOfWork:
        """The context of a change, after what is due by the clock."""
        facts = journal.read_facts(session)
        settings = self.site_settings.of(facts)
        work = UnitOfWork(session, caller, self.clock(), settings, base_url)
        # An earlier part of the transaction was somebody's.
        session.actor, session.cause, session.keeps_history = 0, "", False
        batches.publish_due(work, facts.due)
        session.actor, session.keeps_history = caller.user, settings.history_days > 0
        return work

    def use(self, joint: Joint | None) -> None:
        """From now on the writes of this thread are part of a transaction; None ends that."""
        self._thread.joint = joint

    @property
    def joint(self) -> Joint | None:
        """The transaction that the writes of this thread are part of, if they are."""
        return self._thread.joint

    def before_network_wait(self) -> None:
        """Before something waits for a network: nobody waits for what this thread has written meanwhile. Raises where
        that cannot be committed yet."""
        if (joint := self.joint) is not None and joint.session is not None:
            joint.before_network_wait()

    @contextmanager
    def together(self) -> Iterator[Joint]:
        """The writes of this thread within the block are one transaction: it begins with the first of them, and is
        committed at the end of the block. If that ends with an exception, nothing was written."""
        if (outer := self.joint) is not None:
            yield outer
            return
        joint = self._thread.joint = Joint(self.store)
        joint.may_have_parts = True
        try:
            try:
                yield joint
            except BaseException:
                joint.undo()
                raise
            joint.commit()
        finally:
            self._thread.joint = None
        self.finish(joint)

    def finish(self, joint: Joint) -> None:
        """After a commit: does what was left to further transactions."""
        self._thread.joint, outer = None, self.joint
        try:
            while joint.follow_ups:
                joint.follow_ups.pop(next(iter(joint.follow_ups)))(self)
        finally:
            self._thread.joint = outer

    @contextmanager
    def rehearsing(self) -> Iterator[None]:
        """What this thread writes within the block is tried and then undone: operations answer, or refuse, as they
        would in earnest. A series has only the dates of its first transaction."""
        outer, joint = self.joint, Joint(self.store)
        joint.before_network_wait = joint.undo  # before it waits for a network: nothing of it is ever committed
        self._thread.joint = joint
        try:
            yield
        finally:
            self._thread.joint = outer
            joint.undo()

    def when_committed(self, act: Act) -> None:
        """Does something as soon as what this thread has written is durable, which it may be already."""
        if (joint := self.joint) is None or joint.session is None:
            act()
        else:
            joint.when_committed(act)

    def call_hooks(self, work: UnitOfWork, *, is_part: bool = False) -> None:
        """Tells features, before a transaction commits, which events it has changed. `is_part`: it goes on with what
        an earlier one began."""
        if work.changed_events:
            for tell in hooks.changed:
                tell(work, is_part=is_part)
            work.changed_events.clear()

    def read(
        self, caller: Caller, operation: Callable[Concatenate[UnitOfWork, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """What an operation of `calendar/` finds for a caller, in a transaction of its own."""
        with self.reading(caller) as work:
            return operation(work, *args, **named)

    def read_latest(
        self, caller: Caller, operation: Callable[Concatenate[UnitOfWork, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """The same with everything that was committed before, such as what this request has written."""
        with self.reading_latest(caller) as work:
            return operation(work, *args, **named)

    def write(
        self, caller: Caller, operation: Callable[Concatenate[UnitOfWork, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """A change that an operation of `calendar/` makes for a caller, in a transaction of its own."""
        with self.writing(caller) as work:
            return operation(work, *args, **named)

    @contextmanager
    def reading_latest(self, caller: Caller) -> Iterator[UnitOfWork]:
        """A read that has everything that was committed before, such as what the same request has written."""
        with self.reading_session() as session:
            yield UnitOfWork(session, caller, self.clock(), self.settings, memory=self.memory)

    def reading_session(self) -> AbstractContextManager[Session]:
        """For queries alone: what was committed, and what this thread has written in a transaction that goes on."""
        joint = self.joint
        return self.store.read() if joint is None or joint.session is None else nullcontext(joint.session)

    def revision(self) -> Revision:
        """The revision that the reads of this thread see."""
        return self._thread.revision or self.revisions.current()

    def pin(self, revision: Revision | None) -> None:
        """From now on the reads of this thread see this revision and do not check for a newer one; None ends that."""
        self._thread.revision = revision

    @contextmanager
    def seeing(self, revision: Revision) -> Iterator[None]:
        """Inside, the reads of this thread see a revision."""
        pinned = self._thread.revision
        self.pin(revision)
        try:
            yield
        finally:
            self.pin(pinned)

    def last_change(self, caller: Caller) -> LastChange | None:
        """When something last changed that the caller can see; None where the journal cannot tell."""
        visibility, revision = visibility_of(caller), self.revision()
        if visibility.is_public:
            return revision.changed
        if not visibility.everything or revision.is_overdue:
            return None  # the journal knows neither whose records a change concerned nor what is due
        with self.store.read() as session:
            return with_clock(journal.last_change(session), revision.clock_changed)

    def write_collected(self) -> None:
        """Writes what requests only collected: uses of credentials, and wrong passwords that met another writer. What
        cannot be written now is kept for the next call."""
        for collected in (self.throttle, self.uses):
            with suppress(StoreUnavailable):
                collected.write(COLLECTED_PATIENCE)

    def _publish_due(self, now: datetime, patience: float) -> bool:
        """Publishes a part of what is due; whether more is left."""
        with self.store.write(patience=patience) as session:
            facts = journal.read_facts(session)
            work = UnitOfWork(session, ANONYMOUS, now, self.site_settings.of(facts))
            is_left = batches.publish_due(work, facts.due)
            self.call_hooks(work)
            return is_left


class ReadTransaction:
    """A context manager as a class, since every read enters it and a generator takes longer."""

    __slots__ = ("_caller", "_transaction", "_transactions")

    _transaction: AbstractContextManager[Session]

    def __init__(self, transactions: Transactions, caller: Caller) -> None:
        self._transactions = transactions
        self._caller = caller

    def __enter__(self) -> UnitOfWork:
        thread = self._transactions._thread
        if (joint := thread.joint) is not None and joint.session is not None:
            self._transaction = nullcontext(joint.session)
            now, settings = self._transactions.clock(), self._transactions.settings
            return UnitOfWork(joint.session, self._caller, now, settings, memory=self._transactions.memory)
        revision = thread.revision or self._transactions.revisions.current()
        self._transaction = self._transactions.store.read(since=revision.token)
        session = self._transaction.__enter__()
        if revision.is_overdue:
            try:
                session.due = journal.due_ids(session, revision.moment)
            except BaseException as error:
                self._transaction.__exit__(type(error), error, error.__traceback__)
                raise
        return UnitOfWork(
            session,
            self._caller,
            revision.now,
            revision.settings,
            epoch=revision.epoch,
            memory=self._transactions.memory,
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        return self._transaction.__exit__(kind, error, traceback)


class WriteTransaction:
    """The same for a change that is a transaction of its own."""

    __slots__ = ("_base_url", "_caller", "_transaction", "_transactions", "_work")

    def __init__(self, transactions: Transactions, caller: Caller, base_url: str) -> None:
        self._transactions = transactions
        self._caller = caller
        self._base_url = base_url
        self._transaction = transactions.store.write()

    def __enter__(self) -> UnitOfWork:
        session = self._transaction.__enter__()
        try:
            self._work = self._transactions._work(session, self._caller, self._base_url)
        except BaseException as error:
            self._transaction.__exit__(type(error), error, error.__traceback__)
            raise
        return self._work

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            try:
                self._transactions.call_hooks(self._work)
            except BaseException as failed:
                self._transaction.__exit__(type(failed), failed, failed.__traceback__)
                raise
        self._transaction.__exit__(kind, error, traceback)
        if error is None:
            for follow_up in self._work.follow_ups.values():
                self._work.later_revs.extend(follow_up(self._transactions))
