"""A further feature is a folder and a line in application.py: one is added to a copy of the sources, and the core,
which knows nothing of it, has its table, screen, letter, task and block, and tells it what happens."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.source_copies import copy_sources

HERE = Path(__file__).parent


def test_a_feature_needs_no_line_in_the_core(tmp_path: Path) -> None:
    copy = copy_sources(tmp_path)
    shutil.copytree(HERE / "sample", copy / "features" / "sample")
    listed = copy / "application.py"
    text = listed.read_text().replace("    HISTORY,\n", "    SAMPLE,\n    HISTORY,\n", 1)
    listed.write_text(text.replace("# Each may", "from kalends.features.sample import SAMPLE\n\n# Each may", 1))
    # Tests of the copy, in a process that imports it instead of ours.
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            *HERE.glob("sample_*checks.py"),
        ],
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        | {"PYTHONPATH": str(tmp_path)},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]
