"""The embedded store: a SQLite file in WAL mode, one connection a thread, one writer at a time."""

import itertools
import sqlite3
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec

from kalends.store import endings, wal_index
from kalends.store.conditions import Conditions
from kalends.store.database import Having, Ids, Parameters, Part, Row, Session, Store, StoreDamaged, StoreUnavailable

BUSY_MILLISECONDS = 15_000
PAUSE = 0.0005  # seconds between two looks whether another process is done
PAGE_CACHE_KIB = 2_048  # of each thread; the connection that they share for glances has more
SHARED_CACHE_KIB = 8_192

sqlite3.register_adapter(Ids, lambda ids: str([*ids]))  # whole numbers look the same in JSON


class SqliteSession(Session):
    """A transaction on one connection, or single queries outside of any."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        return self._connection.execute(sql, parameters).fetchall()

    def one(self, sql: str, parameters: Parameters = ()) -> Row | None:
        row: Row | None = self._connection.execute(sql, parameters).fetchone()
        return row

    def run(self, sql: str, parameters: Parameters = ()) -> int:
        return self._connection.execute(sql, parameters).rowcount

    def run_many(self, sql: str, rows: Sequence[Parameters]) -> None:
        self._connection.executemany(sql, rows)

    def run_script(self, script: str) -> None:
        current = ""
        for line in script.splitlines(keepends=True):
            current += line
            if sqlite3.complete_statement(current):
                self.run(current)
                current = ""

    def has_table(self, name: str) -> bool:
        return self.one("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)) is not None

    def columns_of(self, table: str) -> list[str]:
        # The last column is 0 for what is stored as it was written.
        return [row[1] for row in self.all(f'PRAGMA table_xinfo("{table}")') if row[6] == 0]

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        names, marks = ", ".join(f'"{name}"' for name in columns), ", ".join("?" for _ in columns)
        self.run_many(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', rows)

    def having(self, kind: str, words: Sequence[str], part: Part) -> Having | None:
        query = endings.query(words, part.years(), listed=part.listed)
        if not query:
            return None
        indexed, long = Conditions(), Conditions()
        indexed.add(f"{kind}_words MATCH ?", query)
        long.add(f"length(CAST(title AS BLOB)) + length(CAST(body AS BLOB)) > {endings.LONGEST_TEXT}")
        if part.slots is not None:
            indexed.add("rowid >= ? AND rowid < ?", *part.slots)
            long.add("slot >= ? AND slot < ?", *part.slots)
        if part.listed:
            long.add("reach > 0")
        body = f"reach = {endings.OPEN} AND instr(body, ?) > 0" if part.listed else "instr(body, ?) > 0"
        for word in words:
            long.add(f"(instr(title, ?) > 0 OR {body})", word, word)
        sql = (
            f"SELECT rowid AS slot FROM {kind}_words WHERE {indexed.where} UNION ALL"
            f" SELECT slot FROM {kind}_text INDEXED BY {kind}_text_long WHERE {long.where}"
        )
        key = "slot" if kind == "event" else "id"
        return Having(key, sql, indexed.parameters + long.parameters, endings.are_enough(words), part.listed)

    def listed_slots(self, words: Sequence[str], part: Part) -> list[int] | None:
        found = self.having("event", words, part)
        if found is None or not found.exact or part.slots is None:
            return None
        # One text is handed over in a fraction of the time that as many rows take.
        text = self.value(f"SELECT json_group_array(slot) FROM ({found.sql})", found.parameters)
        return msgspec.json.decode(text, type=list[int])


class SqliteStore(Store):
    """A SQLite file. `read` and `write` open a transaction on this thread's own connection."""

    dialect = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = threading.local()
        self._writing = threading.Lock()  # threads wait here, and only one of them asks the file for its turn
        self._glancing = threading.Lock()
        self._shared: sqlite3.Connection | None = None

    @contextmanager
    def read(self, since: Hashable = None) -> Iterator[Session]:
        with self._transaction(_begin_reading) as session:
            yield session

    @contextmanager
    def glance(self) -> Iterator[Session]:
        # All threads share one connection for it, since one page cache that is warm does more than many that are not.
        with self._glancing:
            if self._shared is None:
                self._shared = open_connection(self.path)
                self._shared.execute(f"PRAGMA cache_size = -{SHARED_CACHE_KIB}")
            try:
                yield SqliteSession(self._shared)
            except sqlite3.OperationalError as error:
                raise StoreUnavailable(str(error)) from error

    @contextmanager
    def write(self, *, patient: bool = False) -> Iterator[Session]:
        if not self._writing.acquire(timeout=BUSY_MILLISECONDS / 1000):
            raise StoreUnavailable("others have been writing all the time")
        try:
            with self._transaction(_begin_writing) as session:
                yield session
        finally:
            self._writing.release()

    def changes(self) -> Hashable:
        try:
            found: Hashable = self._thread.changes()
        except AttributeError:  # this thread comes for the first time
            self._connection()
            found = self._thread.changes()
        return found

    def snapshot(self, file: Path) -> "SqliteStore":
        """A copy of what is there now, in a file that must not exist; others read and write meanwhile."""
        # It leaves out what deleted records left behind, too.
        try:
            self._connection().execute("VACUUM INTO ?", (str(file),))
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) or error from error
        file.chmod(0o600)
        return SqliteStore(file)

    def close(self) -> None:
        connection: sqlite3.Connection | None = getattr(self._thread, "connection", None)
        if connection is not None:
            # The mapping may go with the connection, so nobody looks at it any more.
            del self._thread.connection, self._thread.changes
            connection.close()
        with self._glancing:
            if self._shared is not None:
                self._shared.close()
                self._shared = None

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._thread, "connection", None)
        if connection is None:
            try:
                connection = open_connection(self.path)
                connection.execute("PRAGMA data_version").fetchone()  # a first read, which maps the WAL index
            except sqlite3.DatabaseError as error:
                raise self._damaged(error) or error from error
            self._thread.changes = wal_index.header_of(self.path) or partial(_versions, connection, next(_numbers))
            self._thread.connection = connection
        return connection

    def _damaged(self, error: BaseException) -> StoreDamaged | None:
        if not isinstance(error, sqlite3.DatabaseError) or not is_damage(error):
            return None
        return StoreDamaged(f"the database {self.path} is damaged ({error}); restore it from a backup")

    @contextmanager
    def _transaction(self, begin: Callable[[sqlite3.Connection], None]) -> Iterator[Session]:
        try:
            connection = self._connection()
            begin(connection)
        except sqlite3.OperationalError as error:
            raise StoreUnavailable(str(error)) from error
        try:
            yield SqliteSession(connection)
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if damaged := self._damaged(error):
                raise damaged from error
            if isinstance(error, sqlite3.OperationalError) and is_busy(error):
                raise StoreUnavailable(str(error)) from error
            raise


_numbers = itertools.count()


def _versions(connection: sqlite3.Connection, number: int) -> Hashable:
    # data_version leaves out what this connection wrote itself, and begins anew with every connection.
    version: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return number, version, connection.total_changes


def _begin_reading(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN")


def _begin_writing(connection: sqlite3.Connection) -> None:
    """Opens a transaction, after that of another process if need be. SQLite itself would look ever more seldom
    whether that one is over, in the end only every tenth of a second."""
    until = time.monotonic() + BUSY_MILLISECONDS / 1000
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() > until:
                    raise
            time.sleep(PAUSE)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")


def is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


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
    connection.create_function("word_endings", 4, endings.endings, deterministic=True)
    return connection
