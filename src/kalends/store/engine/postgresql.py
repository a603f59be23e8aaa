"""The store on PostgreSQL: a pool of connections, and an advisory lock for the one writer."""

import logging
import math
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import cast

import psycopg

from kalends.store.engine.last_rev import SERVER, LastRev, PrimaryChange, SharedCheck
from kalends.store.engine.pipeline import Result, Statement
from kalends.store.engine.pool import Connection, Pool, server_errors
from kalends.store.engine.postgresql_sessions import ReadSession, WriteSession
from kalends.store.engine.replicas import Replicas, execute
from kalends.store.engine.servers import Hosts
from kalends.store.engine.store import (
    Session,
    Store,
    StoreUnavailable,
    Whose,
    WritersOrder,
    nobody,
)

log = logging.getLogger("kalends")

LOCK = 0x6B616C  # the advisory lock of writers; any number, but the same in every process
# Seconds for which reads share one look at the last change. A write is acknowledged so long after its commit: whoever
# reads after that, on any node, gets a look that began after the commit.
CHECK_LASTS = 0.002

# Not the level of reads: after waiting for the lock it must see what was committed meanwhile.
BEGIN_WRITING = b"BEGIN ISOLATION LEVEL READ COMMITTED"
PATIENT = b"kalends (migrating)"
WITHOUT_TIMEOUTS = [
    b"SET LOCAL lock_timeout = 0",
    b"SET LOCAL statement_timeout = 0",
    b"SET LOCAL idle_in_transaction_session_timeout = 0",
    b"SET LOCAL application_name = '%b'" % PATIENT,
]
# One writer at a time: so changes are numbered in the order of their commits.
TAKE_LOCK = b"SELECT pg_advisory_xact_lock(%d)" % LOCK
WRITERS_AT_ONCE = 2  # of a process: one has the lock, and another client's waits for it in the server's order
# Seconds for which one that has the lock may leave the server waiting while others wait for it.
LONGEST_SILENCE = 15.0
# The server does not count how long a client is silent within a pipeline or a COPY. A process that is frozen, or lost
# with its network or machine, would hold the lock for ever. One that goes on has another statement each time.
END_FROZEN = (
    b"SELECT pg_terminate_backend(held.pid) FROM pg_locks held JOIN pg_stat_activity holder USING (pid)"
    b" WHERE held.locktype = 'advisory' AND (held.classid, held.objid, held.objsubid) = (0, %d, 1) AND held.granted"
    b" AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    b" AND holder.wait_event_type = 'Client' AND holder.application_name <> '%b'"
    b" AND holder.state_change < clock_timestamp() - make_interval(secs => $1)"
) % (LOCK, PATIENT)
LOOK_AGAIN = 1.0  # seconds between two looks for such a one
COMMIT, ROLLBACK = b"COMMIT", b"ROLLBACK"
# Replicas that follow this primary get the row; one that has changes which the primary lost never does.
NOTE_SERVER = (
    b"UPDATE epoch SET server = found.server FROM (%b AS server) found WHERE epoch.server <> found.server" % SERVER
)


