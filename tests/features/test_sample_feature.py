"""A further feature is a folder and a line in application.py: two are added to a copy of the sources, and the core,
which knows nothing of them, has their tables, screen, letter, task, blocks and keys, and tells them what happens."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.source_copies import copy_sources

HERE = Path(__file__).parent
SAMPLES = ("sample", "shown_sample", "second_sample")


@pytest.mark.parametrize("checks", sorted(path.name for path in HERE.glob("sample_*checks.py")))
def test_a_feature_needs_no_line_in_the_core(checks: str, tmp_path: Path) -> None:
    copy = copy_sources(tmp_path)
    for name in SAMPLES:
        shutil.copytree(HERE / name, copy / "features" / name)
    listed = copy / "application.py"
    constants = [name.upper() for name in SAMPLES]
    text = listed.read_text().replace("    HISTORY,\n", f"    {', '.join(constants)},\n    HISTORY,\n", 1)
    imports = [f"from kalends.features.{name} import {name.upper()}\n" for name in SAMPLES]
    listed.write_text(text.replace("# Each may", f"{''.join(imports)}\n# Each may", 1))
    # Tests of the copy, in a process that imports it instead of ours.
    ended = subprocess.run(
        [sys.executable, *("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"), HERE / checks],
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        | {"PYTHONPATH": str(tmp_path)},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]
