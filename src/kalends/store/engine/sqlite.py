"""The embedded store: a SQLite file in WAL mode, a pool of connections, one writer at a time."""

import json
import math
import sqlite3
import threading
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from kalends.store.engine import suffix_index
from kalends.store.engine.store import (
    Dialect,
    Ids,
    Parameters,
    Row,
    Session,
    StorageRefused,
    Store,
    StoreDamaged,
    StoreUnavailable,
    Texts,
    Whose,
    WritersOrder,
    insertion,
    merging,
    nobody,
)

# The inside of a transaction on SQLite.

sqlite3.register_adapter(Ids, lambda ids: str([*ids]))  # a list of integers is the same text in JSON
sqlite3.register_adapter(Texts, lambda texts: json.dumps(texts))


DIALECT = Dialect(
    in_ids="IN (SELECT value FROM json_each(?))",
    not_in_ids="NOT IN (SELECT value FROM json_each(?))",
    in_texts="IN (SELECT value FROM json_each(?))",
    day="CAST(julianday(substr({}, 1, 10)) - 2415019.5 AS INTEGER)",
    ordered_join="CROSS JOIN",
    position="instr",
    hint=" INDEXED BY {}",
    has_suffix_index=True,
    no_index="+",
    list_of="group_concat({})",
)


# Of one statement. At the end of each, the index of words is written and merged: a hundred rows in one statement take
# a fraction of the time of a hundred statements.
ROWS_TOGETHER = 100
NOTHING_CHANGED = 2**63 - 1  # no change came after this one


class TransactionStart:
    """The last change before the transaction of a connection, for the triggers that compare before and after."""

    last: int | None = None

    def note(self, last: int) -> None:
        if self.last is None:
            self.last = last

    def rev(self) -> int:
        return NOTHING_CHANGED if self.last is None else self.last


class SqliteConnection(sqlite3.Connection):
    start: TransactionStart


class SqliteSession(Session):
    """A transaction on one connection, or single queries outside of a transaction."""

    dialect = DIALECT

    def __init__(self, connection: SqliteConnection) -> None:
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
        # The last column is 0 unless the database computes the value.
        return [row[1] for row in self.all(f'PRAGMA table_xinfo("{table}")') if row[6] == 0]

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self._insert(table, columns, rows)

    def merge(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self._insert(table, columns, rows, merging(columns))

    def _insert(self, table: str, columns: Sequence[str], rows: Sequence[Row], ending: str = "") -> None:
        for first in range(0, len(rows), ROWS_TOGETHER):
            some = rows[first : first + ROWS_TOGETHER]
            values = [value for row in some for value in row]
            self.run(insertion(table, tuple(columns), len(some)) + ending, values)


PATIENCE = 15.0  # seconds that a writer waits for other writers, and a reader for a checkpoint
PAGE_CACHE_KIB = 8_192  # of each connection; quick reads are serialized, so few connections are ever in use
FAULT_PATIENCE = 0.1  # seconds that a health check waits for other writers
LARGEST_WAL = 16 * 1024 * 1024  # bytes that its file keeps after a large change
# Seconds. While a process waits for the file's lock, SQLite asks for it every millisecond or two (`POLLING`). One of
# which several threads write would take it again at once each time (another waited 2.5 s beside transactions of
# 0.12 s), so it pauses after a run of them with hardly a gap (0.3 s).
POLLING, LONGEST_RUN, PAUSE = 0.003, 0.1, 0.003
CHECKPOINT_PAGES = 3_000  # of the WAL: writes change the same pages again and again, and each is copied once
MOST_IDLE = 4  # connections kept for the next transaction; more are closed

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
REFUSED = (  # by the disk
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOLFS),
)


