"""The store on PostgreSQL: a pool of connections, one writer at a time by a lock in the database."""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.array import ListDumper

from kalends.store.conditions import Conditions
from kalends.store.database import (
    IN_IDS,
    NOT_IN_IDS,
    Having,
    Ids,
    Parameters,
    Part,
    Row,
    Session,
    Store,
    StoreRefused,
    StoreUnavailable,
)
from kalends.store.endings import MASKED, OPEN
from kalends.store.pooling import Pool, one_line
from kalends.store.replicas import Replicas
from kalends.store.shared_check import SharedCheck

LOCK = 0x6B616C  # the writers' lock; any number will do that is the same everywhere
LONGEST_STATEMENT = 30_000  # milliseconds
LARGEST_ID = 2**63 - 1
SHORTEST_INDEXED = 3  # letters; the index is one of trigrams

READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# Changes are numbered in the order in which they are committed only if nobody else writes meanwhile.
WRITE = f"BEGIN; SELECT pg_advisory_xact_lock({LOCK})"
WRITE_PATIENTLY = f"BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; {WRITE[7:]}"
LAST_REV = "SELECT coalesce(max(rev), 0) FROM journal"


class _IdsDumper(ListDumper):
    """Numbers that no record can have would not fit in the column's type."""

    def dump(self, obj: Any) -> Any:
        return super().dump([id for id in obj if -LARGEST_ID <= id <= LARGEST_ID])


class PostgresSession(Session):
    """A transaction on one connection."""

    def __init__(self, connection: "psycopg.Connection[Row]") -> None:
        self._connection = connection
        self._put_aside: list[Row] = []

    def all(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        return self._connection.execute(translated(sql), parameters).fetchall()

    def one(self, sql: str, parameters: Parameters = ()) -> Row | None:
        return self._connection.execute(translated(sql), parameters).fetchone()

    def run(self, sql: str, parameters: Parameters = ()) -> int:
        return self._connection.execute(translated(sql), parameters).rowcount

    def run_many(self, sql: str, rows: Sequence[Parameters]) -> None:
        if rows:
            with self._connection.cursor() as cursor:
                cursor.executemany(translated(sql), rows)

    def run_script(self, script: str) -> None:
        try:
            self._connection.execute(script.encode())
        except psycopg.errors.InsufficientPrivilege as error:
            said = str(error.diag.message_primary)
            if "extension" in said:
                said = (
                    "the database's user may not create the extension pg_trgm;"
                    " let an administrator say in this database: CREATE EXTENSION pg_trgm"
                )
            raise StoreRefused(f"the database cannot be set up: {said}") from None

    def has_table(self, name: str) -> bool:
        return bool(self.value("SELECT to_regclass(?) IS NOT NULL", (name,)))

    def columns_of(self, table: str) -> list[str]:
        return self.column(
            "SELECT column_name FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND table_name = ? AND is_generated = 'NEVER'",
            (table,),
        )

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        names = ", ".join(f'"{name}"' for name in columns)
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f'COPY "{table}" ({names}) FROM STDIN'.encode()) as copy,
        ):
            for row in rows:
                copy.write_row(row)

    def begin_filling(self) -> None:
        # An index is made in a fraction of the time when all its rows are there.
        self._put_aside = self.all(
            "SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i"
            " JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE c.relnamespace = current_schema()::regnamespace AND NOT i.indisunique AND NOT i.indisexclusion"
        )
        for name, _ in self._put_aside:
            self.run(f"DROP INDEX {name}")

    def end_filling(self) -> None:
        self.run("SET LOCAL maintenance_work_mem = '256MB'")
        for _, definition in self._put_aside:
            self._connection.execute(definition.encode())
        self.run("ANALYZE")

    def having(self, kind: str, words: Sequence[str], part: Part) -> Having | None:
        indexed = [word for word in words if len(word) >= SHORTEST_INDEXED]
        if not indexed:
            return None
        found, titles = Conditions(), Conditions()
        for word in indexed:
            # The expression is the index's own.
            found.add("title || chr(10) || body LIKE ?", "%" + re.sub(r"([\\%_])", r"\\\1", word) + "%")
            titles.add("instr(title, ?) > 0", word)
        if part.slots is not None:
            # Both indexes together lead to the texts of the window, and no others are looked through.
            found.add("slot >= ? AND slot < ?", *part.slots)
        if part.listed:
            found.add(f"(reach = {OPEN} OR reach = {MASKED} AND {titles.where})", *titles.parameters)
        sql = f"SELECT rowid FROM {kind}_text WHERE {found.where}"
        return Having("id", sql, found.parameters, exact=len(indexed) == len(words), listed=part.listed)


