"""The writes that one thread makes for one request, as one transaction.

It begins with the first of them, so nobody waits for it before, and is committed when the answer is known: what is
stored with it is there exactly if the change is. Reads inside of it see what it has written. A request in a batch is
an *item*: one that is refused is undone for itself.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from kalends.calendar.access import FollowUp, UnitOfWork
from kalends.store.engine.store import Session, Store
from kalends.store.rows.records import Media

Act = Callable[[], None]

ITEM = "item"  # the savepoint before each request of a batch


class _Undone(Exception):
    """Ends a transaction without a commit."""


class RehearsalEnds(BaseException):
    """A rehearsal ends where the first write would begin. No handler takes it for an error."""


class Joint:
    """A transaction of several writes, for the thread that makes it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._transaction: AbstractContextManager[Session] | None = None
        self.session: Session | None = None
        self.began = 0.0  # when the transaction did, by the monotonic clock
        self.follow_ups: dict[tuple[str, str], FollowUp] = {}  # what else is, by its kind and key
        self.fetched: dict[str, Media] = {}  # images that were fetched for it before it began, by their address
        self.may_have_parts = False  # parts of long work may come before it
        self.rehearses = False  # nothing is written: it is found out what has to be fetched
        # Before something waits for a network while the transaction is open: ends it, or raises.
        self.before_network_wait: Act = self.commit
        self._changed: tuple[UnitOfWork, Callable[[UnitOfWork], None]] | None = None
        self._is_in_item = False
        self._has_savepoint = False
        self._when_committed: list[Act] = []
        self._when_undone: list[Act] = []
        self._kept_acts = (0, 0)  # of the items before this one

    @contextmanager
    def part(self) -> Iterator[Session]:
        """One write. If it fails, nothing of it is left, and what the request has written before stays."""
        if self.rehearses:
            raise RehearsalEnds
        if self._is_in_item and self.session is not None:
            with self.session.savepoint():
                yield self.session
            return
        session = self._begin_item()
        try:
            yield session
        except BaseException:
            self.undo_item()
            raise

    def opened(self) -> Session:
        """The transaction, which begins now unless it has: for what is undone only with all of it."""
        return self.session if self.session is not None else self._begin_item()

    def end_item(self) -> None:
        """What was written until now stays, whatever becomes of what follows."""
        if self._has_savepoint and self.session is not None:
            self.session.release_savepoint(ITEM)
        self._is_in_item = self._has_savepoint = False
        self._kept_acts = len(self._when_committed), len(self._when_undone)

    def undo_item(self) -> None:
        """Undoes what was written since the last `end_item`."""
        if not self._is_in_item:
            return
        if not self._has_savepoint or self.session is None:
            self.undo()
            return
        self.session.undo_to_savepoint(ITEM)
        committed, undone = self._kept_acts
        del self._when_committed[committed:]
        acts, self._when_undone = self._when_undone[undone:], self._when_undone[:undone]
        self.end_item()
        _run(acts)

    def commit(self) -> None:
        """Makes everything durable. What follows is another transaction."""
        if self.session is None:
            return
        try:
            self.end_item()
            if self._changed is not None:
                (work, report), self._changed = self._changed, None
                report(work)
            self._end(None)
        except BaseException:
            self.undo()
            raise
        acts, self._when_committed, self._when_undone = self._when_committed, [], []
        self._kept_acts = (0, 0)
        _run(acts)

    def undo(self) -> None:
        """Undoes everything since the last commit."""
        acts, self._when_committed, self._when_undone = self._when_undone, [], []
        self._kept_acts = (0, 0)
        self.follow_ups.clear()
        self._changed = None
        self._is_in_item = self._has_savepoint = False
        try:
            self._end(_Undone())
        finally:
            _run(acts)

    def call_at_commit(self, work: UnitOfWork, report: Callable[[UnitOfWork], None]) -> None:
        """Before the commit, tells once what all writes together have changed: what one has done and another undoes
        is told to nobody."""
        if self._changed is not None:
            work.changed_events[:0] = self._changed[0].changed_events
        self._changed = (work, report)

    def when_committed(self, act: Act) -> None:
        self._when_committed.append(act)

    def when_undone(self, act: Act) -> None:
        self._when_undone.append(act)

    def _begin_item(self) -> Session:
        if self.session is None:
            transaction = self._store.write()
            self.session = transaction.__enter__()
            self._transaction, self.began = transaction, time.monotonic()
        else:
            self.session.set_savepoint(ITEM)
            self._has_savepoint = True
        self._is_in_item = True
        return self.session

    def _end(self, error: _Undone | None) -> None:
        transaction, self._transaction, self.session = self._transaction, None, None
        if transaction is None:
            return
        with suppress(_Undone):
            transaction.__exit__(None if error is None else _Undone, error, None)


def _run(acts: list[Act]) -> None:
    for act in acts:
        act()
