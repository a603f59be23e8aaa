"""A worker ends with the master that started it: else it would hold the port."""

import os
import signal
import threading
import time

MASTER = "_KALENDS_MASTER"  # the variable with the id of the master's process
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
