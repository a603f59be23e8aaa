"""Without the folder of the feature nobody defines a field, and what is defined goes on."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.effort import effort
from tests.features.copies import copy_without, with_those_that_import
from tests.source_copies import SOURCE

COMMAND = "from kalends.cli import main; main()"
PROGRAM = Path(__file__).with_name("without_definitions.py")


def run(sources: Path, *arguments: object) -> str:
    environ = {"PYTHONPATH": str(sources), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-P", *map(str, arguments)]  # modules beside the program are not those of Python
    ran = subprocess.run(command, capture_output=True, text=True, env=environ, cwd=sources, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A calendar with a field, and an event that has a value of it."""
    run(SOURCE.parent, PROGRAM, SOURCE.parent, tmp_path / "data", "define")
    return tmp_path / "data"


def test_values_are_shown_found_exported_and_written(data: Path, tmp_path: Path) -> None:
    copy, sources = tmp_path / "copy", tmp_path / "copy" / "src"
    copy.mkdir()
    copy_without(with_those_that_import(["custom_fields"]), copy)
    for form in effort(["csv"], ["csv", "json", "wxr"]):
        exported = run(sources, "-c", COMMAND, "export", form, "--data", data)
        assert "half past six" in exported, form
    run(sources, PROGRAM, sources, data, "use")
