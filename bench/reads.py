"""Measurements of reads: kept and not kept, beside the bare server, an earlier version and common frameworks."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from statistics import median

import postgresql
from benchmark import Benchmark
from data import COMMON, RARE, Sample
from load import Load, Loads
from paths import DECADE, mixed_lists, other_dates, place_of_a_venue, random_events
from recording import check_status, etag, json_of
from servers import Running, kalends
from table import Row, compared

COMPARED_TOTALS = 50
FILTERED_MILLISECONDS = 30  # at most, of a calendar of a million


def repeated(run: Benchmark) -> Iterator[Row]:
    """The default list, repeated: a kept response. A quick run compares the frameworks by their dates only."""
    with ExitStack() as stack:
        servers = run.side_by_side(stack, ["/events"], "repeated", frameworks=not run.effort.quick)
        found = run.interleaved(servers, run.asking_for())
    yield from compared(found, "default list, repeated", {"bare server": 0.85})


def not_modified(run: Benchmark) -> Iterator[Row]:
    """The default list for a client that has it already: 304."""
    with ExitStack() as stack:
        servers = run.side_by_side(stack, ["/events"], "not_modified", frameworks=False)
        known = {one.name: {"If-None-Match": etag(f"{one.base}/events")} for one in servers}
        for one in servers:
            check_status(f"{one.base}/events", known[one.name], 304)
        found = run.interleaved(servers, lambda one, _: run.load(f"{one.base}/events", headers=known[one.name]))
    yield from compared(found, "304 for a matching ETag", {"bare server": 0.8})


def mixed(run: Benchmark) -> Iterator[Row]:
    """Lists of which no two are the same and every parameter varies."""
    paths = mixed_lists(run.medium, run.paths)
    yield from _not_kept(run, paths, "mixed", "list not kept, mixed", frameworks=False)


def dates(run: Benchmark) -> Iterator[Row]:
    """Lists that differ in their dates only, which the frameworks answer, too."""
    yield from _not_kept(run, list(other_dates(count=run.paths)), "dates", "list not kept, another start date")


def _not_kept(
    run: Benchmark, paths: Sequence[str], name: str, what: str, *, frameworks: bool = True
) -> Iterator[Row]:
    with ExitStack() as stack:
        started = run.side_by_side(stack, paths, name, frameworks=frameworks)
        found = run.interleaved(started, run.asking_in_turn(paths))
        yield from compared(found, f"{what}, {run.medium.events:,} events", {"bare server": 0.12, "before": 1.3})
        if run.before:
            differing = _differing_totals(started[0], started[1], paths[-COMPARED_TOTALS:])
            yield Row(
                "— totals that differ from before", f"{differing} of {COMPARED_TOTALS} lists", met=not differing
            )


def _differing_totals(ours: Running, before: Running, paths: Sequence[str]) -> int:
    """How many totals differ: a version with other results cannot be compared."""
    return sum(json_of(ours.base + path)["total"] != json_of(before.base + path)["total"] for path in paths)


def events(run: Benchmark) -> Iterator[Row]:
    paths = random_events(run.medium)
    with ExitStack() as stack:
        servers = run.side_by_side(stack, paths, "events", frameworks=not run.effort.quick)
        found = run.interleaved(servers, run.asking_in_turn(paths))
    yield from compared(found, "one event, random", {"bare server": 0.25})


def on_postgresql(run: Benchmark) -> Iterator[Row]:
    """The same calendar on both databases: the kept list, and the time of one that is not kept in round trips."""
    if run.in_postgresql is None:
        return
    of, address = run.in_postgresql
    with ExitStack() as stack:
        embedded = kalends(of.folder, name="Kalends on SQLite")
        there = kalends(of.folder, name="Kalends on PostgreSQL", database=address)
        servers = run.start(stack, there, embedded)
        found = run.interleaved(servers, run.asking_for())
        ours, other = found.values()
        ratio = ours.rate / other.rate
        yield Row(
            f"PostgreSQL: default list, repeated, {of.events:,} events",
            f"{ours.rate:,.0f}/s, on SQLite {other.rate:,.0f}/s",
            f"{ratio:.0%} of it",
            "≥ 60%",
            ratio >= 0.6,
        )
        yield _round_trips(run, servers, address, list(other_dates(count=run.paths)), "another start date", 6)
        if not run.effort.quick:
            yield _round_trips(run, servers, address, mixed_lists(of, run.paths), "mixed", None)


def _round_trips(
    run: Benchmark, servers: Sequence[Running], address: str, paths: Sequence[str], what: str, most: float | None
) -> Row:
    """One client. Python's part is the same on both and cancels out; what a database needs for a query does not."""
    taken: list[float] = []

    def ask(one: Running, turn: int) -> Load:
        taken.append(postgresql.round_trip(address))
        return in_turn(one, turn)

    in_turn = run.asking_in_turn(paths, connections=1)
    ours, other = run.interleaved(servers, ask).values()
    trip = median(taken)
    above = (ours.p50 - other.p50) / trip
    return Row(
        f"PostgreSQL: list not kept, {what}, one client, above SQLite",
        f"p50 {ours.p50:.2f} ms, on SQLite {other.p50:.2f} ms; a round trip {trip:.3f} ms",
        f"{above:.1f} round trips",
        "" if most is None else f"≤ {most:g}",
        None if most is None else above <= most,
    )


