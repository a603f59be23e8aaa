"""The embedded store: a SQLite file in WAL mode, a pool of connections, one writer at a time."""

import sqlite3
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec

from kalends.store.engine import wal_index
from kalends.store.engine.store import (
    Dialect,
    Having,
    Ids,
    Parameters,
    Row,
    SearchScope,
    Session,
    Store,
    StoreDamaged,
    StoreUnavailable,
)
from kalends.store.query.conditions import Conditions
from kalends.store.search import suffix_index, word_index

PATIENCE = 15.0  # seconds that a writer waits for others, and a reader for the end of a checkpoint
PAUSE = 0.0005  # seconds between two looks whether another process is done
PAGE_CACHE_KIB = 8_192  # of each connection; quick reads take turns, so few connections are ever in use
MOST_IDLE = 4  # connections that wait for the next transaction; more are closed

Connect = Callable[[], sqlite3.Connection]
Use = Callable[[sqlite3.Connection], None]

sqlite3.register_adapter(Ids, lambda ids: str([*ids]))  # whole numbers look the same in JSON


DIALECT = Dialect(
    in_ids="IN (SELECT value FROM json_each(?))",
    not_in_ids="NOT IN (SELECT value FROM json_each(?))",
    ordered_join="CROSS JOIN",
    position="instr",
    hint=" INDEXED BY {}",
)


class SqliteSession(Session):
    """A transaction on one connection, or single queries outside of any."""

    dialect = DIALECT

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

    def having(self, kind: str, words: Sequence[str], scope: SearchScope) -> Having | None:
        if not word_index.is_complete(self, kind):
            return None
        query = suffix_index.query(words, scope.years(), listed=scope.listed)
        if not query:
            return None
        sql, parameters = list[str](), list[object]()
        for rows in [None] if scope.row_ids is None else scope.row_ids:
            indexed, long = _indexed(kind, query, rows), _long(kind, words, rows, listed=scope.listed)
            sql += [
                f"SELECT rowid AS search_row FROM {kind}_words WHERE {indexed.where}",
                f"SELECT search_row FROM {kind}_text INDEXED BY {kind}_text_long WHERE {long.where}",
            ]
            parameters += indexed.parameters + long.parameters
        key = "search_row" if kind == "event" else "id"
        return Having(key, " UNION ALL ".join(sql), parameters, suffix_index.is_exact(words), scope.listed)

    def listed_row_ids(self, words: Sequence[str], scope: SearchScope) -> list[int] | None:
        found = self.having("event", words, scope)
        if found is None or not found.exact or scope.row_ids is None:
            return None
        # One text is handed over in a fraction of the time that as many rows take.
        text = self.value(f"SELECT json_group_array(search_row) FROM ({found.sql})", found.parameters)
        return msgspec.json.decode(text, type=list[int])


def _indexed(kind: str, query: str, rows: tuple[int, int] | None) -> Conditions:
    """What the word index is asked, for the row ids from and before two numbers."""
    found = Conditions()
    found.add(f"{kind}_words MATCH ?", query)
    if rows is not None:
        found.add("rowid >= ? AND rowid < ?", *rows)
    return found


def _long(kind: str, words: Sequence[str], rows: tuple[int, int] | None, *, listed: bool) -> Conditions:
    """What is asked of the texts that are too long for the word index."""
    found = Conditions()
    found.add(f"length(CAST(title AS BLOB)) + length(CAST(body AS BLOB)) > {suffix_index.LONGEST_TEXT}")
    if rows is not None:
        found.add("search_row >= ? AND search_row < ?", *rows)
    if listed:
        found.add("visibility_level > 0")
    body = f"visibility_level = {suffix_index.OPEN} AND instr(body, ?) > 0" if listed else "instr(body, ?) > 0"
    for word in words:
        found.add(f"(instr(title, ?) > 0 OR {body})", word, word)
    return found


