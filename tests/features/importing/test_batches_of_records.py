"""The records of an import are stored some at a time, so that others can write in between: how many, depends
on how much they take."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import NOW, World
from tests.features.importing.conftest import actions, administrator, events_by_title, import_into
from tests.features.importing.test_after_a_merge import document, event, record
from tests.features.importing.test_undoing import content, undo

from kalends.features.importing import run as importing_run
from kalends.features.importing import undoing
from kalends.features.importing.record import Record, Source
from kalends.features.importing.run import Import
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsFile

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


def stored_together(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The names of the records of each of the following transactions of imports."""
    found: list[list[str]] = []
    store = Import._store

    def watched(importer: Import, source: Source, records: list[Record], *more: Any) -> Any:
        stored = store(importer, source, records, *more)
        found.append([record.name for record in records])
        return stored

    monkeypatch.setattr(Import, "_store", watched)
    return found


@pytest.mark.both_stores
def test_changes_take_longer_than_new_events(world: World, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing_run, "BATCH", 10)
    import_into(world, document(save, *(event(id, f"Old {id}") for id in range(3))))
    parts = stored_together(monkeypatch)
    changed = [event(id, f"Changed {id}") for id in range(3)]
    new = [event(10 + id, f"New {id}") for id in range(4)]
    report = import_into(world, document(save, *changed, *new))
    assert parts == [["Changed 0", "Changed 1"], ["Changed 2", "New 0", "New 1", "New 2", "New 3"]]
    assert actions(report) == {"updated": 3, "created": 4}
    assert len(undoing.entries(world.calendar, administrator(world), 5)) == 2


def test_new_series_take_longer_than_single_events(world: World, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing_run, "SERIES", 60)
    parts = stored_together(monkeypatch)

    def calendar(name: str) -> IcsFile:
        entries = "".join(
            f"BEGIN:VEVENT\nUID:{id}\nDTSTART:20270105T190000\nSUMMARY:{name} {id}\n"
            "RRULE:FREQ=WEEKLY;COUNT=3\nEND:VEVENT\n"
            for id in range(3)
        )
        text = f"BEGIN:VCALENDAR\n{entries}END:VCALENDAR\n"
        return IcsFile(save("a.ics", text), "UTC", NOW, NOW + timedelta(days=200), "town")

    import_into(world, calendar("Yoga"))
    assert parts == [["Yoga 0", "Yoga 1"], ["Yoga 2"]]
    parts.clear()
    assert actions(import_into(world, calendar("Dance"))) == {"updated": 3}
    assert parts == [["Dance 0"], ["Dance 1"], ["Dance 2"]], "each of them has dates that change"


def test_an_import_that_was_stopped_inside_of_a_batch_begins_that_again(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_into(world, document(save, *(event(id, f"Old {id}") for id in range(6))))
    monkeypatch.setattr(importing_run, "BATCH", 4)
    told: list[str] = []
    stop_after = "Changed 3"
    store = Import._store

    def stopping(importer: Import, source: Source, records: list[Record], *more: Any) -> Any:
        if told and told[-1] == stop_after:
            raise Stopped
        return store(importer, source, records, *more)

    changed = [event(10, "New"), *(event(id, f"Changed {id}", venue=["town/50"]) for id in range(6))]
    changed = [record("venue", 50, "Hall"), *changed]
    monkeypatch.setattr(Import, "_store", stopping)
    with pytest.raises(Stopped):
        import_into(world, document(save, *changed), watch=lambda outcome: told.append(outcome.name))
    assert told == ["Hall", "New", "Changed 0", "Changed 1", "Changed 2", "Changed 3"], "what is stored is told"
    assert {"Changed 3", "Old 4"} <= set(events_by_title(world))
    monkeypatch.setattr(Import, "_store", store)
    report = import_into(world, document(save, *changed))
    assert actions(report) == {"unchanged": 2, "updated": 2}
    found = events_by_title(world)
    assert set(found) == {"New", *(f"Changed {id}" for id in range(6))}
    assert {one["venue"]["venue"] for title, one in found.items() if title != "New"} == {"Hall"}
    assert len(undoing.entries(world.calendar, administrator(world), 5)) == 2
