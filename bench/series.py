"""Measurements of series: creating and changing one of 730 occurrences, and lists in which most events are some."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median

from benchmark import Benchmark
from clients import Writer
from data import COMMON, Sample
from servers import NAMESPACE, Running, Server, kalends
from table import Row

OCCURRENCES = 730
TEXT = "An evening of songs for everybody who likes to sing. Bring a friend, or come alone: nobody stays so. " * 10


def writes(run: Benchmark) -> Iterator[Row]:
    """One client creates a series, with a text of a kilobyte, and gives all its occurrences another title."""
    tried: list[tuple[Server, Sample, str]] = []
    small = run.writable(run.small, "series-writes")
    tried.append((kalends(small.folder, name="SQLite"), small, ""))
    if run.in_postgresql is not None:
        of, address = run.in_postgresql
        tried.append((kalends(of.folder, name="PostgreSQL", database=address), of, address))
    rounds, occurrences = run.effort.of((run.effort.rounds, OCCURRENCES), (run.effort.rounds, 10), (1, OCCURRENCES))
    for server, of, database in tried:
        token = run.token(of, database)
        with run.running(server) as ours:
            created, renamed = _create_and_rename(ours, token, rounds, occurrences)
        for what, taken, most in (("creating", created, 2.0), ("a new title for all of", renamed, 1.0)):
            yield Row(
                f"{what} a series of {occurrences} occurrences: {ours.name}",
                ", ".join(f"{one:.2f}" for one in taken) + " s",
                f"{median(taken):.2f} s",
                f"≤ {most:g} s",
                median(taken) <= most,
            )


def _create_and_rename(server: Running, token: str, rounds: int, occurrences: int) -> tuple[list[float], list[float]]:
    """The seconds of each. The series is deleted again."""
    writer = Writer(server, token)
    created, renamed = [], []
    for turn in range(rounds):
        event = {"title": f"Choir {turn}", "description": TEXT, "recurrence": f"FREQ=DAILY;COUNT={occurrences}"}
        event |= {"start_date": "2027-03-01 19:00:00", "end_date": "2027-03-01 21:00:00"}
        begun = time.perf_counter()
        first = writer.send("POST", "/events", event, 201)["id"]
        created.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        writer.send("PUT", f"/events/{first}?scope=all", {"title": f"Songs {turn}"}, 200)
        renamed.append(time.perf_counter() - begun)
        writer.send("DELETE", f"/events/{first}?scope=all&force=true", {}, 200)
    writer.close()
    return created, renamed


def reads(run: Benchmark) -> Iterator[Row]:
    """The same events as single ones and as occurrences; nothing is kept. A quick run leaves the search out."""
    single, repeated = run.medium, run.with_series
    with ExitStack() as stack:
        servers = run.start(
            stack,
            kalends(repeated.folder, name="occurrences", cache_size="0"),
            kalends(single.folder, name="single events", cache_size="0"),
        )
        for what, path in (
            ("list", f"{NAMESPACE}/events?start_date=2027-01-01"),
            ("search", f"{NAMESPACE}/events?search={COMMON}"),
            ("month page", "/events/month/2027-03/"),
        )[:: run.effort.of(1, 1, 2)]:
            found = run.interleaved(
                servers, lambda one, _, path=path: run.load(one.base.removesuffix(NAMESPACE) + path)
            )
            ours, other = found.values()
            ratio = ours.p50 / other.p50
            yield Row(
                f"{what}, {repeated.events:,} events of which 80% are occurrences",
                f"p50 {ours.p50:.2f} ms, with single events {other.p50:.2f} ms",
                f"{ratio:.2f} ×",
                "≤ 1.1 ×",
                ratio <= 1.1,
            )
