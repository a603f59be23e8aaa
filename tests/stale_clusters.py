"""Removes the PostgreSQL servers that a run of the tests left behind because it was killed.

Each temporary folder names the process that made it; when that process is gone, nobody will come back for it.
"""

import contextlib
import os
import shutil
import signal
import time
from pathlib import Path

PREFIX = "kalends-postgresql-"
OWNER = "owner"
# A folder that names nobody may be one that is being made at this moment.
NAMELESS_SECONDS = 3600


def claim(folder: Path) -> None:
    """Writes down that the folder belongs to this process."""
    (folder / OWNER).write_text(f"{os.getpid()} {_started(os.getpid())} {_numbering()}")


def remove_stale(parent: Path) -> None:
    """Ends the servers of dead owners and removes their folders."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # somebody else's, or another process was quicker
            if not _has_owner(folder):
                _end_server(folder / "data")
                shutil.rmtree(folder, ignore_errors=True)


def _has_owner(folder: Path) -> bool:
    try:
        pid, started, numbering = (folder / OWNER).read_text().split(" ")
    except (FileNotFoundError, ValueError):
        return time.time() - folder.stat().st_mtime < NAMELESS_SECONDS
    if numbering != _numbering():
        return True
    return _is_alive(int(pid)) and _started(int(pid)) == started


def _started(pid: int) -> str:
    """When a process began: a number is given again to others. Empty where there is no /proc."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def _numbering() -> str:
    """Which processes can be seen from here: another container may share this folder and not our process numbers."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _end_server(data: Path) -> None:
    """Ends the server of a data folder, if the process that wrote its number there still is that server."""
    try:
        pid = int((data / "postmaster.pid").read_text().split("\n", 1)[0])
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return
    if str(data).encode() not in command:
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGQUIT)
        os.kill(pid, signal.SIGCONT)  # in case that it is frozen
        for _ in range(100):
            if not _is_alive(pid):
                return
            time.sleep(0.05)
