"""The calendars that are measured, in a PostgreSQL server of their own."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg

from data import SITE, Sample, version
from kalends.calendar.prerendering import Prerenderer
from kalends.settings import load
from kalends.store import copying
from kalends.store.migrating import migrate
from kalends.store.postgresql import PostgresStore
from kalends.store.sqlite import SqliteStore
from throwaway import Cluster

# A small server of one's own, as one would set it up; what is acknowledged is on disk.
SETTINGS = (
    "shared_buffers = 1GB\neffective_cache_size = 4GB\nmaintenance_work_mem = 512MB\nmax_wal_size = 8GB\n"
    "gin_pending_list_limit = 256MB\nrandom_page_cost = 1.1\n"
)


@contextmanager
def server() -> Iterator[Cluster]:
    """A server that is stopped afterwards; its folder stays for the next time."""
    folder = Path(tempfile.gettempdir()) / "kalends-bench" / "postgresql"
    cluster = Cluster(careful=True, settings=SETTINGS, folder=folder).start()
    try:
        yield cluster
    finally:
        cluster.stop()


def database(cluster: Cluster, of: Sample) -> str:
    """The address of the same calendar in PostgreSQL; copied there when it is not there yet."""
    name = f"events_{of.events}_{version()}"
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
            unfinished = f"{name}_part"
            connection.execute(f"DROP DATABASE IF EXISTS {unfinished}".encode())
            connection.execute(f"CREATE DATABASE {unfinished}".encode())
            _copy(of, cluster.url(unfinished))
            connection.execute(f"ALTER DATABASE {unfinished} RENAME TO {name}".encode())
    # Each record as if this very code had written it.
    with closing(PostgresStore(cluster.url(name))) as store:
        for _ in Prerenderer(store, load(of.folder, SITE, {})).sweep():
            pass
    return cluster.url(name)


def _copy(of: Sample, address: str) -> None:
    with closing(SqliteStore(of.folder / "kalends.db")) as source, closing(PostgresStore(address)) as target:
        migrate(target, "")
        copying.copy(source, target)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
