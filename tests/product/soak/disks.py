"""A disk of its own that can be filled up: a small file system in memory, where it is allowed to mount one."""

import subprocess
from pathlib import Path

MEGABYTES = 400


class SmallDisk:
    """A folder on a disk of its own; `can_fill` is False where nothing can be mounted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "soak", str(folder)]
        self.can_fill = subprocess.run(mount, capture_output=True, check=False).returncode == 0
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leaves no room."""
        with self._ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(64 * 1024))
            except OSError:
                return

    def empty(self) -> None:
        self._ballast.unlink(missing_ok=True)

    def remove(self) -> None:
        if self.can_fill:
            # Lazily: a process that was killed may not have closed its files yet.
            subprocess.run(["umount", "--lazy", str(self.folder)], capture_output=True, check=False)
