"""A pool of connections to one PostgreSQL server."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from kalends.store.engine.pipeline import Pipeline
from kalends.store.engine.store import Row, StoreUnavailable

Result = TypeVar("Result")


class Connection:
    """A connection, used through its `pipeline`; for what that cannot do, directly after `pipeline.leave`."""

    def __init__(self, connection: "psycopg.Connection[Row]") -> None:
        self.psycopg = connection
        self.pipeline = Pipeline(connection)

    def end(self) -> None:
        """Ends a transaction, with a rollback if it is still open; closes a connection that cannot be used again."""
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

    def __init__(self, connect: Callable[[], "psycopg.Connection[Row]"], size: int, timeout: float) -> None:
        self._connect = connect
        self._size = size
        self._timeout = timeout
        self._free = threading.Semaphore(size)
        self._idle: list[Connection] = []  # the last used is taken first
        self._lock = threading.Lock()
        self._in_use = self._waiting = 0

    def start(self, begin: Callable[[Connection], Result], *, patient: bool = False) -> tuple[Connection, Result]:
        """Takes a connection, which must be given back, and calls `begin` with it; the connection and the result.
        Raises StoreUnavailable if there is none within the timeout; `patient`: waits without a timeout."""
        self._acquire(None if patient else self._timeout)
        try:
            return self._started(begin)
        except BaseException:
            self._release()
            raise

    def give_back(self, connection: Connection) -> None:
        self._keep(connection)
        self._release()

    def figures(self) -> Mapping[str, float]:
        with self._lock:
            return {
                "pool_size": self._size,
                "pool_in_use": self._in_use,
                "pool_idle": len(self._idle),
                "pool_waiting": self._waiting,
            }

    def close(self) -> None:
        """Closes the connections that are not in use."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.psycopg.close()

    def _started(self, begin: Callable[[Connection], Result]) -> tuple[Connection, Result]:
        """An idle connection may have been lost: then the next one is tried, and in the end a new one."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            is_new = connection is None
            if connection is None:
                connection = Connection(self._connect())
            try:
                with server_errors(connection):
                    return connection, begin(connection)
            except BaseException:
                is_lost = connection.psycopg.closed
                self._keep(connection)
                if is_new or not is_lost:
                    raise

    def _keep(self, connection: Connection) -> None:
        connection.end()
        if not connection.psycopg.closed:
            with self._lock:
                self._idle.append(connection)

    def _acquire(self, timeout: float | None) -> None:
        if not self._free.acquire(blocking=False):
            self._count(waiting=1)
            got = self._free.acquire(timeout=timeout)
            self._count(waiting=-1)
            if not got:
                raise StoreUnavailable(f"all {self._size} connections to the database are in use")
        self._count(in_use=1)

    def _release(self) -> None:
        self._count(in_use=-1)
        self._free.release()

    def _count(self, in_use: int = 0, waiting: int = 0) -> None:
        with self._lock:
            self._in_use += in_use
            self._waiting += waiting


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


def one_line(error: Exception) -> str:
    """The message of an error without its line breaks."""
    return " ".join(str(error).split())
