"""Measures the service on this machine and prints the tables of docs/performance.md.

Kalends, a bare server that sends the same responses from memory, nginx that sends them from a file, and the same
lists written with common frameworks are loaded with wrk in alternating rounds. Calendars of 10,000 and 100,000 events
are made on the first run and kept in the system's folder for temporary files, and so is a PostgreSQL server with a
copy. A calendar of a million events takes long and ten gigabytes, so it must be asked for.

A measurement that fails costs its own rows, and the run ends with status 1.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import admin
import following
import imports
import mail
import other_work
import postgresql
import reads
import series
import writes
from benchmark import Benchmark, Effort, make_calendars
from kalends_command import CURRENT
from paths import describe_mix, mixed_lists
from servers import baselines, missing, nginx
from table import HEAD, PAGE, Row, changes, commit, machine, replace_measured

MEASUREMENTS: dict[str, Callable[[Benchmark], Iterator[Row]]] = {
    "repeated": reads.repeated,
    "writes": other_work.beside_writes,
    "mixed": reads.mixed,
    "dates": reads.dates,
    "events": reads.events,
    "304": reads.not_modified,
    "postgresql": reads.on_postgresql,
    "creates": writes.creates,
    "repeatable": writes.repeatable,
    "searching": other_work.beside_searches,
    "slow": other_work.beside_slow_requests,
    "prerendering": other_work.beside_prerendering,
    "import": writes.first_read_after_import,
    "sizes": reads.sizes,
    "filters": reads.filtered,
    "searches": reads.searches,
    "renames": writes.renames,
    "series": series.writes,
    "occurrences": series.reads,
    "imports": imports.imports,
    "admin": admin.pages,
    "disk": reads.on_disk,
    "changes": following.pages,
    "webhooks": following.webhooks,
    "mail": mail.server_gone,
    "start": reads.start_and_memory,
}
QUICK = Effort(seconds=1, rounds=2, quick=True, small=4_000, medium=20_000)
SMOKE = Effort(seconds=60, rounds=1, enough=4, small=200, medium=300)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="six minutes on two cores, less precise")
    parser.add_argument("--smoke", action="store_true", help="seconds: does every measurement work? No figure counts")
    parser.add_argument("--seconds", type=int, default=3, help="the time of each round")
    parser.add_argument("--rounds", type=int, default=3, help="how many rounds each server has")
    parser.add_argument("--only", action="append", choices=MEASUREMENTS, help="measure only this; may be repeated")
    parser.add_argument("--before", default="", metavar="COMMIT", help="compare with the version of this commit")
    parser.add_argument("--million", action="store_true", help="make the calendar of a million if it is not there")
    parser.add_argument("--database", default="", help="a PostgreSQL database that has the same calendar already")
    parser.add_argument("--page", action="store_true", help="write the tables into docs/performance.md")
    chosen = parser.parse_args()
    if shutil.which("wrk") is None:
        parser.error("this needs wrk: apt-get install wrk")
    if chosen.page and (chosen.only or chosen.smoke):
        parser.error("the page comes from one run of everything")
    if chosen.page and (changed := changes()):
        parser.error(f"the page names the commit that was measured, and the files differ from it:\n{changed}")
    effort = SMOKE if chosen.smoke else QUICK if chosen.quick else Effort(chosen.seconds, chosen.rounds)
    begun = time.monotonic()
    CURRENT.check()
    printed: list[str] = []

    def tell(line: str) -> None:
        printed.append(line)
        print(line, flush=True)

    with tempfile.TemporaryDirectory(prefix="kalends-benchmark-") as folder, ExitStack() as resources:
        run = Benchmark(effort, Path(folder), resources, chosen.before, chosen.million, chosen.database)
        if not chosen.only and not chosen.smoke:
            progress("making the calendars …")
            make_calendars(run)
        made = time.monotonic()
        progress(f"calendars: {made - begun:.0f} s, {processor_time():.0f} s of processor time")
        failed = measure(run, chosen.only or list(MEASUREMENTS), tell)
    ended = time.monotonic()
    print(f"\nMaking the calendars took {made - begun:.0f} s, measuring {ended - made:.0f} s.")
    print(f"Processor time: {processor_time():.0f} s, {processor_time() / (ended - begun):.2f} cores.")
    if failed:
        print(f"Failed: {', '.join(failed)}", file=sys.stderr)
    elif chosen.page:
        PAGE.write_text(replace_measured(PAGE.read_text("utf-8"), printed), "utf-8")
    return int(bool(failed))


def measure(run: Benchmark, names: Sequence[str], tell: Callable[[str], None]) -> list[str]:
    """Tells the tables, and returns the names of the measurements that failed."""
    tell(
        f"Commit {commit()}. Machine: {machine()}; {run.effort.rounds} rounds of {run.effort.seconds} s, alternating."
    )
    if lacking := not_installed(run):
        tell(f"Not measured: {'; '.join(lacking)}.")
    tell(f"\n{HEAD}")
    failed = []
    for number, name in enumerate(names, 1):
        begun, used = time.monotonic(), processor_time()
        progress(f"[{number}/{len(names)}] {name} …")
        try:
            for row in MEASUREMENTS[name](run):
                tell(str(row))
        except Exception as error:  # the others are measured all the same
            traceback.print_exc()
            failed.append(name)
            tell(str(Row(name, f"failed: {type(error).__name__}: {' '.join(str(error).split())[:300]}", met=False)))
        taken, used = time.monotonic() - begun, processor_time() - used
        progress(f"[{number}/{len(names)}] {name}: {taken:.0f} s, {used:.0f} s of processor time")
    if "mixed" in names and "mixed" not in failed:
        tell(f"\nThe mixed lists:\n\n{describe_mix(mixed_lists(run.medium, run.paths))}")
    return failed


def progress(line: str) -> None:
    """Beside the tables, for whoever waits."""
    print(line, file=sys.stderr, flush=True)


def processor_time() -> float:
    """Seconds so far, of this process and of all that it has started and waited for. Where other work fills the
    machine, they tell more of a run than its time."""
    return sum(os.times()[:4])


def not_installed(run: Benchmark) -> list[str]:
    """What is not measured here, and why."""
    servers = [nginx(run.folder), *baselines(run.folder)]
    found = [f"{server.name} ({reason})" for server in servers if (reason := missing(server))]
    if not run.address and (reason := postgresql.missing()):
        found.append(f"PostgreSQL ({reason})")
    return found


if __name__ == "__main__":
    sys.exit(main())
