"""Copies of the sources, in which a test changes something and starts a process."""

import shutil
from pathlib import Path

import kalends

SOURCE = Path(kalends.__file__).parent


def copy_sources(folder: Path) -> Path:
    """The package in a folder. Its bytecode comes along: to compile everything took longer than what is tested. What
    another process is writing at this moment does not."""
    copy = folder / "kalends"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("*.pyc.*"))
    return copy
