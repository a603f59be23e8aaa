"""`kalends` with a clock that the soak can set: the seconds by which it is wrong are in a file that it maps."""

import mmap
import os
import struct
import sys
import time
from pathlib import Path

from kalends import bootstrap
from kalends.cli import main

VARIABLE = "_SOAK_CLOCK"
SIZE = 8


class ShiftedTime:
    """Stands for the module `time` where the calendar asks for the present."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._shift = mmap.mmap(file.fileno(), SIZE, access=mmap.ACCESS_READ)

    def time(self) -> float:
        return time.time() + float(struct.unpack("d", self._shift[:SIZE])[0])


def shift(path: Path, seconds: float) -> None:
    """Sets the clock of every process that runs with this file."""
    with path.open("r+b" if path.exists() else "w+b") as file:
        file.write(struct.pack("d", seconds))


if __name__ == "__main__":
    # The workers are forked, so they have it too.
    bootstrap.time = ShiftedTime(Path(os.environ[VARIABLE]))  # type: ignore[assignment]
    sys.argv[0] = "kalends"
    main()
