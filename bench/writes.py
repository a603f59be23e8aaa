"""Measurements of writes: creates beside a bare loop, the first read after an import, and renames."""

import time
import urllib.request
import uuid
from collections.abc import Iterator
from statistics import median
from typing import Any

from benchmark import Benchmark
from clients import Writer, import_events, new_event
from creates import BareLoop, processor_times
from data import Sample
from load import Loads
from paths import DECADE, other_dates
from recording import json_of
from servers import Running, Server, kalends
from table import Row

CLIENTS = 4
IMPORTED, KEPT = 1500, 2500
FIRST_READS = 8  # on connections of their own, so that every worker has its first read among them
FEWEST_RENAMES = 10
BATCH = 100


def creates(run: Benchmark) -> Iterator[Row]:
    """Events created through the interface, and the same statements in a loop, each on a copy of the calendar."""
    served = run.writable(run.small, "creates")
    loop = BareLoop(run.copy(run.made(run.effort.small), "bare-creates").folder)
    headers = {"Authorization": f"Bearer {run.token(served)}"}
    loads, loops = [], []
    with run.running(kalends(served.folder)) as ours:
        address = f"{ours.base}/events"
        run.load(address, seconds=1, creating="First", headers=headers, connections=CLIENTS)
        for turn in range(run.effort.rounds):
            title = f"Evening {turn}"
            loads.append(run.load(address, creating=title, headers=headers, connections=CLIENTS))
            loops.append(loop.rate(run.effort.of(float(run.effort.seconds), 0.1)))
    loop.close()
    found, limit = Loads(loads), median(loops)
    ratio = found.rate / limit
    yield Row(
        f"creates, {CLIENTS} clients, {run.small.events:,} events, beside a loop of the same statements",
        f"{found.rate:,.0f}/s beside {limit:,.0f}/s, p50 {found.p50:.2f} ms, p99 {found.p99:.2f} ms",
        f"{ratio:.0%} of it",
        "≥ 50%",
        ratio >= 0.5,
    )


def repeatable(run: Benchmark) -> Iterator[Row]:
    """One client: creates, the same with an Idempotency-Key, and batches of a hundred, in alternating rounds."""
    of = run.writable(run.small, "repeatable")
    token = run.token(of)
    single, keyed, batched = list[float](), list[float](), list[float]()
    count = run.effort.of(200, 4, 100)
    with run.running(kalends(of.folder)) as ours:
        writer = Writer(ours, token)
        for turn in range(run.effort.rounds):
            # Other titles each time: those that are taken need other slugs, which takes longer.
            night, dawn, noon = (
                [new_event(f"{name} {turn} {number}") for number in range(count)]
                for name in ("Night", "Dawn", "Noon")
            )
            begun = time.perf_counter()
            for event in night:
                writer.send("POST", "/events", event, 201)
            single.append(count / (time.perf_counter() - begun))
            begun = time.perf_counter()
            for event in dawn:
                writer.send("POST", "/events", event, 201, {"Idempotency-Key": uuid.uuid4().hex})
            keyed.append(count / (time.perf_counter() - begun))
            begun = time.perf_counter()
            for first in range(0, count, BATCH):
                some = [{"method": "POST", "path": "/events", "body": one} for one in noon[first : first + BATCH]]
                writer.send("POST", "/batch", {"requests": some}, 207)
            batched.append(count / (time.perf_counter() - begun))
        writer.close()
    prices = processor_times(of.folder, run.effort.of(BATCH, 4), run.effort.of(9, 1, 3))
    alone, with_key, together = median(single), median(keyed), median(batched)
    dearer = median(with_key / price for with_key, price in zip(prices["keyed"], prices["single"], strict=True))
    cheaper = median(batch / price for batch, price in zip(prices["batched"], prices["single"], strict=True))
    yield Row(
        "creates with an Idempotency-Key, one client",
        f"{with_key:,.0f}/s; without {alone:,.0f}/s; {dearer:.2f} × the processor time",
        f"{alone / with_key:.2f} × as long",
        "≤ 1.1 ×",
        alone / with_key <= 1.1,
    )
    yield Row(
        f"creates in batches of {BATCH}, one client",
        f"{together:,.0f}/s; one by one {alone:,.0f}/s; {cheaper:.2f} × the processor time",
        f"{together / alone:.1f} × as many",
        "≥ 5 ×",
        together / alone >= 5,
    )


