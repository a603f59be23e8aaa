"""The interface of a store, whichever database is behind it: transactions, and sessions that run SQL inside them.

    with store.read() as session:
        names = session.column("SELECT name FROM venue WHERE city = ? ORDER BY name", ("Paris",))

    with store.write() as session:
        session.run("UPDATE venue SET city = ? WHERE id = ?", ("Lyon", 12))

Queries are written once, in the SQL that SQLite and PostgreSQL share, with `?` for values. Where the two differ, a
query takes a piece of SQL from the `Dialect` of its session, or calls a method of the session. No caller needs to
know which database it has.
"""

import logging
import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from kalends.user_error import UserError

# The order in which the threads of a process write: the client who wrote longest ago is next, and of its threads
# the one that came first. Where several may write, they are of different clients. So one who sends much keeps others
# waiting for the transaction that is under way and not for all of its own. Between processes the lock of the store
# decides.

MOST_CLIENTS = 1000  # whose last write is remembered

Whose = Callable[[], str]  # the client for whom this thread works


def nobody() -> str:
    """Of a process with one client, as a command is."""
    return ""


class WaitingWriter(NamedTuple):
    thread: int
    client: str
    arrived: float  # by the monotonic clock
    admitted: threading.Lock  # released when it may write


class WritersOrder:
    """The threads of a process that want to write, of which so many may at a time."""

    def __init__(self, whose: Whose = nobody, at_once: int = 1) -> None:
        self._whose = whose
        self._at_once = at_once
        self._lock = threading.Lock()  # of what follows
        self._waiters: list[WaitingWriter] = []
        self._writing: dict[int, str] = {}  # of each thread that does, its client
        self._wrote: dict[str, float] = {}  # when a client last did

    def acquire(self, patience: float) -> bool:
        """Whether this thread may write within so many seconds; if so, `release` has to follow."""
        thread, client = threading.get_ident(), self._whose()
        with self._lock:
            if not self._waiters and self._has_room(client):
                self._writing[thread] = client
                return True
            waiter = WaitingWriter(thread, client, time.monotonic(), threading.Lock())
            waiter.admitted.acquire()
            self._waiters.append(waiter)
            self._admit()
        if waiter.admitted.acquire(timeout=min(threading.TIMEOUT_MAX, max(0.0, patience))):
            return True
        with self._lock:
            if waiter not in self._waiters:  # it was admitted just now
                return True
            self._waiters.remove(waiter)
            return False

    def is_another_first(self) -> bool:
        """Whether a client waits who wrote longer ago than that of this thread."""
        with self._lock:
            mine = self._wrote.get(self._whose(), 0.0)
            return any(self._wrote.get(waiter.client, 0.0) < mine for waiter in self._waiters)

    def release(self, *, has_written: bool = True) -> None:
        """Admits the next one."""
        with self._lock:
            client = self._writing.pop(threading.get_ident())
            if len(self._wrote) >= MOST_CLIENTS:
                self._wrote.clear()
            if has_written:
                self._wrote[client] = time.monotonic()
            if self._waiters:
                self._admit()

    def _has_room(self, client: str) -> bool:
        return len(self._writing) < self._at_once and client not in self._writing.values()

    def _admit(self) -> None:
        while others := [one for one in self._waiters if self._has_room(one.client)]:
            first = min(others, key=lambda one: (self._wrote.get(one.client, 0.0), one.arrived))
            self._waiters.remove(first)
            self._writing[first.thread] = first.client
            first.admitted.release()


# Conditions of a query, joined by AND.

Condition = tuple[str, list[Any]]


class Conditions:
    """Grows by `add` and `extend`; `where` and `parameters` go into the query."""

    def __init__(self, sql: Iterable[str] = (), parameters: Iterable[Any] = ()) -> None:
        self._sql: list[str] = [*sql]
        self.parameters: list[Any] = [*parameters]

    def add(self, sql: str, *parameters: Any) -> None:
        if sql != "TRUE":
            self._sql.append(sql)
            self.parameters += parameters

    def add_condition(self, condition: Condition) -> None:
        sql, parameters = condition
        self.add(sql, *parameters)

    def add_in(self, sql: str, values: Collection[object]) -> None:
        """The value of an expression is one of these, which are few; ids go by `Dialect.in_ids`."""
        self.add(f"{sql} IN ({placeholders(values)})", *values)

    def extend(self, other: "Conditions") -> None:
        self._sql += other._sql
        self.parameters += other.parameters

    def with_condition(self, sql: str, *parameters: Any) -> "Conditions":
        """These and one more; these stay as they are."""
        return Conditions([*self._sql, sql], [*self.parameters, *parameters])

    @property
    def where(self) -> str:
        return " AND ".join(self._sql) or "TRUE"


