"""Measurements of files: an import of 10,000 events, the same file again, and their export.

Each step runs in a process of its own, which says its peak of memory at the end: what the system counts for a process
includes the one that started it.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import postgresql
from benchmark import Benchmark
from kalends_command import CURRENT
from table import Row

EVENTS = 10_000
VENUES, ORGANIZERS, CATEGORIES, TAGS = 200, 100, 30, 60
WORDS = tuple(f"word{number}" for number in range(400))
TARGETS = {"SQLite": 500, "PostgreSQL": 300}  # events a second
MOST_MEMORY = 200  # megabytes
COMMAND = """import atexit
from pathlib import Path
from kalends.cli import main
atexit.register(lambda: print(Path("/proc/self/status").read_text()))
main()"""


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


@dataclass(frozen=True)
class Used:
    """What a command used: seconds, seconds of processor time, and megabytes at the peak."""

    seconds: float
    cpu: float
    memory: float


def imports(run: Benchmark) -> Iterator[Row]:
    events = run.effort.of(EVENTS, 30, 1000)
    file = run.folder / "calendar.json"
    write_calendar(file, events)
    stores = {"SQLite": ""}
    if run.cluster is not None:
        stores["PostgreSQL"] = postgresql.new_database(run.cluster, "imports")
    for store, database in stores.items():
        settings = ["--data", str(run.folder / f"imports-{store}"), *(["--database", database] if database else [])]
        into, least = ["import", "json", str(file), "--quiet"], TARGETS[store]
        used = run_command([*into, *settings])
        rate = events / used.seconds
        yield Row(
            f"import of {events:,} events into {store}",
            f"{used.memory:.0f} MB at the peak",
            f"{rate:.0f}/s",
            f"≥ {least}/s, < {MOST_MEMORY} MB",
            rate >= least and used.memory < MOST_MEMORY,
            f"{used.cpu / events * 1000:.2f} ms an event",
        )
        yield _row("— the same file again", events, run_command([*into, *settings]))
        out = ["export", "json", "--output", str(run.folder / f"{store}.json")]
        yield _row("— export", events, run_command([*out, *settings]))


def _row(what: str, events: int, used: Used) -> Row:
    cpu = f"{used.cpu / events * 1000:.2f} ms an event"
    return Row(what, f"{used.memory:.0f} MB at the peak", f"{events / used.seconds:.0f}/s", cpu=cpu)


def run_command(arguments: Sequence[str]) -> Used:
    begun = time.monotonic()
    process = subprocess.Popen(
        (sys.executable, "-c", COMMAND, *arguments),
        env={**os.environ, **CURRENT.environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout as said:
        peak = re.search(r"VmHWM:\s+(\d+) kB", said.read())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or peak is None:
        raise RuntimeError(f"kalends {' '.join(arguments)} ended with {process.returncode}")
    return Used(time.monotonic() - begun, usage.ru_utime + usage.ru_stime, int(peak[1]) / 1024)
