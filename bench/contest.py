"""The contest: Kalends, the bare server and the yardsticks under the same load in one run, beside the targets."""

import json
import os
import platform
import random
import sqlite3
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from math import nan
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import postgresql
import round_trips
from beside import SlowReaders, Writer
from contestants import WORKERS, Contestant, Running, bare, django, fastapi, kalends, running
from creating import compare_creates
from data import COMMON, FIRST_DAY, RARE, Sample, sample, version
from load import CONNECTIONS, Load, Loads, load
from renaming import rename
from throwaway import missing

PATHS = 60_000
UNCACHED = {"KALENDS_CACHE_SIZE": "0"}
OF_THE_CONNECTION = ("connection", "date", "server", "transfer-encoding")
DECADE = "start_date=2020-01-01&end_date=2030-01-01"


@dataclass(frozen=True)
class Effort:
    """How long to measure: seconds a run, and runs of each."""

    seconds: int = 3
    rounds: int = 3


@dataclass(frozen=True)
class Row:
    """A line of the table: what was measured, and a ratio or a figure beside its target."""

    what: str
    measured: str
    figure: str = ""
    target: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        verdict = {True: "yes", False: "**no**", None: ""}[self.met]
        return f"| {self.what} | {self.measured} | {self.figure} | {self.target} | {verdict} |"


