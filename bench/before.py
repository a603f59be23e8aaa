"""An earlier version of the service to compare with: a git worktree of its own, removed afterwards."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kalends_command import ROOT, Version

# Each version makes its calendar itself: its migrations and its prerendered records may differ from those of others.
MAKE_CALENDAR = "from data import sample; print(sample({events}).folder)"


@contextmanager
def checked_out(commit: str) -> Iterator[Version]:
    """The version of that commit."""
    with tempfile.TemporaryDirectory(prefix="kalends-before-") as folder:
        tree = Path(folder) / "tree"
        _git("worktree", "add", "--quiet", "--detach", str(tree), commit)
        try:
            version = Version(f"before ({_git('rev-parse', '--short', commit)})", tree)
            version.check()
            yield version
        finally:
            _git("worktree", "remove", "--force", str(tree))


def calendar(version: Version, events: int) -> Path:
    """The folder of the calendar as that version made it; the same events whatever the version."""
    return Path(version.python(MAKE_CALENDAR.format(events=events)).split()[-1])


def _git(*arguments: str) -> str:
    done = subprocess.run(("git", "-C", str(ROOT), *arguments), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr}")
    return done.stdout.strip()
