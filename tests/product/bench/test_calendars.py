"""The calendars that are measured are calendars that the service itself could have made."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
from tests import store_checks
from tests.effort import effort

from kalends.store.engine.sqlite import SqliteStore

DATA = Path(__file__).parents[3] / "bench" / "data.py"


def load_data() -> Any:
    spec = importlib.util.spec_from_file_location("bench_data", DATA)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("series", effort([True], [False, True]))
def test_a_calendar_for_measurements_is_consistent(tmp_path: Path, series: bool) -> None:
    data = load_data()
    data.Builder(tmp_path / "data", 400, series=series).build()
    store = SqliteStore(tmp_path / "data" / "kalends.db")
    store_checks.check(store, but="dates of series")  # its series have other dates than their rule
    with store.read() as session:
        assert session.value("SELECT count(*) FROM event") == 400
        found = session.value("SELECT count(*) FROM event_text WHERE instr(body, ?) > 0", (data.RARE,))
        assert found == data.RARE_EVENTS
        occurrences = session.value("SELECT count(*) FROM event JOIN series ON series.id = event.series")
        assert occurrences == (320 if series else 0)
    store.close()
