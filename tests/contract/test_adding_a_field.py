"""A plain field is one row and one migration: two are added to a copy of the sources, and are everywhere."""

import os
import subprocess
import sys
from pathlib import Path

from tests.feature_parts import FOLDER
from tests.source_copies import copy_sources

# Those of features too: what is new is there as well.
CHECKS = [Path(__file__).with_name("new_fields.py"), *sorted(FOLDER.glob("*/new_fields.py"))]
# As docs/internals/contract.md shows it.
ROWS = """
    RecordField("dress_code", Line(), N_("What to wear."), extension=True, label=N_("Dress code")),
    RecordField("step_free", Flag(), N_("Whether there are no steps."), extension=True, label=N_("Step-free")),
"""
MIGRATION = """
ALTER TABLE event ADD COLUMN dress_code TEXT NOT NULL DEFAULT '';
ALTER TABLE event ADD COLUMN step_free INTEGER NOT NULL DEFAULT 0;
"""


def test_two_new_fields_are_everywhere(tmp_path: Path) -> None:
    copy = copy_sources(tmp_path)
    table = copy / "contract" / "kinds" / "events.py"
    before_external = "    *common.external("
    written = table.read_text().replace(before_external, ROWS + before_external, 1)
    table.write_text(f"from kalends.contract.types.texts import Line\n{written}")
    for dialect in ("sqlite", "postgresql"):
        (copy / "store" / "migrations" / dialect / "9000_dress_code.sql").write_text(MIGRATION)
    # Tests of the copy, in a process that imports it instead of ours.
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *map(str, CHECKS)],
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        | {"PYTHONPATH": str(tmp_path)},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]
