"""Sees that something was committed to a SQLite file without asking the database, which takes twenty times as long.

In WAL mode the connections to a file share its WAL index, `…-shm`, as memory. It begins with a header that every
commit writes anew before it is acknowledged, and by which SQLite itself sees whether another connection wrote
(sqlite.org/walformat.html). A connection that has read once has it mapped; the same memory is looked at here. The
file is never opened for that: closing it would take the locks away that SQLite holds on it.
"""

import ctypes
import os
from collections.abc import Callable
from pathlib import Path

HEADER_BYTES = 48
MAPS = Path("/proc/self/maps")


def header_of(database: Path) -> Callable[[], bytes] | None:
    """Reads the header. May be called for as long as the connection is open that made the mapping; None where the
    mapping cannot be found, as on systems without `/proc`."""
    try:
        file = Path(f"{database}-shm").stat()
        with MAPS.open(encoding="utf-8", errors="replace") as maps:
            start = next((start for start in map(_start_of(file), maps) if start), None)
    except OSError:
        return None
    if start is None:
        return None
    header = (ctypes.c_char * HEADER_BYTES).from_address(start)
    return lambda: header.raw


def _start_of(file: os.stat_result) -> Callable[[str], int | None]:
    """Of a line of `/proc/self/maps`: where this file's first byte is in memory."""
    device = f"{os.major(file.st_dev):02x}:{os.minor(file.st_dev):02x}"
    wanted = ["00000000", device, str(file.st_ino)]

    def start(line: str) -> int | None:
        span, _, *rest = line.split(maxsplit=5)
        return int(span.partition("-")[0], 16) if rest[:3] == wanted else None

    return start
