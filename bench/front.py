"""The front of this version beside that of an earlier one, as real servers with two workers each:
`python bench/front.py COMMIT`. Rounds alternate, so that other work on the machine affects both alike.

The earlier version runs in the same environment: a server that it needs and this one does not has to be installed."""

import argparse
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from statistics import median

import httpx

import before
import postgresql
from data import Sample, sample
from kalends_command import CURRENT, Version
from load import load
from paths import common_searches, other_dates, random_events
from servers import NAMESPACE, Running, kalends, running

BROWSER = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "Accept-Language": "en-GB,en;q=0.7,de;q=0.3",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Referer": "https://town.example/events/",
    "Upgrade-Insecure-Requests": "1",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Site": "same-origin",
    "Priority": "u=0, i",
    "TE": "trailers",
}
PROXY = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "town.example"}
IDLE_CONNECTIONS = 1500
WRITES_A_SECOND, SEARCHERS = 50, 16
MOST_LISTS = 20_000
# As that version does, or it would do so beside the requests.
PRERENDER = "from pathlib import Path; import data; data.prerender(Path({data!r}), {database!r})"


Other = Callable[["Side", int], AbstractContextManager[None]]


@dataclass
class Side:
    """One version, serving the calendar."""

    version: Version
    server: Running
    token: str
    etag: str = ""


@dataclass
class Row:
    name: str
    bar: float
    unit: str = "µs"
    figures: dict[str, list[float]] = field(default_factory=dict)

    def note(self, side: Side, figure: float) -> None:
        self.figures.setdefault(side.version.name, []).append(figure)

    def __str__(self) -> str:
        old, new = (median(figures) for figures in self.figures.values())
        ratio = new / old if old else float("inf")
        passed = "met" if ratio <= self.bar else "MISSED"
        return f"{self.name:<52} {old:9.1f} {new:9.1f} {self.unit:<3} {ratio:6.2f}  ≤ {self.bar:.2f}  {passed}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", help="the earlier version")
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=3, help="of each run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--store", choices=("sqlite", "postgresql"), action="append")
    parser.add_argument("--only", action="append", help="rows whose names have this, or one of these")
    chosen = parser.parse_args()
    rows: list[Row] = []
    with ExitStack() as stack:
        old = stack.enter_context(before.checked_out(chosen.commit))
        of = sample(chosen.events)
        for store in chosen.store or ("sqlite", "postgresql"):
            for is_proxied in (False, True):
                with served(store, of, (old, CURRENT), is_proxied=is_proxied) as sides:
                    measuring = Measuring(
                        sides, of, chosen.seconds, chosen.rounds, chosen.only or [""], is_proxied=is_proxied
                    )
                    for row in measuring.rows():
                        row.name = f"{store}{', proxy' if is_proxied else ''}: {row.name}"
                        rows.append(row)
                        print(row, flush=True)
    missed = sum("MISSED" in str(row) for row in rows)
    print(f"{len(rows) - missed} of {len(rows)} bars are met")
    return 1 if missed else 0


