"""Stores to test on, one kind after the other: each test finds a migrated store with people in it, made only once."""

import shutil
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import psycopg
from tests.clusters import Cluster

from kalends.bootstrap import make_store, open_calendar
from kalends.calendar.service import Calendar
from kalends.settings import Settings
from kalends.store.copies.copying import NOT_COPIED, tables
from kalends.store.engine.pool import Connection
from kalends.store.engine.postgresql import PostgresStore
from kalends.store.engine.sqlite import SqliteStore, open_connection
from kalends.store.engine.store import Store

People = tuple[dict[str, str], dict[str, int]]
Fill = Callable[[Calendar], People]


class Template(ABC):
    """A store with people in it, which every test gets a copy of."""

    tokens: dict[str, str]
    ids: dict[str, int]

    @abstractmethod
    def fresh(self, data: Path) -> None:
        """Puts a copy where a calendar with this data folder will find it."""

    def open(self, settings: Settings) -> Store:
        """The copy that these settings name."""
        return careless_store(settings)

    def give_back(self, store: Store) -> None:
        """A test is over: its copy may be used again."""
        store.close()


class SqliteTemplate(Template):
    def __init__(self, data: Path, settings: Settings, fill: Fill) -> None:
        calendar = open_calendar(settings)
        self.tokens, self.ids = fill(calendar)
        calendar.store.close()
        self.file = data / "kalends.db"
        with sqlite3.connect(self.file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def fresh(self, data: Path) -> None:
        shutil.copy(self.file, data / "kalends.db")


class PostgresTemplate(Template):
    """Making a database takes a tenth of a second, so those that a test is done with are emptied and used again. So
    are the connections to them: a server's new process reads the whole schema before it answers quickly."""

    FILLED = ("sequence", "site", "journal", "user", "token")

    def __init__(self, cluster: Cluster, settings: Callable[[str], Settings], fill: Fill) -> None:
        self.cluster = cluster
        self._idle: list[str] = []
        self._emptying: dict[str, psycopg.Connection[Any]] = {}  # of each database
        self._used: dict[str, list[Connection]] = {}
        cluster.execute("CREATE DATABASE template")
        calendar = open_calendar(settings(cluster.url("template")))
        self.tokens, self.ids = fill(calendar)
        calendar.store.close()
        kept = "; ".join(f'CREATE TABLE kept."{name}" AS TABLE public."{name}"' for name in self.FILLED)
        cluster.execute(f"CREATE SCHEMA kept; {kept}", "template")
        self._empty = (
            "SET session_replication_role = replica; "
            + "; ".join(f'DELETE FROM "{table}"' for table in (*tables(), *NOT_COPIED))
            + "; "
            + "; ".join(f'INSERT INTO "{table}" SELECT * FROM kept."{table}"' for table in self.FILLED)
        ).encode()

    def fresh(self, data: Path) -> None:
        if self._idle:
            url = self._idle.pop()
            self._emptying[url].execute(self._empty)
        else:
            name = f"test_{len(self._emptying) + 1}"
            self.cluster.execute(f"CREATE DATABASE {name} TEMPLATE template")
            url = self.cluster.url(name)
            self._emptying[url] = psycopg.connect(url, autocommit=True)
        (data / "kalends.toml").write_text(f'database = "{url}"\n')

    def open(self, settings: Settings) -> Store:
        store = super().open(settings)
        assert isinstance(store, PostgresStore)
        for connection in self._used.pop(store.address, []):
            if connection.psycopg.host.timeout == settings.database_timeout:
                connection.psycopg.watch(store._hosts._current)
                store._primary._idle.append(connection)
            else:
                connection.psycopg.close()
        return store

    def give_back(self, store: Store) -> None:
        assert isinstance(store, PostgresStore)
        self._used[store.address], store._primary._idle = store._primary._idle, []
        store.close()
        self._idle.append(store.address)

    def close(self) -> None:
        used = [connection.psycopg for kept in self._used.values() for connection in kept]
        for connection in (*self._emptying.values(), *used):
            connection.close()


def careless_store(settings: Settings) -> Store:
    """A store that need not survive a power cut."""
    store = make_store(settings)
    if isinstance(store, SqliteStore):
        store._open_writer().execute("PRAGMA synchronous = OFF")
    return store


def contents(store: Store, tables: Iterable[str] = tables()) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, in order."""
    with store.read() as session:
        return {table: sorted(session.all(f'SELECT * FROM "{table}"'), key=repr) for table in tables}


class Snapshot:
    """The store as it is now, to come back to."""

    def __init__(self, store: Store) -> None:
        self._kept: _SqliteSnapshot | _PostgresSnapshot
        self._kept = SNAPSHOTS[store.dialect](store)

    def restore(self) -> None:
        """Undoes what happened since."""
        self._kept.restore()

    def close(self) -> None:
        self._kept.close()


class _SqliteSnapshot:
    def __init__(self, store: Any) -> None:
        self._live = open_connection(store.path)
        self._kept = sqlite3.connect(":memory:")
        self._live.backup(self._kept)
        self._schema = int(self._live.execute("PRAGMA schema_version").fetchone()[0])
        self._version = self._data_version()

    def restore(self) -> None:
        if self._data_version() != self._version:
            self._kept.backup(self._live)
            # It is the same schema: else every connection would read it again, which takes longer than all of this.
            self._live.execute(f"PRAGMA schema_version = {self._schema}")
            self._version = self._data_version()

    def _data_version(self) -> int:
        """Differs after a commit of any other connection."""
        return int(self._live.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        self._live.close()
        self._kept.close()


class _PostgresSnapshot:
    def __init__(self, store: Any) -> None:
        self._connection = psycopg.connect(store.address, autocommit=True)
        self._stamp = self._transactions()
        copies = "; ".join(f'CREATE TEMP TABLE "kept_{name}" AS TABLE "{name}"' for name in tables())
        self._connection.execute(f"SET session_replication_role = replica; {copies}".encode())
        self._undo = "; ".join(self._statements(name) for name in tables()).encode()
        self._stamp = self._transactions()

    def restore(self) -> None:
        if self._transactions() != self._stamp:
            self._connection.execute(self._undo)
            self._stamp = self._transactions()

    def _statements(self, table: str) -> str:
        found = self._connection.execute(
            "SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''",
            (f'"{table}"',),
        ).fetchone()
        assert found is not None
        (columns,) = found
        return f'DELETE FROM "{table}"; INSERT INTO "{table}" ({columns}) SELECT {columns} FROM "kept_{table}"'

    def close(self) -> None:
        self._connection.close()

    def _transactions(self) -> object:
        """Changes with every transaction that wrote something."""
        return self._connection.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())").fetchone()


SNAPSHOTS: dict[str, type[_SqliteSnapshot] | type[_PostgresSnapshot]] = {
    "sqlite": _SqliteSnapshot,
    "postgresql": _PostgresSnapshot,
}
