"""A pool of connections to one PostgreSQL server."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from kalends.store.engine.pipeline import Pipeline
from kalends.store.engine.servers import LONGEST_SILENCE, Hosts, ServerConnection, one_line
from kalends.store.engine.store import StoreUnavailable

Result = TypeVar("Result")


class Connection:
    """A connection, used through its `pipeline`; for what that cannot do, directly after `pipeline.leave`."""

    def __init__(self, connection: ServerConnection) -> None:
        self.psycopg = connection
        self.pipeline = Pipeline(connection)

    def end(self) -> None:
        """Ends a transaction, with a rollback if it is still open; closes a connection that cannot be used again."""
        self.psycopg.longest = LONGEST_SILENCE
        try:
            if self.pipeline.is_active:
                self.pipeline.end()
            elif self.psycopg.info.transaction_status != TransactionStatus.IDLE:
                self.psycopg.execute("ROLLBACK")
        except psycopg.Error:
            self.psycopg.close()


class Pool:
    """At most `size` connections. Each is opened by the thread that needs it: only that thread waits for a server
    that does not respond, and learns of it at once."""

    def __init__(self, hosts: Hosts, size: int, timeout: float) -> None:
        self._hosts = hosts
        self._size = size
        self._timeout = timeout
        self._idle: list[Connection] = []  # the last used is taken first
        self._in_use = self._waiting = 0
        self._is_closed = False
        self._lock = threading.Lock()
        self._returned = threading.Condition(self._lock)

    def start(self, begin: Callable[[Connection], Result], *, patient: bool = False) -> tuple[Connection, Result]:
        """Takes a connection, which must be given back, and calls `begin` with it; the connection and the result.
        Raises StoreUnavailable if there is none within the timeout; `patient`: waits without a timeout."""
        connection = self._acquire(None if patient else self._timeout)
        try:
            # An idle connection may have been lost: then the next one is tried, and in the end a new one.
            while connection is not None:
                try:
                    return connection, _begun(begin, connection)
                except BaseException as error:
                    # One that waited for the writers' lock was not lost: the others would wait as long.
                    is_blocked = isinstance(error.__cause__, psycopg.errors.LockNotAvailable)
                    if is_blocked or not connection.psycopg.closed:
                        raise
                with self._lock:
                    connection = self._pop_idle()
            connection = Connection(self._hosts.connect())
            return connection, _begun(begin, connection)
        except BaseException:
            self._put_back(connection)
            raise

    def give_back(self, connection: Connection) -> None:
        connection.end()
        self._put_back(connection)

    def figures(self) -> Mapping[str, float]:
        with self._lock:
            return {
                "pool_size": self._size,
                "pool_in_use": self._in_use,
                "pool_idle": len(self._idle),
                "pool_waiting": self._waiting,
            }

    def close(self) -> None:
        """Closes the connections that are not in use, and the others once they are given back."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.psycopg.close()

    def _acquire(self, timeout: float | None) -> Connection | None:
        """An idle connection; None: a new one may be opened."""
        with self._lock:
            if self._in_use >= self._size:
                self._waiting += 1
                is_free = self._returned.wait_for(lambda: self._in_use < self._size, timeout)
                self._waiting -= 1
                if not is_free:
                    raise StoreUnavailable(f"all {self._size} connections to the database are in use")
            self._in_use += 1
            return self._pop_idle()

    def _pop_idle(self) -> Connection | None:
        """The idle connection that was used last. Those to a host that hangs, or is no longer used, are closed."""
        while self._idle:
            connection = self._idle.pop()
            if self._hosts.uses(connection.psycopg):
                return connection
            connection.psycopg.close()
        return None

    def _put_back(self, connection: Connection | None) -> None:
        with self._lock:
            if connection is not None and self._is_closed:
                connection.psycopg.close()
            elif connection is not None and not connection.psycopg.closed:
                self._idle.append(connection)
            self._in_use -= 1
            if self._waiting:
                self._returned.notify()


def _begun(begin: Callable[[Connection], Result], connection: Connection) -> Result:
    """What `begin` returns. If it fails, its transaction is ended, or the connection closed."""
    try:
        with server_errors(connection):
            return begin(connection)
    except BaseException:
        connection.end()
        raise


@contextmanager
def server_errors(connection: Connection) -> Iterator[None]:
    """Errors of the server or the connection, not of the statement, become StoreUnavailable."""
    try:
        yield
    except psycopg.Error as error:
        if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):  # it is no longer the primary
            connection.psycopg.close()
        if isinstance(error, psycopg.OperationalError) or connection.psycopg.closed:
            raise StoreUnavailable(one_line(error)) from error
        raise
