"""The master process: starts the workers, and starts them anew when they die, ever more slowly if they keep dying."""

import time
from collections import deque
from typing import Any

from granian import Granian

WINDOW = 60.0  # seconds for which the death of a worker counts
FIRST_DELAY, LONGEST_DELAY = 0.25, 10.0
LOOK = 0.05


class Supervisor(Granian):  # type: ignore[misc,valid-type]
    """Granian's own master ends the service when a worker dies twice within seconds. A service with one broken worker
    is better than none, so this one waits a little longer each time instead."""

    deaths: deque[float]

    def _respawn_workers(self, workers: Any, spawn_target: Any, target_loader: Any, delay: float = 0) -> None:
        if not delay:  # nobody asked for it: workers died
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
            time.sleep(LOOK)


def delay_after(deaths: int) -> float:
    """The seconds until the next start, after so many deaths before this one: none, then 0.25, 0.5, 1…"""
    return 0.0 if not deaths else min(FIRST_DELAY * 2.0 ** min(deaths - 1, 20), LONGEST_DELAY)
