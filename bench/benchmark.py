"""One run of the benchmark: what the measurements share, and the table that they print."""

import os
import platform
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from math import nan
from pathlib import Path
from urllib.parse import urlsplit

import before
import postgresql
from data import Sample, describe, sample, version
from kalends_command import CURRENT, Version
from load import CONNECTIONS, Load, Loads, load
from paths import PATHS
from recording import record
from servers import HERE, WORKERS, Running, Server, bare, kalends, running

SMALL, MEDIUM, LARGE = 10_000, 100_000, 1_000_000
RECORDED = 200  # responses that the bare server repeats


@dataclass(frozen=True)
class Effort:
    """How long to measure: seconds of a round, and rounds of each server."""

    seconds: int = 3
    rounds: int = 3
    quick: bool = False


@dataclass(frozen=True)
class Row:
    """A line of the table: what was measured, and a ratio or a figure beside its target."""

    what: str
    measured: str
    figure: str = ""
    target: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        met = {True: "yes", False: "**no**", None: ""}[self.met]
        return f"| {self.what} | {self.measured} | {self.figure} | {self.target} | {met} |"


@dataclass
class Benchmark:
    """Calendars and databases are made, and copied into `folder`, when a measurement first asks for them. All
    measurements work on copies, so that a run finds the same calendars as the one before it."""

    effort: Effort
    folder: Path
    resources: ExitStack
    before_commit: str = ""
    million: bool = False
    address: str = ""  # a PostgreSQL database that has the calendar already
    _copies: dict[int, Sample] = field(default_factory=dict)

    @property
    def small(self) -> Sample:
        return self.calendar(SMALL)

    @property
    def medium(self) -> Sample:
        return self.calendar(MEDIUM)

    @cached_property
    def largest(self) -> Sample:
        """The calendar of a million, which is too large to be copied, or the medium one."""
        return sample(LARGE) if self.million or _is_made(LARGE) else self.medium

    @cached_property
    def with_series(self) -> Sample:
        """The medium calendar, with four out of five events as occurrences of series."""
        return self.copy(sample(MEDIUM, series=True), "series")

    def calendar(self, events: int) -> Sample:
        if events not in self._copies:
            self._copies[events] = self.copy(sample(events), str(events))
        return self._copies[events]

    def copy(self, of: Sample, name: str) -> Sample:
        """Another copy, for a measurement that writes much."""
        shutil.copytree(of.folder, self.folder / name)
        os.sync()  # or the first flushes would wait for the copy
        return describe(self.folder / name, of.events)

    @cached_property
    def before(self) -> tuple[Version, Path] | None:
        """The version to compare with, and its own copy of the medium calendar."""
        if not self.before_commit:
            return None
        old = self.resources.enter_context(before.checked_out(self.before_commit))
        shutil.copytree(before.calendar(old, MEDIUM), self.folder / "before")
        os.sync()
        return old, self.folder / "before"

    @cached_property
    def in_postgresql(self) -> tuple[Sample, str] | None:
        """A calendar and the address of its copy in PostgreSQL: the medium one, in a quick run the small one."""
        of = self.small if self.effort.quick else self.medium
        if self.address:
            return of, self.address
        if not postgresql.is_installed():
            return None
        cluster = self.resources.enter_context(postgresql.server())
        return of, postgresql.database(cluster, of)

    # Servers

    def start(self, stack: ExitStack, *servers: Server) -> list[Running]:
        """Started and warm: every worker has imported and opened everything."""
        started = [stack.enter_context(running(server)) for server in servers]
        for one in started:
            load(f"{one.base}/events", 1)
            one.settle()
        return started

    def kalends_and_limit(self, paths: Sequence[str], name: str) -> list[Server]:
        """Kalends, the version before where one is given, and a bare server that sends what Kalends answered."""
        ours = kalends(self.medium.folder)
        with running(ours) as recorded:
            responses = record((recorded.base + path for path in paths[:RECORDED]), self.folder / f"{name}.json")
        earlier = [kalends(folder, version=old) for old, folder in [self.before]] if self.before else []
        return [ours, *earlier, bare(responses)]

    def interleaved(self, servers: Sequence[Running], ask: Callable[[Running, int], Load]) -> dict[str, Loads]:
        """Every server once, then every server again, so that what else happens on the machine affects all alike."""
        found: dict[str, list[Load]] = {one.name: [] for one in servers}
        for turn in range(self.effort.rounds):
            for one in servers:
                found[one.name].append(ask(one, turn))
                one.settle()
        return {name: Loads(each) for name, each in found.items()}

    def asking_for(self, address: str = "/events") -> Callable[[Running, int], Load]:
        return lambda one, _: load(one.base + address, self.effort.seconds)

    def asking_in_turn(self, paths: Sequence[str], connections: int = CONNECTIONS) -> Callable[[Running, int], Load]:
        """Each round goes on in another part of the paths, so that nothing is asked for twice."""
        part = min(PATHS, len(paths)) // self.effort.rounds

        def ask(one: Running, turn: int) -> Load:
            file = self.written(one, paths[turn * part : (turn + 1) * part])
            is_before = self.before is not None and one.name == self.before[0].name
            return load(one.base, self.effort.seconds, paths=file, connections=connections, may_refuse=is_before)

        return ask

    def written(self, server: Running, paths: Iterable[str]) -> Path:
        """A file for wrk with the paths as this server has them."""
        file = self.folder / "paths"
        file.write_text("\n".join(urlsplit(server.base).path + path for path in paths))
        return file


