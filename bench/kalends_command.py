"""Runs the commands of one version of Kalends: that of this tree, or of another tree in the same environment."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SITE = {"KALENDS_TIMEZONE": "America/New_York"}
USER = "bench"
# This process uses the service, and what its tests start PostgreSQL with, of the same tree.
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]


@dataclass(frozen=True)
class Version:
    """A source tree; its `src` comes before whatever is installed."""

    name: str
    tree: Path

    @property
    def environment(self) -> dict[str, str]:
        return SITE | {"PYTHONPATH": os.pathsep.join((str(self.tree / "src"), str(self.tree / "bench")))}

    def command(self, *arguments: str) -> tuple[str, ...]:
        return (sys.executable, "-c", "from kalends.cli import main; main()", *arguments)

    def run(self, *arguments: str, database: str = "", standard_input: str = "") -> str:
        """What a command prints."""
        extra = {"KALENDS_DATABASE": database} if database else {}
        return self._output(self.command(*arguments), extra, standard_input)

    def python(self, code: str) -> str:
        """What a piece of Python prints that imports this version."""
        return self._output((sys.executable, "-c", code), {}, "")

    def token(self, folder: Path, database: str = "") -> str:
        """A new token of the user that every calendar of the benchmark has."""
        return self.run("token", "add", USER, "--data", str(folder), database=database).strip()

    def check(self) -> None:
        """An environment that prefers another copy would measure the wrong version."""
        found = Path(self.python("import kalends; print(kalends.__file__)").strip())
        if not found.is_relative_to(self.tree):
            raise RuntimeError(f"{self.name} would run {found} instead of {self.tree}")

    def _output(self, command: tuple[str, ...], extra: Mapping[str, str], standard_input: str) -> str:
        done = subprocess.run(
            command,
            env={**os.environ, **self.environment, **extra},
            input=standard_input,
            capture_output=True,
            text=True,
            cwd=self.tree,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr or done.stdout}")
        return done.stdout


CURRENT = Version("Kalends", ROOT)
