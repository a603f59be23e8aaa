"""The records of an import are stored some at a time, so that others can write in between: how many, depends
on how much they take."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import parts
from tests.conftest import World
from tests.features.importing.conftest import actions, administrator, events_by_title, import_into
from tests.features.importing.test_after_a_merge import document, event, record
from tests.features.importing.test_undoing import content, shows, undo

from kalends.features.importing import run as importing_run
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.undo import undoing

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


@pytest.mark.both_stores
def test_a_part_ends_when_its_time_is_over(world: World, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes and new series among the records of a batch take longer than new events."""
    import_into(world, document(save, *(event(id, f"Old {id}") for id in range(3))))
    changed = [event(id, f"Changed {id}") for id in range(3)]
    new = [event(10 + id, f"New {id}") for id in range(4)]
    found: list[set[str]] = []
    parts.make_small(monkeypatch)
    parts.do_between(monkeypatch, lambda: found.append(set(events_by_title(world))))
    assert actions(import_into(world, document(save, *changed, *new))) == {"updated": 3, "created": 4}
    assert [len(one) for one in found] == [3, 3, 3, 4, 5, 6]
    assert found[0] == {"Changed 0", "Old 1", "Old 2"}
    assert len(undoing.entries(world.calendar, administrator(world), 5)) == 2


def test_an_import_that_was_stopped_inside_of_a_batch_begins_that_again(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_into(world, document(save, *(event(id, f"Old {id}") for id in range(6))))
    monkeypatch.setattr(importing_run, "BATCH", 4)
    told: list[str] = []

    def stop() -> None:
        if told[-1] == "Changed 3":
            raise Stopped

    changed = [event(10, "New"), *(event(id, f"Changed {id}", venue=["town/50"]) for id in range(6))]
    changed = [record("venue", 50, "Hall"), *changed]
    with monkeypatch.context() as patch:
        parts.make_small(patch)
        parts.do_between(patch, stop)
        with pytest.raises(Stopped):
            import_into(world, document(save, *changed), watch=lambda outcome: told.append(outcome.name))
    assert told == ["Hall", "New", "Changed 0", "Changed 1", "Changed 2", "Changed 3"], "what is stored is told"
    assert {"Changed 3", "Old 4"} <= set(events_by_title(world))
    report = import_into(world, document(save, *changed))
    assert actions(report) == {"unchanged": 2, "updated": 2}
    found = events_by_title(world)
    assert set(found) == {"New", *(f"Changed {id}" for id in range(6))}
    assert {one["venue"]["venue"] for title, one in found.items() if title != "New"} == {"Hall"}
    assert len(undoing.entries(world.calendar, administrator(world), 5)) == 2


def test_pictures_of_a_batch_that_was_stopped_stay_with_what_is_stored(
    world: World, save: Save, make_other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = shows(make_other(), save)
    with monkeypatch.context() as patch:
        parts.make_small(patch)
        with parts.killed_between(patch):
            import_into(world, KalendsJson(source))
    import_into(world, KalendsJson(source))
    for one in events_by_title(world).values():
        assert world.calendar.files.read(one["image"]["url"].partition("/media/")[2])


def test_a_venue_of_many_events_is_counted_once(world: World, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing_run, "LARGEST", 1)
    rows = "".join(f"Event {number},2027-01-01,Hall {number % 2}\n" for number in range(6))
    table = save("a.csv", "Event Name,Start Date,Venue Name\n" + rows)
    first = import_into(world, CsvTable(table, "UTC"))
    assert first.sentences() == ["8 created: 6 events, 2 venues"]
    again = import_into(world, CsvTable(table, "UTC"))
    assert again.sentences() == ["8 unchanged: 6 events, 2 venues"]