def compared(found: Mapping[str, Loads], what: str, targets: Mapping[str, float]) -> Iterator[Row]:
    """The first server, and each of the others with the ratio of the first to it."""
    ours, *others = found
    yield Row(f"{what}: {ours}", shown(found[ours]))
    for name in others:
        ratio = found[ours].rate / (found[name].rate or nan)
        target = next((value for start, value in targets.items() if name.startswith(start)), None)
        is_share = name == "bare server"
        yield Row(
            f"— {name}",
            shown(found[name]),
            f"{ratio:.0%} of it" if is_share else f"{ratio:.2f} × it" if ratio < 10 else f"{ratio:.0f} × it",
            "" if target is None else f"≥ {target:.0%}" if is_share else f"≥ {target:g} ×",
            None if target is None else ratio >= target,
        )


def shown(loads: Loads) -> str:
    refused = f", {loads.refused:.0%} refused" if loads.refused else ""
    return f"{loads.rate:,.0f}/s (±{loads.spread / 2:.0%}), p50 {loads.p50:.2f} ms, p99 {loads.p99:.2f} ms{refused}"


def make_calendars(benchmark: Benchmark) -> None:
    """Creates the calendars that the measurements need, in parallel, since each keeps one processor busy."""
    making = [
        subprocess.Popen(
            (sys.executable, str(HERE / "data.py"), str(events)),
            env={**os.environ, **CURRENT.environment},
            stdout=subprocess.DEVNULL,
        )
        for events in (SMALL, MEDIUM)
        if not _is_made(events)
    ]
    benchmark.before  # noqa: B018 - made beside them
    if any(process.wait() for process in making):
        raise RuntimeError("a calendar could not be made")


def machine() -> str:
    """The machine, and its load before the run, since other work makes every figure doubtful."""
    model = next(
        (value.strip() for name, _, value in _cpu_lines() if name.strip() == "model name"), platform.machine()
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores ({model}), {memory:.0f} GB, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}; "
        f"load before the run {os.getloadavg()[0]:.1f}; {WORKERS} workers, {CONNECTIONS} connections"
    )


def _cpu_lines() -> Iterator[tuple[str, str, str]]:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        yield line.partition(":")


def _is_made(events: int) -> bool:
    return (Path(tempfile.gettempdir()) / "kalends-bench" / f"{events}-{version()}").exists()