class SqliteStore(Store):
    """A SQLite file. `read` and `write` open a transaction on a connection of their own."""

    dialect = "sqlite"
    sees_every_commit = True

    def __init__(self, path: Path, whose: Whose = nobody) -> None:
        self.path = path
        # The connection used last is taken first: its page cache is warm.
        self._idle: list[SqliteConnection] = []
        # Threads queue here, and only one of them polls the file's lock.
        self._order = WritersOrder(whose)
        self._writer: SqliteConnection | None = None  # of the thread that writes: one warm page cache
        self._wrote = self._began_run = 0.0  # when the last transaction ended, and the first of a run of them
        self._watcher = Watcher(path)
        self._is_damaged = False
        self._refusal = ""  # why the disk refused the last write

    def read(self, since: Hashable = None) -> "_ReadTransaction":
        return _ReadTransaction(self)

    def read_once(self, since: Hashable = None) -> "_SingleRead":
        return _SingleRead(self)

    def write(self, *, patience: float | None = None) -> "_WriteTransaction":
        return _WriteTransaction(self, PATIENCE if patience is None else patience)

    def fault(self) -> str:
        if self._is_damaged:
            return "the database is damaged"
        if self._refusal:  # another write finds out whether the disk still refuses
            with suppress(StoreUnavailable), self.write(patience=FAULT_PATIENCE) as session:
                # A number of no other use. SQLite would not write a row that stays the same.
                session.run(f"PRAGMA user_version = {session.value('PRAGMA user_version') % 1000 + 1}")
        return self._refusal and f"the disk refuses writes: {self._refusal}"

    def changes(self) -> Hashable:
        try:
            return self._watcher.version()
        except sqlite3.DatabaseError as error:
            raise self.unopened(error) from error

    def copy_to_file(self, file: Path) -> bool:
        try:
            with self._connected() as connection:
                # Unlike the backup API, it leaves out deleted content.
                connection.execute("VACUUM INTO ?", (str(file),))
        except sqlite3.DatabaseError as error:
            raise self.translated(error) from error
        with suppress(PermissionError):  # a file system without rights, such as FAT
            file.chmod(0o600)
        return True

    def close(self) -> None:
        self._watcher.close()
        while self._idle:
            self._idle.pop().close()
        self._order.acquire(math.inf)
        try:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
        finally:
            self._order.release()

    def _acquire(self) -> SqliteConnection:
        """A connection for one transaction."""
        try:
            return self._idle.pop()
        except IndexError:
            return open_connection(self.path)

    def _give_back(self, connection: SqliteConnection) -> None:
        if len(self._idle) < MOST_IDLE:
            self._idle.append(connection)
        else:
            connection.close()

    def _begin_writing(self, patience: float) -> SqliteConnection:
        """The connection with a write transaction; `_order` has to be released after it. Raises StoreUnavailable."""
        deadline = time.monotonic() + patience
        while self._order.acquire(deadline - time.monotonic()):
            has_begun = False
            try:
                has_begun = self._try_to_begin(deadline)
            finally:
                if not has_begun:
                    self._order.release(has_written=False)
            if has_begun:
                return self._open_writer()
        raise StoreUnavailable("other writers held the database too long")

    def _try_to_begin(self, deadline: float) -> bool:
        """Begins a write transaction as soon as no other process has one; False if another client of this process
        comes first by then. Raises StoreUnavailable."""
        writer, now = self._open_writer(), time.monotonic()
        if now - self._wrote < PAUSE and now - self._began_run > LONGEST_RUN:
            time.sleep(PAUSE)
        while not _begun(writer):
            if time.monotonic() > deadline:
                raise StoreUnavailable("other writers held the database too long")
            if self._order.is_another_first():
                return False
        if (now := time.monotonic()) - self._wrote > PAUSE:
            self._began_run = now
        return True

    def _open_writer(self) -> SqliteConnection:
        if self._writer is None:
            self._writer = open_connection(self.path)
            self._writer.execute(f"PRAGMA busy_timeout = {POLLING * 1000:.0f}")  # the pauses of a long one grow
        return self._writer

    def translated(self, error: BaseException) -> BaseException:
        """The store's exception for an error of the disk or of another writer; else the error itself."""
        kind = _kind(error)
        if kind in DAMAGED:
            self._is_damaged = True
            return StoreDamaged(f"the database {self.path} is damaged ({error}); restore it from a backup")
        if kind in REFUSED:
            return StorageRefused(f"the disk refuses the database {self.path}: {error} ({_name(error)})")
        return StoreUnavailable(str(error)) if kind in BUSY else error

    def unopened(self, error: BaseException) -> BaseException:
        """The same where no transaction could begin: any operational error means that the store is unavailable."""
        found = self.translated(error)
        return StoreUnavailable(str(error)) if isinstance(found, sqlite3.OperationalError) else found

    @contextmanager
    def _connected(self) -> Iterator[SqliteConnection]:
        connection = self._acquire()
        try:
            yield connection
        finally:
            self._give_back(connection)