def sizes(run: Benchmark) -> Iterator[Row]:
    """Lists that must cost the same whatever the size of the calendar; in a quick run every second of them."""
    few, many = run.small, run.largest
    last = run.effort.of(500, 3, 100)
    with ExitStack() as stack:
        servers = run.start(stack, *(kalends(of.folder, name=f"{of.events:,}", cache_size="0") for of in (few, many)))
        of_server = dict(zip((one.name for one in servers), (few, many), strict=True))
        for what in list(_sized(few, last))[:: run.effort.of(1, 1, 2)]:
            found = run.interleaved(
                servers,
                lambda one, _, what=what: run.load(one.base + _sized(of_server[one.name], last)[what]),
            )
            less, more = found.values()
            ratio = more.p50 / less.p50
            yield Row(
                f"{many.events:,} against {few.events:,} events: {what}",
                f"p50 {more.p50:.2f} ms against {less.p50:.2f} ms, p99 {more.p99:.2f} against {less.p99:.2f}",
                f"{ratio:.2f} ×",
                "≤ 1.5 ×",
                ratio <= 1.5,
            )


def _sized(of: Sample, last: int) -> dict[str, str]:
    return {
        "default list, not kept": "/events",
        "by category": f"/events?categories={of.category}",
        "by venue": f"/events?venue={of.venue}",
        "one event": f"/events/{of.event}",
        f"page {last}": f"/events?{DECADE}&page={last}",
    }


def filtered(run: Benchmark) -> Iterator[Row]:
    """Lists whose cost grows with something, in the largest calendar and in a small one: one client, nothing kept;
    in a quick run every second of them."""
    few, many = run.small, run.largest
    with ExitStack() as stack:
        servers = run.start(stack, *(kalends(of.folder, name=f"{of.events:,}", cache_size="0") for of in (few, many)))
        of_server = dict(zip((one.name for one in servers), (few, many), strict=True))
        for what in list(_filters(few))[:: run.effort.of(1, 1, 2)]:

            def ask(one: Running, _: int, what: str = what) -> Load:
                of = of_server[one.name]
                headers = {"Authorization": f"Bearer {run.token(of)}"} if what.startswith("an editor") else {}
                return run.load(one.base + _filters(of)[what], connections=1, headers=headers)

            less, more = run.interleaved(servers, ask).values()
            yield Row(
                f"{many.events:,} events: {what}",
                f"p50 {more.p50:.2f} ms, p99 {more.p99:.2f} ms; of {few.events:,} p50 {less.p50:.2f} ms",
                f"{more.p50:.1f} ms",
                f"≤ {FILTERED_MILLISECONDS} ms",
                more.p50 <= FILTERED_MILLISECONDS,
            )


def _filters(of: Sample) -> dict[str, str]:
    around = "geoloc_lat={:.4f}&geoloc_lng={:.4f}&geoloc_radius=50".format(*place_of_a_venue(of))
    return {
        "a category and a venue": f"/events?categories={of.category}&venue={of.venue}",
        "— of ten years": f"/events?categories={of.category}&venue={of.venue}&{DECADE}",
        "an area of 50 km around a venue": f"/events?{around}",
        "an editor's list": "/events",
        "an editor's list of ten years": f"/events?{DECADE}",
        "a common word": f"/events?search={COMMON}",
    }


def searches(run: Benchmark) -> Iterator[Row]:
    """One client that searches."""
    with run.running(kalends(run.medium.folder, cache_size="0")) as ours:
        for what, query, most in (
            ("a rare word", f"search={RARE}&{DECADE}", 3),
            ("a common word", f"search={COMMON}", 15),
        ):
            address = f"{ours.base}/events?{query}"
            found = Loads([run.load(address, connections=1) for _ in range(run.effort.rounds)])
            yield Row(
                f"search in {run.medium.events:,} events: {what}, one client",
                f"p50 {found.p50:.2f} ms, p99 {found.p99:.2f} ms",
                f"{found.p50:.1f} ms",
                f"≤ {most} ms",
                found.p50 <= most,
            )


def on_disk(run: Benchmark) -> Iterator[Row]:
    """Records, their prerendered JSON and all indexes."""
    of = run.made(run.effort.medium)
    bytes_each = sum(file.stat().st_size for file in of.folder.glob("kalends.db*")) / of.events
    yield Row(
        f"on disk for each event, {of.events:,} events: SQLite",
        "",
        f"{bytes_each / 1000:.1f} KB",
        "≤ 6 KB",
        bytes_each <= 6000,
    )
    if run.in_postgresql is not None:
        of, address = run.in_postgresql
        yield Row(f"— PostgreSQL, {of.events:,} events", "", f"{postgresql.size(address) / of.events / 1000:.1f} KB")


def start_and_memory(run: Benchmark) -> Iterator[Row]:
    of = run.largest
    with run.running(kalends(of.folder)) as ours:
        yield Row(
            f"start to first list, {of.events:,} events", "", f"{ours.seconds:.2f} s", "< 1 s", ours.seconds < 1
        )
        run.load(f"{ours.base}/events")
        run.load(ours.base, paths=run.written(ours, other_dates(count=run.paths)))
        memory = ours.worker_memory()
        yield Row("memory of a worker after that load", "", f"{memory:.0f} MB", "< 150 MB", memory < 150)
