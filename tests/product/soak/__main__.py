"""Runs the soak.

    python -m tests.product.soak --minutes 30 --seed 1

Half of the time each for two workers on SQLite and for two nodes on PostgreSQL with a replica. Two thirds of that
with chaos; then everything is started again, and the load alone goes on, so that memory and files can be compared.
"""

import argparse
import sys
import threading
import time

from tests.postgresql_programs import missing
from tests.product.soak import checks
from tests.product.soak.actors.actor import Actor
from tests.product.soak.actors.exports import Exporter, Unread
from tests.product.soak.actors.mute import Silent, SlowWriter
from tests.product.soak.actors.readers import Reader, Searcher
from tests.product.soak.actors.uploads import Uploader
from tests.product.soak.actors.writers import Writer
from tests.product.soak.chaos import Chaos
from tests.product.soak.results import Results
from tests.product.soak.setups import KINDS, Setup, running

ACTORS: dict[type[Actor], int] = {
    Reader: 4,
    Writer: 4,
    Searcher: 1,
    Uploader: 1,
    Exporter: 2,
    Unread: 1,
    SlowWriter: 4,
    Silent: 1,
}
WITH_CHAOS = 0.66
WARM_UP = 0.5  # of the time without chaos, before memory is measured: caches and pools fill up first


def soak(kind: str, seconds: float, seed: int) -> bool:
    print(f"{kind}: {seconds / 60:.1f} minutes, seed {seed}", flush=True)
    with running(kind) as setup:
        token = setup.token()
        results = Results()
        if not setup.disk.can_fill:
            print("the disk is not filled up: that needs the right to mount a file system", flush=True)
        writers = with_chaos(setup, seconds * WITH_CHAOS, seed, token, results)
        for server in setup.servers:
            server.kill()
            server.start()
        writers += steady(setup, seconds * (1 - WITH_CHAOS), seed + 1, token, results)
        count = checks.acknowledged(writers, setup.servers, results)
        took = max(server.stop() for server in setup.servers)
        checks.store(setup, results)
        checks.logs(setup.servers, results)
    if took > 12:
        results.fail(f"the service took {took:.0f} s to stop")
    print(f"chaos: {dict(sorted(results.chaos.items()))}")
    print(f"answers: {dict(sorted(results.statuses.items()))}")
    print(
        f"{count} acknowledged events read back, stopped in {took:.1f} s, {len(results.failures)} failures",
        flush=True,
    )
    for failure in results.failures:
        print(f"  {failure}", flush=True)
    return not results.failures


def with_chaos(setup: Setup, seconds: float, seed: int, token: str, results: Results) -> list[Writer]:
    until = time.monotonic() + seconds
    chaos = Chaos(seed, setup.servers, setup.clock, setup.disk, results)
    chaos.primary, chaos.replica = setup.primary, setup.replica
    actors, threads = start_actors(setup, seed, token, results)
    chaos.run(until)
    return stop_actors(actors, threads, results)


def steady(setup: Setup, seconds: float, seed: int, token: str, results: Results) -> list[Writer]:
    actors, threads = start_actors(setup, seed, token, results)
    time.sleep(seconds * WARM_UP)
    before = checks.footprints(setup.servers)
    time.sleep(seconds * (1 - WARM_UP))
    writers = stop_actors(actors, threads, results)
    after = checks.leaks(before, setup.servers, results)
    for worker in before:
        print(f"worker under load: {before[worker]}; idle at the end: {after.get(worker)}")
    return writers


def start_actors(setup: Setup, seed: int, token: str, results: Results) -> tuple[list[Actor], list[threading.Thread]]:
    results.over.clear()
    actors = [
        kind(number, seed, setup.servers, token, results) for kind, count in ACTORS.items() for number in range(count)
    ]
    threads = [threading.Thread(target=actor.run, name=actor.name, daemon=True) for actor in actors]
    for thread in threads:
        thread.start()
    return actors, threads


def stop_actors(actors: list[Actor], threads: list[threading.Thread], results: Results) -> list[Writer]:
    results.over.set()
    for thread in threads:
        thread.join(90)
        if thread.is_alive():
            results.fail(f"{thread.name} waits for an answer for ever")
    return [actor for actor in actors if isinstance(actor, Writer)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stores", nargs="*", default=list(KINDS))
    options = parser.parse_args()
    kinds = [kind for kind in options.stores if kind == "sqlite" or not missing()]
    if len(kinds) < len(options.stores):
        print(missing())
    clean = [soak(kind, options.minutes * 60 / len(kinds), options.seed) for kind in kinds]
    print("clean" if all(clean) else "NOT CLEAN")
    return int(not all(clean))


if __name__ == "__main__":
    sys.exit(main())