class Watcher:
    """A connection that only sees whether something was committed, by whatever process: `data_version` leaves out
    what its own connection writes. It never reads the schema, which takes milliseconds."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()  # nobody may ask while it is closed
        self._cursor: sqlite3.Cursor | None = None  # a new one for each question would take twice as long
        self._opened = 0  # how often: each connection counts from the beginning

    def version(self) -> int:
        with self._lock:
            if (cursor := self._cursor) is None:
                connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
                connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
                cursor = self._cursor = connection.cursor()
                self._opened += 1
            found: int = cursor.execute("PRAGMA data_version").fetchone()[0]
            return (self._opened << 32) + found

    def close(self) -> None:
        with self._lock:
            if self._cursor is not None:
                self._cursor.connection.close()
                self._cursor = None


class _ReadTransaction:
    """A read transaction. A class, as every read uses it and a generator would be slower."""

    __slots__ = ("_connection", "_store")

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def __enter__(self) -> Session:
        try:
            connection = self._connection = self._store._acquire()
        except sqlite3.DatabaseError as error:
            raise self._store.unopened(error) from error
        try:
            connection.execute("BEGIN")
        except BaseException as error:
            self._store._give_back(connection)
            raise self._store.unopened(error) from error
        return SqliteSession(connection)

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        connection = self._connection
        try:
            if error is None:
                connection.execute("COMMIT")
        except sqlite3.DatabaseError as failed:
            raise self._store.translated(failed) from failed
        finally:
            if connection.in_transaction:
                with suppress(sqlite3.DatabaseError):  # the first error tells more
                    connection.execute("ROLLBACK")
            self._give_back(connection)
        if error is not None and (translated := self._store.translated(error)) is not error:
            raise translated from error

    def _give_back(self, connection: SqliteConnection) -> None:
        self._store._give_back(connection)


class _WriteTransaction(_ReadTransaction):
    """The one write transaction, whose connection stays for the next one."""

    __slots__ = ("_patience",)

    def __init__(self, store: SqliteStore, patience: float) -> None:
        super().__init__(store)
        self._patience = patience

    def __enter__(self) -> Session:
        store = self._store
        try:
            self._connection = store._begin_writing(self._patience)
        except BaseException as error:
            translated = store.unopened(error)
            if isinstance(translated, StorageRefused):
                store._refusal = str(error)
            raise translated from error
        return SqliteSession(self._connection)

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        try:
            super().__exit__(kind, error, traceback)
            if error is None:
                self._store._refusal = ""
        except StorageRefused as refused:
            self._store._refusal = str(refused.__cause__)
            raise
        finally:
            self._store._wrote = time.monotonic()
            self._store._order.release()

    def _give_back(self, connection: SqliteConnection) -> None:
        """It is the writer's."""


class _SingleRead:
    """One query without a transaction around it, which SQLite gives a snapshot of its own."""

    __slots__ = ("_connection", "_store")

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def __enter__(self) -> Session:
        try:
            self._connection = self._store._acquire()
        except sqlite3.DatabaseError as error:
            raise self._store.unopened(error) from error
        return SqliteSession(self._connection)

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        self._store._give_back(self._connection)
        if error is not None and (translated := self._store.translated(error)) is not error:
            raise translated from error


def _begun(connection: SqliteConnection) -> bool:
    """Begins a write transaction, unless another process has one."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.start.last = None
    except sqlite3.OperationalError as error:
        if _kind(error) != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def _kind(error: BaseException) -> int:
    """The primary result code of SQLite; -1 for any other error."""
    return getattr(error, "sqlite_errorcode", -1) & 0xFF if isinstance(error, sqlite3.DatabaseError) else -1


def _name(error: BaseException) -> str:
    """What SQLite calls an error, such as SQLITE_IOERR_WRITE."""
    return str(getattr(error, "sqlite_errorname", ""))


def open_connection(path: Path) -> SqliteConnection:
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=512, factory=SqliteConnection
    )
    # The time-out comes first: switching to WAL may itself have to wait for another process.
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA journal_size_limit = {LARGEST_WAL}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.create_function("word_endings", 4, suffix_index.suffixes, deterministic=True)
    connection.create_function("word_endings_lost", 8, suffix_index.lost, deterministic=True)
    connection.create_function("word_endings_gained", 8, suffix_index.gained, deterministic=True)
    connection.create_function("word_format", 0, suffix_index.token_format)
    connection.start = TransactionStart()
    connection.create_function("transaction_begun", 1, connection.start.note)
    connection.create_function("transaction_began", 0, connection.start.rev)
    return connection