@dataclass
class Contest:
    """One run of everything."""

    effort: Effort
    folder: Path  # for what is written on the way
    medium: Sample
    small: Sample
    large: Sample | None = None
    database: str = ""  # where PostgreSQL has a copy of the medium one

    def rows(self) -> Iterator[Row]:
        """One scenario after the other, each told as soon as it is known."""
        yield from self.lists()
        yield from self.round_trips()
        yield from self.sizes()
        yield from self.searches()
        yield from self.creates()
        yield from self.renames()
        yield from self.writes_beside()
        yield from self.slow_beside()
        yield from self.start_and_memory()

    # The same load on everybody

    def lists(self) -> Iterator[Row]:
        answers = self.folder / "answers.json"
        with running(kalends(self.medium.folder)) as ours:
            one = f"{ours.base}/events/{self.medium.event}"
            answers.write_text(json.dumps({"list": recorded(f"{ours.base}/events"), "event": recorded(one)}))
        folder = self.medium.folder
        everybody = [kalends(folder), *self.on_postgresql(), bare(answers), fastapi(folder), django(folder)]
        with ExitStack() as stack:
            runs = [stack.enter_context(running(contestant)) for contestant in everybody]
            for one in runs:
                load(f"{one.base}/events", 1)  # both workers have imported and opened everything
                one.settle()
            whole = self.interleaved(runs, lambda one, _: load(f"{one.base}/events", self.effort.seconds))
            yield from against(whole, "default list, repeated", {"bare server": 0.75, "FastAPI": 150})
            dates = _written(self.folder / "dates", other_dates())
            each = self.interleaved(runs, self._asking_in_turn(dates))
            yield from against(each, "list, another start date each time", {"bare server": 0.3, "FastAPI": 50})
            events = _written(self.folder / "events", random_events(self.medium))
            found = self.interleaved(runs, self._asking_in_turn(events))
            yield from against(found, "one event by ID, at random", {"bare server": 0.45})
            with_etags = [one for one in runs if etag(f"{one.base}/events")]
            known = {one.name: {"If-None-Match": etag(f"{one.base}/events")} for one in with_etags}
            for one in with_etags:
                check(f"{one.base}/events", known[one.name], 304)
            unchanged = self.interleaved(
                with_etags,
                lambda one, _: load(f"{one.base}/events", self.effort.seconds, headers=known[one.name]),
            )
            yield from against(unchanged, "304 for a matching ETag", {"bare server": 0.8})

    def interleaved(self, runs: Sequence[Running], ask: Callable[[Running, int], Load]) -> dict[str, Loads]:
        """Everybody once, then everybody again, so that what else happens on the machine meets all alike."""
        found: dict[str, list[Load]] = {one.name: [] for one in runs}
        for turn in range(self.effort.rounds):
            for one in runs:
                found[one.name].append(ask(one, turn))
                one.settle()
        return {name: Loads(each) for name, each in found.items()}

    def on_postgresql(self) -> list[Contestant]:
        """Kalends on the copy in PostgreSQL, where there is one."""
        elsewhere = {"KALENDS_DATABASE": self.database}
        there = kalends(self.medium.folder, name="Kalends on PostgreSQL", environment=elsewhere)
        return [there] if self.database else []

    def _asking_in_turn(self, paths: Path, connections: int = CONNECTIONS) -> Callable[[Running, int], Load]:
        """Each round goes on in another part of the paths, so that nothing is asked for twice."""
        part = PATHS // self.effort.rounds

        def ask(one: Running, turn: int) -> Load:
            under = _written(
                self.folder / "under", (urlsplit(one.base).path + line for line in paths.read_text().splitlines())
            )
            return load(one.base, self.effort.seconds, paths=under, first=turn * part, connections=connections)

        return ask

    # Kalends alone

    def round_trips(self) -> Iterator[Row]:
        """What a list on PostgreSQL takes longer than on SQLite, by the time of a round trip to the database."""
        what = "list, another start date each time, one client: PostgreSQL above SQLite"
        if not self.database:
            yield Row(what, f"not measured: {missing()}")
            return
        dates = _written(self.folder / "dates", other_dates())
        one_trip = []

        def ask(one: Running, turn: int) -> Load:
            one_trip.append(round_trips.time_of_one(self.database))
            return in_turn(one, turn)

        in_turn = self._asking_in_turn(dates, connections=1)
        with ExitStack() as stack:
            both = [kalends(self.medium.folder), *self.on_postgresql()]
            runs = [stack.enter_context(running(contestant)) for contestant in both]
            embedded, over_there = self.interleaved(runs, ask).values()
        trip, made = median(one_trip), round_trips.count(self.medium, self.database, other_dates())
        above = (over_there.p50 - embedded.p50) / trip
        yield Row(
            what,
            f"p50 {over_there.p50:.2f} ms against {embedded.p50:.2f} ms; a round trip {trip:.3f} ms, {made} a list",
            f"{above:.1f} round trips",
            "≤ 3",
            above <= 3,
        )

    def sizes(self) -> Iterator[Row]:
        if self.large is None:
            yield Row("1,000,000 against 10,000 events", "not measured: `--million`")
            return
        with ExitStack() as stack:
            runs = {
                of: stack.enter_context(running(kalends(of.folder, name=f"{of.events:,}", environment=UNCACHED)))
                for of in (self.small, self.large)
            }
            for what, path in SIZES.items():
                addresses = {one.name: one.base + path(of) for of, one in runs.items()}
                found = self.interleaved(
                    list(runs.values()), lambda one, _, at=addresses: load(at[one.name], self.effort.seconds)
                )
                few, many = found.values()
                ratio = many.p50 / few.p50
                yield Row(
                    f"1,000,000 against 10,000 events: {what}",
                    f"p50 {many.p50:.2f} ms against {few.p50:.2f} ms, p99 {many.p99:.2f} against {few.p99:.2f}",
                    f"{ratio:.2f} ×",
                    "≤ 1.5 ×",
                    ratio <= 1.5,
                )

    def searches(self) -> Iterator[Row]:
        with running(kalends(self.medium.folder, environment=UNCACHED)) as ours:
            for what, query, most in (
                ("a rare word", f"search={RARE}&{DECADE}", 3),
                ("a common word", f"search={COMMON}", 15),
            ):
                address = f"{ours.base}/events?{query}"
                found = Loads([load(address, self.effort.seconds, connections=1) for _ in range(self.effort.rounds)])
                yield Row(
                    f"search in {self.medium.events:,}: {what}, one client",
                    shown(found),
                    f"{found.p50:.1f} ms",
                    f"≤ {most} ms",
                    found.p50 <= most,
                )

    def creates(self) -> Iterator[Row]:
        ours, loop = compare_creates(self.small, self.folder, self.effort.seconds, self.effort.rounds)
        ratio = ours.rate / loop
        yield Row(
            "creates, four clients, durable, against a loop of the same statements",
            f"{ours.rate:,.0f}/s against {loop:,.0f}/s, p50 {ours.p50:.2f} ms, p99 {ours.p99:.2f} ms",
            f"{ratio:.0%}",
            "≥ 70 %",
            ratio >= 0.7,
        )

    def renames(self) -> Iterator[Row]:
        most = self.large or self.medium
        tried = [(kalends(most.folder), most), *((there, self.medium) for there in self.on_postgresql())]
        for contestant, of in tried:
            database = contestant.environment.get("KALENDS_DATABASE", "")
            with running(contestant) as ours:
                done = rename(ours, of, database, self.effort.seconds * self.effort.rounds)
            yield Row(
                f"renaming a venue of {done.events:,} events, one client, the next list looked at: {ours.name}",
                f"p50 {done.p50:.2f} ms, p99 {done.p99:.2f} ms",
                f"{done.p50:.1f} ms",
                "≤ 10 ms",
                done.p50 <= 10,
            )

    def writes_beside(self) -> Iterator[Row]:
        """Updates of events that are not in the list, so that the list stays true."""
        with running(kalends(self.medium.folder)) as ours:
            quiet, busy, writer = [], [], Writer(ours, self.medium)
            for _ in range(self.effort.rounds):
                quiet.append(load(f"{ours.base}/events", self.effort.seconds))
                with writer.writing(50):
                    busy.append(load(f"{ours.base}/events", self.effort.seconds))
            before, beside = Loads(quiet), Loads(busy)
            yield Row(
                f"default list beside 50 writes a second ({writer.rate:.0f} done)",
                f"{shown(beside)}; without them {before.rate:,.0f}/s",
                f"{beside.rate / before.rate:.0%}",
            )

    def slow_beside(self) -> Iterator[Row]:
        with running(kalends(self.medium.folder)) as ours:
            quiet, busy, slow = [], [], SlowReaders(ours, 10)
            for _ in range(self.effort.rounds):
                quiet.append(load(f"{ours.base}/events", self.effort.seconds))
                with slow.reading():
                    busy.append(load(f"{ours.base}/events", self.effort.seconds))
            before, beside = Loads(quiet), Loads(busy)
            ratio = beside.p50 / before.p50
            yield Row(
                f"default list beside ten slow requests ({slow.done} done, {slow.refused} refused)",
                f"{shown(beside)}; without them p50 {before.p50:.2f} ms",
                f"{ratio:.1f} ×",
                "p50 ≤ 2 ×",
                ratio <= 2,
            )

    def start_and_memory(self) -> Iterator[Row]:
        of = self.large or self.medium
        with running(kalends(of.folder)) as ours:
            started = ours.seconds
            yield Row(f"start to first list, {of.events:,} events", "", f"{started:.2f} s", "< 1 s", started < 1)
            load(f"{ours.base}/events", self.effort.seconds)
            load(ours.base, self.effort.seconds, paths=_under(ours, other_dates(), self.folder))
            memory = ours.worker_memory()
            yield Row("memory of a worker after that load", "", f"{memory:.0f} MB", "< 150 MB", memory < 150)


