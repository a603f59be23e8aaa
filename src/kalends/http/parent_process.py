"""What a worker knows of the master that started it, and that it ends with it: else it would hold the port."""

import os
import signal
import threading
import time

# Variables of the environment that the master sets.
MASTER = "_KALENDS_MASTER"  # the id of its process
COUNTS = "_KALENDS_COUNTS"  # the folder of all workers' figures for /metrics

INTERVAL = 0.5  # seconds between two checks
GRACE = 8.0  # seconds to finish requests


def follow(master: int) -> threading.Thread:
    """Watches the master in a thread, because systems differ in what they offer for it."""
    watching = threading.Thread(target=_watch, args=(master,), name="parent", daemon=True)
    watching.start()
    return watching


def _watch(master: int) -> None:
    while os.getppid() == master:
        time.sleep(INTERVAL)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)
