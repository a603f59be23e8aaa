"""Measurements of following changes: pages of them, a mirror from nothing, and creates that webhooks tell of."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from benchmark import Benchmark
from clients import import_events
from data import Sample
from kalends.bootstrap import make_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.webhooks import operations
from kalends.settings import load
from load import Load, Loads
from servers import Running, kalends
from table import Row

PAGE = 1000  # changes
PAGES = 9
FOLLOWED = 10_000  # events
CLIENTS = 4
HOOKS = 20
RECEIVING = {"base_url": "https://events.example.org", "webhooks_allow_private": "true"}


class Follower:
    """A client that reads changes on one connection."""

    def __init__(self, server: Running) -> None:
        base = urlsplit(server.base)
        self._path = base.path
        self._connection = http.client.HTTPConnection(base.netloc, timeout=120)

    def page(self, query: str) -> tuple[dict[str, Any], float]:
        """A page, and the milliseconds that it took."""
        begun = time.perf_counter()
        self._connection.request("GET", f"{self._path}/changes?{query}")
        response = self._connection.getresponse()
        content = response.read()
        taken = (time.perf_counter() - begun) * 1000
        if response.status != 200:
            raise RuntimeError(f"/changes?{query}: {response.status} {content[:300]!r}")
        return json.loads(content), taken

    def close(self) -> None:
        self._connection.close()


def pages(run: Benchmark) -> Iterator[Row]:
    """Pages without changes beside a kept list, pages of a thousand with records, and a whole copy."""
    of = run.writable(run.small, "followed")
    with run.running(kalends(of.folder)) as ours:
        # The calendars of the benchmark are written without changes, so those are made here.
        import_events(ours, run.token(of), run.effort.of(FOLLOWED, 20), CLIENTS, "Followed")
        follower = Follower(ours)
        copied, taken = 0, 0.0
        since, places = "", list[str]()
        while True:
            page, milliseconds = follower.page(f"limit={PAGE}&include=records&expand=events{since}")
            copied, taken = copied + len(page["changes"]), taken + milliseconds
            since = f"&since={page['next']}"
            places.append(page["next"])
            if not page["more"]:
                break
        # Each page once, as one that was asked for before may have been kept.
        full = [follower.page(f"limit={PAGE}&include=records&since={place}") for place in places[:-2][:PAGES]]
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
        middle = median(milliseconds for _, milliseconds in full)
        yield Row(
            f"{len(full[0][0]['changes']):,} changes with records",
            f"{', '.join(f'{one:.0f}' for _, one in full)} ms",
            f"{middle:.0f} ms",
            "≤ 40 ms",
            middle <= 40,
        )
    yield Row(
        f"a copy of {copied:,} records from nothing, one client",
        f"{taken / 1000:.1f} s in {len(places)} pages",
        f"{copied / taken * 1000:,.0f} records/s",
    )


def webhooks(run: Benchmark) -> Iterator[Row]:
    """One client that creates events, with and without twenty webhooks that tell of them, in turns."""
    without, told = run.copy(run.small, "no-webhooks"), run.copy(run.small, "webhooks")
    found: dict[str, list[Load]] = {"without": [], "with": []}
    with receiving() as (address, messages):
        _add_webhooks(told, address)
        plain, telling = kalends(without.folder), kalends(told.folder)
        settings = {f"KALENDS_{name.upper()}": value for name, value in RECEIVING.items()}
        telling = replace(telling, environment={**telling.environment, **settings})
        with run.running(plain) as one, run.running(telling) as other:
            for turn in range(run.effort.rounds):
                for name, served, of in (("without", one, without), ("with", other, told)):
                    headers = {"Authorization": f"Bearer {run.token(of)}"}
                    found[name].append(
                        run.load(f"{served.base}/events", creating=f"Day {turn}", headers=headers, connections=1)
                    )
    alone, beside = Loads(found["without"]), Loads(found["with"])
    ratio = beside.p50 / alone.p50
    yield Row(
        f"creates, one client, with {HOOKS} webhooks",
        f"p50 {beside.p50:.2f} ms; without {alone.p50:.2f} ms; {len(messages):,} messages",
        f"{ratio:.2f} × as long",
        "≤ 1.1 ×",
        ratio <= 1.1,
    )


def _add_webhooks(of: Sample, address: str) -> None:
    calendar = make_calendar(load(of.folder, RECEIVING, {}))
    with calendar.writing(SERVICE) as work:
        for number in range(HOOKS):
            operations.create(work, {"url": f"{address}{number}"}, None)
    calendar.store.close()


@contextmanager
def receiving() -> Iterator[tuple[str, list[int]]]:
    """A receiver of messages on this machine, and the size of each that came."""
    messages: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            messages.append(len(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", messages
    finally:
        server.shutdown()
        server.server_close()
