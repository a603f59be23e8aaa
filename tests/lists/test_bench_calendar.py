"""The calendars that are measured are calendars that the service itself could have made."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

from tests.lists import consistency

from kalends.store.engine.sqlite import SqliteStore

DATA = Path(__file__).parents[2] / "bench" / "data.py"


def load_data() -> Any:
    spec = importlib.util.spec_from_file_location("bench_data", DATA)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def test_a_calendar_for_measurements_is_consistent(tmp_path: Path) -> None:
    data = load_data()
    data.Builder(tmp_path / "data", 400).build()
    store = SqliteStore(tmp_path / "data" / "kalends.db")
    consistency.check(store)
    with store.read() as session:
        assert session.value("SELECT count(*) FROM event") == 400
        found = session.value("SELECT count(*) FROM event_text WHERE instr(body, ?) > 0", (data.RARE,))
        assert found == data.RARE_EVENTS
    store.close()
