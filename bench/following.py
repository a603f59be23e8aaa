"""Measurements of following changes: pages of them, a mirror from nothing, and creates that webhooks tell of."""

import http.client
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from benchmark import Benchmark
from clients import Writer, new_event
from kalends.bootstrap import make_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.service import Calendar
from kalends.features.webhooks import rules as operations
from kalends.settings import load
from load import Load, Loads
from servers import HERE, Running, free_port, kalends
from table import Row

PAGE = 1000  # changes
PAGES = 9
HOOKS = 20
ROUND = 3.0  # seconds of a round of creates: messages come once a second
QUICK_ROUND = 1.5
TURNS = 4  # at least, as the index of words merges its parts now and then
LONGEST_WAIT = 60.0  # seconds
ALLOWED = {"base_url": "https://events.example.org", "webhooks_allow_private": "true"}


class Follower:
    """A client that reads changes on one connection."""

    def __init__(self, server: Running) -> None:
        base = urlsplit(server.base)
        self._path = base.path
        self._connection = http.client.HTTPConnection(base.netloc, timeout=120)

    def page(self, query: str) -> tuple[dict[str, Any], float, int]:
        """A page, the milliseconds that it took, and its bytes."""
        begun = time.perf_counter()
        self._connection.request("GET", f"{self._path}/changes?{query}")
        response = self._connection.getresponse()
        content = response.read()
        taken = (time.perf_counter() - begun) * 1000
        if response.status != 200:
            raise RuntimeError(f"/changes?{query}: {response.status} {content[:300]!r}")
        return json.loads(content), taken, len(content)

    def close(self) -> None:
        self._connection.close()


def pages(run: Benchmark) -> Iterator[Row]:
    """Pages without changes beside a kept list, pages of a thousand with records, and a whole copy."""
    of = run.small if run.effort.quick else run.medium
    with run.running(kalends(of.folder)) as ours:
        follower = Follower(ours)
        copied, size, taken = 0, 0, 0.0
        since, places = "", list[str]()
        while True:
            page, milliseconds, length = follower.page(f"limit={PAGE}&include=records&expand=events{since}")
            copied, size, taken = copied + len(page["changes"]), size + length, taken + milliseconds
            since = f"&since={page['next']}"
            places.append(page["next"])
            if not page["more"]:
                break
        # Each page once, as one that was asked for before may have been kept.
        before = ours.cpu()
        full = [follower.page(f"limit={PAGE}&include=records&since={place}") for place in places[:-2][:PAGES]]
        cpu = (ours.cpu() - before) * 1000 / max(1, len(full))
        follower.close()
        empty, kept = list[Load](), list[Load]()
        for _ in range(run.effort.rounds):
            kept.append(run.load(f"{ours.base}/events"))
            empty.append(run.load(f"{ours.base}/changes?{since.removeprefix('&')}"))
    ratio = Loads(empty).p50 / Loads(kept).p50
    yield Row(
        "a page without changes, beside a kept list",
        f"p50 {Loads(empty).p50:.2f} ms; the list {Loads(kept).p50:.2f} ms",
        f"{ratio:.2f} times",
        "≤ 1.5",
        ratio <= 1.5,
    )
    if full:
        middle = median(milliseconds for _, milliseconds, _ in full)
        yield Row(
            f"{len(full[0][0]['changes']):,} changes with records, {of.events:,} events",
            f"{', '.join(f'{one:.0f}' for _, one, _ in full)} ms, {full[0][2] / 1e6:.1f} MB each",
            f"{middle:.0f} ms",
            "≤ 40 ms",
            middle <= 40,
            f"{cpu:.0f} ms",
        )
    yield Row(
        f"a copy of {copied:,} records from nothing, one client",
        f"{taken / 1000:.1f} s in {len(places)} pages, {size / 1e6:,.0f} MB",
        f"{copied / taken * 1000:,.0f} records/s",
    )


