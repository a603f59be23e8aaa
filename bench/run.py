"""Measures the service on this machine and prints the tables of docs/performance.md.

Kalends, a bare server that sends the same responses from memory, and the same lists written with common frameworks
are loaded with wrk in alternating rounds. Calendars of 10,000 and 100,000 events are made on the first run and kept
in the system's folder for temporary files, and so is a PostgreSQL server with a copy. A calendar of a million events
takes long and ten gigabytes, so it must be asked for.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import admin
import other_work
import reads
import series
import writes
from benchmark import Benchmark, Effort, Row, machine, make_calendars
from kalends_command import CURRENT
from load import LoadFailed
from paths import describe_mix, mixed_lists

MEASUREMENTS: dict[str, Callable[[Benchmark], Iterator[Row]]] = {
    "repeated": reads.repeated,
    "writes": other_work.beside_writes,
    "mixed": reads.mixed,
    "dates": reads.dates,
    "events": reads.events,
    "postgresql": reads.on_postgresql,
    "creates": writes.creates,
    "searching": other_work.beside_searches,
    "import": writes.first_read_after_import,
    "304": reads.not_modified,
    "sizes": reads.sizes,
    "searches": reads.searches,
    "renames": writes.renames,
    "slow": other_work.beside_slow_requests,
    "series": series.writes,
    "occurrences": series.reads,
    "admin": admin.pages,
    "start": reads.start_and_memory,
}
QUICK = Effort(seconds=1, rounds=2, quick=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="some minutes, less precise")
    parser.add_argument("--seconds", type=int, default=3, help="the time of each round")
    parser.add_argument("--rounds", type=int, default=3, help="how many rounds each server has")
    parser.add_argument("--only", action="append", choices=MEASUREMENTS, help="measure only this; may be repeated")
    parser.add_argument("--before", default="", metavar="COMMIT", help="compare with the version of this commit")
    parser.add_argument("--million", action="store_true", help="make the calendar of a million if it is not there")
    parser.add_argument("--database", default="", help="a PostgreSQL database that has the same calendar already")
    chosen = parser.parse_args()
    if shutil.which("wrk") is None:
        parser.error("this needs wrk: apt-get install wrk")
    effort = QUICK if chosen.quick else Effort(chosen.seconds, chosen.rounds)
    begun = time.monotonic()
    CURRENT.check()
    with tempfile.TemporaryDirectory(prefix="kalends-benchmark-") as folder, ExitStack() as resources:
        run = Benchmark(effort, Path(folder), resources, chosen.before, chosen.million, chosen.database)
        if not chosen.only:
            make_calendars(run)
        made = time.monotonic()
        print_table(run, chosen.only or list(MEASUREMENTS))
    print(f"\nMaking the calendars took {made - begun:.0f} s, measuring {time.monotonic() - made:.0f} s.")


def print_table(run: Benchmark, names: Sequence[str]) -> None:
    print(f"Machine: {machine()}; {run.effort.rounds} rounds of {run.effort.seconds} s, alternating.\n")
    print("| what | measured | figure | target | met |\n|---|---|--:|--:|---|")
    for name in names:
        try:
            for row in MEASUREMENTS[name](run):
                print(row, flush=True)
        except (LoadFailed, OSError, RuntimeError) as error:  # the others are measured all the same
            print(Row(name, f"failed: {' '.join(str(error).split())[:300]}", met=False), flush=True)
    if "mixed" in names:
        print(f"\nThe mixed lists:\n\n{describe_mix(mixed_lists(run.medium))}")


if __name__ == "__main__":
    main()
