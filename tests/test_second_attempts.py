"""A run of the tests tells which of them failed at first."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("name", ["first", "second"])
def test_fails_once(name):
    file = Path(__file__).parent / name
    if not file.exists():
        file.touch()
        raise AssertionError

def test_passes():
    pass
"""


def test_those_that_needed_a_second_attempt_are_named_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "--reruns", "1", "-p", "tests.second_attempts"]
    command += ["-p", "xdist", "-p", "rerunfailures"]  # no other plugin: loading all of them took seconds
    environ = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(
        [*command, "--rootdir", str(tmp_path), "-c", os.devnull, "."],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    _, _, named = run.stdout.partition("2 needed a second attempt")
    assert set(named.split()) >= {"test_some.py::test_fails_once[first]", "test_some.py::test_fails_once[second]"}
    assert "test_passes" not in named
