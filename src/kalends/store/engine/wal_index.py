"""Detects commits to a SQLite file without a query, which would take twenty times as long.

In WAL mode the connections to a file share its WAL index, `…-shm`, as memory. It begins with a header that every
commit writes anew before it is acknowledged, and by which SQLite itself sees whether another connection wrote
(sqlite.org/walformat.html). A connection that has read once has it mapped; this module reads the same memory. The
file is never opened for that: closing it would release the locks that SQLite holds on it.
"""

import ctypes
import os
from collections.abc import Callable
from pathlib import Path

HEADER_BYTES = 48
MAPS = Path("/proc/self/maps")


def header_of(database: Path) -> Callable[[], bytes] | None:
    """A function that reads the header. It may be called while the connection is open that made the mapping. None
    where the mapping cannot be found, as on systems without `/proc`."""
    try:
        file = Path(f"{database}-shm").stat()
        with MAPS.open(encoding="utf-8", errors="replace") as maps:
            start = next((start for start in map(_start_of(file), maps) if start), None)
    except OSError:
        return None
    if start is None:
        return None
    return memoryview((ctypes.c_char * HEADER_BYTES).from_address(start)).tobytes


def _start_of(file: os.stat_result) -> Callable[[str], int | None]:
    """For a line of `/proc/self/maps`: the address of this file's first byte."""
    device = f"{os.major(file.st_dev):02x}:{os.minor(file.st_dev):02x}"
    wanted = ["00000000", device, str(file.st_ino)]

    def start(line: str) -> int | None:
        span, _, *rest = line.split(maxsplit=5)
        return int(span.partition("-")[0], 16) if rest[:3] == wanted else None

    return start
