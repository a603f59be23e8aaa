"""What must hold at the end: every acknowledged write is there, the store agrees with itself, nothing has leaked."""

import time

import httpx
from tests import store_checks
from tests.product.soak.actors.writers import Writer
from tests.product.soak.results import Results
from tests.product.soak.servers import Footprint, Server, footprint
from tests.product.soak.setups import Setup

from kalends.bootstrap import make_store
from kalends.settings import load

GROWTH = 1.2  # of memory
IDLE_SECONDS = 40  # until idle threads of the server have ended, and idle connections are closed
FEW = 4  # files or threads more than before may come and go


def acknowledged(writers: list[Writer], servers: list[Server], results: Results) -> int:
    """Reads every event of every writer on every server; how many there are."""
    count = 0
    for server in servers:
        with httpx.Client(timeout=60) as http:
            for writer in writers:
                for known in writer.known:
                    answer = http.get(f"{server.ns}/events/{known.id}", headers=writer.log_in)
                    writer.check(known, answer)
                    count += known.sure
    return count


def store(setup: Setup, results: Results) -> None:
    """The integrity of the store, and every kept count, counted again."""
    settings = load(setup.data, {"database": setup.database} if setup.database else {}, {})
    opened = make_store(settings)
    try:
        store_checks.check(opened)
    except AssertionError as error:
        results.fail(f"the store does not agree with itself: {error}")
    finally:
        opened.close()


def footprints(servers: list[Server]) -> dict[int, Footprint]:
    return {worker: footprint(worker) for server in servers for worker in server.worker_ids()}


def leaks(before: dict[int, Footprint], servers: list[Server], results: Results) -> dict[int, Footprint]:
    """Compares the idle workers with what they were when the load was on them for a while."""
    time.sleep(IDLE_SECONDS)
    after = footprints(servers)
    if set(before) != set(after):
        results.fail(f"workers have changed without a reason: {sorted(before)}, {sorted(after)}")
    for worker in set(before) & set(after):
        then, now = before[worker], after[worker]
        if now.megabytes > GROWTH * then.megabytes:
            results.fail(f"memory grew from {then.megabytes:.0f} to {now.megabytes:.0f} MB")
        if (
            now.files > then.files + FEW
            or now.threads > then.threads + FEW
            or now.connections > then.connections + FEW
        ):
            results.fail(f"something leaked: {then}, {now}")
    return after


def logs(servers: list[Server], results: Results) -> None:
    for server in servers:
        written = server.log.read_text()
        if "Traceback" in written:
            at = written.index("Traceback")
            results.fail(f"the log of {server.name} has a traceback: {written[max(at - 300, 0) : at + 8000]}")
