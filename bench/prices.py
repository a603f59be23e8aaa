"""The prices of anonymous reads that are not kept: processor time of each, measured by calling the application of a
worker in this process, so that neither the network nor another process is counted.

    python bench/prices.py [--events 20000] [--rounds 3]

Each address is asked for with nothing kept, and then once more at the same revision of the calendar.
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

ADDRESSES = (
    "/events.ics",
    "/events/?ical=1",
    "/events/category/{category}.ics",
    "/venue/{venue}.ics",
    "/events.rss",
    "/events.json",
    "/api/calendar/events/v1/events?collapse=series",
    "/events/month/{month}/",
    "/events/",
    "/sitemap-event-0.xml",
    "/qr.svg?path=/events/",
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3, help="workers that each address is asked of")
    options = parser.parse_args()
    first: dict[str, list[float]] = {address: [] for address in ADDRESSES}
    again: dict[str, list[float]] = {address: [] for address in ADDRESSES}
    for _ in range(options.rounds):
        with worker(options.events) as (app, named):
            price(app, "/events/page/2/")  # what is imported and opened by the first request is not counted
            for address in ADDRESSES:
                first[address].append(price(app, address.format(**named)))
                again[address].append(price(app, address.format(**named)))
    print("| address | not kept | again |\n|---|---|---|")
    for address in ADDRESSES:
        print(f"| `{address}` | {1000 * median(first[address]):.1f} ms | {1000 * median(again[address]):.1f} ms |")


if __name__ == "__main__":
    main()
