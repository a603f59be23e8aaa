"""The prices of anonymous reads that are not kept: processor time of each, measured by calling the application of a
worker in this process, so that neither the network nor another process is counted; and those of an earlier version,
measured the same way on the same machine.

    python bench/prices.py [--events 20000] [--rounds 3] [--before f0d627b]

Each address is asked for with nothing kept, and then once more at the same revision of the calendar. What a worker
imports and compiles once is not counted: others of the same kind are asked for before.
"""

import argparse
import io
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from data import NOW, SITE, sample
from kalends.bootstrap import make_calendar
from kalends.settings import load

try:
    from kalends.worker import make_app
except ModuleNotFoundError:  # an earlier version
    from kalends.application import make_app  # type: ignore[attr-defined,no-redef]

EARLIER = "f0d627b"  # before feeds were joined from fragments and work was admitted; a tenth of its prices is the aim
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
    "/qr.svg?path=/events/page/{number}/",
)
LONG = 4  # of these, which take seconds in the earlier version
WORKERS = 4  # of each process
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

Prices = Mapping[str, tuple[float, float]]  # milliseconds by address: not kept, and again


@contextmanager
def worker(events: int, number: int) -> Iterator[tuple[Callable[..., Any], dict[str, str]]]:
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
                "number": str(number),
            }
        yield make_app(calendar).wsgi, named
        calendar.store.close()


def price(app: Callable[..., Any], address: str) -> float:
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


def measure(events: int, *, is_earlier: bool) -> Prices:
    """Milliseconds of each address, not kept and again: the least of several workers, since other work of the machine
    only ever adds to it. What takes seconds is asked of one; the earlier version kept little."""
    found: dict[str, list[tuple[float, float]]] = {address: [] for address in ADDRESSES}
    for number in range(WORKERS):
        with worker(events, number) as (app, named):
            for address in SAME_KIND:
                price(app, address)
            for address in ADDRESSES if number == 0 else ADDRESSES[LONG:]:
                path = address.format(**named)
                found[address].append((1000 * price(app, path), 0.0 if is_earlier else 1000 * price(app, path)))
    return _least(found)


def _least(found: Mapping[str, Sequence[tuple[float, float]]]) -> Prices:
    return {
        address: (min(first for first, _ in pairs), min(again for _, again in pairs))
        for address, pairs in found.items()
    }


def compare(commit: str, events: int, rounds: int) -> tuple[Prices, Prices]:
    """The prices now and in an earlier version, which runs this file with its own modules. Each round is a new
    process of both, one after the other."""
    from before import checked_out  # here, since that version need not have it
    from kalends_command import CURRENT, Version

    def ask(version: Version, *more: str) -> dict[str, tuple[float, float]]:
        sent = ["prices", "--json", "--events", str(events), *more]
        code = f"import runpy, sys; sys.argv = {sent!r}; runpy.run_path({__file__!r}, run_name='__main__')"
        printed: dict[str, tuple[float, float]] = json.loads(version.python(code).splitlines()[-1])
        return printed

    with checked_out(commit) as earlier:
        found = [(ask(CURRENT), ask(earlier, "--earlier")) for _ in range(rounds)]
    now, before = [
        _least({address: [one[address] for one in each] for address in ADDRESSES})
        for each in zip(*found, strict=True)
    ]
    return now, before


def table(now: Prices, before: Prices) -> Iterator[str]:
    """The prices as lines of Markdown."""
    yield "| address | before | not kept | of before | a tenth | again |"
    yield "|---|--:|--:|--:|---|--:|"
    for address, (first, again) in now.items():
        earlier, _ = before[address]
        met = "yes" if first <= earlier / 10 else "no"
        share = f"{100 * first / earlier:.1f} %"
        yield f"| `{address}` | {earlier:,.0f} ms | {first:,.1f} ms | {share} | {met} | {again:.1f} ms |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=2, help="processes of each version")
    parser.add_argument("--before", default=EARLIER, help="the earlier version, a commit")
    parser.add_argument("--json", action="store_true", help="only of this version, for programs")
    parser.add_argument("--earlier", action="store_true", help="with --json: each is asked for once")
    options = parser.parse_args()
    if options.json:
        print(json.dumps(measure(options.events, is_earlier=options.earlier)))
        return
    for line in table(*compare(options.before, options.events, options.rounds)):
        print(line)


if __name__ == "__main__":
    main()
