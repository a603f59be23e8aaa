"""Where the processor time of a request goes: `python bench/stages.py`, a table by stage for each kind of request.

The application is called in this process, without a server and a network, on a calendar of a few thousand events.
Time is processor time, the best of some rounds, since other work on the machine only ever adds to it. How it is
shared among the stages comes from the profiler, which makes calls dearer than they are; the number of calls is exact,
and the same on every machine."""

import argparse
import cProfile
import io
import json
import pstats
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import kalends_command  # this tree comes first
from data import SITE, Sample, describe, sample
from kalends.application import make_app
from kalends.bootstrap import collect_garbage_rarely, make_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import tokens, users
from kalends.settings import load
from paths import mixed_lists, other_dates, random_events

EVENTS, REQUESTS, ROUNDS = 2_000, 200, 7
ROOT = "/api/calendar/events/v1"
# The first that a file's path contains, after `kalends/`; what is none of ours is "libraries".
STAGES = {
    "server/cache/": "response cache",
    "server/middleware/": "middleware",
    "server/metrics/": "middleware",
    "server/": "handlers, headers",
    "wordpress/": "WordPress",
    "contract/": "parameters",
    "calendar/": "rules, rights",
    "store/": "store",
    "present/": "JSON",
    "values/": "values",
}
FRAMEWORK, DATABASE, LIBRARIES = "framework", "database", "libraries"
DATABASE_CALLS = ("sqlite3.",)


@dataclass(frozen=True)
class Request:
    """One call of the application."""

    path: str
    body: bytes = b""
    token: str = ""

    def environ(self) -> dict[str, Any]:
        path, _, query = self.path.partition("?")
        environ = {
            "REQUEST_METHOD": "POST" if self.body else "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": ROOT + path,
            "QUERY_STRING": query,
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "127.0.0.1",
            "HTTP_ACCEPT": "*/*",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_LENGTH": str(len(self.body)),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(self.body),
            "wsgi.errors": sys.stderr,
        }
        if self.body:
            environ["CONTENT_TYPE"] = "application/json"
        if self.token:
            environ["HTTP_AUTHORIZATION"] = f"Bearer {self.token}"
        return environ


@dataclass(frozen=True)
class Profile:
    microseconds: float  # of processor time, for one request
    calls: float
    shares: dict[str, float]  # of each stage


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=EVENTS, help="how large the calendar is")
    parser.add_argument("--requests", type=int, default=REQUESTS, help="how many each round sends")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of which the best counts")
    parser.add_argument("--only", action="append", default=[], help="a kind of request; may be repeated")
    parser.add_argument("--functions", type=int, default=0, help="also print so many functions, the dearest first")
    chosen = parser.parse_args()
    with application(chosen.events) as (app, of, token):
        found = {}
        for name, requests in kinds(of, token).items():
            if not chosen.only or name in chosen.only:
                found[name] = profile(app, requests, chosen.requests, chosen.rounds, chosen.functions)
    for line in table(found):
        print(line)
    return 0


@contextmanager
def application(events: int) -> Iterator[tuple[Callable[..., Any], Sample, str]]:
    """On a copy of the calendar, so that creates leave nothing behind."""
    with tempfile.TemporaryDirectory(prefix="kalends-stages-") as folder:
        shutil.copytree(sample(events).folder, Path(folder) / "calendar")
        of = describe(Path(folder) / "calendar", events)
        calendar = make_calendar(load(of.folder, SITE, {}))
        with calendar.writing(SERVICE) as work:
            token, _ = tokens.add_token(work, users.find_user_by_name(work, kalends_command.USER), "stages")
        collect_garbage_rarely()
        yield make_app(calendar).wsgi, of, token
        calendar.store.close()


def kinds(of: Sample, token: str) -> dict[str, Iterator[Request]]:
    """What is measured. Of those that are not kept, no two requests are the same."""
    number = count()

    def create() -> Request:
        event = {"title": f"An evening {next(number)}", "description": "In the town hall.", "status": "publish"}
        event |= {"start_date": "2027-03-01 19:00:00", "end_date": "2027-03-01 21:00:00"}
        return Request("/events", json.dumps(event).encode(), token)

    return {
        "kept list": (Request("/events") for _ in count()),
        "one event": map(Request, random_events(of)),
        "list by dates": map(Request, other_dates()),
        "mixed lists": map(Request, mixed_lists(of, 20_000)),
        "create": (create() for _ in count()),
    }


def profile(
    app: Callable[..., Any], requests: Iterator[Request], each: int, rounds: int, functions: int = 0
) -> Profile:
    def ask(some: Sequence[dict[str, Any]]) -> None:
        for environ in some:
            status = ""

            def start_response(given: str, headers: list[tuple[str, str]], error: Any = None) -> None:
                nonlocal status
                status = given

            response = app(environ, start_response)
            b"".join(response)
            if hasattr(response, "close"):
                response.close()
            if not status.startswith("2"):
                raise RuntimeError(f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}: {status}")

    def some() -> list[dict[str, Any]]:
        return [next(requests).environ() for _ in range(each)]

    ask(some())  # everything is imported and opened
    best = float("inf")
    for _ in range(rounds):
        asked = some()
        begun = time.thread_time()
        ask(asked)
        best = min(best, (time.thread_time() - begun) / each)
    profiler = cProfile.Profile(time.thread_time)
    asked = some()
    profiler.enable()
    ask(asked)
    profiler.disable()
    stats = pstats.Stats(profiler)
    if functions:
        stats.sort_stats("tottime").print_stats(functions)
    return Profile(best * 1e6, stats.total_calls / each, shares(stats))  # type: ignore[attr-defined]


def shares(stats: pstats.Stats) -> dict[str, float]:
    """The part of each stage. What is built into Python belongs to the stage that calls it, but for the database."""
    spent: Counter[str] = Counter()
    for (file, _, name), (_, _, own, _, callers) in stats.stats.items():  # type: ignore[attr-defined]
        if any(part in name for part in DATABASE_CALLS):
            spent[DATABASE] += own
        elif file == "~":
            for (calling, _, _), (_, _, part, _) in callers.items():
                spent[stage(calling)] += part
        else:
            spent[stage(file)] += own
    total = sum(spent.values())
    return {name: part / total for name, part in spent.items()}


def stage(file: str) -> str:
    inside = file.rpartition("/kalends/")[2] if "/src/kalends/" in file else ""
    if "/falcon/" in file:
        return FRAMEWORK
    return next((name for part, name in STAGES.items() if inside.startswith(part)), LIBRARIES)


def table(found: dict[str, Profile]) -> Iterator[str]:
    """Microseconds of each stage, and calls of functions."""
    yield f"| stage (µs of processor time) | {' | '.join(found)} |"
    yield f"|---|{'--:|' * len(found)}"
    for name in dict.fromkeys((*STAGES.values(), DATABASE, FRAMEWORK, LIBRARIES)):
        parts = [f"{one.microseconds * one.shares.get(name, 0):.0f}" for one in found.values()]
        yield f"| {name} | {' | '.join(parts)} |"
    yield f"| **all** | {' | '.join(f'**{one.microseconds:.0f}**' for one in found.values())} |"
    yield f"| calls of functions | {' | '.join(f'{one.calls:.0f}' for one in found.values())} |"


if __name__ == "__main__":
    sys.exit(main())