def first_read_after_import(run: Benchmark) -> Iterator[Row]:
    """The longest first read of a list that was kept. The lists are short, so that all of them fit in the cache."""
    of = run.writable(run.small, "import")
    token = run.token(of)
    imported, kept, seconds = run.effort.of((IMPORTED, KEPT, 5), (20, 50, 5), (500, 800, 2))
    lists = list(other_dates("&per_page=1", count=kept))
    taken, imports = [], []
    with run.running(kalends(of.folder)) as ours:
        for turn in range(run.effort.rounds):
            # Enough for every worker to be asked for every list.
            run.load(ours.base, seconds=max(seconds, run.effort.seconds), paths=run.written(ours, lists))
            begun = time.perf_counter()
            import_events(ours, token, imported, CLIENTS, f"Imported {turn}")
            imports.append(time.perf_counter() - begun)
            taken.append(max(_milliseconds(ours, lists[number]) for number in range(FIRST_READS)))
    yield Row(
        f"first read after an import of {imported:,} events with {kept:,} kept lists",
        f"{', '.join(f'{one:.1f}' for one in taken)} ms; an import {median(imports):.1f} s",
        f"{max(taken):.0f} ms",
        "≤ 50 ms",
        max(taken) <= 50,
    )


def _milliseconds(server: Running, path: str) -> float:
    begun = time.perf_counter()
    with urllib.request.urlopen(server.base + path) as response:
        response.read()
    return (time.perf_counter() - begun) * 1000


def renames(run: Benchmark) -> Iterator[Row]:
    """A venue that one event in twenty shows; the next list of its events must have the new name."""
    tried: list[tuple[Server, Sample, str]] = [(kalends(run.largest.folder), run.largest, "")]
    if run.in_postgresql is not None:
        of, address = run.in_postgresql
        tried.append((kalends(of.folder, name="Kalends on PostgreSQL", database=address), of, address))
    for server, of, database in tried:
        token = run.token(of, database)
        with run.running(server) as ours:
            shown_by, taken = _rename(ours, token, of.venue, run.effort.of(run.effort.seconds * run.effort.rounds, 0))
        p50 = median(taken)
        yield Row(
            f"renaming a venue of {shown_by:,} events, one client: {ours.name}",
            f"p50 {p50:.2f} ms, p99 {sorted(taken)[int(len(taken) * 0.99)]:.2f} ms",
            f"{p50:.1f} ms",
            "≤ 10 ms",
            p50 <= 10,
        )


def _rename(server: Running, token: str, venue: int, seconds: int) -> tuple[int, list[float]]:
    """How many events show the venue, and the milliseconds of each rename. It gets its name back."""
    writer = Writer(server, token)
    listed = f"{server.base}/events?venue={venue}&{DECADE}"
    before, taken = json_of(listed), []
    until = time.monotonic() + seconds
    try:
        while len(taken) < FEWEST_RENAMES or time.monotonic() < until:
            name = f"Hall {len(taken)}"
            begun = time.perf_counter()
            writer.send("PUT", f"/venues/{venue}", {"venue": name}, 200)
            taken.append((time.perf_counter() - begun) * 1000)
            # On a connection of its own, which goes to either worker.
            if _names(json_of(listed)) != {name}:
                raise RuntimeError("the list after a rename does not show the new name")
    finally:
        writer.send("PUT", f"/venues/{venue}", {"venue": _names(before).pop()}, 200)
        writer.close()
    return int(before["total"]), taken


def _names(found: dict[str, Any]) -> set[str]:
    return {event["venue"]["venue"] for event in found["events"]}