def placeholders(values: Collection[object]) -> str:
    """A `?` for each of some values."""
    return ", ".join(["?"] * len(values))


@lru_cache(256)  # some tables have many columns, and a create inserts into several
def insertion(table: str, columns: tuple[str, ...], rows: int = 1) -> str:
    """The statement that inserts so many rows."""
    names = ", ".join(f'"{name}"' for name in columns)
    return f'INSERT INTO "{table}" ({names}) VALUES {", ".join([f"({placeholders(columns)})"] * rows)}'


Row = tuple[Any, ...]
Parameters = Sequence[Any]
Query = tuple[str, Parameters]
AS_LONG_AS_IT_TAKES = math.inf  # a `patience`, for migrations


class StoreUnavailable(UserError):
    """The store cannot serve the request now; a later attempt may succeed."""

    level = logging.WARNING  # of the line in the log


class StoreDamaged(StoreUnavailable):
    """The file is no database, or a damaged one. The message is one line for the operator."""


class StorageRefused(StoreUnavailable):
    """The disk refuses: it is full, beyond a quota, read-only or broken. The message is one line for the operator."""


class ReplicaLost(StoreUnavailable):
    """A replica failed during a read. The same read can be repeated at once, on another server."""


class StoreRefused(UserError):
    """The database rejects the connection or a statement for a reason that only the operator can change. The message
    is one line for the operator."""


class Ids(tuple[int, ...]):
    """Any number of ids as one parameter, for `Dialect.in_ids` and `Dialect.not_in_ids`."""


class Texts(tuple[str, ...]):
    """Any number of texts as one parameter, for `Dialect.in_texts`."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The SQL in which the databases differ."""

    in_ids: str  # follows an expression: its value is among the parameter, which is `Ids`
    not_in_ids: str
    in_texts: str  # the same for `Texts`
    day: str  # the day of a local time, with {} for it, as a number of days since a Sunday
    ordered_join: str  # a join that reads its left side first
    position: str  # the function for the position of one text in another; 0: not in it
    hint: str  # forces an index, with {} for its name; empty where the planner needs no hint
    has_suffix_index: bool  # words are found by their suffixes, and on some days only if those are wanted
    no_index: str  # precedes a column: no index is searched by it; empty where the planner needs no hint
    list_of: str  # an aggregate: the numbers that {} stands for, as one text with commas

    def index_hint(self, name: str) -> str:
        """Follows a table: the index to use, for a planner that would not choose it by itself."""
        return self.hint.format(name)

    def day_number(self, time: str) -> str:
        """The day of a local time: the number of days since some Sunday."""
        return self.day.format(time)

    def joined(self, number: str) -> str:
        """All values of a number as one text, with commas between them."""
        return self.list_of.format(number)

    def contains(self, text: str) -> str:
        """The condition that an expression contains the text that is the parameter."""
        return f"{self.position}({text}, ?) > 0"


def merging(columns: Sequence[str]) -> str:
    """The end of an INSERT that updates the rows that are there; the first column is the key."""
    updated = ", ".join(f'"{name}" = excluded."{name}"' for name in columns[1:])
    return f' ON CONFLICT ("{columns[0]}") DO UPDATE SET {updated}'


