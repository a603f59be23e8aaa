"""Connections to one PostgreSQL server, kept open between uses and never more than a number at once."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

import psycopg
from psycopg.pq import TransactionStatus

from kalends.store.database import Row, StoreUnavailable

Connection = psycopg.Connection[Row]


class Pool:
    """A connection is made by the thread that needs it, so that a server which is gone is noticed at once, and by
    nobody else than who needs it now."""

    def __init__(self, connect: Callable[[], Connection], size: int, timeout: float) -> None:
        self._connect = connect
        self._size = size
        self._timeout = timeout
        self._places = threading.Semaphore(size)
        self._idle: list[Connection] = []  # the last used first, so that few stay warm
        self._lock = threading.Lock()
        self._in_use = self._waiting = 0

    @contextmanager
    def connection(self, first: str = "") -> Iterator[tuple[Connection, Row]]:
        """A connection on which a first statement was executed, and the first row that it gave. Without one it may be
        dead. Statements that fail for the server's sake raise StoreUnavailable."""
        self._take_place()
        try:
            connection, row = self._started(first)
            try:
                yield connection, row
            except psycopg.Error as error:
                if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):  # it was the primary once
                    connection.close()
                if isinstance(error, psycopg.OperationalError) or connection.closed:
                    raise StoreUnavailable(one_line(error)) from error
                raise
            finally:
                self._give_back(connection)
        finally:
            self._leave_place()

    def figures(self) -> Mapping[str, float]:
        with self._lock:
            return {
                "pool_size": self._size,
                "pool_in_use": self._in_use,
                "pool_idle": len(self._idle),
                "pool_waiting": self._waiting,
            }

    def close(self) -> None:
        """Ends the connections that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _started(self, first: str) -> tuple[Connection, Row]:
        """Connections may have died while nobody used them: then the next one is tried, and a new one at last."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            is_new = connection is None
            if connection is None:
                connection = self._connect()
            try:
                return connection, first_row(connection, first) if first else ()
            except psycopg.Error as error:
                died = connection.closed
                self._give_back(connection)
                if died and not is_new:
                    continue
                if isinstance(error, psycopg.OperationalError):
                    raise StoreUnavailable(one_line(error)) from error
                raise

    def _give_back(self, connection: Connection) -> None:
        """Whatever a transaction left undone is undone; what cannot be used again is closed."""
        if not connection.closed and connection.info.transaction_status != TransactionStatus.IDLE:
            with suppress(psycopg.Error):
                connection.execute("ROLLBACK")
        if connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
            connection.close()
            return
        with self._lock:
            self._idle.append(connection)

    def _take_place(self) -> None:
        if not self._places.acquire(blocking=False):
            self._count(waiting=1)
            got = self._places.acquire(timeout=self._timeout)
            self._count(waiting=-1)
            if not got:
                raise StoreUnavailable(f"all {self._size} connections to the database are in use")
        self._count(in_use=1)

    def _leave_place(self) -> None:
        self._count(in_use=-1)
        self._places.release()

    def _count(self, in_use: int = 0, waiting: int = 0) -> None:
        with self._lock:
            self._in_use += in_use
            self._waiting += waiting


def first_row(connection: Connection, statements: str) -> Row:
    """Executes statements; the first row that the last of them gives, if it gives any."""
    cursor = connection.execute(statements.encode())
    while cursor.nextset():
        pass
    return (cursor.fetchone() or ()) if cursor.description else ()


def one_line(error: Exception) -> str:
    """The message of an error without its line breaks."""
    return " ".join(str(error).split())