_TRANSLATIONS = (
    (re.compile("%"), "%%"),
    (re.compile(re.escape(NOT_IN_IDS)), "<> ALL(?::bigint[])"),
    (re.compile(re.escape(IN_IDS)), "= ANY(?::bigint[])"),
    (re.compile(r"\binstr\("), "strpos("),
    (re.compile(r" INDEXED BY \w+"), ""),
    # SQLite's way to say in which order to join; PostgreSQL finds it by itself.
    (re.compile(r"\bCROSS JOIN (\w+(?: \w+)?) ON\b"), r"JOIN \1 ON"),
    (re.compile(r"\?"), "%s"),
    (re.compile(r"(?<![:\w]):([a-z_]+)"), r"%(\1)s"),
)


@lru_cache(maxsize=2000)
def translated(sql: str) -> bytes:
    """A query of ours as PostgreSQL says it."""
    for pattern, replacement in _TRANSLATIONS:
        sql = pattern.sub(replacement, sql)
    return sql.encode()


class PostgresStore(Store):
    """A PostgreSQL database, at one address or several of which one is the primary, and its replicas."""

    dialect = "postgresql"

    def __init__(self, address: str, replicas: Sequence[str] = (), *, size: int = 16, timeout: float = 5.0) -> None:
        """`size`: the most connections at once; `timeout`: the seconds to wait for one, or for a lock."""
        self.address = address
        self._primary = Pool(partial(connect, address, timeout, writable=True), size, timeout)
        self._replicas = Replicas(
            [Pool(partial(connect, replica, timeout, writable=False), size, timeout) for replica in replicas],
            f"{READ}; {LAST_REV}",
        )
        self._shared_rev = SharedCheck(self._last_rev)

    @contextmanager
    def read(self, since: Hashable = None) -> Iterator[Session]:
        if isinstance(since, int):
            with self._replicas.reading(since) as connection:
                if connection is not None:
                    yield PostgresSession(connection)
                    return
        with self._transaction(READ) as session:
            yield session

    @contextmanager
    def glance(self) -> Iterator[Session]:
        with self._primary.connection() as (connection, _):
            yield PostgresSession(connection)

    @contextmanager
    def write(self, *, patient: bool = False) -> Iterator[Session]:
        with self._transaction(WRITE_PATIENTLY if patient else WRITE) as session:
            yield session

    def changes(self) -> Hashable:
        return self._shared_rev()

    def figures(self) -> Mapping[str, float]:
        return {**self._primary.figures(), **self._replicas.figures()}

    def close(self) -> None:
        self._replicas.close()
        self._primary.close()

    def _last_rev(self) -> int:
        with self._primary.connection(LAST_REV) as (_, answer):
            return int(answer[0])

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Session]:
        with self._primary.connection(begin) as (connection, _):
            yield PostgresSession(connection)
            connection.execute("COMMIT")


def connect(address: str, timeout: float, *, writable: bool) -> "psycopg.Connection[Row]":
    """A connection that gives up in time: no thread waits for ever for a server that is gone."""
    seconds, milliseconds = max(2, round(timeout)), round(timeout * 1000)
    defaults = {
        "application_name": "kalends",
        "connect_timeout": str(seconds),
        # A primary among several hosts, wherever it moved; a replica may be anything.
        "target_session_attrs": "read-write" if writable else "any",
        "keepalives_idle": str(seconds),
        "keepalives_interval": "2",
        "keepalives_count": "3",
        "tcp_user_timeout": str(milliseconds * 2),
    }
    try:
        given = conninfo_to_dict(address)
        conninfo = make_conninfo(**{**defaults, **{name: str(value) for name, value in given.items()}})
    except psycopg.ProgrammingError as error:
        raise StoreRefused(f"the address of the database cannot be used: {one_line(error)}") from None
    try:
        connection: psycopg.Connection[Row] = psycopg.connect(conninfo, autocommit=True)
        connection.adapters.register_dumper(Ids, _IdsDumper)
        connection.execute(
            f"SET lock_timeout = {milliseconds}; SET statement_timeout = {LONGEST_STATEMENT};"
            f" SET idle_in_transaction_session_timeout = {LONGEST_STATEMENT}; SET client_encoding = 'UTF8'"
        )
    except psycopg.OperationalError as error:
        raise StoreUnavailable(one_line(error)) from None
    return connection