@contextmanager
def served(store: str, of: Sample, versions: tuple[Version, ...], *, is_proxied: bool) -> Iterator[list[Side]]:
    """Each version with a copy of the calendar."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kalends-front-")))
        cluster = stack.enter_context(postgresql.server(throw_away=True)) if store == "postgresql" else None
        sides = []
        for place, version in enumerate(versions):
            data = folder / str(place)
            shutil.copytree(of.folder, data)
            database = ""
            if cluster is not None:
                database = postgresql.new_database(cluster, f"version_{place}")
                CURRENT.run("move", "--data", str(data), "--to", database)
            version.python(PRERENDER.format(data=str(data), database=database))
            token = version.token(data, database)
            server = kalends(data, version=version, database=database)
            if is_proxied:
                server = replace(server, environment={**server.environment, "KALENDS_TRUSTED_PROXIES": "127.0.0.1"})
            side = Side(version, stack.enter_context(running(server)), token)
            side.etag = etag(f"{side.server.base}/events", PROXY if is_proxied else {})
            sides.append(side)
        yield sides


class Measuring:
    def __init__(
        self, sides: list[Side], of: Sample, seconds: int, rounds: int, only: list[str], *, is_proxied: bool
    ) -> None:
        self.sides, self.of, self.seconds, self.rounds, self.only = sides, of, seconds, rounds, only
        self.headers = PROXY if is_proxied else {}
        self.is_proxied = is_proxied
        self.folder = Path(tempfile.mkdtemp(prefix="kalends-front-paths-"))

    def rows(self) -> Iterator[Row]:
        yield from self.cost("kept list", 0.6)
        yield from self.cost("304", 0.6, is_known=True)
        if self.is_proxied:
            return
        yield from self.cost("kept list, 11 headers of a browser", 0.6, headers=BROWSER)
        yield from self.cost("one event", 1.0, lines=random_events(self.of))
        yield from self.cost("list by another start date", 1.0, lines=[*other_dates(count=MOST_LISTS)])
        yield from self.cost("create", 1.0, creating=True)
        for connections in (8, 16):
            yield from self.beside("16 searches", connections, search)
            yield from self.beside("50 writes a second", connections, write)
        yield from self.memory()

    def _wants(self, name: str) -> bool:
        return any(part in name for part in self.only)

    def cost(
        self,
        name: str,
        bar: float,
        *,
        is_known: bool = False,
        headers: Mapping[str, str] | None = None,
        lines: list[str] | None = None,
        creating: bool = False,
    ) -> Iterator[Row]:
        """Microseconds of processor time of a request."""
        if not self._wants(name):
            return
        row = Row(name, bar)
        next_line = dict.fromkeys((side.version.name for side in self.sides), 0)  # each is asked for once
        for turn in range(self.rounds + 1):
            for side in self.sides:
                sent = {**self.headers, **(headers or {})}
                if is_known:
                    sent["If-None-Match"] = side.etag
                more: dict[str, object] = {}
                if lines is not None:
                    paths = self.folder / f"{name}-{side.version.name.split()[0]}"
                    paths.write_text("".join(f"{NAMESPACE}{line}\n" for line in lines))
                    more = {"paths": paths, "first": next_line[side.version.name]}
                if creating:
                    sent["Authorization"] = f"Bearer {side.token}"
                    more = {"creating": f"{name} {turn}", "connections": 4}
                address = f"{side.server.base}/events"
                spent = side.server.cpu()
                done = load(address, 1 if not turn else self.seconds, headers=sent, **more)  # type: ignore[arg-type]
                next_line[side.version.name] += round(done.responses)
                if lines is not None and next_line[side.version.name] > len(lines):
                    print(f"{name}: {side.version.name} was asked for some of them twice", flush=True)
                if turn:  # the first only warms up
                    row.note(side, 1e6 * (side.server.cpu() - spent) / done.responses)
        yield row

    def beside(self, what: str, connections: int, other: Other) -> Iterator[Row]:
        """The p99 of a kept list beside other work."""
        name = f"p99 of a kept list beside {what}, {connections} connections"
        if not self._wants(name):
            return
        row = Row(name, 1.0, "ms")
        for _ in range(self.rounds):
            for side in self.sides:
                with other(side, self.seconds + 2):
                    time.sleep(0.5)
                    row.note(side, load(f"{side.server.base}/events", self.seconds, connections=connections).p99)
                side.server.settle()
        yield row

    def memory(self) -> Iterator[Row]:
        """Megabytes of all processes, with and without many idle connections."""
        if not self._wants("memory"):
            return
        idle, crowded = (
            Row("memory", 1.0, "MB"),
            Row(f"memory with {IDLE_CONNECTIONS} connections - 20 MB", 1.0, "MB"),
        )
        for side in self.sides:
            before_them = memory(side.server)
            idle.note(side, before_them)
            with ExitStack() as opened:
                port = int(side.server.base.split(":")[2].partition("/")[0])
                for _ in range(IDLE_CONNECTIONS):
                    opened.enter_context(socket.create_connection(("127.0.0.1", port)))
                time.sleep(1)
                is_new = side is self.sides[-1]
                crowded.note(side, memory(side.server) - 20 if is_new else before_them)
        yield idle
        yield crowded


@contextmanager
def search(side: Side, seconds: int) -> Iterator[None]:
    """Searches, each for something else."""
    with tempfile.NamedTemporaryFile("w", suffix=".paths") as paths:
        paths.writelines(f"{NAMESPACE}{path}\n" for path in islice(common_searches(), 4000))
        paths.flush()
        command = ["wrk", "-t1", f"-c{SEARCHERS}", f"-d{seconds}s", "--timeout", "30s", "-s"]
        command += [str(Path(__file__).parent / "paths.lua"), side.server.base, "--", paths.name, "0"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as wrk:
            yield
            wrk.wait()


@contextmanager
def write(side: Side, seconds: int) -> Iterator[None]:
    """Creates, so many a second."""
    over = threading.Event()

    def run() -> None:
        with httpx.Client(
            base_url=side.server.base, headers={"Authorization": f"Bearer {side.token}"}, timeout=60
        ) as http:
            number, begun = 0, time.monotonic()
            while not over.is_set():
                event = {"title": f"Beside {number}", "start_date": "2027-03-01", "end_date": "2027-03-02"}
                http.post("/events", json=event)
                number += 1
                over.wait(max(0.0, begun + number / WRITES_A_SECOND - time.monotonic()))

    thread = threading.Thread(target=run)
    thread.start()
    yield
    over.set()
    thread.join()


def etag(address: str, headers: Mapping[str, str]) -> str:
    return str(httpx.get(address, headers=dict(headers), timeout=60).headers["etag"])


def memory(server: Running) -> float:
    total = 0.0
    for process in server.processes():
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    return total


if __name__ == "__main__":
    sys.exit(main())
