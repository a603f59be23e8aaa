"""Imports 10,000 events from a file and exports them again: events a second, and the peak of memory.

    python bench/imports.py [--events N] [--postgresql | --database postgresql://…]

Each step runs in a process of its own, whose peak is what the system counted for it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

VENUES, ORGANIZERS, CATEGORIES, TAGS = 200, 100, 30, 60
WORDS = tuple(f"word{number}" for number in range(400))
TARGETS = {"sqlite": 500, "postgresql": 300}  # events a second
MOST_MEMORY = 200  # megabytes


def write_calendar(path: Path, events: int) -> None:
    """An export of Kalends with so many events, each with a venue, an organizer, two terms and a hundred words."""
    with path.open("w") as file:
        file.write('{"format":"kalends","version":1,"records":[\n')
        lines = 0

        def add(record: dict[str, object]) -> None:
            nonlocal lines
            file.write((",\n" if lines else "") + json.dumps(record))
            lines += 1

        for kind, count, name in (("category", CATEGORIES, "name"), ("tag", TAGS, "name")):
            for number in range(count):
                add({"kind": kind, "id": f"bench/{number + 1}", "parent": None, name: f"{kind} {number}"})
        for kind, count in (("venue", VENUES), ("organizer", ORGANIZERS)):
            for number in range(count):
                add({"kind": kind, "id": f"bench/{number + 1}", kind: f"{kind} {number}", "image": None})
        for number in range(events):
            day = f"{2020 + number % 12}-{number % 12 + 1:02}-{number % 28 + 1:02}"
            words = " ".join(WORDS[(number * step) % len(WORDS)] for step in range(100))
            add(
                {
                    "kind": "event",
                    "id": f"bench/{1000 + number}",
                    "title": f"Event {number} of the season",
                    "slug": f"event-{number}",
                    "status": "publish",
                    "date_utc": "2026-01-01 10:00:00",
                    "description": f"<p>{words}.</p>",
                    "start_date": f"{day} 19:00:00",
                    "end_date": f"{day} 21:00:00",
                    "timezone": "Europe/Paris",
                    "cost": ["20 €"],
                    "venue": [f"bench/{number % VENUES + 1}"],
                    "organizer": [f"bench/{number % ORGANIZERS + 1}"],
                    "categories": [f"bench/{number % CATEGORIES + 1}"],
                    "tags": [f"bench/{number % TAGS + 1}"],
                    "image": None,
                }
            )
        file.write(f'\n],"count":{lines}}}\n')


def run_command(arguments: list[str]) -> tuple[float, float, float]:
    """Wall clock, CPU time and peak memory of a command."""
    begun = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, arguments
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--database", default="", help="an empty PostgreSQL database; else SQLite in a new folder")
    parser.add_argument("--postgresql", action="store_true", help="in a server of its own")
    options = parser.parse_args()
    with database() if options.postgresql else nullcontext(options.database) as address:
        measure(options.events, address)


@contextmanager
def database() -> Iterator[str]:
    """A new database in a server that is stopped afterwards."""
    sys.path.insert(0, str(Path(__file__).parent.parent))  # for the servers of the tests
    import psycopg

    from postgresql import server

    with server() as cluster:
        with psycopg.connect(cluster.url("postgres"), autocommit=True) as connection:
            connection.execute("DROP DATABASE IF EXISTS imports")
            connection.execute("CREATE DATABASE imports")
        yield cluster.url("imports")


def measure(events: int, database: str) -> None:
    kalends = [sys.executable, "-c", "from kalends.cli import main; main()"]
    with tempfile.TemporaryDirectory() as folder:
        file, data = Path(folder) / "calendar.json", Path(folder) / "data"
        write_calendar(file, events)
        settings = ["--data", str(data), *(["--database", database] if database else [])]
        steps = {
            "import": ["import", "json", str(file), "--quiet"],
            "import again": ["import", "json", str(file), "--quiet"],
            "export": ["export", "json", "--output", str(Path(folder) / "again.json")],
        }
        for name, arguments in steps.items():
            wall, cpu, memory = run_command([*kalends, *arguments, *settings])
            print(
                f"{name:<14} {events / wall:7.0f} events/s, {cpu / events * 1000:.2f} ms of CPU each,"
                f" {memory:.0f} MB at the peak"
            )
    dialect = "postgresql" if database else "sqlite"
    print(f"target: {TARGETS[dialect]} events/s at the import, less than {MOST_MEMORY} MB")


if __name__ == "__main__":
    main()
