"""The embedded store: a SQLite file in WAL mode, one connection a thread, one writer at a time."""

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Row = tuple[Any, ...]
Parameters = Sequence[Any] | Mapping[str, Any]

BUSY_MILLISECONDS = 15_000
PAGE_CACHE_KIB = 8_192


class StoreUnavailable(Exception):
    """The store cannot answer now."""


class Session:
    """The inside of one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        return self._connection.execute(sql, parameters).fetchall()

    def one(self, sql: str, parameters: Parameters = ()) -> Row | None:
        row: Row | None = self._connection.execute(sql, parameters).fetchone()
        return row

    def value(self, sql: str, parameters: Parameters = ()) -> Any:
        """The first column of the first row, or None."""
        row = self.one(sql, parameters)
        return None if row is None else row[0]

    def column(self, sql: str, parameters: Parameters = ()) -> list[Any]:
        return [row[0] for row in self.all(sql, parameters)]

    def run(self, sql: str, parameters: Parameters = ()) -> int:
        """Executes a change; the number of rows it touched."""
        return self._connection.execute(sql, parameters).rowcount

    def run_many(self, sql: str, rows: Sequence[Parameters]) -> None:
        self._connection.executemany(sql, rows)


class Store:
    """A SQLite file. `read` and `write` open a transaction on this thread's own connection."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = threading.local()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """One consistent view, however many queries it takes."""
        with self._transaction("BEGIN") as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """All or nothing, and on disk when this returns."""
        with self._transaction("BEGIN IMMEDIATE") as session:
            yield session

    def changes(self) -> tuple[int, int]:
        """A value that differs after any commit. Each thread compares it only with its own earlier ones."""
        # data_version leaves out what this connection wrote itself.
        version: int = self._connection().execute("PRAGMA data_version").fetchone()[0]
        return version, self._connection().total_changes

    def close(self) -> None:
        connection: sqlite3.Connection | None = getattr(self._thread, "connection", None)
        if connection is not None:
            connection.close()
            del self._thread.connection

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._thread, "connection", None)
        if connection is None:
            connection = self._thread.connection = open_connection(self.path)
        return connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Session]:
        try:
            connection = self._connection()
            connection.execute(begin)
        except sqlite3.OperationalError as error:
            raise StoreUnavailable(str(error)) from error
        try:
            yield Session(connection)
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError) and is_busy(error):
                raise StoreUnavailable(str(error)) from error
            raise


def is_busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL)


def open_connection(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=512)
    # The time-out comes first: switching to WAL may itself have to wait for another process.
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection
