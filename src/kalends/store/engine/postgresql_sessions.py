"""The inside of a transaction on PostgreSQL."""

import itertools
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NoReturn

import psycopg

from kalends.store.engine.pipeline import Result, Statement
from kalends.store.engine.pool import Connection, Pool, server_errors
from kalends.store.engine.store import (
    Dialect,
    Parameters,
    Query,
    ReplicaLost,
    Row,
    Session,
    StoreRefused,
    StoreUnavailable,
    insertion,
    merging,
)

BATCH = 500  # rows that are sent together
FEW = 10  # rows that are not copied into a table

Start = Callable[[Sequence[Statement]], tuple[Pool, Connection, list[Result], bool]]


DIALECT = Dialect(
    in_ids="= ANY(?::bigint[])",
    not_in_ids="<> ALL(?::bigint[])",
    in_texts="= ANY(?::text[])",
    day="(CAST(substr({}, 1, 10) AS date) - DATE '1899-12-31')",
    ordered_join="JOIN",  # the planner finds order and index by itself
    position="strpos",
    hint="",
    has_suffix_index=False,
    no_index="",
    list_of="string_agg({}::text, ',')",
)


class PostgresSession(Session):
    """The common part of reads and writes."""

    dialect = DIALECT

    def all(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        return self._execute([(compiled(sql), parameters)])[0].rows

    def all_of(self, *queries: Query) -> list[list[Row]]:
        return [result.rows for result in self._execute([(compiled(sql), values) for sql, values in queries])]

    def one(self, sql: str, parameters: Parameters = ()) -> Row | None:
        rows = self.all(sql, parameters)
        return rows[0] if rows else None

    @abstractmethod
    def _execute(self, statements: Sequence[Statement]) -> list[Result]: ...

    def has_table(self, name: str) -> bool:
        return bool(self.value("SELECT to_regclass(?) IS NOT NULL", (name,)))

    def columns_of(self, table: str) -> list[str]:
        return self.column(
            "SELECT column_name FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND table_name = ? AND is_generated = 'NEVER'",
            (table,),
        )


class ReadSession(PostgresSession):
    """A read transaction. It takes a connection with its first query, so that no round trip is spent on BEGIN."""

    def __init__(self, start: Start) -> None:
        """`start`: runs the first queries; returns pool and connection, the results, and whether it is a replica."""
        self._start = start
        self._begun: tuple[Pool, Connection, bool] | None = None

    def close(self) -> None:
        if self._begun is not None:
            pool, connection, _ = self._begun
            self._begun = None
            pool.give_back(connection)

    def _execute(self, statements: Sequence[Statement]) -> list[Result]:
        if self._begun is None:
            pool, connection, results, is_replica = self._start(statements)
            self._begun = pool, connection, is_replica
            return results
        _, connection, is_replica = self._begun
        try:
            with server_errors(connection):
                return connection.pipeline.execute(statements)
        except StoreUnavailable as error:
            if is_replica:
                raise ReplicaLost(str(error)) from error
            raise

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a read changes nothing")

    run = run_many = run_script = fill = merge = _refuse


class WriteSession(PostgresSession):
    """The write transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dropped_indexes: list[Row] = []
        self._waiting: list[Statement] = []  # sent with the next statement: nobody needs their results

    def run(self, sql: str, parameters: Parameters = ()) -> int:
        return self._execute([(compiled(sql), parameters)])[0].touched

    def run_many(self, sql: str, rows: Sequence[Parameters]) -> None:
        text = compiled(sql)
        for row in rows:
            self._waiting.append((text, row))
            if len(self._waiting) >= BATCH:
                self._execute([])

    def end(self, statement: bytes) -> None:
        """Sends what waits and the statement that ends the transaction."""
        waiting, self._waiting = self._waiting, []
        self._send([*waiting, (statement, ())], are_last=True)

    def run_script(self, script: str) -> None:
        try:
            with server_errors(self._connection):
                self._plain().execute(script.encode())
        except psycopg.errors.InsufficientPrivilege as error:
            said = str(error.diag.message_primary)
            if "extension" in said:
                said = (
                    "the database's user may not create the extension pg_trgm;"
                    " let an administrator say in this database: CREATE EXTENSION pg_trgm"
                )
            raise StoreRefused(f"the database cannot be set up: {said}") from None

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        if len(rows) <= FEW:  # they go with other statements, while a copy is a round trip of its own
            self.run_many(insertion(table, tuple(columns)), rows)
            return
        names = ", ".join(f'"{name}"' for name in columns)
        with (
            server_errors(self._connection),
            self._plain().cursor() as cursor,
            cursor.copy(f'COPY "{table}" ({names}) FROM STDIN'.encode()) as copy,
        ):
            for row in rows:
                copy.write_row(row)

    def merge(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self.run_many(insertion(table, tuple(columns)) + merging(columns), rows)

    def begin_filling(self) -> None:
        # Building an index once takes a fraction of the time of updating it row by row.
        self._dropped_indexes = self.all(
            "SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i"
            " JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE c.relnamespace = current_schema()::regnamespace AND NOT i.indisunique AND NOT i.indisexclusion"
        )
        for name, _ in self._dropped_indexes:
            self.run(f"DROP INDEX {name}")

    def end_filling(self) -> None:
        self.run("SET LOCAL maintenance_work_mem = '256MB'")
        for _, definition in self._dropped_indexes:
            self._plain().execute(definition.encode())
        self.run("ANALYZE")

    def _execute(self, statements: Sequence[Statement]) -> list[Result]:
        if not self._waiting:
            return self._send(statements)
        waiting, self._waiting = self._waiting, []
        return self._send([*waiting, *statements])[len(waiting) :]

    def _send(self, statements: Sequence[Statement], *, are_last: bool = False) -> list[Result]:
        # Callers may catch an error before it comes to where the transaction ends, so it is already one of theirs.
        with server_errors(self._connection):
            return self._connection.pipeline.execute(statements, are_last=are_last)

    def _plain(self) -> "psycopg.Connection[Row]":
        """For what a pipeline cannot do: scripts of several statements, and COPY."""
        if self._waiting:
            self._execute([])
        self._connection.pipeline.leave()
        return self._connection.psycopg


@lru_cache(maxsize=2000)
def compiled(sql: str) -> bytes:
    """A query with PostgreSQL's placeholders: `$1` for the first `?`, and so on."""
    # A quote inside a literal is doubled, so every other piece is outside of literals.
    pieces, numbers = sql.split("'"), itertools.count(1)
    for place in range(0, len(pieces), 2):
        first, *others = pieces[place].split("?")
        pieces[place] = first + "".join(f"${next(numbers)}{after}" for after in others)
    return "'".join(pieces).encode()
