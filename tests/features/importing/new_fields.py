"""Two fields that are added to a copy of the sources, through exports and imports."""

from pathlib import Path
from typing import Any

from tests.contract.new_fields import NEW, new_values
from tests.features.importing.conftest import administrator, events_by_title, exported, import_into

from kalends.features.exporting import csv_export
from kalends.features.exporting.selection import ExportSelection
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.kalends_json import KalendsJson


def test_exports_and_imports_bring_them_back(make_world: Any, tmp_path: Path) -> None:
    world = make_world()
    world.make("events", title="Ball", **NEW)
    table = b"".join(csv_export.write(ExportSelection(world.calendar, administrator(world), {}), None))
    assert "Event Dress Code" in table.decode().splitlines()[0]
    for name, content, source in (
        ("all.json", exported(world), KalendsJson),
        ("events.csv", table, lambda path: CsvTable(path, "UTC")),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        other = make_world()
        import_into(other, source(path))
        assert new_values(events_by_title(other)["Ball"]) == NEW
