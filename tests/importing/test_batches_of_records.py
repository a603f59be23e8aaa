"""The records of an import are stored some at a time, so that others can write in between: how many, their texts say
too."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import World
from tests.importing.conftest import actions, administrator, events_by_title, import_into
from tests.importing.test_after_a_merge import document, event, record
from tests.importing.test_undoing import content, undo

from kalends.importing import run as importing_run
from kalends.importing import undoing
from kalends.importing.sources.csv_table import CsvTable

Save = Callable[[str, str | bytes], Path]
LONG = "word " * 400


class Stopped(Exception):
    pass


@pytest.mark.both_stores
def test_few_records_with_long_texts_are_a_batch(world: World, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing_run, "LARGEST", 3000)
    short = [event(id, f"Short {id}") for id in range(4)]
    long = [event(10 + id, f"Long {id}", description=LONG) for id in range(4)]
    huge = event(20, "Huge", description=LONG * 3)
    counted: list[int] = []
    import_into(world, document(save, *short, *long, huge, event(21, "Last")), progress=counted.append)
    assert counted == [6, 2, 1, 1], "two long ones end a batch, and so does a huge one"
    assert len(events_by_title(world)) == 10


def test_what_an_event_names_counts_too(world: World, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing_run, "LARGEST", 1000)
    rows = "".join(f"Event {number},2027-01-01,Hall {number},{'Road ' * 150}\n" for number in range(4))
    table = save("a.csv", "Event Name,Start Date,Venue Name,Venue Address\n" + rows)
    counted: list[int] = []
    import_into(world, CsvTable(table, "UTC"), progress=counted.append)
    assert counted == [2, 2]


def test_an_import_of_long_texts_that_was_stopped_goes_on_where_it_was(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing_run, "LARGEST", 3000)
    before = content(world)
    records = [record("venue", 1, "Hall"), *(event(10 + id, f"Long {id}", description=LONG) for id in range(6))]

    def stop(count: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        import_into(world, document(save, *records), progress=stop)
    assert set(events_by_title(world)) == {"Long 0", "Long 1"}
    assert actions(import_into(world, document(save, *records))) == {"created": 4}
    assert set(events_by_title(world)) == {f"Long {id}" for id in range(6)}
    assert len(undoing.entries(world.calendar, administrator(world), 5)) == 1
    undo(world)
    assert content(world) == before
