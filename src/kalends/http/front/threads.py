"""The threads of a worker. Those of requests are counted by the admission, so a job that it lets begin finds one."""

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue

from kalends.calendar.admission import THREADS

log = logging.getLogger("kalends")

Job = Callable[[], object]


class Threads:
    """So many threads at most, each started when it is needed first."""

    def __init__(self, name: str, most: int) -> None:
        self._name = name
        self._most = most
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._lock = threading.Lock()
        self._started = 0
        self._under_way = 0

    def put(self, job: Job) -> None:
        with self._lock:
            self._under_way += 1
            is_short = self._started < min(self._under_way, self._most)
            self._started += is_short
        if is_short:
            threading.Thread(target=self._run, name=self._name, daemon=True).start()
        self._jobs.put(job)

    @property
    def under_way(self) -> int:
        """Jobs that run or wait."""
        return self._under_way

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                job()
            except Exception:
                log.exception("a thread of the front failed")
            del job  # with the request that it holds
            with self._lock:
                self._under_way -= 1


REQUESTS = Threads("request", THREADS)
FILES = Threads("files", 5)  # read and write pieces of files
HEALTH = Threads("health", 2)  # health checks, and the first of the refusals of a kind
CHECKS = Threads("revision", 1)  # ask the store for the revision