def webhooks(run: Benchmark) -> Iterator[Row]:
    """One client that creates events on one connection, in turns without webhooks and with twenty that tell of them.
    All is one process of one server, as two that do the same differ by more than what is measured."""
    of, alone, beside = run.copy(run.small, "webhooks"), Creates(), Creates()
    server = kalends(of.folder)
    settings = {f"KALENDS_{name.upper()}": value for name, value in ALLOWED.items()}
    server = replace(server, environment={**server.environment, **settings})
    waits = list[float]()
    with receiving() as receiver, run.running(server) as ours:
        writer, calendar = Writer(ours, run.token(of)), make_calendar(load(of.folder, ALLOWED, {}))
        Creates().make(writer, run.effort.of(1.0, 0.0), 0)  # the first ones take longer
        seconds = run.effort.of(ROUND, 0.0, QUICK_ROUND)
        for turn in range(run.effort.of(max(TURNS, run.effort.rounds), 1, 2)):
            cpu = ours.cpu()
            alone.make(writer, seconds, turn)
            alone.cpu += ours.cpu() - cpu
            hooks = _add_webhooks(calendar, receiver.url)
            before, cpu = beside.count, ours.cpu()
            beside.make(writer, seconds, turn)
            receiver.expected += (beside.count - before) * HOOKS
            waits.append(receiver.wait())
            beside.cpu += ours.cpu() - cpu
            _remove_webhooks(calendar, hooks)
        writer.close()
        calendar.store.close()
        messages, changes = receiver.figures()
    ratio = alone.rate / beside.rate
    price = (beside.cpu - alone.cpu / alone.count * beside.count) * 1000 / messages
    yield Row(
        f"creates, one client, with {HOOKS} webhooks",
        f"{beside.rate:,.0f}/s, p50 {beside.p50:.2f} ms; without {alone.rate:,.0f}/s, {alone.p50:.2f} ms;"
        f" {messages:,} messages with {changes:,} changes, {price:.2f} ms of processor time each;"
        f" all told {median(waits):.1f} s after the last create",
        f"{ratio:.2f} × as long",
        "≤ 1.1 ×",
        ratio <= 1.1,
    )


def _add_webhooks(calendar: Calendar, address: str) -> list[int]:
    """Their ids."""
    with calendar.writing(SERVICE) as work:
        return [operations.create(work, {"url": f"{address}{number}"}, None).id for number in range(HOOKS)]


def _remove_webhooks(calendar: Calendar, hooks: Iterable[int]) -> None:
    with calendar.writing(SERVICE) as work:
        for id in hooks:
            operations.delete(work, id)


@dataclass
class Creates:
    """The creates of one client, one after the other."""

    taken: list[float] = field(default_factory=list)  # the seconds of each
    cpu: float = 0.0  # seconds of the server's processes

    def make(self, writer: Writer, seconds: float, turn: int) -> None:
        """Creates events for so long, and at least one."""
        until = time.perf_counter() + seconds
        while True:
            event = new_event(f"Day {turn} {len(self.taken)} {id(self)}")
            begun = time.perf_counter()
            writer.send("POST", "/events", event, 201)
            ended = time.perf_counter()
            self.taken.append(ended - begun)
            if ended > until:
                return

    @property
    def count(self) -> int:
        return len(self.taken)

    @property
    def rate(self) -> float:
        return self.count / sum(self.taken)

    @property
    def p50(self) -> float:
        return median(self.taken) * 1000


@dataclass
class Receiving:
    """A receiver of messages, in a process of its own: what it does is none of the service's time."""

    url: str
    expected: int = 0  # changes

    def figures(self) -> tuple[int, int]:
        """How many messages came, and how many changes they told of."""
        with urllib.request.urlopen(self.url, timeout=30) as response:
            messages, changes = json.load(response)
        return messages, changes

    def wait(self) -> float:
        """The seconds until all that is expected came."""
        begun = time.monotonic()
        while self.figures()[1] < self.expected:
            if time.monotonic() > begun + LONGEST_WAIT:
                raise RuntimeError(f"{self.figures()} messages and changes came, expected {self.expected}")
            time.sleep(0.05)
        return time.monotonic() - begun


@contextmanager
def receiving() -> Iterator[Receiving]:
    port = free_port()
    with subprocess.Popen((sys.executable, str(HERE / "receiver.py"), str(port))) as process:
        try:
            receiver = Receiving(f"http://127.0.0.1:{port}/")
            while True:
                with suppress(OSError):
                    receiver.figures()
                    break
                time.sleep(0.02)
            yield receiver
        finally:
            process.terminate()
