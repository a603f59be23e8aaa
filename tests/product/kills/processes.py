"""The processes that are killed, and started again."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.clusters import free_port
from tests.forked import Forked
from tests.http.test_supervising import is_there
from tests.product.kills.short_times import shorten_times
from tests.product.soak.servers import Server
from tests.waiting import until

WORKER, MASTER, RECEIVER = "worker", "master", "receiver"
FROZEN = "worker that was frozen before"
LONGEST_FREEZE = 4.0  # seconds; some are killed after it, and others go on


class Service(Server):
    """A service with short times."""

    def launched(self, *arguments: str) -> Forked:
        return Forked(*arguments, environ=self.environ, out=self.log, before=shorten_times)

    def until_complete(self) -> None:
        """Until every worker is there."""
        try:
            until(lambda: len(self.worker_ids()) == self.workers)
        except TimeoutError:
            raise TimeoutError(f"{len(self.worker_ids())} workers:\n{self.log.read_text()[-3000:]}") from None


class ReceiverProcess:
    def __init__(self, path: Path) -> None:
        self.path, self.port = path, free_port()
        self.url = f"http://127.0.0.1:{self.port}/hook"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.product.kills.receiver", str(self.port), str(self.path)]
        self._process = subprocess.Popen(command)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class Killer:
    """Kills one of the processes after the other."""

    def __init__(
        self, seed: int, services: list[Service], receiver: ReceiverProcess | None = None, *, freezes: bool = False
    ) -> None:
        self._random = random.Random(seed)
        self._services, self._receiver = services, receiver
        self._freezes = freezes
        self.kills: Counter[str] = Counter()

    def run(self, count: int) -> None:
        receiver, frozen = [RECEIVER] * (self._receiver is not None), [FROZEN] * self._freezes
        victims = [WORKER] * 7 + [MASTER] + receiver * 2 + frozen * 3
        order = [WORKER, MASTER, *receiver, *frozen]
        for number in range(count):
            time.sleep(self._random.uniform(0.05, 0.6))
            # Each kind of victim comes once before chance decides, so that a handful of kills has all of them.
            victim = order[number] if number < len(order) else self._random.choice(victims)
            self._kill(victim)
            self.kills[victim] += 1
            if self.kills.total() % 20 == 0:
                print(f"{self.kills.total()} of {count} kills", file=sys.stderr, flush=True)

    def _kill(self, victim: str) -> None:
        service = self._random.choice(self._services)
        if victim in (WORKER, FROZEN):
            until(service.worker_ids)
            worker = self._random.choice(service.worker_ids())
            if victim == FROZEN:
                os.kill(worker, signal.SIGSTOP)
                time.sleep(self._random.uniform(0.1, LONGEST_FREEZE))
                if self._random.random() < 0.5:
                    os.kill(worker, signal.SIGCONT)
                    return
            os.kill(worker, signal.SIGKILL)
            until(lambda: worker not in service.worker_ids())
            service.until_complete()
        elif victim == MASTER:
            workers = service.worker_ids()
            service.kill_master()
            until(lambda: not any(is_there(worker) for worker in workers))  # they have the port
            service.start()
            service.until_complete()
        else:
            assert self._receiver is not None
            self._receiver.kill()
            self._receiver.start()