class Session(ABC):
    """The inside of one transaction. Belongs to the thread that opened it, and ends with the `with` block."""

    dialect: Dialect
    actor = 0  # the user whose changes these are; 0 for the service itself
    cause = ""  # what they are part of, for the history: an import, a merge (store/rows/history.py)
    keeps_history = False
    written_events = 0  # how many public events this transaction has written, for rendering.py
    due: frozenset[int] = frozenset()  # records that are public by the clock; their stored status follows

    @abstractmethod
    def all(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """All rows of a query."""

    @abstractmethod
    def one(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """The first row of a query, or None."""

    def value(self, sql: str, parameters: Parameters = ()) -> Any:
        """The first column of the first row, or None."""
        row = self.one(sql, parameters)
        return None if row is None else row[0]

    def column(self, sql: str, parameters: Parameters = ()) -> list[Any]:
        """The first column of all rows."""
        return [row[0] for row in self.all(sql, parameters)]

    def all_of(self, *queries: Query) -> list[list[Row]]:
        """The rows of several queries that do not depend on each other; a database server gets them in one round
        trip."""
        return [self.all(sql, parameters) for sql, parameters in queries]

    @abstractmethod
    def run(self, sql: str, parameters: Parameters = ()) -> int:
        """Executes a statement that changes rows; their number."""

    def insert(self, table: str, row: Mapping[str, Any]) -> None:
        """Inserts one row, given as the values of its columns."""
        self.run(insertion(table, tuple(row)), [*row.values()])

    @abstractmethod
    def run_many(self, sql: str, rows: Sequence[Parameters]) -> None:
        """Executes one statement with many sets of parameters, or with one, where nobody needs to know how many rows
        it changed: a database server may get it together with the next statement."""

    @abstractmethod
    def run_script(self, script: str) -> None:
        """Executes the statements of a migration."""

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """What is changed inside the block is undone if it ends with an exception; what came before it stays. For
        work that goes on without the part that failed."""
        self.set_savepoint("part")
        try:
            yield
        except BaseException:
            self.undo_to_savepoint("part")
            self.release_savepoint("part")
            raise
        self.release_savepoint("part")

    def set_savepoint(self, name: str) -> None:
        """For what cannot be one block: `undo_to_savepoint` undoes what follows, `release_savepoint` keeps it."""
        self.run(f"SAVEPOINT {name}")

    def undo_to_savepoint(self, name: str) -> None:
        self.run(f"ROLLBACK TO SAVEPOINT {name}")

    def release_savepoint(self, name: str) -> None:
        self.run(f"RELEASE SAVEPOINT {name}")

    @abstractmethod
    def has_table(self, name: str) -> bool:
        """Whether there is a table of this name."""

    @abstractmethod
    def columns_of(self, table: str) -> list[str]:
        """The columns of a table, without those that the database computes."""

    @abstractmethod
    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Inserts many rows in the fastest way."""

    @abstractmethod
    def merge(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Inserts rows, or updates those that are there; their first column is the key."""

    def begin_filling(self) -> None:  # noqa: B027  (not every store needs it)
        """Call it before whole tables are filled: indexes may be dropped for the time being."""

    def end_filling(self) -> None:  # noqa: B027
        """Call it afterwards, in the same transaction: indexes and statistics are rebuilt."""


class Store(ABC):
    """The database of one calendar. All threads may share it; the transactions of one thread do not nest."""

    dialect: str  # the folder of its migrations
    sees_every_commit = False  # `changes` tells of every commit, and not only of those with a row in the journal
    parallel_reads: int = 1  # how many quick reads of one process should run at the same time

    @abstractmethod
    def read(self, since: Hashable = None) -> AbstractContextManager[Session]:
        """Opens a read transaction: one snapshot for all its queries. The snapshot has everything that was committed
        before this call. With `since`, a token from `changes`, it may be older, but has everything that was committed
        before that token was taken; so a replica can serve it.

        Raises StoreUnavailable."""

    def read_once(self, since: Hashable = None) -> AbstractContextManager[Session]:
        """The same for one query, which needs no transaction around it."""
        return self.read(since)

    @abstractmethod
    def write(self, *, patience: float | None = None) -> AbstractContextManager[Session]:
        """Opens the write transaction: there is one at a time, over all processes. Commits at the end of the block,
        and the changes are durable when that returns; an exception rolls everything back.

        `patience`: seconds to wait for other writers, instead of the store's default. Raises StoreUnavailable."""

    @abstractmethod
    def changes(self) -> Hashable:
        """A token that is different after any commit. Equal tokens mean that nothing changed; different ones need not
        mean a change. It is opaque: only the store that made it can use it."""

    def changes_with(self, changes: Hashable, rev: int) -> Hashable:
        """A token for `read(since=…)` that covers the token `changes` and the change number `rev`, which was read
        after it."""
        return changes

    def server_of(self, changes: Hashable) -> str:
        """Which server a token is from, where another one may have lost some of its changes; empty where that cannot
        happen."""
        return ""

    def copy_to_file(self, file: Path) -> bool:
        """Writes a consistent copy into a new SQLite file, if the database itself can do that; otherwise False, and
        the rows have to be copied (`copying.copy`)."""
        return False

    def fault(self) -> str:
        """What is known to be wrong with a disk of this node's own, for everybody to read; empty: nothing."""
        return ""

    def figures(self) -> Mapping[str, float]:
        """Figures for the metrics, by name."""
        return {}

    @abstractmethod
    def close(self) -> None:
        """Closes the connections that are not in use."""
