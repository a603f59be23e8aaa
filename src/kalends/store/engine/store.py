"""What a store is, whichever database it lies in: transactions, and sessions that speak one SQL inside them.

Queries are written once, in the SQL that SQLite and PostgreSQL share, with `?` for values. For the few
things that the two say differently, a query asks the `Dialect` of its session.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

Row = tuple[Any, ...]
Parameters = Sequence[Any]
Query = tuple[str, Parameters]
Years = Callable[[], Sequence[str]]  # those that records can be of; asked only where the index is divided by them
Ranges = tuple[tuple[int, int], ...]  # each from and before a number
ANY_YEAR = ("",)  # of records that have none


class StoreUnavailable(Exception):
    """The store cannot answer now."""


class StoreDamaged(StoreUnavailable):
    """The database is not one, or not whole; the message is one line for the person who runs the service."""


class ReplicaLost(StoreUnavailable):
    """A copy of the store failed in the middle of a read; the same read may be tried again at once."""


class StoreRefused(Exception):
    """The store will not let us in or let us work; the message is one line for the person who runs it."""


AS_LONG_AS_IT_TAKES = math.inf  # the patience of a migration


class Ids(tuple[int, ...]):
    """Any number of ids as one parameter, for `Dialect.in_ids` and `Dialect.not_in_ids`."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What the databases say differently in a query."""

    in_ids: str  # after an expression: it is one of the `Ids` that are the parameter here
    not_in_ids: str
    ordered_join: str  # a join of which the left side is read first
    position: str  # the function that finds a text in another; 0 where it is not
    hint: str  # which index to use, with {} for its name

    def index_hint(self, name: str) -> str:
        """After a table: which of its indexes to use, where the database would not find that out by itself."""
        return self.hint.format(name)

    def contains(self, text: str) -> str:
        """That a text has the one that is the parameter here."""
        return f"{self.position}({text}, ?) > 0"


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The part of the index of words that can have what is asked for. An index may be read beyond it."""

    years: Years = lambda: ANY_YEAR
    row_ids: Ranges | None = None  # where the row ids can be (store/slots.py)
    listed: bool = False  # only what everybody finds: nothing of what is unlisted, the title of what is masked


@dataclass(frozen=True, slots=True)
class Having:
    """A query for the texts that have some words, by their `key`. Where it is not exact, some of them may lack a
    word, but none is missing. `listed`: it found only what everybody finds."""

    key: str
    sql: str
    parameters: list[Any]
    exact: bool
    listed: bool


class Session(ABC):
    """The inside of one transaction."""

    dialect: Dialect

    @abstractmethod
    def all(self, sql: str, parameters: Parameters = ()) -> list[Row]: ...

    @abstractmethod
    def one(self, sql: str, parameters: Parameters = ()) -> Row | None: ...

    def all_of(self, *queries: Query) -> list[list[Row]]:
        """The rows of several queries that do not need each other's results; where the database is a server, all of
        them take one round trip."""
        return [self.all(sql, parameters) for sql, parameters in queries]

    @abstractmethod
    def run(self, sql: str, parameters: Parameters = ()) -> int:
        """Executes a change; the number of rows it touched."""

    @abstractmethod
    def run_many(self, sql: str, rows: Sequence[Parameters]) -> None: ...

    @abstractmethod
    def run_script(self, script: str) -> None:
        """Executes the statements of a migration."""

    @abstractmethod
    def has_table(self, name: str) -> bool: ...

    @abstractmethod
    def columns_of(self, table: str) -> list[str]:
        """The columns of a table, without those that the database computes itself."""

    @abstractmethod
    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Adds many rows at once."""

    def begin_filling(self) -> None:  # noqa: B027  (not every store needs it)
        """Before very many rows come into empty tables."""

    def end_filling(self) -> None:  # noqa: B027
        """Afterwards, in the same transaction: the database sees what it has now."""

    @abstractmethod
    def having(self, kind: str, words: Sequence[str], scope: SearchScope) -> Having | None:
        """How the index of words finds the texts in which all of these words occur; None if it cannot."""

    def listed_row_ids(self, words: Sequence[str], scope: SearchScope) -> list[int] | None:
        """The slots of the events in which everybody finds all of these words, in any order; None if the index of
        words alone cannot tell."""
        return None

    def value(self, sql: str, parameters: Parameters = ()) -> Any:
        """The first column of the first row, or None."""
        row = self.one(sql, parameters)
        return None if row is None else row[0]

    def column(self, sql: str, parameters: Parameters = ()) -> list[Any]:
        return [row[0] for row in self.all(sql, parameters)]


class Store(ABC):
    """One calendar's database. Any thread may use it; transactions of one thread do not nest."""

    dialect: str  # the folder of its migrations
    parallel_reads: int = 1  # quick reads of one process that are best run at once

    @abstractmethod
    def read(self, since: Hashable = None) -> AbstractContextManager[Session]:
        """One consistent view, however many queries it takes. It has everything that was committed before now; with
        `since`, an earlier answer of `changes`, everything that was committed before that."""

    @abstractmethod
    def write(self, *, patience: float | None = None) -> AbstractContextManager[Session]:
        """All or nothing, on disk when this returns, and one at a time. `patience`: the seconds to wait for other
        writers, instead of the store's own number."""

    @abstractmethod
    def changes(self) -> Hashable:
        """A token that differs after any change; another thread may get another one without a change. What it is
        made of is the store's own business."""

    def changes_with(self, changes: Hashable, rev: int) -> Hashable:
        """A token for `read`, of everything that `changes` stands for and of the change number `rev`, which was read
        after that."""
        return changes

    def rebuild_word_index(self) -> Iterator[int]:
        """Rebuilds the index of words where other code made its tokens, some texts at a time so that others can
        write in between; how many each time. Not every store has tokens."""
        return iter(())

    def figures(self) -> Mapping[str, float]:
        """What a monitor may want to know of it, by name."""
        return {}

    @abstractmethod
    def close(self) -> None:
        """Ends what this thread, or for a pool the whole process, keeps open."""