SIZES: Mapping[str, Callable[[Sample], str]] = {
    "default list, not kept": lambda of: "/events",
    "by category": lambda of: f"/events?categories={of.category}",
    "by venue": lambda of: f"/events?venue={of.venue}",
    "one event": lambda of: f"/events/{of.event}",
    "page 500": lambda of: f"/events?{DECADE}&page=500",
}


def against(found: Mapping[str, Loads], what: str, targets: Mapping[str, float]) -> Iterator[Row]:
    """Kalends beside each of the others."""
    ours, *others = found
    yield Row(f"{what}: {ours}", shown(found[ours]))
    for name in others:
        ratio, target = found[ours].rate / (found[name].rate or nan), targets.get(name)
        told = f"{ratio:.0%} of it" if name == "bare server" else f"{ratio:.1f} × it"
        wanted = "" if target is None else f"≥ {target:.0%}" if target < 1 else f"≥ {target:g} ×"
        yield Row(f"— {name}", shown(found[name]), told, wanted, None if target is None else ratio >= target)


def shown(loads: Loads) -> str:
    return f"{loads.rate:,.0f}/s (±{loads.spread / 2:.0%}), p50 {loads.p50:.2f} ms, p99 {loads.p99:.2f} ms"


def other_dates() -> Iterator[str]:
    """Lists of which no two are the same."""
    days = 2000
    for number in range(PATHS):
        start = FIRST_DAY + timedelta(days=number % days)
        yield f"/events?start_date={start}&end_date={start + timedelta(days=730 + number // days)}"


