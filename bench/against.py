"""Processor time of a request against that of an earlier version: `python bench/against.py COMMIT`.

Each version runs in a process of its own, called inline, without a server and a network; the same requests go to both
in alternating rounds, so that other work on the machine affects both alike. A figure is the best of many short
rounds, since other work only ever adds to it."""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from math import inf
from pathlib import Path

import before
from data import COMMON, FIRST_DAY, RARE, Sample, describe
from kalends_command import CURRENT, Version
from paths import mixed_lists, other_dates, random_events

EVENTS, REQUESTS, ROUNDS = 20_000, 20, 60
# How many times less processor time than f0d627b is asked for; the deep page is compared with the first one.
TARGETS = {"one event": 1.8, "list by dates": 1.6, "mixed lists": 1.4, "create": 1.4}
LAST_YEAR = 2030  # of the calendars
DEEP_PAGE, FIRST_PAGE, DEEPER_AT_MOST = "page 500", "page 1", 1.5

SEARCHES = {
    "a rare word": RARE,
    "a common word": COMMON,
    "a part of words": COMMON[:3],
    "two words": f"{COMMON[:4]}%20{RARE[:3]}",
    "in everything": f"{COMMON}&search_in=everything",
    "best first": f"{COMMON}&orderby=relevance",
    "a phrase": f"%22e%20{COMMON}%22",
}

Request = tuple[str, str]  # path and body


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", default="f0d627b", help="the earlier version")
    parser.add_argument("--events", type=int, default=EVENTS, help="how large the calendar is")
    parser.add_argument("--requests", type=int, default=REQUESTS, help="how many each round sends")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", action="append", default=[], help="a kind of request; may be repeated")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        old = stack.enter_context(before.checked_out(chosen.commit))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kalends-against-")))
        ask_now, of = stack.enter_context(_worker(CURRENT, folder / "now", chosen.events))
        ask_before, _ = stack.enter_context(_worker(old, folder / "before", chosen.events))
        found = {
            name: _alternating((ask_before, ask_now), requests, chosen.requests, chosen.rounds)
            for name, requests in _kinds(of).items()
            if not chosen.only or name in chosen.only
        }
    for line in _table(found):
        print(line)
    return 0


def _kinds(of: Sample) -> dict[str, Iterator[Request]]:
    """No two requests of a kind are the same."""
    number = count()

    def create() -> Request:
        event = {"title": f"An evening {next(number)}", "description": "In the town hall.", "status": "publish"}
        event |= {"start_date": "2027-03-01 19:00:00", "end_date": "2027-03-01 21:00:00"}
        return "/events", json.dumps(event)

    def reads(paths: Iterator[str]) -> Iterator[Request]:
        return ((path, "") for path in paths)

    def page(chosen: int) -> Iterator[str]:
        return (f"/events?start_date={FIRST_DAY}&end_date={LAST_YEAR + n}-12-31&page={chosen}" for n in count())

    return {
        "one event": reads(iter(random_events(of))),
        "list by dates": reads(iter(other_dates())),
        "mixed lists": reads(iter(mixed_lists(of, 20_000))),
        **{f"search, {name}": reads(iter(other_dates(f"&search={asked}"))) for name, asked in SEARCHES.items()},
        FIRST_PAGE: reads(page(1)),
        DEEP_PAGE: reads(page(500)),
        "create": (create() for _ in count()),
    }


def _alternating(
    versions: tuple[Callable[[list[Request]], float], ...], requests: Iterator[Request], each: int, rounds: int
) -> list[float]:
    """Seconds of a request of each version. The first round does not count: everything is imported and opened."""
    best = [inf] * len(versions)
    for turn in range(rounds + 1):
        asked = [next(requests) for _ in range(each)]
        for number, ask in [*enumerate(versions)][:: 1 if turn % 2 else -1]:
            taken = ask(asked)
            best[number] = min(best[number], taken) if turn else inf
    return best


@contextmanager
def _worker(version: Version, folder: Path, events: int) -> Iterator[tuple[Callable[[list[Request]], float], Sample]]:
    """A process with the application of that version over a copy of its calendar."""
    shutil.copytree(before.calendar(version, events), folder)
    script = str(Path(__file__).with_name("inline_worker.py"))
    with subprocess.Popen(
        (sys.executable, script, str(folder), version.token(folder)),
        env={"PATH": "/usr/bin:/bin", **version.environment, "PYTHONPATH": str(version.tree / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        def ask(requests: list[Request]) -> float:
            assert process.stdin
            assert process.stdout
            print(json.dumps(requests), file=process.stdin, flush=True)
            return float(process.stdout.readline())

        yield ask, describe(folder, events)
        assert process.stdin
        process.stdin.close()


def _table(found: dict[str, list[float]]) -> Iterator[str]:
    yield "| request | before | now | times less | target |"
    yield "|---|--:|--:|--:|--:|"
    for name, (old, new) in found.items():
        target = f"≥ {TARGETS[name]}" if name in TARGETS else ""
        yield f"| {name} | {1e6 * old:.0f} µs | {1e6 * new:.0f} µs | {old / new:.2f} × | {target} |"
    if FIRST_PAGE in found and DEEP_PAGE in found:
        (old, new), (old_deep, new_deep) = found[FIRST_PAGE], found[DEEP_PAGE]
        yield (
            f"| {DEEP_PAGE} beside {FIRST_PAGE} | {old_deep / old:.2f} × | {new_deep / new:.2f} × |"
            f" | ≤ {DEEPER_AT_MOST} × |"
        )


if __name__ == "__main__":
    sys.exit(main())
