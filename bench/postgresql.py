"""The measured calendar in a PostgreSQL server of its own, and the time of a round trip to it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

import psycopg
from tests.clusters import Cluster
from tests.postgresql_programs import missing as missing

from data import KEPT, Sample, prerender, version
from kalends_command import CURRENT

# A small server of one's own, as one would set it up; what is acknowledged is on disk.
SETTINGS = (
    "shared_buffers = 1GB\neffective_cache_size = 4GB\nmaintenance_work_mem = 512MB\nmax_wal_size = 8GB\n"
    "gin_pending_list_limit = 256MB\nrandom_page_cost = 1.1\n"
)
ROUND_TRIPS = 1000


@contextmanager
def server(*, throw_away: bool = False) -> Iterator[Cluster]:
    """A server that is stopped afterwards; its folder stays for the next time, if it is not to be thrown away."""
    folder = None if throw_away else KEPT / "postgresql"
    cluster = Cluster(careful=not throw_away, settings=SETTINGS, folder=folder).start()
    try:
        yield cluster
    finally:
        if throw_away:
            cluster.remove()
        else:
            cluster.stop()


def new_database(cluster: Cluster, name: str) -> str:
    """The address of an empty database of that name."""
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}".encode())
        connection.execute(f"CREATE DATABASE {name}".encode())
    return cluster.url(name)


def database(cluster: Cluster, of: Sample) -> str:
    """The address of the same calendar in PostgreSQL; copied there when it is not there yet."""
    name = f"events_{of.events}_{version()}"
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
            unfinished = f"{name}_part"
            CURRENT.run("move", "--data", str(of.folder), "--to", new_database(cluster, unfinished))
            connection.execute(f"ALTER DATABASE {unfinished} RENAME TO {name}".encode())
    prerender(of.folder, cluster.url(name))
    with psycopg.connect(cluster.url(name), autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    return cluster.url(name)


def size(address: str) -> int:
    """Bytes on disk."""
    with psycopg.connect(address) as connection:
        found = connection.execute(b"SELECT pg_database_size(current_database())").fetchone()
    assert found is not None
    return int(found[0])


def round_trip(address: str) -> float:
    """Milliseconds of the smallest query, prepared as the driver does with those of the service."""
    taken = []
    with psycopg.connect(address, autocommit=True) as connection:
        for _ in range(ROUND_TRIPS):
            begun = time.perf_counter()
            connection.execute(b"SELECT 1", prepare=True).fetchone()
            taken.append((time.perf_counter() - begun) * 1000)
    return median(taken)