class PostgresStore(Store):
    """A PostgreSQL database and its replicas. The address may name several hosts, of which one is the primary."""

    dialect = "postgresql"
    parallel_reads = 4  # most of a read is waiting for the server

    def __init__(
        self,
        address: str,
        replicas: Sequence[str] = (),
        *,
        size: int = 16,
        timeout: float = 5.0,
        whose: Whose = nobody,
    ) -> None:
        """`size`: the most connections per server, two or more; `timeout`: seconds to wait for one, or for a lock."""
        self.address = address
        self._timeout = timeout
        self._order = WritersOrder(whose, WRITERS_AT_ONCE)
        primary = Hosts(address, timeout, writable=True)
        self._last_rev = LastRev(primary)
        self._check = SharedCheck(self._last_rev, CHECK_LASTS)
        self._server = ""  # the primary that was asked last
        self._noted = ""  # the one that the store is known to name
        self._hosts = primary
        self._looks_again_at = 0.0  # whether the one that has the lock is frozen
        self._primary = Pool(primary, size - 1, timeout)
        self._replicas = Replicas(
            [Pool(Hosts(replica, timeout, writable=False), size, timeout) for replica in replicas]
        )

    def read(self, since: Hashable = None) -> "_Read":
        return _Read(self, cast(PrimaryChange | None, since))

    def read_once(self, since: Hashable = None) -> "_Read":
        return _Read(self, cast(PrimaryChange | None, since), is_one=True)

    @contextmanager
    def write(self, *, patience: float | None = None) -> Iterator[Session]:
        if not self._order.acquire(self._timeout if patience is None else patience):
            raise StoreUnavailable("other writers held the database too long")
        try:
            with self._written(patience) as session:
                yield session
        finally:
            self._order.release()
        time.sleep(CHECK_LASTS)

    @contextmanager
    def _written(self, patience: float | None) -> Iterator[Session]:
        connection = self._begin(patience)
        try:
            with server_errors(connection):
                if (server := self._server) != self._noted:
                    connection.pipeline.execute([(NOTE_SERVER, ())])
                session = WriteSession(connection)
                yield session
                session.end(COMMIT)
        except BaseException:
            roll_back(connection)
            raise
        finally:
            self._primary.give_back(connection)
        self._noted = server

    def _begin(self, patience: float | None) -> Connection:
        """A connection with the writers' lock."""
        begin = partial(begin_writing, patience)
        try:
            return self._primary.start(begin, patient=patience == math.inf)[0]
        except StoreUnavailable as error:
            if not isinstance(error.__cause__, psycopg.errors.LockNotAvailable) or not self._end_frozen():
                raise
        return self._primary.start(begin)[0]

    def _end_frozen(self) -> bool:
        """Ends the transaction of a process that has the lock and does not go on; whether there was one."""
        if time.monotonic() < self._looks_again_at:
            return False
        self._looks_again_at = time.monotonic() + LOOK_AGAIN
        with suppress(psycopg.Error, StoreUnavailable), self._hosts.connect() as connection:
            if connection.execute(END_FROZEN, (LONGEST_SILENCE,)).fetchall():
                log.warning("a process that did not go on with its write has lost it: others wait")
                return True
        return False

    def changes(self) -> Hashable:
        found = self._check()
        self._server = found.server
        return found

    def changes_with(self, changes: Hashable, rev: int) -> Hashable:
        known = cast(PrimaryChange, changes)
        return PrimaryChange(known.server, max(known.rev, rev))

    def server_of(self, changes: Hashable) -> str:
        return cast(PrimaryChange, changes).server

    def figures(self) -> Mapping[str, float]:
        return {**self._primary.figures(), **self._replicas.figures()}

    def close(self) -> None:
        self._replicas.close()
        self._primary.close()
        self._last_rev.close()

    def _start_reading(
        self, since: PrimaryChange | None, is_one: bool, queries: Sequence[Statement]
    ) -> tuple[Pool, Connection, list[Result], bool]:
        """`is_one`: no other queries follow."""
        on_replica = None if since is None else self._replicas.start(since, queries)
        if on_replica is not None:
            return *on_replica, True
        return self._primary, *self._primary.start(partial(execute, queries, are_last=is_one)), False


class _Read:
    """A read transaction as a context manager: a class, as every read enters it."""

    __slots__ = ("_session",)

    def __init__(self, store: PostgresStore, since: PrimaryChange | None, *, is_one: bool = False) -> None:
        self._session = ReadSession(partial(store._start_reading, since, is_one))

    def __enter__(self) -> Session:
        return self._session

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self._session.close()


def begin_writing(patience: float | None, connection: Connection) -> None:
    """Begins a transaction and waits for the writers' lock: `patience` seconds, or the connection's lock_timeout."""
    limits: list[bytes] = []
    if patience == math.inf:
        limits, connection.psycopg.longest = WITHOUT_TIMEOUTS, math.inf
    elif patience is not None:
        limits = [b"SET LOCAL lock_timeout = %d" % max(1, round(patience * 1000))]  # 0 would mean no limit
    steps = [BEGIN_WRITING, *limits, TAKE_LOCK]
    connection.pipeline.execute([(step, ()) for step in steps])


def roll_back(connection: Connection) -> None:
    """Rolls a transaction back. If that fails, the connection is closed, and the server rolls it back."""
    with suppress(psycopg.Error):
        if connection.pipeline.is_active:
            connection.pipeline.execute([(ROLLBACK, ())], are_last=True)
