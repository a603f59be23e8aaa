"""The master process: starts the workers, and restarts them when they die, with growing delays."""

import os
import signal
import time
from collections import deque
from typing import Any

from granian import Granian

WINDOW = 60.0  # seconds for which the death of a worker counts
FIRST_DELAY, LONGEST_DELAY = 0.25, 10.0
CHECK_SECONDS = 0.05


class Supervisor(Granian):  # type: ignore[misc,valid-type]
    """Granian's own master ends the service when a worker dies twice within seconds. This one waits longer before
    each restart instead, since the other workers may be healthy."""

    deaths: deque[float]

    def serve(self, *arguments: Any, **options: Any) -> None:
        os.register_at_fork(after_in_child=_end_when_told)
        super().serve(*arguments, **options)

    def _respawn_workers(self, workers: Any, spawn_target: Any, target_loader: Any, delay: float = 0) -> None:
        if not delay:  # not a requested restart: workers died
            self._back_off(len(workers))
            if self.interrupt_signal:
                return
        super()._respawn_workers(workers, spawn_target, target_loader, delay)
        self.respawned_wrks.clear()  # by which Granian knows that one died twice

    def _stop_workers(self) -> None:
        """Waits until the workers have ended. Granian looks once after each has, when it may not know of it yet, and
        then reports that it had to be killed."""
        for worker in self.wrks:
            worker.terminate()
        until = time.monotonic() + self.workers_kill_timeout
        while any(worker.is_alive() for worker in self.wrks) and time.monotonic() < until:
            time.sleep(CHECK_SECONDS)
        super()._stop_workers()

    def _back_off(self, count: int) -> None:
        now = time.monotonic()
        if not hasattr(self, "deaths"):
            self.deaths = deque(maxlen=100)
        while self.deaths and now - self.deaths[0] > WINDOW:
            self.deaths.popleft()
        until = now + delay_after(len(self.deaths))
        self.deaths.extend([now] * count)
        while time.monotonic() < until and not self.interrupt_signal:
            time.sleep(CHECK_SECONDS)


def _end_when_told() -> None:
    """In a new worker, which inherits the master's handlers: until it has its own, a signal would be lost on it, and
    the service would stop only when the worker is killed."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def delay_after(deaths: int) -> float:
    """The seconds until the restart, by the number of earlier deaths: none, then 0.25, 0.5, 1…"""
    return 0.0 if not deaths else min(FIRST_DELAY * 2.0 ** min(deaths - 1, 20), LONGEST_DELAY)
