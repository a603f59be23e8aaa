"""A plain field is one row and one migration: some are added to a copy of the sources, and are everywhere."""

from pathlib import Path

from tests.feature_parts import FOLDER
from tests.source_copies import copy_sources, run_tests

# Those of features too: what is new is there as well.
CHECKS = [Path(__file__).with_name("new_fields.py"), *sorted(FOLDER.glob("*/new_fields.py"))]
# As docs/internals/contract.md shows it.
ROWS = """
    RecordField(
        "dress_code",
        Line(),
        N_("What to wear."),
        extension=True,
        label=N_("Dress code"),
        in_details=True,
        ical="X-DRESS-CODE",
    ),
    RecordField(
        "step_free", Flag(), N_("Whether there are no steps."), extension=True, label=N_("Step-free"), in_details=True
    ),
    RecordField("door_code", Line(), N_("Opens the door."), extension=True, label=N_("Door code")),
"""
MIGRATION = """
ALTER TABLE event ADD COLUMN dress_code TEXT NOT NULL DEFAULT '';
ALTER TABLE event ADD COLUMN door_code TEXT NOT NULL DEFAULT '';
ALTER TABLE event ADD COLUMN step_free INTEGER NOT NULL DEFAULT 0;
"""


def test_new_fields_are_everywhere(tmp_path: Path) -> None:
    copy = copy_sources(tmp_path)
    table = copy / "contract" / "kinds" / "events.py"
    before_external = "    *common.external("
    written = table.read_text().replace(before_external, ROWS + before_external, 1)
    table.write_text(f"from kalends.contract.types.texts import Line\n{written}")
    for dialect in ("sqlite", "postgresql"):
        (copy / "store" / "migrations" / dialect / "9000_dress_code.sql").write_text(MIGRATION)
    run_tests(tmp_path, *CHECKS)