class SqliteStore(Store):
    """A SQLite file. `read` and `write` open a transaction on a connection of their own."""

    dialect = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path
        # The connection used last is taken first: its page cache is warm.
        self._idle: list[sqlite3.Connection] = []
        self._writing = threading.Lock()  # threads wait here, and only one of them asks the file for its turn
        self._writer: sqlite3.Connection | None = None  # of whoever holds `_writing`: one warm page cache for all
        self._opening = threading.Lock()
        self._watcher: sqlite3.Connection | None = None
        self._changes: Callable[[], Hashable] | None = None

    def read(self, since: Hashable = None) -> "_Transaction":
        return _Transaction(self, self._take, self._give_back, _begin_reading)

    @contextmanager
    def write(self, *, patience: float | None = None) -> Iterator[Session]:
        deadline = time.monotonic() + (PATIENCE if patience is None else patience)
        if not self._writing.acquire(timeout=min(threading.TIMEOUT_MAX, max(0.0, deadline - time.monotonic()))):
            raise StoreUnavailable("others have been writing all the time")
        try:
            with _Transaction(self, self._open_writer, _keep_open, partial(_begin_writing, deadline)) as session:
                yield session
        finally:
            self._writing.release()

    def changes(self) -> Hashable:
        changes = self._changes
        return changes() if changes is not None else self._watch()()

    def snapshot(self, file: Path) -> "SqliteStore":
        """A copy of what is there now, in a file that must not exist; others read and write meanwhile."""
        try:
            with self._connected() as connection:
                # It leaves out what deleted records left behind, too.
                connection.execute("VACUUM INTO ?", (str(file),))
        except sqlite3.DatabaseError as error:
            raise self.translated(error) from error
        file.chmod(0o600)
        return SqliteStore(file)

    def rebuild_word_index(self) -> Iterator[int]:
        return word_index.rebuild(self)

    def close(self) -> None:
        with self._opening:
            # The mapping may go with the connection, so nobody looks at it any more.
            self._changes = None
            if self._watcher is not None:
                self._watcher.close()
                self._watcher = None
        while self._idle:
            self._idle.pop().close()
        with self._writing:
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def _watch(self) -> Callable[[], Hashable]:
        """A connection that stays open to see what the others commit."""
        with self._opening:
            if self._changes is None:
                try:
                    self._watcher = open_connection(self.path)
                    self._watcher.execute("PRAGMA data_version").fetchone()  # a first read, which maps the WAL index
                except sqlite3.DatabaseError as error:
                    raise self.unopened(error) from error
                self._changes = wal_index.header_of(self.path) or _versions(self._watcher)
            return self._changes

    def _take(self) -> sqlite3.Connection:
        """A connection for one transaction."""
        try:
            return self._idle.pop()
        except IndexError:
            return open_connection(self.path)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if len(self._idle) < MOST_IDLE:
            self._idle.append(connection)
        else:
            connection.close()

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer = open_connection(self.path)
            # SQLite would look ever more seldom whether another process is done; `_begin_writing` looks itself.
            self._writer.execute("PRAGMA busy_timeout = 0")
        return self._writer

    def translated(self, error: BaseException) -> BaseException:
        """An error of the database as one of the store's, where it is one that passes or one of the file."""
        if isinstance(error, sqlite3.DatabaseError) and is_damage(error):
            return StoreDamaged(f"the database {self.path} is damaged ({error}); restore it from a backup")
        if isinstance(error, sqlite3.OperationalError) and is_busy(error):
            return StoreUnavailable(str(error))
        return error

    def unopened(self, error: BaseException) -> BaseException:
        """The same where no transaction could be opened: whatever the reason, the store cannot answer now."""
        found = self.translated(error)
        return StoreUnavailable(str(error)) if isinstance(found, sqlite3.OperationalError) else found

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = self._take()
        try:
            yield connection
        finally:
            self._give_back(connection)


class _Transaction:
    """A transaction as a context manager. A class, since every read passes here and generators take longer."""

    __slots__ = ("_begin", "_connect", "_connection", "_give_back", "_store")

    def __init__(self, store: SqliteStore, connect: Connect, give_back: Use, begin: Use) -> None:
        self._store = store
        self._connect = connect
        self._give_back = give_back
        self._begin = begin

    def __enter__(self) -> Session:
        try:
            connection = self._connection = self._connect()
        except sqlite3.DatabaseError as error:
            raise self._store.unopened(error) from error
        try:
            self._begin(connection)
        except BaseException as error:
            self._give_back(connection)
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
                connection.execute("ROLLBACK")
            self._give_back(connection)
        if error is not None and (translated := self._store.translated(error)) is not error:
            raise translated from error


def _keep_open(connection: sqlite3.Connection) -> None:
    """The writer's connection stays for the next write."""


def _versions(connection: sqlite3.Connection) -> Callable[[], Hashable]:
    """Asks the database itself, on a connection that never writes: `data_version` leaves out its own changes."""
    lock = threading.Lock()

    def version() -> Hashable:
        with lock:
            found: int = connection.execute("PRAGMA data_version").fetchone()[0]
            return found

    return version


def _begin_reading(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN")


def _begin_writing(deadline: float, connection: sqlite3.Connection) -> None:
    """Opens a transaction, after that of another process if need be."""
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(PAUSE)


def is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL)


def open_connection(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=512)
    # The time-out comes first: switching to WAL may itself have to wait for another process.
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KIB}")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.create_function("word_endings", 4, suffix_index.suffixes, deterministic=True)
    connection.create_function("word_format", 0, lambda: suffix_index.FORMAT)
    return connection
