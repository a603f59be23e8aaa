"""The folder in which workers share their counters is removed after a kill by the next service that starts."""

import fcntl
import os
from pathlib import Path

from kalends.cli import serve


def counter_folder(among: Path, name: str, *, seconds_ago: float) -> Path:
    folder = among / f"{serve.COUNTER_FOLDER}{name}"
    folder.mkdir()
    lock = folder / serve.COUNTER_LOCK
    lock.touch()
    made = lock.stat().st_mtime - seconds_ago
    os.utime(lock, (made, made))
    return folder


def test_a_folder_that_no_process_has_is_removed(tmp_path: Path) -> None:
    left = counter_folder(tmp_path, "left", seconds_ago=60)
    new = counter_folder(tmp_path, "new", seconds_ago=0)
    held = counter_folder(tmp_path, "held", seconds_ago=60)
    other = tmp_path / "kalends-other"
    other.mkdir()
    with (held / serve.COUNTER_LOCK).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        serve.remove_abandoned_folders(tmp_path)
    assert not left.exists()
    assert new.exists()
    assert held.exists()
    assert other.exists()
