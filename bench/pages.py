"""What a page of the calendar costs beside the JSON list of the same events: the time to its first byte.

A month that has about a thousand events, and the list of what comes, out of a hundred thousand. Page and list are
asked in turn, so that whatever else the machine does falls on both. Each is worked out anew, and then once more from
the memory of ready answers.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from wsgiref.util import setup_testing_defaults

import msgspec

from data import NOW, sample
from kalends.pages import calendar_days
from kalends.pages.calendar_views import PER_PAGE
from kalends.server.app import make_app, make_calendar
from kalends.settings import load

NAMESPACE = "/api/calendar/events/v1"
CLOCKS = {"wall": time.perf_counter, "cpu": time.thread_time}
MOST = 1000  # the largest `per_page` that a service can be set to
MONTHS = [date(year, month, 1) for year in range(2021, 2029) for month in range(1, 13)]
TARGET = 5


@dataclass(frozen=True)
class Pair:
    """A page and the list of the same events."""

    name: str
    page: str
    list: str
    events: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=100_000, help="how many events the calendar has")
    parser.add_argument("--rounds", type=int, default=60, help="how often each is asked")
    parser.add_argument("--clock", choices=CLOCKS, default="wall", help="what passes for a request, or what it works")
    chosen = parser.parse_args()
    folder = sample(chosen.events).folder
    print("| milliseconds to the first byte, p50 / p99 | events | page | list | × |\n|---|--:|--:|--:|--:|")
    for kept, settings in (("", {"cache_size": "0"}), (", answer still in memory", {})):
        given = {"timezone": "America/New_York", "max_per_page": str(MOST)} | settings
        calendar = make_calendar(load(folder, given, {}), lambda: NOW)
        app = make_app(calendar)
        for pair in pairs(app):
            taken = measure(app, pair, chosen.rounds, CLOCKS[chosen.clock])
            print(row(pair.name + kept, pair.events, *taken), flush=True)
        calendar.store.close()


def pairs(app: Any) -> list[Pair]:
    """The fullest month that a list can hold, and the first page of what comes."""
    months = {month: total(app, of_month(month)) for month in MONTHS}
    month = max((month for month in MONTHS if months[month] <= MOST), key=lambda month: months[month])
    upcoming = f"/events?ends_after={NOW.date() - timedelta(days=1)}&per_page={PER_PAGE}"
    return [
        Pair("the month page", f"/events/month/{month:%Y-%m}", of_month(month), months[month]),
        Pair("the list page", "/events/list", NAMESPACE + upcoming, PER_PAGE),
    ]


def of_month(month: date) -> str:
    """The list of all that touches a day of the month's grid."""
    weeks = calendar_days.weeks(calendar_days.period("month", month, "en"), "en")
    before, last = weeks[0][0] - timedelta(days=1), weeks[-1][-1]
    return f"{NAMESPACE}/events?starts_before={last}&ends_after={before}&per_page={MOST}"


def measure(app: Any, pair: Pair, rounds: int, clock: Callable[[], float]) -> tuple[list[float], list[float]]:
    """Milliseconds of the page and of the list, in turn."""
    taken: tuple[list[float], list[float]] = [], []
    for _ in range(rounds + 1):
        for found, path in zip(taken, (pair.page, pair.list), strict=True):
            begun = clock()
            ask(app, path)
            found.append((clock() - begun) * 1000)
    return taken[0][1:], taken[1][1:]  # the first of each warms up


def row(name: str, events: int, page: list[float], listed: list[float]) -> str:
    ratio = statistics.median(page) / statistics.median(listed)
    mark = "" if ratio <= TARGET else " (!)"
    cells = (f"{statistics.median(one):.2f} / {sorted(one)[int(len(one) * 0.99)]:.2f}" for one in (page, listed))
    return f"| {name} | {events:,} | {' | '.join(cells)} | {ratio:.2f}{mark} |"


def total(app: Any, path: str) -> int:
    answer: dict[str, Any] = msgspec.json.decode(ask(app, path.replace(f"per_page={MOST}", "per_page=1")))
    return int(answer["total"])


def ask(app: Any, path: str) -> bytes:
    """The first piece of the answer to a GET, which of these answers is the whole."""
    path, _, query = path.partition("?")
    told: list[str] = []
    environ: dict[str, Any] = {"PATH_INFO": path, "QUERY_STRING": query, "REMOTE_ADDR": "127.0.0.1"}
    setup_testing_defaults(environ)
    first: bytes = next(iter(app(environ, lambda status, *_: told.append(status))))
    if told[-1] != "200 OK":
        raise RuntimeError(f"{path}?{query}: {told[-1]} {first[:300]!r}")
    return first


if __name__ == "__main__":
    main()
