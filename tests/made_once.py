"""What takes long to make, and is the same for every process of a run."""

import os
import shutil
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest


def made_once(paths: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first process to need it fills, while the others wait. They only read it."""
    run = paths.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each process has a folder within that of the run
        run = run.parent
    folder, unfinished = run / name, run / f"{name}-unfinished"
    with (run / f"{name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not folder.exists():
            shutil.rmtree(unfinished, ignore_errors=True)  # of a process that failed
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
    return folder
