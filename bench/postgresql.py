"""The measured calendar in a PostgreSQL server of its own, and the time of a round trip to it."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import psycopg
from tests.clusters import Cluster
from tests.postgresql_programs import missing

from data import Sample, prerender, version
from kalends_command import CURRENT

# A small server of one's own, as one would set it up; what is acknowledged is on disk.
SETTINGS = (
    "shared_buffers = 1GB\neffective_cache_size = 4GB\nmaintenance_work_mem = 512MB\nmax_wal_size = 8GB\n"
    "gin_pending_list_limit = 256MB\nrandom_page_cost = 1.1\n"
)
ROUND_TRIPS = 3000


def is_installed() -> bool:
    return not missing()


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
            CURRENT.run("move", "--data", str(of.folder), "--to", cluster.url(unfinished))
            connection.execute(f"ALTER DATABASE {unfinished} RENAME TO {name}".encode())
    prerender(of.folder, cluster.url(name))
    with psycopg.connect(cluster.url(name), autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    return cluster.url(name)


def round_trip(address: str) -> float:
    """Milliseconds of the smallest query, prepared as the driver does with those of the service."""
    taken = []
    with psycopg.connect(address, autocommit=True) as connection:
        for _ in range(ROUND_TRIPS):
            begun = time.perf_counter()
            connection.execute(b"SELECT 1", prepare=True).fetchone()
            taken.append((time.perf_counter() - begun) * 1000)
    return median(taken)
