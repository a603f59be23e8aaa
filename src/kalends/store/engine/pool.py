"""Connections to one PostgreSQL server, kept open between uses and never more than a number at once."""

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
    """A connection that is used through its `pipeline`; after `pipeline.leave`, for what that cannot do, directly."""

    def __init__(self, connection: "psycopg.Connection[Row]") -> None:
        self.psycopg = connection
        self.pipeline = Pipeline(connection)

    def end(self) -> None:
        """Ends a transaction, and undoes whatever it left undone; closes what cannot be used again."""
        try:
            if self.pipeline.is_active:
                self.pipeline.end()
            elif self.psycopg.info.transaction_status != TransactionStatus.IDLE:
                self.psycopg.execute("ROLLBACK")
        except psycopg.Error:
            self.psycopg.close()


class Pool:
    """A connection is made by the thread that needs it, so that a server which is gone is noticed at once, and by
    nobody else than who needs it now."""

    def __init__(self, connect: Callable[[], "psycopg.Connection[Row]"], size: int, timeout: float) -> None:
        self._connect = connect
        self._size = size
        self._timeout = timeout
        self._places = threading.Semaphore(size)
        self._idle: list[Connection] = []  # the last used first, so that few stay warm
        self._lock = threading.Lock()
        self._in_use = self._waiting = 0

    def start(self, begin: Callable[[Connection], Result], *, patient: bool = False) -> tuple[Connection, Result]:
        """A connection, to be given back, on which `begin` was done, and what that returned. Raises StoreUnavailable
        if none can be had now; `patient`: waits as long as it takes until another thread gives one back."""
        self._take_place(None if patient else self._timeout)
        try:
            return self._started(begin)
        except BaseException:
            self._leave_place()
            raise

    def give_back(self, connection: Connection) -> None:
        self._keep(connection)
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
            connection.psycopg.close()

    def _started(self, begin: Callable[[Connection], Result]) -> tuple[Connection, Result]:
        """Connections may have died while nobody used them: then the next one is tried, and a new one at last."""
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
                died = connection.psycopg.closed
                self._keep(connection)
                if is_new or not died:
                    raise

    def _keep(self, connection: Connection) -> None:
        connection.end()
        if not connection.psycopg.closed:
            with self._lock:
                self._idle.append(connection)

    def _take_place(self, timeout: float | None) -> None:
        if not self._places.acquire(blocking=False):
            self._count(waiting=1)
            got = self._places.acquire(timeout=timeout)
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


@contextmanager
def server_errors(connection: Connection) -> Iterator[None]:
    """Statements that fail for the server's sake raise StoreUnavailable."""
    try:
        yield
    except psycopg.Error as error:
        if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):  # it was the primary once
            connection.psycopg.close()
        if isinstance(error, psycopg.OperationalError) or connection.psycopg.closed:
            raise StoreUnavailable(one_line(error)) from error
        raise


def one_line(error: Exception) -> str:
    """The message of an error without its line breaks."""
    return " ".join(str(error).split())
