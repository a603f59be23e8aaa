"""A worker ends with the master that started it: one that served on alone would keep the port from the next one."""

import os
import signal
import threading
import time

MASTER = "_KALENDS_MASTER"  # the variable with the id of the master's process
LOOK = 0.5
GRACE = 8.0  # seconds to answer what was begun


def follow(master: int) -> threading.Thread:
    """Watches the master; a thread, because what the system offers for it differs between systems."""
    watching = threading.Thread(target=_watch, args=(master,), name="parent", daemon=True)
    watching.start()
    return watching


def _watch(master: int) -> None:
    while os.getppid() == master:
        time.sleep(LOOK)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)
