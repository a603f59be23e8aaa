"""The prices of anonymous reads that are not kept: processor time of each, measured by calling the application of a
worker in this process, so that neither the network nor another process is counted.

    python bench/prices.py [--events 20000] [--rounds 3]

Each address is asked for with nothing kept, and then once more at the same revision of the calendar. What a worker
imports and compiles once is not counted: others of the same kind are asked for before.
"""

import argparse
import io
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from data import NOW, SITE, sample
from kalends.application import make_app
from kalends.bootstrap import make_calendar
from kalends.server.request_context import Application
from kalends.settings import load

# Milliseconds before feeds were joined from fragments and work was admitted; a tenth of each is the target.
BEFORE = {
    "/events.ics": 15_900.0,
    "/events/?ical=1": 5_100.0,
    "/events/category/{category}.ics": 2_600.0,
    "/venue/{venue}.ics": 1_000.0,
    "/events.rss": 190.0,
    "/events.json": 190.0,
    "/api/calendar/events/v1/events?collapse=series": 181.0,
    "/events/month/{month}/": 123.0,
    "/events/": 113.0,
    "/sitemap-event-0.xml": 108.0,
    "/qr.svg?path=/events/": 33.0,
}
SAME_KIND = (
    "/events/page/2/",
    "/events/month/2020-03/",
    "/events.ics?featured=true",
    "/events.rss?featured=true",
    "/events.json?featured=true",
    "/api/calendar/events/v1/events?collapse=series&per_page=1",
    "/sitemap-venue-0.xml",
    "/qr.svg?path=/",
)


@contextmanager
def worker(events: int) -> Iterator[tuple[Application, dict[str, str]]]:
    """The application of a worker over a copy of the calendar, and what addresses name."""
    found = sample(events)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        shutil.copytree(found.folder, data)
        calendar = make_calendar(load(data, SITE, {}))
        with calendar.store.read() as session:
            named = {
                "category": session.value("SELECT slug FROM category WHERE id = ?", (found.category,)),
                "venue": session.value("SELECT slug FROM venue WHERE id = ?", (found.venue,)),
                "month": f"{NOW:%Y-%m}",
            }
        yield make_app(calendar).wsgi, named
        calendar.store.close()


def price(app: Application, address: str) -> float:
    """Seconds of processor time of a request. Fails unless it is answered with 200."""
    path, _, query = address.partition("?")
    environ = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "calendar.test",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "calendar.test",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": io.StringIO(),
        "wsgi.version": (1, 0),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    statuses: list[str] = []
    begun = time.process_time()
    body = app(environ, lambda status, headers, *_: statuses.append(status))  # type: ignore[arg-type, return-value]
    for _ in body:
        pass
    if close := getattr(body, "close", None):
        close()
    taken = time.process_time() - begun
    if not statuses[-1].startswith("200"):
        raise SystemExit(f"{address}: {statuses[-1]}")
    return taken


def table(events: int, rounds: int) -> Iterator[str]:
    """The prices as lines of Markdown, medians of so many workers."""
    first: dict[str, list[float]] = {address: [] for address in BEFORE}
    again: dict[str, list[float]] = {address: [] for address in BEFORE}
    for _ in range(rounds):
        with worker(events) as (app, named):
            for address in SAME_KIND:
                price(app, address)
            for address in BEFORE:
                first[address].append(price(app, address.format(**named)))
                again[address].append(price(app, address.format(**named)))
    yield "| address | before | not kept | a tenth | met | again |"
    yield "|---|--:|--:|--:|---|--:|"
    for address, before in BEFORE.items():
        now, kept = 1000 * median(first[address]), 1000 * median(again[address])
        met = "yes" if now <= before / 10 else "no"
        yield f"| `{address}` | {before:,.0f} ms | {now:,.1f} ms | {before / 10:,.1f} ms | {met} | {kept:.1f} ms |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3, help="workers that each address is asked of")
    options = parser.parse_args()
    for line in table(options.events, options.rounds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
