"""What goes wrong, at random: processes that the soak has started are killed, the disk is full, the clock jumps."""

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.clusters import Cluster
from tests.product.soak.disks import SmallDisk
from tests.product.soak.entry import shift
from tests.product.soak.results import Results
from tests.product.soak.servers import Server

PAUSE = (1.0, 4.0)  # seconds between two of them
JUMPS = (-86_400, -3_600, -61, 61, 3_600, 86_400, 40 * 86_400)


class Chaos:
    """Goes on until the given moment, then leaves everything running."""

    def __init__(self, seed: int, servers: list[Server], clock: Path, disk: SmallDisk, results: Results) -> None:
        self.random = random.Random(f"{seed} chaos")
        self.servers, self.clock, self.disk, self.results = servers, clock, disk, results
        self.primary: Cluster | None = None
        self.replica: Cluster | None = None

    def run(self, until: float) -> None:
        doings: list[Callable[[], None]] = [self.worker, self.worker, self.master, self.node, self.jump]
        if self.disk.can_fill:
            doings.append(self.full_disk)
        if self.primary is not None:
            doings += [self.kill_primary, self.kill_replica]
        # Each of them once, however short the run is, then at random.
        order = self.random.sample(doings, len(doings))
        try:
            while time.monotonic() < until:
                doing = order.pop() if order else self.random.choice(doings)
                doing()
                self.results.chaos[doing.__name__] += 1
                time.sleep(self.random.uniform(*PAUSE))
        except Exception as error:
            self.results.fail(f"chaos: {error!r}")
        finally:
            self.disk.empty()
            shift(self.clock, 0)

    def worker(self) -> None:
        workers = self.random.choice(self.servers).worker_ids()
        if workers:
            with suppress(ProcessLookupError):
                os.kill(self.random.choice(workers), signal.SIGKILL)

    def master(self) -> None:
        server = self.random.choice(self.servers)
        workers = server.worker_ids()
        server.kill_master()
        end = time.monotonic() + 20
        while any(Path(f"/proc/{worker}").exists() for worker in workers) and time.monotonic() < end:
            time.sleep(0.1)
        if time.monotonic() >= end:
            self.results.fail("workers outlive their master")
        server.kill()
        server.start()

    def node(self) -> None:
        server = self.random.choice(self.servers)
        server.kill()
        time.sleep(self.random.uniform(0, 2))
        server.start()

    def full_disk(self) -> None:
        self.disk.fill()
        time.sleep(self.random.uniform(2, 5))
        self.disk.empty()

    def jump(self) -> None:
        shift(self.clock, self.random.choice(JUMPS))

    def kill_primary(self) -> None:
        assert self.primary is not None
        self.primary.stop(signal.SIGQUIT)
        time.sleep(self.random.uniform(0, 2))
        self.primary.start()

    def kill_replica(self) -> None:
        assert self.replica is not None
        self.replica.stop(signal.SIGQUIT)
        time.sleep(self.random.uniform(0, 4))
        self.replica.start()
