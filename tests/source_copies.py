"""Copies of the sources, in which a test changes something and starts a process."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import kalends

SOURCE = Path(kalends.__file__).parent


def copy_sources(folder: Path) -> Path:
    """The package in a folder. Its bytecode comes along: to compile everything took longer than what is tested. What
    another process is writing at this moment does not."""
    copy = folder / "kalends"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("*.pyc.*"))
    return copy


def run_tests(folder: Path, *checks: Path) -> None:
    """Tests of the copy in a folder, in a process that imports it instead of ours."""
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *map(str, checks)],
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        | {"PYTHONPATH": str(folder)},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stdout[-6000:] + ended.stderr[-2000:]
