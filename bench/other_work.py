"""Measurements of lists beside other work: writes, searches of many clients, slow requests, and prerendering."""

import itertools
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from benchmark import Benchmark
from clients import Readers, SteadyWriter
from data import COMMON, Sample
from load import Load, Loads
from paths import DECADE, coming_lists, common_searches, past_events
from servers import NAMESPACE, Running, kalends
from table import Row, shown

WRITES_A_SECOND = 50
SEARCHERS = 40
SLOW_CLIENTS = 10
ANOTHER_VERSION = "another"  # of fragments, that no code renders


def beside_writes(run: Benchmark) -> Iterator[Row]:
    """Updates of past events, which the default list does not show."""
    of = run.medium
    token = run.token(of)
    with run.running(kalends(of.folder)) as ours:
        writer = SteadyWriter(ours, token, past_events(of))
        alone, beside = _alone_and_beside(run, ours, lambda: writer.writing(WRITES_A_SECOND))
    ratio = beside.rate / alone.rate
    yield Row(
        f"default list, repeated, beside {WRITES_A_SECOND} writes a second ({writer.rate:.0f} done)",
        f"{shown(beside)}; without them {alone.rate:,.0f}/s",
        f"{ratio:.0%} of without",
        "≥ 70%",
        ratio >= 0.7,
    )


def beside_searches(run: Benchmark) -> Iterator[Row]:
    with run.running(kalends(run.medium.folder)) as ours:
        paths = (NAMESPACE + path for path in itertools.cycle(common_searches()))
        searchers = Readers(ours, SEARCHERS, paths)
        alone, beside = _alone_and_beside(run, ours, searchers.reading)
    total, refused = searchers.statuses.total(), searchers.statuses.total() - searchers.statuses[200]
    yield Row(
        f"{SEARCHERS} clients searching a common word, {run.medium.events:,} events",
        f"statuses: {searchers.summary()}",
        f"{refused / total:.0%} refused",
        "0% refused",
        refused == 0,
    )
    yield _slowed(alone, beside, "— a kept list beside them")


def beside_slow_requests(run: Benchmark) -> Iterator[Row]:
    """Searches for a phrase, which read the texts themselves, and exports of the whole calendar."""
    phrase = (f"{NAMESPACE}/events?search=%22e%20{COMMON}%22&{DECADE}&per_page={size}" for size in _page_sizes())
    paths = (path for pair in zip(phrase, itertools.repeat("/events.ics"), strict=False) for path in pair)
    with run.running(kalends(run.medium.folder)) as ours:
        slow = Readers(ours, SLOW_CLIENTS, paths)
        alone, beside = _alone_and_beside(run, ours, slow.reading)
    yield _slowed(alone, beside, f"a kept list beside {SLOW_CLIENTS} slow requests (statuses: {slow.summary()})")


def beside_prerendering(run: Benchmark) -> Iterator[Row]:
    """Lists of the coming weeks that are not kept, as soon as a new version serves a calendar whose fragments are all
    of an earlier one, beside the same lists when everything is rendered."""
    of = run.writable(run.small, "prerendering")
    paths, alone, beside, rendered = coming_lists(), [], [], 0
    for _ in range(run.effort.of(run.effort.rounds, 1, 1)):
        alone.append(_load_lists(run, of, paths))
        _make_outdated(of)
        beside.append(_load_lists(run, of, paths))
        rendered = max(rendered, of.events - _outdated(of))
    found = Loads(beside)
    ratio = found.p50 / Loads(alone).p50
    yield Row(
        f"list not kept while {of.events:,} events are rendered anew ({rendered:,} done)",
        f"{shown(found)}; alone p50 {Loads(alone).p50:.2f} ms",
        f"p50 {ratio:.2f} ×",
        "p50 ≤ 1.5 ×",
        ratio <= 1.5,
    )


def _load_lists(run: Benchmark, of: Sample, paths: list[str]) -> Load:
    """By a server that has just started."""
    with run.running(kalends(of.folder, cache_size="0")) as ours:
        return run.load(ours.base, paths=run.written(ours, paths))


def _make_outdated(of: Sample) -> None:
    with sqlite3.connect(of.folder / "kalends.db") as connection:
        connection.execute("UPDATE fragment SET render_version = ? WHERE render_version > ''", (ANOTHER_VERSION,))
        connection.execute("DELETE FROM site WHERE key = 'all_ready'")
    connection.close()


def _outdated(of: Sample) -> int:
    with sqlite3.connect(of.folder / "kalends.db") as connection:
        sql = "SELECT count(*) FROM fragment WHERE kind = 'event' AND render_version = ?"
        count: int = connection.execute(sql, (ANOTHER_VERSION,)).fetchone()[0]
    connection.close()
    return count


def _page_sizes() -> Iterator[int]:
    """Another list each time, so that none is kept."""
    return itertools.cycle(range(1, 51))


def _alone_and_beside(
    run: Benchmark, ours: Running, other_work: Callable[[], AbstractContextManager[None]]
) -> tuple[Loads, Loads]:
    """The default list in alternating rounds."""
    address, alone, beside = f"{ours.base}/events", [], []
    run.load(address, seconds=1)
    for _ in range(run.effort.rounds):
        alone.append(run.load(address))
        with other_work():
            beside.append(run.load(address))
        run.settle(ours)
    return Loads(alone), Loads(beside)


def _slowed(alone: Loads, beside: Loads, what: str) -> Row:
    ratio = beside.p50 / alone.p50
    return Row(
        what,
        f"{shown(beside)}; alone p50 {alone.p50:.2f} ms",
        f"p50 {ratio:.1f} ×",
        "p50 ≤ 2 ×",
        ratio <= 2,
    )
