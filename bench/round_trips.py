"""How far a list on PostgreSQL is from the database: what one round trip takes, and how many a list makes."""

import tempfile
import time
from collections.abc import Iterator
from statistics import median

from data import NOW, SITE, Sample
from kalends.server.app import make_app, make_calendar
from kalends.settings import load
from kalends.store.postgresql import connect
from lists import call

TIMES = 3000
WARM_UPS = 200  # until the driver has prepared the statements, and what many lists show is in memory


def time_of_one(address: str) -> float:
    """Milliseconds of the least that can be asked, on a connection as the service opens it."""
    connection = connect(address, timeout=5, writable=True)
    taken = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        connection.execute(b"SELECT 1").fetchone()
        taken.append((time.perf_counter() - begun) * 1000)
    connection.close()
    return median(taken)


def count(of: Sample, address: str, paths: Iterator[str]) -> int:
    """The round trips of a request for one of these lists. Statements that are sent together are one; a Sync whose
    answer is not waited for is none."""
    calendar = make_calendar(load(of.folder, SITE | {"database": address}, {}), lambda: NOW)
    app = make_app(calendar)
    for _ in range(WARM_UPS):
        call(app, next(paths))
    connections = [connection.psycopg for connection in calendar.store._primary._idle]
    with tempfile.TemporaryFile() as heard:
        for connection in connections:
            connection.pgconn.trace(heard.fileno())
        call(app, next(paths))
        for connection in connections:
            connection.pgconn.untrace()
        heard.seek(0)
        lines = heard.read().decode().splitlines()
    calendar.store.close()
    # libpq marks each message with F on its way to the server and with B on its way back.
    directions = "".join(fields[1] for line in lines if (fields := line.split("\t"))[1:2] in (["F"], ["B"]))
    return directions.count("FB")
