"""Where the processor time of a request goes: `python bench/stages.py`, a table by stage for each kind of request.

The application is called in this process, without a server and a network, on a calendar of a few thousand events.
Time is processor time, the best of some rounds, since other work on the machine only ever adds to it. How it is
shared among the stages comes from the profiler, which makes calls dearer than they are; the number of calls is exact,
and the same on every machine."""

import argparse
import cProfile
import json
import pstats
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import kalends_command  # this tree comes first
from data import SITE, Sample, describe, sample
from inline_worker import Environ, ask, environ
from kalends.bootstrap import collect_garbage_rarely, make_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import credentials, users
from kalends.settings import load
from kalends.worker import make_app
from paths import mixed_lists, other_dates, random_events

EVENTS, REQUESTS, ROUNDS = 2_000, 200, 7
# Calls of functions for one request, also those that are built into Python. Beyond that, the command ends with 1.
BUDGETS = {"kept list": 26, "one event": 220, "list by dates": 425, "mixed lists": 610, "create": 1160}
# The first that a file's path contains, after `kalends/`; what is none of ours is "libraries".
STAGES = {
    "features/wordpress/": "WordPress",
    "http/cache/": "response cache",
    "http/middleware/": "middleware",
    "http/metrics/": "middleware",
    "http/": "handlers, headers",
    "contract/": "parameters",
    "calendar/": "rules, rights",
    "store/": "store",
    "present/": "JSON",
    "values/": "values",
}
FRAMEWORK, DATABASE, LIBRARIES = "framework", "database", "libraries"
DATABASE_CALLS = ("sqlite3.",)


@dataclass(frozen=True)
class Profile:
    microseconds: float  # of processor time, for one request
    calls: float
    stages: dict[str, tuple[float, float]]  # the share of each, and its calls


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=EVENTS, help="how large the calendar is")
    parser.add_argument("--requests", type=int, default=REQUESTS, help="how many each round sends")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of which the best counts")
    parser.add_argument("--only", action="append", default=[], help="a kind of request; may be repeated")
    parser.add_argument("--functions", type=int, default=0, help="also print so many functions, the dearest first")
    chosen = parser.parse_args()
    # No two requests are the same, so a small calendar has events for small rounds only.
    each = min(chosen.requests, chosen.events // 2 // (chosen.rounds + 2))
    with application(chosen.events) as (app, of, token):
        found = {}
        for name, requests in kinds(of, token).items():
            if not chosen.only or name in chosen.only:
                found[name] = profile(app, requests, each, chosen.rounds, chosen.functions)
    for line in table(found):
        print(line)
    return int(any(one.calls > BUDGETS[name] for name, one in found.items()))


@contextmanager
def application(events: int) -> Iterator[tuple[Callable[..., Any], Sample, str]]:
    """On a copy of the calendar, so that creates leave nothing behind."""
    with tempfile.TemporaryDirectory(prefix="kalends-stages-") as folder:
        shutil.copytree(sample(events).folder, Path(folder) / "calendar")
        of = describe(Path(folder) / "calendar", events)
        calendar = make_calendar(load(of.folder, SITE, {}))
        with calendar.writing(SERVICE) as work:
            token, _ = credentials.add_token(work, users.find_user_by_name(work, kalends_command.USER), "stages")
        collect_garbage_rarely()
        yield make_app(calendar).wsgi, of, token
        calendar.store.close()


def kinds(of: Sample, token: str) -> dict[str, Iterator[Environ]]:
    """What is measured. Of those that are not kept, no two requests are the same."""
    number = count()

    def create() -> Environ:
        event = {"title": f"An evening {next(number)}", "description": "In the town hall.", "status": "publish"}
        event |= {"start_date": "2027-03-01 19:00:00", "end_date": "2027-03-01 21:00:00"}
        return environ("/events", json.dumps(event), token)

    return {
        "kept list": (environ("/events") for _ in count()),
        "one event": map(environ, random_events(of)),
        "list by dates": map(environ, other_dates()),
        "mixed lists": map(environ, mixed_lists(of, 20_000)),
        "create": (create() for _ in count()),
    }


def profile(
    app: Callable[..., Any], requests: Iterator[Environ], each: int, rounds: int, functions: int = 0
) -> Profile:
    def some() -> list[dict[str, Any]]:
        return [next(requests) for _ in range(each)]

    ask(app, some())  # everything is imported and opened
    best = float("inf")
    for _ in range(rounds):
        asked = some()
        begun = time.thread_time()
        ask(app, asked)
        best = min(best, (time.thread_time() - begun) / each)
    profiler = cProfile.Profile(time.thread_time)
    asked = some()
    profiler.enable()
    ask(app, asked)
    profiler.disable()
    stats = pstats.Stats(profiler)
    if functions:
        stats.sort_stats("tottime").print_stats(functions)
    return Profile(best * 1e6, stats.total_calls / each, by_stage(stats, each))  # type: ignore[attr-defined]


def by_stage(stats: pstats.Stats, requests: int) -> dict[str, tuple[float, float]]:
    """The part and the calls of each stage. What is built into Python belongs to the stage that calls it, but for the
    database."""
    spent: Counter[str] = Counter()
    called: Counter[str] = Counter()
    for (file, _, name), (_, calls, own, _, callers) in stats.stats.items():  # type: ignore[attr-defined]
        if any(part in name for part in DATABASE_CALLS):
            spent[DATABASE] += own
            called[DATABASE] += calls
        elif file == "~":
            for (calling, _, _), (_, calls, part, _) in callers.items():
                spent[stage(calling)] += part
                called[stage(calling)] += calls
        else:
            spent[stage(file)] += own
            called[stage(file)] += calls
    total = sum(spent.values())
    return {name: (part / total, called[name] / requests) for name, part in spent.items()}


def stage(file: str) -> str:
    inside = file.rpartition("/kalends/")[2] if "/src/kalends/" in file else ""
    if "/falcon/" in file:
        return FRAMEWORK
    return next((name for part, name in STAGES.items() if inside.startswith(part)), LIBRARIES)


def table(found: dict[str, Profile]) -> Iterator[str]:
    """Microseconds of each stage, and calls of functions."""
    yield f"| stage: µs of processor time, calls | {' | '.join(found)} |"
    yield f"|---|{'--:|' * len(found)}"
    for name in dict.fromkeys((*STAGES.values(), DATABASE, FRAMEWORK, LIBRARIES)):
        parts = [(one.microseconds, *one.stages.get(name, (0.0, 0.0))) for one in found.values()]
        yield f"| {name} | {' | '.join(f'{all * share:.0f}, {calls:.0f}' for all, share, calls in parts)} |"
    yield f"| **all** | {' | '.join(f'**{one.microseconds:.0f}, {one.calls:.0f}**' for one in found.values())} |"
    yield f"| budget of calls | {' | '.join(str(BUDGETS[name]) for name in found)} |"


if __name__ == "__main__":
    sys.exit(main())
