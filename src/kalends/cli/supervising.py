"""The master process: starts the workers, and restarts them when they die, with growing delays."""

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

    def _respawn_workers(self, workers: Any, spawn_target: Any, target_loader: Any, delay: float = 0) -> None:
        if not delay:  # not a requested restart: workers died
            self._back_off(len(workers))
            if self.interrupt_signal:
                return
        super()._respawn_workers(workers, spawn_target, target_loader, delay)
        self.respawned_wrks.clear()  # by which Granian knows that one died twice

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


def delay_after(deaths: int) -> float:
    """The seconds until the restart, by the number of earlier deaths: none, then 0.25, 0.5, 1…"""
    return 0.0 if not deaths else min(FIRST_DELAY * 2.0 ** min(deaths - 1, 20), LONGEST_DELAY)