def random_events(of: Sample) -> list[str]:
    connection = sqlite3.connect(of.folder / "kalends.db")
    ids = [id for (id,) in connection.execute("SELECT id FROM event WHERE reach = 2")]
    connection.close()
    random.Random(0).shuffle(ids)
    return [f"/events/{id}" for id in ids[:PATHS]]


def recorded(address: str) -> dict[str, object]:
    """An answer as the bare server repeats it. What belongs to the connection is for each server to say."""
    with urllib.request.urlopen(address) as answer:
        headers = [(k, v) for k, v in answer.headers.items() if k.lower() not in OF_THE_CONNECTION]
        about = [(name, value) for name, value in headers if not name.lower().startswith("content-")]
        return {"headers": headers, "unchanged": about, "body": answer.read().decode()}


def etag(address: str) -> str:
    with urllib.request.urlopen(address) as answer:
        return answer.headers.get("ETag") or ""


def check(address: str, headers: Mapping[str, str], status: int) -> None:
    """wrk does not tell one good status from another."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=dict(headers))) as answer:
            found = answer.status
    except urllib.error.HTTPError as error:
        found = error.code
    if found != status:
        raise RuntimeError(f"{address} answers {found}, and {status} is to be measured")


def _under(one: Running, paths: Iterable[str], folder: Path) -> Path:
    """The paths as this contestant has them."""
    return _written(folder / "under", (urlsplit(one.base).path + path for path in paths))


def _written(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("\n".join(lines))
    return path


def machine() -> str:
    """What it ran on. A load beside our own makes every figure doubtful, so it is told."""
    model = next(
        (value.strip() for name, _, value in _cpu_lines() if name.strip() == "model name"), platform.machine()
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores ({model}), {memory:.0f} GB, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}; "
        f"load before the run {os.getloadavg()[0]:.1f}"
    )


def _cpu_lines() -> Iterator[tuple[str, str, str]]:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        yield line.partition(":")


def run(effort: Effort, *, million: bool, database: str = "") -> None:
    """Prints the table. The calendar of a million takes twenty minutes to make, so it is made only when asked for.
    `database`: where PostgreSQL has the calendar already; else a server is started for it."""
    has_million = million or is_made(1_000_000)
    small, medium, large = sample(10_000), sample(100_000), sample(1_000_000) if has_million else None
    with (
        tempfile.TemporaryDirectory(prefix="kalends-contest-") as folder,
        copy_of(medium) if not database else nullcontext(database) as found,
    ):
        print(f"Machine: {machine()}. {CONNECTIONS} connections, {WORKERS} workers,")
        print(f"{effort.rounds} runs of {effort.seconds} s each, in turns.\n")
        print("| what | measured | figure | target | met |\n|---|---|--:|--:|---|")
        for row in Contest(effort, Path(folder), medium, small, large, found).rows():
            print(row, flush=True)


@contextmanager
def copy_of(of: Sample) -> Iterator[str]:
    """The address of the same calendar in a PostgreSQL server of its own; nothing where none is installed."""
    if missing():
        print(f"Kalends is measured on SQLite only: {missing()}.\n")
        yield ""
        return
    with postgresql.server() as cluster:
        yield postgresql.database(cluster, of)


def is_made(events: int) -> bool:
    return (Path(tempfile.gettempdir()) / "kalends-bench" / f"{events}-{version()}").exists()
