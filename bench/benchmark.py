"""One run of the benchmark: its calendars and servers, and how they are loaded."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import before
import postgresql
from data import KEPT, Sample, describe, sample, version
from kalends_command import CURRENT, Version
from load import CONNECTIONS, Load, Loads, load
from paths import PATHS
from recording import record
from servers import HERE, Running, Server, bare, baselines, kalends, missing, nginx, running

SMALL, MEDIUM, LARGE = 10_000, 100_000, 1_000_000
RECORDED = 200  # responses that the bare server repeats
Amount = TypeVar("Amount")


@dataclass(frozen=True)
class Effort:
    """How long to measure: seconds of a round, and rounds of each server.

    A `quick` run has a smaller calendar and less of everything: minutes on two cores, also in a new clone. `enough`,
    if set, ends every round after so many responses: a smoke run, whose figures mean nothing. It finds the
    measurements that no longer work, in seconds, with tiny calendars and servers that are started only once."""

    seconds: int = 3
    rounds: int = 3
    quick: bool = False
    enough: int = 0
    small: int = SMALL
    medium: int = MEDIUM

    def of(self, usual: Amount, smoke: Amount, quick: Amount | None = None) -> Amount:
        """An amount of work by what this run is for."""
        if self.enough:
            return smoke
        return usual if quick is None or not self.quick else quick


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
    _tokens: dict[tuple[Sample, str], str] = field(default_factory=dict)
    _kept_servers: list[tuple[Server, Running]] = field(default_factory=list)

    # Calendars

    @property
    def small(self) -> Sample:
        return self.calendar(self.effort.small)

    @property
    def medium(self) -> Sample:
        return self.calendar(self.effort.medium)

    @cached_property
    def largest(self) -> Sample:
        """The calendar of a million, which is too large to be copied, or the medium one."""
        is_wanted = self.million or (not self.effort.enough and _is_made(f"{LARGE}"))
        return self.made(LARGE) if is_wanted else self.medium

    @cached_property
    def with_series(self) -> Sample:
        """The medium calendar, with four out of five events as occurrences of series."""
        return self.copy(self.made(self.effort.medium, series=True), "series")

    def made(self, events: int, *, series: bool = False) -> Sample:
        """The calendar that copies are made of; those of a smoke run are gone with it."""
        return sample(events, series=series, kept=self.effort.of(KEPT, self.folder / "made"))

    def calendar(self, events: int) -> Sample:
        if events not in self._copies:
            self._copies[events] = self.copy(self.made(events), str(events))
        return self._copies[events]

    def writable(self, of: Sample, name: str) -> Sample:
        """Another copy, for a measurement that writes much; in a smoke run the calendar itself, which is served."""
        return of if self.effort.enough else self.copy(of, name)

    def copy(self, of: Sample, name: str) -> Sample:
        shutil.copytree(of.folder, self.folder / name)
        if not self.effort.enough:
            os.sync()  # or the first flushes would wait for the copy
        return describe(self.folder / name, of.events)

    @cached_property
    def before(self) -> tuple[Version, Path] | None:
        """The version to compare with, and its own copy of the medium calendar."""
        if not self.before_commit:
            return None
        old = self.resources.enter_context(before.checked_out(self.before_commit))
        shutil.copytree(before.calendar(old, self.effort.medium), self.folder / "before")
        os.sync()
        return old, self.folder / "before"

    @cached_property
    def cluster(self) -> postgresql.Cluster | None:
        """A PostgreSQL server; none where it is not installed, or where a database was named."""
        if self.address or postgresql.missing():
            return None
        return self.resources.enter_context(postgresql.server(throw_away=bool(self.effort.enough)))

    @cached_property
    def in_postgresql(self) -> tuple[Sample, str] | None:
        """A calendar and the address of its copy in PostgreSQL: the medium one, in a quick run the small one."""
        of = self.small if self.effort.quick else self.medium
        if self.address:
            return of, self.address
        return (of, postgresql.database(self.cluster, of)) if self.cluster is not None else None

    # Servers

    @contextmanager
    def running(self, server: Server) -> Iterator[Running]:
        """A server of one's own; in a smoke run the one that was started before."""
        if not self.effort.enough:
            with running(server) as started:
                yield started
            return
        same = (started for kept, started in self._kept_servers if replace(kept, name=server.name) == server)
        found = next(same, None)
        if found is None:
            found = self.resources.enter_context(running(server, workers=1))
            self._kept_servers.append((server, found))
        yield replace(found, name=server.name)

    def token(self, of: Sample, database: str = "") -> str:
        """A token of an editor."""
        if (of, database) not in self._tokens:
            self._tokens[of, database] = CURRENT.token(of.folder, database)
        return self._tokens[of, database]

    def start(self, stack: ExitStack, *servers: Server) -> list[Running]:
        """Started and warm: every worker has imported and opened everything."""
        started = [stack.enter_context(self.running(server)) for server in servers]
        for one in started:
            self.load(f"{one.base}/events", seconds=1)
            self.settle(one)
        return started

    def side_by_side(
        self, stack: ExitStack, paths: Sequence[str], name: str, *, frameworks: bool = True
    ) -> list[Running]:
        """Kalends, the version before where one is given, the bare server and nginx with what Kalends answers to some
        of these paths, and the frameworks."""
        [ours] = self.start(stack, kalends(self.medium.folder))
        # Of the last ones, as those will hardly be asked for again.
        responses = record((ours.base + path for path in paths[-RECORDED:]), self.folder / f"{name}.json")
        others = [kalends(folder, version=old) for old, folder in [self.before]] if self.before else []
        others += [bare(responses), nginx(responses)]
        others += baselines(self.medium.folder) if frameworks else []
        return [ours, *self.start(stack, *(server for server in others if not missing(server)))]

    # Load

    def load(self, address: str, *, seconds: int = 0, connections: int = CONNECTIONS, **options: Any) -> Load:
        """One round, of its usual time if no other is given."""
        effort = self.effort
        seconds, most = effort.of((seconds or effort.seconds, connections), (effort.seconds, effort.enough))
        return load(address, seconds, enough=effort.enough, connections=min(connections, most), **options)

    def settle(self, server: Running) -> None:
        if not self.effort.enough:
            server.settle()

    def interleaved(self, servers: Sequence[Running], ask: Callable[[Running, int], Load]) -> dict[str, Loads]:
        """Every server once, then every server again, so that what else happens on the machine affects all alike."""
        found: dict[str, list[Load]] = {one.name: [] for one in servers}
        for turn in range(self.effort.rounds):
            for one in servers:
                before = one.cpu()
                load = ask(one, turn)
                cpu = (one.cpu() - before) * 1000 / load.responses if load.responses else inf
                found[one.name].append(replace(load, cpu=cpu))
                self.settle(one)
        return {name: Loads(each) for name, each in found.items()}

    def asking_for(self, address: str = "/events") -> Callable[[Running, int], Load]:
        return lambda one, _: self.load(one.base + address)

    def asking_in_turn(self, paths: Sequence[str], connections: int = CONNECTIONS) -> Callable[[Running, int], Load]:
        """Each round goes on in another part of the paths, so that nothing is asked for twice."""
        part = len(paths) // self.effort.rounds

        def ask(one: Running, turn: int) -> Load:
            file = self.written(one, paths[turn * part : (turn + 1) * part])
            is_before = self.before is not None and one.name == self.before[0].name
            return self.load(one.base, paths=file, connections=connections, may_refuse=is_before)

        return ask

    def written(self, server: Running, paths: Iterable[str]) -> Path:
        """A file for wrk with the paths as this server has them."""
        file = self.folder / "paths"
        file.write_text("\n".join(urlsplit(server.base).path + path for path in paths))
        return file

    @property
    def paths(self) -> int:
        """How many paths are asked for in turn."""
        return self.effort.of(PATHS, 2 * RECORDED)


def make_calendars(benchmark: Benchmark) -> None:
    """Creates the calendars that the measurements need, in parallel, since each keeps one processor busy. What fails
    here fails again, and says why, in each measurement that needs it."""
    effort = benchmark.effort
    making = [
        subprocess.Popen(
            (sys.executable, str(HERE / "data.py"), name),
            env={**os.environ, **CURRENT.environment},
            stdout=subprocess.DEVNULL,
        )
        for name in (f"{effort.medium}", f"{effort.medium}-series", f"{effort.small}")
        if not _is_made(name)
    ]
    benchmark.before  # noqa: B018 - made beside them
    for process in making:
        process.wait()


def _is_made(name: str) -> bool:
    return (KEPT / f"{name}-{version()}").exists()
